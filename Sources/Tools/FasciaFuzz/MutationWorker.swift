import FasciaLink
import Foundation
import FuzzCore

/// Tries mutated inputs of the corpus until its time is over. Before each, the input is in the file `slot`, for whoever finds this
/// process dead.
struct MutationWorker {
    /// An input that takes longer is a finding, in seconds of this process's CPU time: others may have the machine.
    static let slow = 2.0
    /// Memory of the process, in bytes.
    static let memory = 4 << 30

    private let target: FuzzTarget
    private let slot: String
    private var generator: SeededGenerator
    private let corpus: [[UInt8]]

    init(_ target: FuzzTarget, _ workshop: Workshop, seed: UInt64, slot: String) {
        self.target = target
        self.slot = slot
        generator = SeededGenerator(seed: seed)
        let folder = workshop.corpus(target)
        let files = FuzzTarget.files(of: folder).map { FuzzTarget.contents("\(folder)/\($0)") }
        corpus = files.isEmpty ? [[]] : files
    }

    func run(seconds: Int) -> Never {
        var limit = rlimit(rlim_cur: rlim_t(Self.memory), rlim_max: rlim_t(Self.memory))
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        let size = 4 + target.maximumLength
        let descriptor = open(slot, O_RDWR | O_CREAT, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, off_t(size)) == 0,
              let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED else { exit(70) }
        var mutator = Mutator(generator: generator, corpus: corpus, maximumLength: target.maximumLength)
        let start = ContinuousClock.now
        var runs = 0, told = start
        while true {
            let input = mutator.next()
            memory.storeBytes(of: UInt32(input.count), as: UInt32.self)
            input.withUnsafeBytes { (memory + 4).copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: input.count) }
            let began = clock()
            let finding = target.check(input)
            let now = ContinuousClock.now
            runs += 1
            if let finding { end("finding \(finding)") }
            let spent = Double(clock() - began) / 1_000_000 // POSIX: CLOCKS_PER_SEC
            if spent > Self.slow { end("finding one input took \(spent) s of CPU time") }
            if told.duration(to: now) > .seconds(1) {
                say("runs \(runs)")
                told = now
            }
            if start.duration(to: now) > .seconds(seconds) {
                say("runs \(runs)")
                exit(0)
            }
        }
    }

    private func end(_ text: String) -> Never {
        say(text)
        exit(1)
    }

    /// What a worker was at.
    static func input(in slot: String) -> [UInt8] {
        let bytes = FuzzTarget.contents(slot)
        guard bytes.count >= 4 else { return [] }
        let count = bytes.withUnsafeBytes { Int($0.loadUnaligned(as: UInt32.self)) }
        return Array(bytes[4...].prefix(count))
    }
}

/// Inputs made of those in a corpus. Deterministic.
struct Mutator {
    var generator: SeededGenerator
    let corpus: [[UInt8]]
    let maximumLength: Int
    private static let interesting: [[UInt8]] = [
        [0], [1], [0x7F], [0x80], [0xFF], [0xFF, 0xFF], [0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0, 0, 0],
        [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
    ]

    init(generator: SeededGenerator, corpus: [[UInt8]], maximumLength: Int) {
        self.generator = generator
        self.corpus = corpus
        self.maximumLength = maximumLength
    }

    mutating func next() -> [UInt8] {
        var input = corpus[Int.random(in: 0..<corpus.count, using: &generator)]
        for _ in 0..<(1 << Int.random(in: 0...4, using: &generator)) { mutate(&input) }
        return Array(input.prefix(maximumLength))
    }

    private mutating func place(_ count: Int) -> Int { Int.random(in: 0...max(0, count - 1), using: &generator) }

    private mutating func mutate(_ input: inout [UInt8]) {
        guard !input.isEmpty else {
            input = [UInt8.random(in: 0...255, using: &generator)]
            return
        }
        let at = place(input.count)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: input[at] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        case 1: input[at] = UInt8.random(in: 0...255, using: &generator)
        case 2: input[at] = input[at] &+ UInt8.random(in: 0...32, using: &generator) &- 16
        case 3: input.removeSubrange(at..<min(input.count, at + 1 + place(16)))
        case 4:
            let from = place(input.count)
            input.insert(contentsOf: Array(input[from..<min(input.count, from + 1 + place(32))]), at: at)
        case 5:
            let value = Self.interesting[place(Self.interesting.count)]
            input.replaceSubrange(at..<min(input.count, at + value.count), with: value)
        case 6:
            // The rest of another input.
            let other = corpus[place(corpus.count)]
            if !other.isEmpty { input.replaceSubrange(at..., with: other[place(other.count)...]) }
        default: input.insert(UInt8.random(in: 0...255, using: &generator), at: at)
        }
    }
}
