import FasciaSound
import Synchronization

/// Orders on their way to the mixer: anybody may put one in, the mixer's thread takes all of them at once. Bounded, also while a device
/// has stopped asking: of each stream so many packets wait, and what comes then is dropped and counted.
final class SoundInbox: Sendable {
    /// Packets of one stream that wait, more than a jitter buffer holds of ordinary ones.
    static let maximumPackets = 64
    /// Orders of other kinds that wait; beyond it streams are not begun or changed.
    static let maximumOrders = 1_024

    private struct State {
        var orders: [SoundOrder] = []
        var packets: [StreamKey: Int] = [:]
        var others = 0
        var dropped = 0
    }

    private let state = Mutex(State())

    /// - Returns: false: there was no room, and it is dropped.
    @discardableResult
    func put(_ order: SoundOrder) -> Bool {
        state.withLock { state in
            switch order {
            case .packet(let key, _, _, _):
                guard state.packets[key, default: 0] < Self.maximumPackets else {
                    state.dropped += 1
                    return false
                }
                state.packets[key, default: 0] += 1
            case .update, .start, .clock:
                guard state.others < Self.maximumOrders else { return false }
                state.others += 1
            default: state.others += 1 // ends something that was begun, or is the driver's
            }
            state.orders.append(order)
            return true
        }
    }

    /// - Parameter batch: emptied, and filled with what waits; its memory is used over and over.
    func take(_ batch: inout [SoundOrder]) {
        batch.removeAll(keepingCapacity: true)
        state.withLock { state in
            guard !state.orders.isEmpty else { return }
            swap(&state.orders, &batch)
            state.packets.removeAll(keepingCapacity: true)
            state.others = 0
        }
    }

    /// Packets dropped, sum.
    var dropped: Int { state.withLock(\.dropped) }
}
