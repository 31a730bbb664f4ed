import FasciaAppRuntime

/// The rules of `CPInterfaceController`, each returning what is broken, or nil. Source: CarPlay Developer Guide and the class's
/// reference page.
@MainActor
struct StackRules {
    let stack: TemplateStack
    let rules: CategoryRules

    /// Rules about the class alone.
    private func kind(of template: CPTemplate, _ selector: String) -> Result<TemplateKind, StackRefusal> {
        guard let kind = TemplateKind(of: template), rules.templates.contains(kind) else {
            return .failure(StackRefusal(.notAllowed(template, selector: selector, rules: rules)))
        }
        guard !TemplateKind.notDrawn.contains(kind) else {
            return .failure(StackRefusal(.refused("\(kind.rawValue) is declared, but this version of Fascia cannot draw it.")))
        }
        return .success(kind)
    }

    func setRoot(_ template: CPTemplate) -> StackViolation? {
        switch kind(of: template, "setRootTemplate:animated:completion:") {
        case .failure(let refusal): return refusal.violation
        case .success(let kind) where TemplateKind.modal.contains(kind):
            return .refused("\(kind.rawValue) can only be presented, it cannot be the root template.")
        case .success: return nil
        }
    }

    func push(_ template: CPTemplate) -> StackViolation? {
        switch kind(of: template, "pushTemplate:animated:completion:") {
        case .failure(let refusal): return refusal.violation
        case .success(let kind):
            if TemplateKind.modal.contains(kind) { return .refused("\(kind.rawValue) can only be presented, not pushed.") }
            if kind == .tabBar { return .refused("CPTabBarTemplate can only be set as the root template, not pushed.") }
            guard let top = stack.top else { return .state("There is no root template to push \(kind.rawValue) on.") }
            if stack.contains(template) { return .refused("Pushing the same template instance more than once is not supported.") }
            if top is CPNowPlayingTemplate, kind != .list {
                return .refused("Only CPListTemplate can be pushed on top of CPNowPlayingTemplate, not \(kind.rawValue).")
            }
            return stack.templates.count + 1 > rules.depth ? .tooDeep(rules.depth) : nil
        }
    }

    func present(_ template: CPTemplate) -> StackViolation? {
        switch kind(of: template, "presentTemplate:animated:completion:") {
        case .failure(let refusal): return refusal.violation
        case .success(let kind):
            guard TemplateKind.modal.contains(kind) else {
                return .refused("\(kind.rawValue) cannot be presented. Allowed classes: \(TemplateKind.list(TemplateKind.modal))")
            }
            if stack.presented != nil { return .state("A template is already presented; only one can be at a time.") }
            return stack.root == nil ? .state("There is no root template to present \(kind.rawValue) over.") : nil
        }
    }

    func pop() -> StackViolation? {
        stack.current.isEmpty ? .state("There is no template to pop: the root template is on top.") : nil
    }

    func popTo(_ target: CPTemplate) -> StackViolation? {
        let targets = stack.templates
        let isTab = (stack.root as? CPTabBarTemplate)?.selectedTemplate === target
        return isTab || targets.contains { $0 === target } ? nil : .refused("The target template is not in the navigation hierarchy.")
    }

    func dismiss() -> StackViolation? {
        stack.presented == nil ? .state("There is no presented template to dismiss.") : nil
    }
}

/// A violation as an error, for `Result`.
struct StackRefusal: Error, @unchecked Sendable {
    let violation: StackViolation
    init(_ violation: StackViolation) { self.violation = violation }
}
