// Names the Objective-C runtime gives Swift code on iOS and corelibs Foundation does not.

public typealias NSInteger = Int
public typealias NSUInteger = UInt

extension CGFloat {
    /// The number's value, losing precision where it must.
    public init(truncating number: NSNumber) { self = CGFloat(number.doubleValue) }
}
