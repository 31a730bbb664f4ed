/// Apple's template objects declare `NSSecureCoding`. Nothing archives them here: they encode nothing and decode to nil.
public protocol _CPCoding: NSSecureCoding {}

extension _CPCoding {
    public static var supportsSecureCoding: Bool { true }
    public func encode(with coder: NSCoder) {}
}
