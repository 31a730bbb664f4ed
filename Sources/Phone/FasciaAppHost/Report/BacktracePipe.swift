import CAppSpawn
import Foundation

/// Asks every thread of an app where it is: a signal each, whose handler writes a record into a pipe (spec/applink.md 6.1). The app's
/// main thread need not be able to do anything. What arrives is the app's word, and checked as such.
package struct BacktracePipe {
    /// Time for all threads together.
    static let patience: Duration = .seconds(2)
    package static let recordLimit = 4_096
    private static let magic: UInt32 = 0x4642_5431
    private static let header = 16

    let pid: Int32
    /// Reading end, non-blocking.
    let descriptor: Int32
    let signal: Int32

    enum Answer: Equatable {
        case frames([UInt64])
        case refused(String)
    }

    /// - Returns: an answer for each of `threads`.
    func ask(_ threads: [ThreadList.Entry]) -> [Int32: Answer] {
        var answers: [Int32: Answer] = [:]
        guard let status = ProcFile.read("/proc/\(pid)/status") else {
            return Dictionary(uniqueKeysWithValues: threads.map { ($0.id, .refused("the process is gone")) })
        }
        let catches = ProcFile.contains(ProcFile.mask("SigCgt", in: status), signal: signal)
        discardOld()
        var waiting: Set<Int32> = []
        for thread in threads {
            if let reason = obstacle(thread, catches) { answers[thread.id] = .refused(reason) } else if queue(thread.id) { waiting.insert(thread.id) } else {
                answers[thread.id] = .refused("the signal could not be sent: \(String(cString: strerror(errno)))")
            }
        }
        collect(&waiting, into: &answers)
        for id in waiting { answers[id] = .refused("it did not answer within \(Self.patience.formatted(.units(allowed: [.milliseconds])))") }
        return answers
    }

    private func obstacle(_ thread: ThreadList.Entry, _ catches: Bool) -> String? {
        switch thread.status.state {
        case "T": return "it is stopped"
        case "t": return "a debugger holds it"
        case "Z", "X": return "it has ended"
        default: break
        }
        guard catches else { return "the app does not catch \(SignalName.name(signal)), which asks for it" }
        let status = ProcFile.read("/proc/\(pid)/task/\(thread.id)/status") ?? ""
        return ProcFile.contains(ProcFile.mask("SigBlk", in: status), signal: signal) ? "it blocks \(SignalName.name(signal)), which asks for it" : nil
    }

    private func queue(_ thread: Int32) -> Bool { fascia_queue_signal(pid, thread, signal, thread) == 0 }

    /// Nobody asked before; what lies there is not an answer.
    private func discardOld() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<64 where read(descriptor, &buffer, buffer.count) > 0 {}
    }

    private func collect(_ waiting: inout Set<Int32>, into answers: inout [Int32: Answer]) {
        let deadline = ContinuousClock.now + Self.patience
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !waiting.isEmpty {
            let left = ContinuousClock.now.duration(to: deadline).components
            // Over, or nearly: what has come by then is taken all the same. This thread may have been the one that was late.
            let milliseconds = max(0, Int32(clamping: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000))
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, milliseconds) > 0 else {
                if milliseconds == 0 { return }
                continue
            }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            bytes += buffer[0 ..< count]
            while let (record, length) = Self.parse(bytes) {
                bytes.removeFirst(length)
                guard let record else { return } // no record: nothing after it can be trusted either
                // Another process's child could write here too; a thread says its own number and gives back the value it was sent.
                guard record.value == UInt32(bitPattern: record.thread), waiting.remove(record.thread) != nil else { continue }
                answers[record.thread] = .frames(record.counters)
            }
            if milliseconds == 0 { return } // an app may write faster than this reads
        }
    }

    package struct Record: Equatable {
        let value: UInt32
        let thread: Int32
        package let counters: [UInt64]
    }

    /// - Returns: nil when more bytes are needed; a nil record for bytes that are none.
    package static func parse(_ bytes: [UInt8]) -> (record: Record?, length: Int)? {
        guard bytes.count >= header else { return nil }
        func word(_ at: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) } }
        let count = Int(word(12)), length = header + count * 8
        guard word(0) == magic, length <= recordLimit else { return (nil, bytes.count) }
        guard bytes.count >= length else { return nil }
        let counters = (0..<count).map { index in (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[header + index * 8 + $1]) << UInt64(8 * $1) } }
        return (Record(value: word(4), thread: Int32(bitPattern: word(8)), counters: counters), length)
    }
}
