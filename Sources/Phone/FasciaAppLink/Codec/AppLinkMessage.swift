import SwiftProtobuf

/// A message that may be a direction's payload on the App Link.
public protocol AppLinkMessage: SwiftProtobuf.Message {
    /// The u16 before the body (`spec/applink.md`, "Messages").
    static var messageType: UInt16 { get }
    /// Largest message of this direction in bytes, type included.
    static var maximumSize: Int { get }
}

extension AppFromApp: AppLinkMessage {
    public static var messageType: UInt16 { 1 }
    public static var maximumSize: Int { AppLinkLimits.messageFromApp }
}

extension AppToApp: AppLinkMessage {
    public static var messageType: UInt16 { 2 }
    public static var maximumSize: Int { AppLinkLimits.messageToApp }
}
