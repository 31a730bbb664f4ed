import FasciaWire
import FoundationEssentials

/// The car's screen and controls: what a phone is told in Welcome.
public struct ScreenProfile: Sendable, Equatable {
    public enum Input: String, Sendable, CaseIterable, Codable { case touch, knob, touchpad, keys }
    public enum Side: String, Sendable, CaseIterable, Codable { case left, right }

    public var name: String
    /// Pixels.
    public var width: Int
    public var height: Int
    /// Pixels a point.
    public var scale: Double
    /// Where the driver sits.
    public var driverSide: Side = .left
    public var inputs: Set<Input> = Set(Input.allCases)
    /// Hertz.
    public var refresh = 60
    /// Pixels hidden by the bezel.
    public var insets = SafeInsets()

    public struct SafeInsets: Sendable, Equatable, Codable {
        public var top = 0, left = 0, bottom = 0, right = 0
        public init() {}
    }

    public init(name: String, width: Int, height: Int, scale: Double) {
        self.name = name
        self.width = width
        self.height = height
        self.scale = scale
    }

    /// Known by name; the first is the default.
    public static let builtIn: [ScreenProfile] = [
        ScreenProfile(name: "800x480", width: 800, height: 480, scale: 2),
        ScreenProfile(name: "960x540", width: 960, height: 540, scale: 2),
        ScreenProfile(name: "1280x720", width: 1280, height: 720, scale: 2),
        ScreenProfile(name: "1920x720", width: 1920, height: 720, scale: 2),
        ScreenProfile(name: "portrait", width: 768, height: 1024, scale: 2),
    ]
    public static let standard = builtIn[0]

    /// The display channel of this screen.
    public static let channel = ChannelID.mainDisplay
}

extension ScreenProfile {
    /// A built-in name, else a JSON file.
    public static func resolve(_ nameOrFile: String?) throws(HeadUnitError) -> ScreenProfile {
        guard let nameOrFile else { return standard }
        if let known = builtIn.first(where: { $0.name == nameOrFile.lowercased() }) { return known }
        guard let data = FileManager.default.contents(atPath: nameOrFile) else {
            let names = builtIn.map(\.name).joined(separator: ", ")
            throw HeadUnitError(.profile, "there is no screen profile \"\(nameOrFile)\": it is none of \(names), and no file that can be read. See --help for the file's form.")
        }
        return try parse(json: data, file: nameOrFile)
    }

    /// The file's form; everything but `width` and `height` may be left out.
    private struct Document: Decodable {
        var name: String?
        var width: Int
        var height: Int
        var scale: Double?
        var driverSide: Side?
        var inputs: [Input]?
        var refresh: Int?
        var safeInsets: [String: Int]?
        enum CodingKeys: String, CodingKey, CaseIterable { case name, width, height, scale, driverSide, inputs, refresh, safeInsets }
    }

    /// The names in the file: a misspelt one would be no more than ignored.
    private struct Keys: Decodable {
        private struct Key: CodingKey {
            let stringValue: String
            let intValue: Int? = nil
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { return nil }
        }
        let names: [String]
        init(from decoder: any Decoder) throws { names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue).sorted() }
    }

    package static func parse(json: Data, file: String) throws(HeadUnitError) -> ScreenProfile {
        func bad(_ what: String) -> HeadUnitError { HeadUnitError(.profile, "screen profile \(file): \(what)") }
        let document: Document
        do {
            let known = Document.CodingKeys.allCases.map(\.rawValue)
            if let unknown = try JSONDecoder().decode(Keys.self, from: json).names.first(where: { !known.contains($0) }) {
                throw bad("there is no \"\(unknown)\"; a profile has \(known.joined(separator: ", "))")
            }
            document = try JSONDecoder().decode(Document.self, from: json)
        } catch let error as HeadUnitError {
            throw error
        } catch let error as DecodingError {
            throw bad(error.plainText)
        } catch {
            throw bad("\(error)")
        }
        var profile = ScreenProfile(name: document.name ?? file, width: document.width, height: document.height, scale: document.scale ?? 2)
        profile.driverSide = document.driverSide ?? .left
        if let inputs = document.inputs { profile.inputs = Set(inputs) }
        profile.refresh = document.refresh ?? 60
        for (key, value) in document.safeInsets ?? [:] {
            switch key {
            case "top": profile.insets.top = value
            case "left": profile.insets.left = value
            case "bottom": profile.insets.bottom = value
            case "right": profile.insets.right = value
            default: throw bad("safeInsets has top, left, bottom and right, not \"\(key)\"")
            }
            // Bounded here, so that two of them can be added.
            guard (0...7_680).contains(value) else { throw bad("safeInsets.\(key) is \(value); it is 0 to 7,680 pixels") }
        }
        guard (320...7_680).contains(profile.width), (240...4_320).contains(profile.height) else {
            throw bad("\(profile.width)x\(profile.height) is no screen; width is 320 to 7,680 pixels, height 240 to 4,320")
        }
        guard profile.scale >= 1, profile.scale <= 4 else { throw bad("scale is \(profile.scale); it is 1 to 4 pixels a point") }
        guard (10...240).contains(profile.refresh) else { throw bad("refresh is \(profile.refresh); it is 10 to 240 hertz") }
        guard !profile.inputs.isEmpty else { throw bad("inputs is empty; it names at least one of touch, knob, touchpad, keys") }
        guard profile.insets.left + profile.insets.right < profile.width / 2, profile.insets.top + profile.insets.bottom < profile.height / 2 else {
            throw bad("safeInsets hide more than half of the screen")
        }
        return profile
    }
}

extension ScreenProfile {
    var screen: Screen {
        .with {
            $0.channel = UInt32(Self.channel.rawValue)
            $0.width = UInt32(width)
            $0.height = UInt32(height)
            $0.scale = Float(scale)
            $0.refreshMhz = UInt32(refresh * 1_000)
            if insets != SafeInsets() {
                $0.safeInsets = .with {
                    $0.top = Float(insets.top)
                    $0.left = Float(insets.left)
                    $0.bottom = Float(insets.bottom)
                    $0.right = Float(insets.right)
                }
            }
        }
    }

    var inputDevices: [InputDevice] {
        Input.allCases.filter(inputs.contains).map { input in
            switch input {
            case .touch: .touch
            case .knob: .knob
            case .touchpad: .touchpad
            case .keys: .keys
            }
        }
    }
}

extension DecodingError {
    /// What is wrong in the file, without Swift's vocabulary.
    fileprivate var plainText: String {
        func path(_ context: Context) -> String { context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".") }
        switch self {
        case .keyNotFound(let key, _): return "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context): return "\"\(path(context))\" is of the wrong kind"
        case .dataCorrupted(let context):
            let at = path(context)
            return at.isEmpty ? "is not JSON" : "\"\(at)\" has a value that is not known here (\(context.debugDescription))"
        @unknown default: return "cannot be read"
        }
    }
}
