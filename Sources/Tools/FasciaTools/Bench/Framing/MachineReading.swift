import FasciaEvents
import FasciaFraming
import FasciaLink
import FasciaProcesses
import FasciaWire
import Foundation

/// The whole link machine of a head unit, in an open session, taking display messages from a phone.
struct MachineReading {
    private var machine: LinkMachine
    private let scratch: UnsafeMutableRawBufferPointer
    private var messages = 0
    private var bytes = 0

    init() throws {
        var phone = LinkMachine(configuration: LinkConfiguration(role: .phone(Hello.with { $0.name = "bench" })), now: MonotonicClock.now())
        machine = LinkMachine(configuration: LinkConfiguration(role: .headUnit), now: MonotonicClock.now())
        scratch = .allocate(byteCount: 65_536, alignment: 16)
        var wire: [UInt8] = []
        _ = phone.transmit(upTo: .max, into: &wire, now: MonotonicClock.now())
        machine.receive(wire, now: MonotonicClock.now())
        guard case .helloReceived? = machine.nextEvent() else { throw ToolError("the head unit's machine did not take the Hello") }
        machine.accept(Welcome.with {
            $0.name = "bench"
            $0.sessionID = Data(repeating: 1, count: 16)
            $0.resumeToken = Data(repeating: 2, count: 32)
            $0.screens = [Screen.with { $0.channel = 16; $0.width = 800; $0.height = 480; $0.scale = 2 }]
        }, now: MonotonicClock.now())
        guard machine.isOpen else { throw ToolError("the head unit's machine did not open") }
    }

    @inline(never)
    mutating func read(_ buffer: FrameBuffer) throws {
        let now = MonotonicClock.now()
        var (messages, bytes) = (0, 0)
        var closure: LinkClosure?
        buffer.bytes.withUnsafeBytes {
            machine.receive($0, now: now) { _, _, body in
                messages += 1
                bytes &+= body.count
            } onEvent: { event in
                if case .closed(let end) = event { closure = end }
            }
        }
        _ = machine.transmit(into: scratch, now: now) // CREDIT, without which the phone would have to stop
        self.messages += messages
        self.bytes &+= bytes
        if let closure { throw ToolError("the link machine closed: \(closure.code) \(closure.detail)") }
        guard messages > 0 else { throw ToolError("the link machine delivered nothing") }
    }
}
