import FasciaLink
import FasciaPairing
import FasciaTrust
import FasciaWire

/// What `fascia-headunit` was asked to do.
public struct HeadUnitOptions: Sendable {
    /// The car's name, as phones show it.
    public var name: String
    /// Numeric address or host name to listen on.
    public var host: String
    /// TCP port; 0 = any free one.
    public var port: Int
    /// The car's screen and controls.
    public var profile: ScreenProfile
    /// No window, also when there is a display.
    public var headless: Bool
    /// Where the key and the paired phones are kept.
    public var state: StateDirectory
    /// Six digits; nil = random.
    public var pairingCode: PairingCode?
    /// Announce the car by mDNS.
    public var discovery: Bool
    /// Commands to run before those on standard input.
    public var script: ConsoleScript?
    /// When a silent phone is probed, suspected and given up, and how long a lost one may take to come back; 0 is the default
    /// of the protocol. Milliseconds, moved into the range of the protocol.
    public var liveness = Liveness()
    /// The same, in force.
    var timing: LinkTiming { LinkTiming(clamping: liveness) }
    /// How long the picture of a phone that was lost stays as it is before it is dimmed under a notice, nanoseconds. Most are back
    /// sooner: nobody sees anything, and nothing has to be drawn just when their connection wants to be answered.
    public var lossNoticeDelay: UInt64 = 150_000_000
    /// Where sound comes out and goes in.
    public var sound = SoundOptions()
    /// An event for every frame of the phone's that is presented, and not only for the first.
    public var tellsFrames = false

    /// Longest name, bytes of UTF-8 (spec, Welcome).
    public static let maximumNameLength = 64
    /// Where the head unit listens when nothing else is asked for.
    public static let defaultPort = 5_740

    /// - Throws: `.name` or `.pairingCode` when they do not fit.
    public init(name: String, host: String, port: Int, profile: ScreenProfile, headless: Bool, state: StateDirectory,
                pairingCode: String?, discovery: Bool, script: ConsoleScript?) throws(HeadUnitError) {
        guard !name.isEmpty, name.utf8.count <= Self.maximumNameLength, !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw HeadUnitError(.name, "the name \"\(name)\" does not fit: 1 to \(Self.maximumNameLength) bytes without control characters")
        }
        let code = pairingCode.flatMap { PairingCode($0) }
        if let pairingCode, code == nil {
            throw HeadUnitError(.pairingCode, "\"\(pairingCode)\" is no pairing code: it is six digits, for example 482913")
        }
        self.name = name
        self.host = host
        self.port = port
        self.profile = profile
        self.headless = headless
        self.state = state
        self.pairingCode = code
        self.discovery = discovery
        self.script = script
    }
}
