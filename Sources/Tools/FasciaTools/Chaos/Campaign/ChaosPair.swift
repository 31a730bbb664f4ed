import FasciaSimulation
import FasciaEvents
import FasciaProcesses
import Foundation

/// A head unit, a phone with two apps, and the proxy between them: started, watched and restarted on one thread.
final class ChaosPair {
    enum End: String { case phone, headUnit = "headunit" }

    static let code = "314159"
    static let chaosID = "org.fascia.samples.ChaosApp", rubberSoulID = "org.fascia.samples.RubberSoul"
    /// Longest until both ends show the same session again once nothing is broken any more, seconds.
    let bound: Double

    let reactor = Reactor()
    let proxy: FaultProxy
    let directory: String
    let mark: String
    private let flags: ProgramFlags
    private var eventPipes: [LinePipe] = []

    private(set) var phone: SupervisedProgram?
    private(set) var headUnit: SupervisedProgram?
    /// Ended on purpose, or allowed to end: no violation.
    var mayEnd: Set<End> = []
    /// Started again as soon as they end.
    var supervises: Set<End> = [.phone, .headUnit]
    var headUnitPort = 0

    var phoneLink = LinkLedger()
    var carLink = LinkLedger()
    var scenes = SceneLedger()
    /// By process of ChaosApp.
    var diaries: [Int32: AppDiary] = [:]
    /// Processes that are gone. Numbers come round again in a long campaign.
    private var ended: Set<Int32> = []
    /// Apps of a phone that is gone, and until when they may be there.
    private var orphans: [Int32: UInt64] = [:]
    var timeline = Timeline()
    private(set) var violations: [String] = []
    var watches: [End: ResourceWatch] = [:]
    private(set) var peaks: [End: (descriptors: Int, memory: Int)] = [:]
    private(set) var restarts: [End: Int] = [:]

    /// - Parameter directory: kept with logs and state; belongs to the caller.
    init(directory: String, bound: Double, flags: ProgramFlags, isInterrupted: @escaping () -> Bool) throws {
        (self.directory, self.bound, self.flags) = (directory, bound, flags)
        mark = "FASCIA_CHAOS_MARK=\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        proxy = try FaultProxy(reactor: reactor)
        reactor.isInterrupted = isInterrupted
        reactor.onTick = { [unowned self] in supervise() }
        proxy.onRule = { [unowned self] rule in timeline.add("proxy", rule.description) }
        eventPipes = [
            try LinePipe(path: file("phone.events"), reactor: reactor) { [unowned self] in phoneSaid($0) },
            try LinePipe(path: file("headunit.events"), reactor: reactor) { [unowned self] in carSaid($0) },
            try LinePipe(path: file("diary"), reactor: reactor) { [unowned self] in appSaid($0) },
        ]
    }

    func file(_ name: String) -> String { directory + "/" + name }

    func violate(_ text: String) {
        timeline.add("VIOLATION", text)
        violations.append(text)
    }

    /// In this cycle.
    var isInViolation: Bool { !violations.isEmpty }

    func takeViolations() -> [String] {
        defer { violations = [] }
        return violations
    }

    // MARK: Programs

    private var environment: [String: String] {
        let parts = mark.split(separator: "=", maxSplits: 1).map(String.init)
        return [parts[0]: parts[1], "FASCIA_CHAOS_DIARY": file("diary"), "FASCIA_CHAOS_ORDERS": file("orders"), "LC_ALL": "C.UTF-8"]
    }

