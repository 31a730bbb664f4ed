import Foundation

/// Takes a lab down, whatever state it is in.
enum LinkEnd {
    private static let patience = 5.0

    static func run(_ place: LabPlace, started: StartedLink?) throws(LabError) {
        if let connection = ControlConnection(path: place.socket) { _ = try? connection.ask("quit") }
        let lock = try waitForLock(place)
        // From here on no link of this name lives, and none can start.
        if let state = LabState.read(place), state.processNamespace == LabState.currentProcessNamespace {
            for process in state.processes { process.send(SIGKILL) }
            wait { !state.processes.contains(where: \.isRunning) }
        }
        place.removeDirectory()
        place.releaseLock(lock)
        started?.reap()
    }

    private static func waitForLock(_ place: LabPlace) throws(LabError) -> Int32 {
        if let lock = try lock(place) { return lock }
        // It holds the lock and did not end when asked.
        guard let state = LabState.read(place), state.processNamespace == LabState.currentProcessNamespace, let link = state.processes.first else {
            throw LabError(.failed, "the link of lab \"\(place.name)\" does not answer and belongs to another process namespace: end it there")
        }
        link.send(SIGKILL)
        guard let lock = try lock(place) else { throw LabError(.failed, "the link of lab \"\(place.name)\" (process \(link.pid)) does not end") }
        return lock
    }

    private static func lock(_ place: LabPlace) throws(LabError) -> Int32? {
        var result: Result<Int32?, LabError> = .success(nil)
        wait {
            result = Result { () throws(LabError) in try place.takeLock() }
            if case .success(nil) = result { return false }
            return true
        }
        return try result.get()
    }

    /// Until `condition`, with a limit.
    private static func wait(_ condition: () -> Bool) {
        let deadline = Date().addingTimeInterval(patience)
        while !condition(), Date() < deadline { usleep(2_000) }
    }
}
