import FasciaSound
import FasciaWire

/// One command of the console (`fascia-headunit --help` describes them).
public enum ConsoleCommand: Sendable, Equatable {
    case wait(text: String, seconds: Double)
    case tapText(String)
    case tapPoint(x: Double, y: Double)
    case drag(fromX: Double, fromY: Double, toX: Double, toY: Double, milliseconds: Int)
    /// Clockwise positive.
    case knobTurn(detents: Int)
    case knob(KnobEvent.Action)
    /// - Parameter seconds: it is held down.
    case key(KeyEvent.Key, seconds: Double = 0)
    case screenshot(String)
    case tree
    case night(Bool)
    case driver(ScreenProfile.Side)
    case link(LinkFault)
    /// The car's own radio.
    case radio(Bool)
    /// The car's own telephone.
    case carCall(CarCallStep)
    /// Shows the camera.
    case reverseGear(Bool)
    /// Percent.
    case volume(AudioRoute, Int)
    case mute(AudioRoute, Bool)
    case audio
    case sleep(seconds: Double)
    case stats
    /// Forgets the latencies and sizes measured so far.
    case resetStatistics
    case quit

    /// Seconds `wait` waits when none are given.
    public static let defaultWait = 10.0
}

/// What is done to the connections of phones.
public enum LinkFault: String, Sendable {
    /// Silence both ways, until ``restore``.
    case cut
    case restore
    /// TCP is broken off, as by a router that lost its memory.
    case reset
    /// The head unit says goodbye and stays.
    case goodbye

    /// In answers and events.
    var outcome: String { self == .restore ? "restored" : rawValue }
}

/// What is wrong with a command line.
public struct ConsoleSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }
}

extension ConsoleCommand {
    /// All commands of a line, in order: `;` joins, `"` groups words and keeps `;`. A word that begins with `#` begins a comment.
    public static func parse(line: String) -> [Result<ConsoleCommand, ConsoleSyntaxError>] {
        var commands: [[Word]] = [[]]
        var word = "", isWord = false, quoted = false, hadQuotes = false
        func endWord() {
            if isWord { commands[commands.count - 1].append(Word(text: word, quoted: hadQuotes)) }
            (word, isWord, hadQuotes) = ("", false, false)
        }
        var characters = line[...]
        while let character = characters.popFirst() {
            switch character {
            case "\\" where quoted && (characters.first == "\"" || characters.first == "\\"):
                word.append(characters.removeFirst())
            case "\"":
                quoted.toggle()
                isWord = true
                hadQuotes = true
            case "#" where !quoted && !isWord: characters = ""
            case ";" where !quoted:
                endWord()
                commands.append([])
            case _ where character.isWhitespace && !quoted: endWord()
            default:
                word.append(character)
                isWord = true
            }
        }
        endWord()
        if quoted { return [.failure(ConsoleSyntaxError("a quotation mark is missing its other half"))] }
        return commands.filter { !$0.isEmpty }.map { words in Result { () throws(ConsoleSyntaxError) in try ConsoleCommand(words) } }
    }

    private struct Word {
        let text: String
        let quoted: Bool
        /// Quoted numbers are text.
        var number: Double? { quoted ? nil : Double(text).flatMap { $0.isFinite ? $0 : nil } }
    }