    /// - Parameter anew: on a new port, else on the one it had.
    func startHeadUnit(anew: Bool) throws {
        if anew { headUnitPort = 0 }
        let program = try SupervisedProgram(Programs.path("fascia-headunit"), [
            "--headless", "--name", "Chaos Car", "--listen", "127.0.0.1:\(headUnitPort)", "--no-discovery", "--state-dir", file("car"), "--pairing-code", Self.code,
            "--events", file("headunit.events"),
        ] + flags.headUnit, environment: environment, log: file("headunit.log"), reactor: reactor)
        headUnit = program
        watches[.headUnit] = ResourceWatch()
        mayEnd.remove(.headUnit)
        timeline.add("chaos", "head unit started, pid \(program.pid)")
        let prefix = "listening 127.0.0.1:"
        reactor.run(within: 10) { program.lines.contains { $0.hasPrefix(prefix) } || !program.isRunning }
        guard let line = program.lines.first(where: { $0.hasPrefix(prefix) }), let port = Int(line.dropFirst(prefix.count)) else {
            if reactor.isInterrupted() { return }
            return violate("the head unit does not listen (\(program.ending.map(\.description) ?? "silent"))")
        }
        headUnitPort = port
        proxy.upstream = port
    }

    func startPhone() throws {
        let program = try SupervisedProgram(Programs.path("fascia-phone"), [
            "run", "--connect", "127.0.0.1:\(proxy.port)", "--code", Self.code, "--name", "Chaos Phone", "--state-dir", file("phone"),
            "--events", file("phone.events"), "--app", Programs.path("ChaosApp"), "--app", Programs.path("RubberSoul"),
        ] + flags.phone, environment: environment, log: file("phone.log"), reactor: reactor)
        phone = program
        watches[.phone] = ResourceWatch()
        mayEnd.remove(.phone)
        timeline.add("chaos", "phone started, pid \(program.pid)")
    }

    func program(_ end: End) -> SupervisedProgram? { end == .phone ? phone : headUnit }

    func signal(_ end: End, _ number: Int32) {
        timeline.add("chaos", "\(signalName(number)) to \(end.rawValue)")
        if number == SIGKILL || number == SIGTERM { mayEnd.insert(end) }
        program(end)?.signal(number)
    }

    /// Until it is gone.
    @discardableResult
    func awaitEnd(_ end: End, within seconds: Double) -> Bool {
        reactor.run(within: seconds) { program(end)?.isRunning != true }
    }

    private var isSupervising = false

    /// Sees to ends of programs: what they knew is forgotten, and they are started again.
    private func supervise() {
        guard !isSupervising else { return }
        isSupervising = true
        defer { isSupervising = false }
        for end in [End.phone, .headUnit] {
            guard let program = program(end), !noticed.contains(program.pid) else { continue }
            program.reap()
            guard let ending = program.ending else { continue }
            noticed.insert(program.pid)
            ended(end, ending)
        }
        let now = MonotonicClock.now()
        for (pid, deadline) in orphans {
            if !ProcessState.isAlive(pid) { orphans[pid] = nil }
            else if now > deadline {
                violate("process \(pid) of an app is still there 3 s after the phone ended")
                orphans[pid] = nil
                kill(pid, SIGKILL)
            }
        }
        for end in supervises where program(end)?.isRunning == false && !reactor.isInterrupted() {
            do { if end == .phone { try startPhone() } else { try startHeadUnit(anew: false) } } catch { violate("\(end.rawValue) cannot be started: \(error)") }
        }
    }

    private var noticed: Set<Int32> = []

    private func ended(_ end: End, _ ending: SupervisedProgram.Ending) {
        for pipe in eventPipes { pipe.drain() }
        timeline.add("chaos", "\(end.rawValue) ended, \(ending)")
        restarts[end, default: 0] += 1
        keepPeaks(end)
        if !mayEnd.contains(end) { violate("\(end.rawValue) ended by itself, \(ending)") }
        if case .signal(let number) = ending, number != SIGKILL, number != SIGTERM { violate("\(end.rawValue) crashed, \(ending)") }
        if end == .phone {
            for pid in scenes.pids { orphans[pid] = MonotonicClock.now() + 3_000_000_000 }
            ended.formUnion(scenes.pids)
            scenes.phoneEnded()
            phoneLink.processEnded()
        } else {
            carLink.processEnded()
        }
    }

