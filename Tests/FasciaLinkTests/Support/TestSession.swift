import FasciaLink
import FasciaWire

/// The smallest application on both ends: the phone commits numbered states, the car presents them and reports input.
/// It survives any number of connections of the same session.
struct TestSession {
    static let commits = 8
    static let inputs = 5

    // Phone
    var presented = 0
    var sentCommits = 0
    var inputsSeen: [[UInt8]] = []
    var phoneSession: (id: [UInt8], token: [UInt8])?
    /// On the connection of now.
    var phoneOpen = false

    // Car
    var applied: [Int] = []
    var carSession: (id: [UInt8], tokens: [[UInt8]])?
    var touches = 0
    var resumed = 0
    var carOpen = false

    var closures: (phone: [LinkClosure], car: [LinkClosure]) = ([], [])
    var problems: [String] = []
    private var tokens: UInt8 = 0

    /// A commit's body: its number and so much that the longer ones need several frames.
    static func commit(_ number: Int) -> [UInt8] { [UInt8(number)] + [UInt8](repeating: UInt8(number), count: number == 3 ? 1_200 : number * 9) }
    static func touch(_ number: Int) -> [UInt8] { [UInt8(number), 0xAA, UInt8(number)] }

    var hello: Hello {
        var hello = Hello.test
        hello.limits.maxFramePayload = 1_024
        if let phoneSession {
            hello.resume = Resume.with {
                $0.sessionID = .init(phoneSession.id)
                $0.token = .init(phoneSession.token)
                $0.presentedSequence = UInt32(presented)
            }
        }
        return hello
    }

    /// A pair of machines for the next connection.
    mutating func connect(path: Pair.Path, seed: UInt64, grease: UInt64? = nil, now: LinkInstant) -> Pair {
        phoneOpen = false
        carOpen = false
        var phone = LinkConfiguration(role: .phone(hello))
        phone.greaseSeed = grease
        var car = LinkConfiguration(role: .headUnit)
        car.greaseSeed = grease
        car.limits.maxFramePayload = 1_024
        return Pair(
            phone: LinkMachine(configuration: phone, now: now), car: LinkMachine(configuration: car, now: now), path: path, seed: seed, now: now)
    }

    /// Every commit is presented, and the last touch of this connection has arrived.
    var isDone: Bool { presented == Self.commits && touches > 0 && inputsSeen.last == Self.touch(touches) }

    mutating func handle(_ end: Pair.End, _ event: LinkEvent, _ machine: inout LinkMachine, _ now: LinkInstant) {
        switch (end, event) {
        case (.car, .helloReceived(let hello)): answer(hello, &machine, now)
        case (.car, .established):
            carOpen = true
            // What the driver touched while the link was cut is not told later: each connection has its own.
            for _ in 0..<Self.inputs {
                touches += 1
                queue(&machine, .input, MessageType.touch, Self.touch(touches), now)
            }
        case (.phone, .established(let welcome)):
            phoneOpen = true
            phoneSession = (Array(welcome.sessionID), Array(welcome.resumeToken))
            presented = max(presented, Int(welcome.resumed.presentedSequence))
            for number in presented..<max(presented, Self.commits) {
                queue(&machine, .mainDisplay, MessageType.commit, Self.commit(number + 1), now)
            }
        case (.car, .message(.mainDisplay, MessageType.commit, let body)): apply(body, &machine, now)
        case (.phone, .message(.mainDisplay, MessageType.presented, let body)): presented = max(presented, Int(body.first ?? 0))
        case (.phone, .message(.input, MessageType.touch, let body)): inputsSeen.append(body)
        case (.phone, .closed(let closure)): closures.phone.append(closure)
        case (.car, .closed(let closure)): closures.car.append(closure)
        case (_, .late), (_, .suspected), (_, .recovered): break
        default: problems.append("unexpected \(event.name) at \(end)")
        }
    }

    private mutating func answer(_ hello: Hello, _ machine: inout LinkMachine, _ now: LinkInstant) {
        tokens += 1
        let token = [UInt8](repeating: tokens, count: 32)
        var welcome = Welcome.test
        if let session = carSession, hello.hasResume, Array(hello.resume.sessionID) == session.id,
            session.tokens.contains(Array(hello.resume.token)) {
            welcome.resumed = Resumed.with { $0.presentedSequence = UInt32(applied.last ?? 0) }
            carSession = (session.id, [Array(hello.resume.token), token])
            resumed += 1
        } else {
            // A phone that never saw a Welcome begins anew.
            applied = []
            presented = 0
            carSession = ([UInt8](repeating: 100 + tokens, count: 16), [token])
        }
        welcome.sessionID = .init(carSession?.id ?? [])
        welcome.resumeToken = .init(token)
        machine.accept(welcome, now: now)
    }

    private mutating func apply(_ body: [UInt8], _ machine: inout LinkMachine, _ now: LinkInstant) {
        let number = Int(body.first ?? 0)
        if body != Self.commit(number) { problems.append("commit \(number) is not whole") }
        if number != (applied.last ?? 0) + 1 { problems.append("commit \(number) after \(applied)") }
        applied.append(number)
        queue(&machine, .mainDisplay, MessageType.presented, [UInt8(number)], now)
    }

    private mutating func queue(_ machine: inout LinkMachine, _ channel: ChannelID, _ type: UInt16, _ body: [UInt8], _ now: LinkInstant) {
        let result = machine.send(channel: channel, type: type, body: body, now: now)
        // The machine may already know that the connection is over when an earlier event is handled.
        if result != .queued && result != .refused(.closed) { problems.append("send refused: \(result)") }
    }
}