    private init(_ words: [Word]) throws(ConsoleSyntaxError) {
        let arguments = Array(words.dropFirst())
        let texts = arguments.map(\.text)
        func usage(_ text: String) -> ConsoleSyntaxError { ConsoleSyntaxError("usage: \(text)") }
        func choice<T>(_ choices: KeyValuePairs<String, T>, _ form: String) throws(ConsoleSyntaxError) -> T {
            guard arguments.count == 1, let found = choices.first(where: { $0.key == texts[0] }) else { throw usage(form) }
            return found.value
        }
        switch words[0].text {
        case "wait":
            let given = arguments.count > 1 ? arguments.last?.number : nil
            let text = given == nil ? texts : texts.dropLast(), seconds = given ?? Self.defaultWait
            guard !text.isEmpty, seconds >= 0, seconds <= 86_400 else { throw usage("wait TEXT [SECONDS]") }
            self = .wait(text: text.joined(separator: " "), seconds: seconds)
        case "tap":
            guard !arguments.isEmpty else { throw usage("tap TEXT, or tap X Y") }
            if arguments.count == 2, let x = arguments[0].number, let y = arguments[1].number {
                self = .tapPoint(x: x, y: y)
            } else {
                self = .tapText(texts.joined(separator: " "))
            }
        case "drag":
            let numbers = arguments.compactMap(\.number)
            guard arguments.count == 5, numbers.count == 5, (0...60_000).contains(numbers[4]) else { throw usage("drag X1 Y1 X2 Y2 MS, MS from 0 to 60000") }
            self = .drag(fromX: numbers[0], fromY: numbers[1], toX: numbers[2], toY: numbers[3], milliseconds: Int(numbers[4]))
        case "knob": self = try Self.knob(arguments)
        case "key":
            let held = arguments.count == 2 ? arguments[1].number : 0
            guard (1...2).contains(arguments.count), let key = Self.keys[texts[0]], let held, (0...60).contains(held) else {
                throw usage("key NAME [SECONDS], NAME one of \(Self.keys.keys.sorted().joined(separator: ", ")), SECONDS at most 60")
            }
            self = .key(key, seconds: held)
        case "screenshot":
            guard !arguments.isEmpty else { throw usage("screenshot FILE") }
            self = .screenshot(texts.joined(separator: " "))
        case "tree": self = .tree
        case "stats":
            guard texts.isEmpty || texts == ["reset"] else { throw usage("stats [reset]") }
            self = texts.isEmpty ? .stats : .resetStatistics
        case "quit": self = .quit
        case "night": self = .night(try choice(["on": true, "off": false], "night on|off"))
        case "driver": self = .driver(try choice(["left": .left, "right": .right], "driver left|right"))
        case "link": self = .link(try choice(["cut": .cut, "restore": .restore, "reset": .reset, "goodbye": .goodbye], "link cut|restore|reset|goodbye"))
        case "radio": self = .radio(try choice(["on": true, "off": false], "radio on|off"))
        case "carcall": self = .carCall(try choice(["ring": .ring, "start": .start, "end": .end], "carcall ring|start|end"))
        case "reverse-gear": self = .reverseGear(try choice(["on": true, "off": false], "reverse-gear on|off"))
        case "volume":
            guard arguments.count == 2, let route = AudioRoute(name: texts[0]), let percent = arguments[1].number.flatMap({ Int(exactly: $0) }), (0...100).contains(percent)
            else { throw usage("volume ROUTE N, ROUTE one of \(AudioRoute.names), N from 0 to 100") }
            self = .volume(route, percent)
        case "mute":
            guard (1...2).contains(arguments.count), let route = AudioRoute(name: texts[0]), let on = ["on": true, "off": false][texts.count == 2 ? texts[1] : "on"]
            else { throw usage("mute ROUTE [on|off], ROUTE one of \(AudioRoute.names)") }
            self = .mute(route, on)
        case "audio":
            guard arguments.isEmpty else { throw usage("audio") }
            self = .audio
        case "sleep":
            guard arguments.count == 1, let seconds = arguments[0].number, (0...86_400).contains(seconds) else { throw usage("sleep SECONDS") }
            self = .sleep(seconds: seconds)
        default:
            throw ConsoleSyntaxError("there is no command \"\(words[0].text)\"; commands are wait, tap, drag, knob, key, screenshot, tree, night, driver, link, radio, carcall, reverse-gear, volume, mute, audio, sleep, stats, quit (fascia-headunit --help tells what they do)")
        }
    }

    private static let keys: [String: KeyEvent.Key] = [
        "home": .home, "back": .back, "play": .play, "next": .next, "previous": .previous, "voice": .voice, "stop": .stop, "shuffle": .shuffle,
        "repeat": .repeat, "rate": .rate, "like": .like, "dislike": .dislike, "bookmark": .bookmark,
    ]

    private static func knob(_ arguments: [Word]) throws(ConsoleSyntaxError) -> ConsoleCommand {
        let usage = ConsoleSyntaxError("usage: knob cw|ccw [N], N from 1 to 100; knob press; knob up|down|left|right")
        guard let verb = arguments.first?.text else { throw usage }
        if verb == "cw" || verb == "ccw" {
            let count = arguments.count == 1 ? 1 : arguments[1].number.flatMap { Int(exactly: $0) } ?? 0
            guard arguments.count <= 2, (1...100).contains(count) else { throw usage }
            return .knobTurn(detents: verb == "cw" ? count : -count)
        }
        guard arguments.count == 1 else { throw usage }
        switch verb {
        case "press": return .knob(.press)
        case "up": return .knob(.nudgeUp)
        case "down": return .knob(.nudgeDown)
        case "left": return .knob(.nudgeLeft)
        case "right": return .knob(.nudgeRight)
        default: throw usage
        }
    }
}
