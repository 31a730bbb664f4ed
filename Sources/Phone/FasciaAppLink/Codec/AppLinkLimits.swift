/// Limits of the App Link, version 1 (`spec/applink.md`, "Limits"). Every length on this link is checked against one of these.
public enum AppLinkLimits {
    /// Protocol version an app says in its Hello.
    public static let version: UInt32 = 1
    /// Payload bytes of one frame, as on the car link.
    public static let framePayload = 16_384
    /// Bytes of one encoded image (PNG, JPEG, ...) an app may send.
    public static let encodedImage = 16 << 20
    /// Bytes of one message from an app, its type included.
    public static let messageFromApp = encodedImage + (1 << 20)
    /// Bytes of one message to an app, its type included.
    public static let messageToApp = 1 << 20
    /// Bytes waiting to be written after which an app stops making new messages until they are gone.
    public static let highWater = 4 << 20
    /// Bytes waiting for an app that does not read, after which the phone gives it up.
    public static let sendQueue = 8 << 20
}
