import FasciaAppRuntime

/// Parts of the UI a car limits while it moves. The limit holds whether or not the app minds it.
public struct CPLimitableUserInterface: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let keyboard = CPLimitableUserInterface(rawValue: 1 << 0)
    public static let lists = CPLimitableUserInterface(rawValue: 1 << 1)
}

public struct CPContentStyle: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let light = CPContentStyle(rawValue: 1 << 0)
    public static let dark = CPContentStyle(rawValue: 1 << 1)
}

/// What the car says about the session. Keep it as long as its delegate should hear of changes.
@preconcurrency @MainActor
open class CPSessionConfiguration: NSObject {
    open weak var delegate: (any CPSessionConfigurationDelegate)?
    private var last: (style: CPContentStyle, limits: CPLimitableUserInterface)

    public init(delegate: any CPSessionConfigurationDelegate) {
        self.delegate = delegate
        last = (Self.style, Self.limits)
        super.init()
        SessionConfigurations.add(self)
    }

    public var contentStyle: CPContentStyle { Self.style }
    public var limitedUserInterfaces: CPLimitableUserInterface { Self.limits }

    private static var style: CPContentStyle { AppSession.shared.traits.dark ? .dark : .light }
    private static var limits: CPLimitableUserInterface { AppSession.shared.traits.limitedUi ? [.keyboard, .lists] : [] }

    fileprivate func traitsChanged() {
        let now = (style: Self.style, limits: Self.limits)
        let before = last
        last = now
        if now.limits != before.limits { delegate?.sessionConfiguration(self, limitedUserInterfacesChanged: now.limits) }
        if now.style != before.style { delegate?.sessionConfiguration(self, contentStyleChanged: now.style) }
    }
}

@preconcurrency @MainActor
public protocol CPSessionConfigurationDelegate: NSObjectProtocol {
    func sessionConfiguration(_ sessionConfiguration: CPSessionConfiguration, limitedUserInterfacesChanged limitedUserInterfaces: CPLimitableUserInterface)
    func sessionConfiguration(_ sessionConfiguration: CPSessionConfiguration, contentStyleChanged contentStyle: CPContentStyle)
}

extension CPSessionConfigurationDelegate {
    public func sessionConfiguration(
        _ sessionConfiguration: CPSessionConfiguration, limitedUserInterfacesChanged limitedUserInterfaces: CPLimitableUserInterface
    ) {}
    public func sessionConfiguration(_ sessionConfiguration: CPSessionConfiguration, contentStyleChanged contentStyle: CPContentStyle) {}
}

/// The configurations apps hold.
@MainActor
enum SessionConfigurations {
    private struct Entry { weak var configuration: CPSessionConfiguration? }

    private static var entries: [Entry] = []

    static func add(_ configuration: CPSessionConfiguration) {
        entries.removeAll { $0.configuration == nil }
        entries.append(Entry(configuration: configuration))
    }

    static func traitsChanged() {
        for configuration in entries.compactMap(\.configuration) { configuration.traitsChanged() }
    }
}
