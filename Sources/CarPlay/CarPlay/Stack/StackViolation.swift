import FasciaAppRuntime

/// A stack operation that breaks a rule.
///
/// With a completion handler it fails with `(false, error)`, without one it raises; two kinds raise in any case, as they do on
/// iOS: a class the app's category may not use, and a stack that becomes too deep.
struct StackViolation {
    let name: String
    let reason: String
    let alwaysRaises: Bool

    @MainActor
    static func notAllowed(_ template: CPTemplate, selector: String, rules: CategoryRules) -> StackViolation {
        let object = TemplateKind.describe(template)
        return StackViolation(
            name: ExceptionName.invalidArgument,
            reason: "Unsupported object \(object) passed to \(selector). Allowed classes: \(TemplateKind.list(rules.templates))", alwaysRaises: true)
    }

    static func tooDeep(_ depth: Int) -> StackViolation {
        StackViolation(
            name: ExceptionName.generic, reason: "Application exceeded the hierarchy depth limit (\(depth) templates for its category).",
            alwaysRaises: true)
    }

    static func refused(_ reason: String) -> StackViolation {
        StackViolation(name: ExceptionName.invalidArgument, reason: reason, alwaysRaises: false)
    }

    static func state(_ reason: String) -> StackViolation {
        StackViolation(name: ExceptionName.generic, reason: reason, alwaysRaises: false)
    }
}
