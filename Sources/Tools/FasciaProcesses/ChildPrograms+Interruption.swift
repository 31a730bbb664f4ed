import ArgumentParser

extension ChildPrograms {
    /// Runs `body`; whatever it started is ended with it, also after Ctrl-C.
    public static func whileRunning<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let interruption = Interruption()
        defer { endAll() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await signal in interruption.events {
                    endAll()
                    throw ExitCode(Interruption.status(of: signal))
                }
                return nil
            }
            while let result = try await group.next() {
                guard let value = result else { continue }
                // It may have seen its children end before anybody saw why: what it made of that does not count.
                if let signal = interruption.signal { throw ExitCode(Interruption.status(of: signal)) }
                group.cancelAll()
                return value
            }
            throw CancellationError()
        }
    }
}
