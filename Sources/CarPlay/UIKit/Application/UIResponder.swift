@_exported import Foundation

/// Base of application and scene delegates. There are no events to respond to: input reaches CarPlay apps through templates.
@preconcurrency @MainActor
open class UIResponder: NSObject {
    public nonisolated override init() { super.init() }

    open var next: UIResponder? { nil }
}