    func keepPeaks(_ end: End) {
        guard let watch = watches[end] else { return }
        let before = peaks[end] ?? (0, 0)
        peaks[end] = (max(before.descriptors, watch.mostDescriptors), max(before.memory, watch.mostMemory))
    }

    /// Ends everything; nothing of the pair is left.
    func end() {
        supervises = []
        reactor.onTick = {}
        for end in [End.phone, .headUnit] {
            keepPeaks(end)
            program(end)?.end(within: 1.5)
        }
        proxy.shutDown()
        for pipe in eventPipes { pipe.close() }
        for pid in ProcessState.marked(mark) { kill(pid, SIGKILL) }
    }

    // MARK: What they say

    private func phoneSaid(_ line: String) {
        guard let record = EventRecord(line: line) else { return violate("the phone wrote an event that is none: \(line.prefix(200))") }
        timeline.add("phone", record.humanLine, at: record.time)
        if let wrong = phoneLink.note(record) { violate("phone: \(wrong)") }
        let running = Set(scenes.pids)
        if let wrong = scenes.note(record) { violate("phone: \(wrong)") }
        ended.formUnion(running.subtracting(scenes.pids))
    }

    private func carSaid(_ line: String) {
        guard let record = EventRecord(line: line) else { return violate("the head unit wrote an event that is none: \(line.prefix(200))") }
        timeline.add("headunit", record.humanLine, at: record.time)
        if let wrong = carLink.note(record) { violate("head unit: \(wrong)") }
    }

    private func appSaid(_ line: String) {
        guard let entry = AppDiary.Entry(line: line) else { return violate("the app wrote a line that is none: \(line.prefix(200))") }
        timeline.add("app", "\(entry.pid) \(entry.what) scene \(entry.scene)", at: entry.time)
        if entry.what == "launched", ended.remove(entry.pid) != nil { diaries[entry.pid] = nil }
        if let wrong = diaries[entry.pid, default: AppDiary()].note(entry) { violate("app: \(wrong)") }
    }

    // MARK: All quiet

    /// What keeps the pair from being as it should be when nothing is broken: empty when all is well.
    var unrest: [String] {
        var reasons: [String] = []
        if phone?.isRunning != true { reasons.append("the phone is not running") }
        if headUnit?.isRunning != true { reasons.append("the head unit is not running") }
        switch (phoneLink.state, carLink.state) {
        case (.up(let one), .up(let other)) where one == other: break
        default: reasons.append("the phone says \(phoneLink.state), the head unit \(carLink.state)")
        }
        if !phoneLink.hasFirstFrame { reasons.append("no first frame of the newest connection") }
        reasons += scenes.open.map { "missing: \($0)" }
        if !orphans.isEmpty { reasons.append("apps of the phone before are still there: \(orphans.keys.sorted())") }
        if let pid = scenes.pid(of: Self.chaosID) {
            let diary = diaries[pid] ?? AppDiary(), counts = scenes.counts(of: Self.chaosID)
            if diary.isConnected != scenes.isConnected(Self.chaosID) || diary.connects != counts.connects || diary.disconnects != counts.disconnects {
                reasons.append("the app (\(pid)) saw \(diary.connects) connects and \(diary.disconnects) disconnects, the phone announced \(counts.connects) and \(counts.disconnects)")
            }
        }
        return reasons
    }

    var isQuiet: Bool {
        guard case .up(let one) = phoneLink.state, case .up(let other) = carLink.state, one == other, phoneLink.hasFirstFrame else { return false }
        return unrest.isEmpty
    }
}

func signalName(_ number: Int32) -> String {
    switch number {
    case SIGKILL: "SIGKILL"
    case SIGTERM: "SIGTERM"
    case SIGSTOP: "SIGSTOP"
    case SIGCONT: "SIGCONT"
    case SIGSEGV: "SIGSEGV"
    default: "signal \(number)"
    }
}
