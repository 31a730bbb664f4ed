import FasciaEvents
import FasciaProcesses
import FasciaTLS
import FasciaTrust
import Foundation

/// What is looked at after each cycle, when all is quiet: screen, trust, descriptors, memory, processes.
final class PairChecks {
    private let stores: [ChaosPair.End: TrustStore]
    private let fingerprints: [ChaosPair.End: Fingerprint]
    private var looks = 0

    /// After the pair has paired.
    init(_ pair: ChaosPair) throws {
        let phone = try StateDirectory(path: pair.file("phone")), car = try StateDirectory(path: pair.file("car"))
        stores = [.phone: try TrustStore(phone), .headUnit: try TrustStore(car)]
        fingerprints = [.phone: try Identity.loadOrCreate(in: phone).fingerprint, .headUnit: try Identity.loadOrCreate(in: car).fingerprint]
    }

    /// `end` forgets the other.
    func forget(_ end: ChaosPair.End) throws {
        let other: ChaosPair.End = end == .phone ? .headUnit : .phone
        if let fingerprint = fingerprints[other] { try stores[end]?.forget(fingerprint) }
    }

    func look(at pair: ChaosPair) {
        guard !pair.reactor.isInterrupted() else { return }
        looks += 1
        screen(of: pair)
        trust(of: pair)
        resources(of: pair)
        if looks % 25 == 0 { processes(of: pair) }
    }

    /// Until when what is wrong may still become right: machines stand still at times.
    private func limit(_ pair: ChaosPair) -> UInt64 { MonotonicClock.now() + UInt64(pair.bound * 1e9) }

    private func screen(of pair: ChaosPair) {
        struct Tree: Decodable {
            struct Node: Decodable {}
            var screen: String
            var nodes: [Node]
        }
        // A resumed connection may have shown its first frame before the words for it have come.
        let limit = limit(pair)
        repeat {
            guard let answer = pair.headUnit?.ask("tree"), let tree = try? JSONDecoder().decode(Tree.self, from: Data(answer.dropFirst(3).utf8)) else {
                pair.reactor.run(within: 0.05)
                continue
            }
            if tree.screen == "phone", !tree.nodes.isEmpty { return }
            pair.reactor.run(within: 0.05)
        } while MonotonicClock.now() < limit && !pair.reactor.isInterrupted()
        if !pair.reactor.isInterrupted() { pair.violate("neither home nor app on the screen: \(pair.headUnit?.ask("tree")?.prefix(200) ?? "no answer")") }
    }

    private func trust(of pair: ChaosPair) {
        for end in [ChaosPair.End.phone, .headUnit] {
            let other: ChaosPair.End = end == .phone ? .headUnit : .phone
            guard let store = stores[end] else { continue }
            do throws(StateError) {
                let pinned = try store.currentPeers().map(\.fingerprint)
                if pinned != [fingerprints[other]] { pair.violate("trust store of \(end.rawValue): \(pinned.count) pins, not the one of the other end") }
            } catch { pair.violate("trust store of \(end.rawValue): \(error)") }
            for name in [TrustStore.fileName, Identity.fileName] {
                var status = stat()
                let path = store.directory.path + "/" + name
                if stat(path, &status) != 0 || status.st_mode & 0o777 != 0o600 { pair.violate("\(path) has mode \(String(status.st_mode & 0o777, radix: 8))") }
            }
        }
    }

    private func resources(of pair: ChaosPair) {
        for end in [ChaosPair.End.phone, .headUnit] {
            guard let pid = pair.program(end)?.pid else { continue }
            var wrong: String?
            let limit = limit(pair)
            // Sockets of a connection that ended just now may take a moment to go.
            repeat {
                guard let descriptors = ProcessState.descriptors(pid), let memory = ProcessState.resident(pid) else { return }
                var watch = pair.watches[end] ?? ResourceWatch()
                wrong = watch.note(descriptors: descriptors, memory: memory, apps: pair.scenes.pids.count)
                if wrong == nil {
                    pair.watches[end] = watch
                    break
                }
                pair.reactor.run(within: 0.1)
            } while MonotonicClock.now() < limit && !pair.reactor.isInterrupted()
            if let wrong { pair.violate("\(end.rawValue): \(wrong)") }
        }
    }

    private func processes(of pair: ChaosPair) {
        var strangers: [Int32] = []
        // An app that was started just now is known once the phone's event has been read.
        let limit = limit(pair)
        repeat {
            let known = Set([pair.phone?.pid, pair.headUnit?.pid].compactMap { $0 } + pair.scenes.pids)
            strangers = ProcessState.marked(pair.mark).filter { !known.contains($0) && ProcessState.isAlive($0) }
            if strangers.isEmpty { return }
            pair.reactor.run(within: 0.1)
        } while MonotonicClock.now() < limit && !pair.reactor.isInterrupted()
        pair.violate("processes are left over: \(strangers)")
    }
}
