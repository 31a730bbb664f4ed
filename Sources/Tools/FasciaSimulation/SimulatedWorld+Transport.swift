import FasciaLink
import FasciaSession
import FasciaWire

/// Bytes between the ends, and their sockets.
extension SimulatedWorld {
    private static let segment = 16_384
    private static let firstRetransmission: UInt64 = 200_000_000
    private static let longestRetransmission: UInt64 = 1_600_000_000

    private func isAlive(_ end: End) -> Bool { end == .phone ? phone != nil : car != nil }

    /// Takes what a machine has to say, and lets it speak. The machine may be another one's cause to speak: whoever is served twice at
    /// once is served once more.
    func serve(_ connection: SimulatedConnection, _ end: End) {
        guard connection[end].isOpen, isAlive(end) else { return }
        while let event = connection[end].machine.nextEvent() {
            if end == .phone { phoneHears(event, connection) } else { carHears(event, connection) }
            guard connection[end].isOpen, isAlive(end) else { return }
        }
        if end == .car, connection.car.machine.hasPeerAnswered, !connection.car.wasHeard { carWasAnswered(connection) }
        var output: [UInt8] = []
        while connection[end].machine.transmit(upTo: Self.segment, into: &output, now: now) > 0 {}
        connection[end].outbox += output
        send(connection, end)
        if connection[end].machine.isClosed { return shut(connection, end, reset: false) }
        guard let deadline = connection[end].machine.nextDeadline, deadline < connection[end].wakesAt || connection[end].wakesAt <= now else { return }
        connection[end].wakesAt = deadline
        after(deadline > now ? deadline - now : 0) { [unowned self] in
            guard connection[end].isOpen else { return }
            connection[end].machine.deadlineReached(now: now)
            serve(connection, end)
        }
    }

    private func send(_ connection: SimulatedConnection, _ end: End, retransmission: UInt64 = SimulatedWorld.firstRetransmission) {
        guard !connection[end].isSending, !connection[end].outbox.isEmpty || connection[end].finishes, !connection.silentFrom.contains(end) else { return }
        connection[end].isSending = true
        guard network.passes(now, &random) else {
            return after(retransmission) { [unowned self] in
                connection[end].isSending = false
                send(connection, end, retransmission: min(2 * retransmission, Self.longestRetransmission))
            }
        }
        after(network.time(&random)) { [unowned self] in
            connection[end].isSending = false
            arrive(connection, from: end)
        }
    }

    private func arrive(_ connection: SimulatedConnection, from end: End) {
        var bytes = connection[end].outbox
        // Any piece of it may come alone.
        if bytes.count > 1, random.chance(30) { bytes = Array(bytes[..<Int.random(in: 1..<bytes.count, using: &random)]) }
        var how: SimulatedConnection.Break?
        if let plan = connection.breaksAfter, plan.from == end {
            if plan.bytes <= bytes.count {
                bytes = Array(bytes[..<plan.bytes])
                connection.breaksAfter = nil
                how = plan.how
            } else {
                connection.breaksAfter?.bytes -= bytes.count
            }
        }
        connection[end].outbox.removeFirst(bytes.count)
        let receiver = end.other
        if connection[receiver].isOpen {
            if !bytes.isEmpty {
                connection[receiver].machine.receive(bytes, now: now)
                serve(connection, receiver)
            } else if connection[end].finishes, how == nil {
                connection[receiver].machine.transportEnded(.fin, now: now)
                serve(connection, receiver)
            }
        } else if !bytes.isEmpty {
            // Nobody has this socket any more.
            connection[end].outbox = []
            after(network.latency) { [unowned self] in lose(connection, end, .reset) }
        }
        if let how { sever(connection, how, from: end) }
        if !connection[end].outbox.isEmpty || connection[end].finishes && !bytes.isEmpty { send(connection, end) }
    }

    func sever(_ connection: SimulatedConnection, _ how: SimulatedConnection.Break, from end: End) {
        switch how {
        case .reset: for end in [End.phone, .car] { lose(connection, end, .reset) }
        case .silence: connection.silentFrom = [.phone, .car]
        case .oneWay: connection.silentFrom.insert(end)
        }
    }

    private func lose(_ connection: SimulatedConnection, _ end: End, _ how: TransportEnd) {
        guard connection[end].isOpen else { return }
        connection[end].machine.transportEnded(how, now: now)
        serve(connection, end)
    }

    /// An end has no more to do with its socket.
    func shut(_ connection: SimulatedConnection, _ end: End, reset: Bool) {
        guard connection[end].isOpen else { return }
        connection[end].isOpen = false
        if reset {
            connection[end].outbox = []
            if network.isUp(now), connection.silentFrom.isEmpty { after(network.latency) { [unowned self] in lose(connection, end.other, .reset) } }
        } else {
            connection[end].finishes = true
            send(connection, end)
        }
        if !connection.phone.isOpen, !connection.car.isOpen { connections.removeAll { $0 === connection } }
    }

    /// CLOSE, from the application.
    func close(_ link: LinkID, _ end: End, _ code: CloseCode, _ detail: String) {
        guard let connection = connections.first(where: { (end == .phone ? $0.phoneLink : $0.carLink) == link }), connection[end].isOpen else { return }
        connection[end].machine.close(code, detail: detail, now: now)
        // Nothing more is heard from it: what it says of its own end is not news.
        while connection[end].machine.nextEvent() != nil {}
        serve(connection, end)
    }

    /// The process is gone; its kernel tells the other end, if it can.
    func dropSockets(of end: End) {
        for connection in connections { shut(connection, end, reset: true) }
    }
}
