// The forms of the stack operations without a completion handler, and the async ones. Each throws what the completion handler
// would have been given.

extension CPInterfaceController {
    public func setRootTemplate(_ rootTemplate: CPTemplate, animated: Bool) {
        setRootTemplate(rootTemplate, animated: animated, completion: nil)
    }

    public func pushTemplate(_ templateToPush: CPTemplate, animated: Bool) {
        pushTemplate(templateToPush, animated: animated, completion: nil)
    }

    public func popTemplate(animated: Bool) { popTemplate(animated: animated, completion: nil) }

    public func popToRootTemplate(animated: Bool) { popToRootTemplate(animated: animated, completion: nil) }

    public func pop(to targetTemplate: CPTemplate, animated: Bool) { pop(to: targetTemplate, animated: animated, completion: nil) }

    public func presentTemplate(_ templateToPresent: CPTemplate, animated: Bool) {
        presentTemplate(templateToPresent, animated: animated, completion: nil)
    }

    public func dismissTemplate(animated: Bool) { dismissTemplate(animated: animated, completion: nil) }

    @discardableResult
    public func setRootTemplate(_ rootTemplate: CPTemplate, animated: Bool) async throws -> Bool {
        try await outcome { self.setRootTemplate(rootTemplate, animated: animated, completion: $0) }
    }

    @discardableResult
    public func pushTemplate(_ templateToPush: CPTemplate, animated: Bool) async throws -> Bool {
        try await outcome { self.pushTemplate(templateToPush, animated: animated, completion: $0) }
    }

    @discardableResult
    public func popTemplate(animated: Bool) async throws -> Bool {
        try await outcome { self.popTemplate(animated: animated, completion: $0) }
    }

    @discardableResult
    public func popToRootTemplate(animated: Bool) async throws -> Bool {
        try await outcome { self.popToRootTemplate(animated: animated, completion: $0) }
    }

    @discardableResult
    public func pop(to targetTemplate: CPTemplate, animated: Bool) async throws -> Bool {
        try await outcome { self.pop(to: targetTemplate, animated: animated, completion: $0) }
    }

    @discardableResult
    public func presentTemplate(_ templateToPresent: CPTemplate, animated: Bool) async throws -> Bool {
        try await outcome { self.presentTemplate(templateToPresent, animated: animated, completion: $0) }
    }

    @discardableResult
    public func dismissTemplate(animated: Bool) async throws -> Bool {
        try await outcome { self.dismissTemplate(animated: animated, completion: $0) }
    }

    private func outcome(_ start: (@escaping Completion) -> Void) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            start { success, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: success) }
            }
        }
    }
}
