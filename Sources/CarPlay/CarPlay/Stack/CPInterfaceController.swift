import FasciaAppLink
import FasciaAppRuntime

/// Shows templates on the car's screen: one for each connected scene, given to the scene's delegate.
///
/// Every operation is checked here against the rules, then done by the phone, which answers; completion handlers run on the
/// main actor after that answer, never before the call returns. Without a completion handler a broken rule raises, which ends
/// the process. After the scene has disconnected every operation fails through its completion handler and does nothing else.
@preconcurrency @MainActor
open class CPInterfaceController: NSObject {
    public typealias Completion = (Bool, (any Error)?) -> Void

    open weak var delegate: (any CPInterfaceControllerDelegate)?
    /// Kept; the car decides its appearance.
    open var prefersDarkUserInterfaceStyle = false

    var stack = TemplateStack()
    var pending: [UInt64: PendingOperation] = [:]
    /// Templates off the stack whose disappearance the phone has still to report.
    var departing: [CPTemplate] = []
    var isConnected = true
    /// The driver took away what the app may still believe to be there: its next dismissal or pop is no mistake.
    var driverDismissed = false
    var driverPopped = false
    private var lastOperation: UInt64 = 0

    override init() { super.init() }

    public var carTraitCollection: UITraitCollection { .car }

    /// Before one is set: an empty list.
    public var rootTemplate: CPTemplate { stack.root ?? emptyRoot }
    private lazy var emptyRoot: CPTemplate = CPListTemplate(title: nil, sections: [])

    public var topTemplate: CPTemplate? { stack.top }
    public var presentedTemplate: CPTemplate? { stack.presented }
    /// Root first; above a tab bar the selected tab's.
    public var templates: [CPTemplate] { stack.templates }

    var rules: StackRules { StackRules(stack: stack, rules: .current) }

    // MARK: Operations

    open func setRootTemplate(_ rootTemplate: CPTemplate, animated: Bool, completion: Completion? = nil) {
        guard allowed(rules.setRoot(rootTemplate), completion) else { return }
        let before = stack
        depart(stack.all.filter { $0 !== rootTemplate })
        stack.setRoot(rootTemplate)
        stack.presented = nil
        send(.setRoot, rootTemplate, animated, PendingOperation(undo: .restore(before), completion: completion), needing: [rootTemplate])
    }

    open func pushTemplate(_ templateToPush: CPTemplate, animated: Bool, completion: Completion? = nil) {
        guard allowed(rules.push(templateToPush), completion) else { return }
        driverPopped = false
        stack.current.append(templateToPush)
        send(.push, templateToPush, animated, PendingOperation(undo: .removePushed(templateToPush), completion: completion), needing: [templateToPush])
    }

    open func popTemplate(animated: Bool, completion: Completion? = nil) {
        if isConnected, stack.current.isEmpty, driverPopped { return driverWasFirst(completion) }
        guard allowed(rules.pop(), completion), let top = stack.current.popLast() else { return }
        depart([top])
        send(.pop, top, animated, PendingOperation(undo: .putBack([top]), completion: completion))
    }

    open func popToRootTemplate(animated: Bool, completion: Completion? = nil) {
        guard allowed(nil, completion) else { return }
        let removed = stack.current
        stack.current = []
        depart(removed)
        send(.popToRoot, nil, animated, PendingOperation(undo: .putBack(removed), completion: completion))
    }

    open func pop(to targetTemplate: CPTemplate, animated: Bool, completion: Completion? = nil) {
        guard allowed(rules.popTo(targetTemplate), completion) else { return }
        let keep = stack.current.firstIndex { $0 === targetTemplate }.map { $0 + 1 } ?? 0
        let removed = Array(stack.current[keep...])
        stack.current.removeSubrange(keep...)
        depart(removed)
        send(.popTo, targetTemplate, animated, PendingOperation(undo: .putBack(removed), completion: completion))
    }

    open func presentTemplate(_ templateToPresent: CPTemplate, animated: Bool, completion: Completion? = nil) {
        guard allowed(rules.present(templateToPresent), completion) else { return }
        driverDismissed = false
        stack.presented = templateToPresent
        send(.present, templateToPresent, animated, PendingOperation(undo: .unpresent(templateToPresent), completion: completion), needing: [templateToPresent])
    }

    open func dismissTemplate(animated: Bool, completion: Completion? = nil) {
        if isConnected, stack.presented == nil, driverDismissed { return driverWasFirst(completion) }
        guard allowed(rules.dismiss(), completion), let presented = stack.presented else { return }
        stack.presented = nil
        depart([presented])
        send(.dismiss, presented, animated, PendingOperation(undo: .represent(presented), completion: completion))
    }

    // MARK: Outcome

    /// Reports a violation as the completion rule says; true when there is none.
    private func allowed(_ violation: StackViolation?, _ completion: Completion?) -> Bool {
        guard isConnected else {
            finish(completion, CarPlayError.make(.disconnected, "The car scene is disconnected; its interface controller shows nothing any more."))
            return false
        }
        guard let violation else { return true }
        if violation.alwaysRaises || completion == nil {
            Faults.raise(violation.name, violation.reason)
        } else {
            finish(completion, CarPlayError.make(.refused, violation.reason))
        }
        return false
    }

    /// Calls a completion handler in a later turn. `error` nil is success.
    func finish(_ completion: Completion?, _ error: NSError?) {
        guard let completion else { return }
        Task { completion(error == nil, error) }
    }

    private func driverWasFirst(_ completion: Completion?) {
        driverDismissed = false
        driverPopped = false
        finish(completion, nil)
    }

    /// Keeps templates until the phone has said that they disappeared, so that the delegate still hears of them.
    func depart(_ templates: [CPTemplate]) {
        departing += templates
        if departing.count > 16 { departing.removeFirst(departing.count - 16) }
    }

    private func send(
        _ kind: AppStackOperation.Kind, _ template: CPTemplate?, _ animated: Bool, _ operation: PendingOperation, needing: [CPTemplate] = []
    ) {
        lastOperation += 1
        var message = AppStackOperation()
        message.operation = lastOperation
        message.kind = kind
        message.template = template?.token.id ?? 0
        message.animated = animated
        pending[lastOperation] = operation
        AppSession.shared.enqueue(.with { $0.stackOperation = message }, needing: needing)
    }
}
