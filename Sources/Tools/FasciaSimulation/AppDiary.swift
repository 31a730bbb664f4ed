/// What an app's process saw itself of its scenes, one diary a process: `ChaosApp` writes each callback down as it happens.
///
/// didConnect and didDisconnect alternate, nothing comes in between scenes, nothing is missing.
public struct AppDiary: Equatable, Sendable {
    /// One line of the diary.
    public struct Entry: Equatable, Sendable {
        public let time: UInt64
        public let pid: Int32
        public let what: String
        public let scene: Int

        public init?(line: String) {
            let words = line.split(separator: " ")
            guard words.count == 4, let time = UInt64(words[0]), let pid = Int32(words[1]), let scene = Int(words[3]) else { return nil }
            (self.time, self.pid, what, self.scene) = (time, pid, String(words[2]), scene)
        }

        public init(time: UInt64 = 0, pid: Int32 = 1, what: String, scene: Int) { (self.time, self.pid, self.what, self.scene) = (time, pid, what, scene) }
    }

    public private(set) var isConnected = false
    /// Callbacks so far.
    public private(set) var connects = 0
    public private(set) var disconnects = 0
    /// A handler is running, or never returned.
    public private(set) var inHandler = false

    public init() {}

    /// - Returns: what is wrong with it, nil when nothing is.
    public mutating func note(_ entry: Entry) -> String? {
        switch entry.what {
        case "launched": return connects + disconnects == 0 ? nil : "launched twice"
        case "didConnect":
            defer { (isConnected, inHandler) = (true, true) }
            connects += 1
            return isConnected ? "didConnect of scene \(entry.scene) while the scene before is connected: a didDisconnect is missing" : nil
        case "didDisconnect":
            defer { (isConnected, inHandler) = (false, true) }
            disconnects += 1
            return isConnected ? nil : "didDisconnect of scene \(entry.scene), which is not connected: it was told twice"
        case "didConnect-returns", "didDisconnect-returns":
            inHandler = false
            return nil
        case "late-call-failed": return nil
        case "late-call-succeeded": return "a call on the controller of scene \(entry.scene) succeeded after didDisconnect"
        case "controller-still-there": return "the controller of scene \(entry.scene) is still there half a second after didDisconnect"
        default: return isConnected ? nil : "\(entry.what) of scene \(entry.scene) after its didDisconnect"
        }
    }
}
