import FasciaLink
import FasciaSession
import FasciaSimulation

/// All that is random in a cycle, from the campaign's seed and the cycle's number alone: `--seed S --cycle K` does the same again.
struct CyclePlan: Equatable {
    /// What is on the screen when the fault strikes.
    enum Scene: String, CaseIterable { case asItIs = "as it is", home, rubberSoul = "Rubber Soul", chaosApp = "Chaos" }

    let seed: UInt64
    let number: Int
    let kind: FaultKind
    let scene: Scene
    /// Said to the head unit's console before and while it happens.
    let taps: [String]
    /// From the last tap to the fault, milliseconds.
    let lead: Int
    let direction: ProxyRule.Direction
    /// Bytes until the fault; one number for each connection that is to break.
    let bytes: [Int]
    /// How long it lasts, milliseconds.
    let duration: Int
    /// The app's orders.
    let orders: [String]
    let deed: ProxyRule.Deed
    /// A second fault strikes while the first is being recovered from.
    let encore: Bool
    /// A coin for whatever a kind has two ways of.
    let coin: Bool

    /// Blocks of cycles in which no program is ended alternate with those in which any is: leaks show in programs that live long.
    static let blockLength = 100

    init(seed: UInt64, number: Int, only kinds: [FaultKind] = FaultKind.allCases) {
        var random = SeededGenerator(seed: seed, stream: UInt64(number))
        self.seed = seed
        self.number = number
        let endsPrograms = number / Self.blockLength % 2 == 0
        let allowed = kinds.filter { endsPrograms || !$0.endsProgram }
        kind = Self.pick(allowed.isEmpty ? kinds : allowed, &random)
        scene = kind.needsChaosApp ? .chaosApp : kind == .killApp || kind == .freezeApp ? (random.chance(50) ? .chaosApp : .rubberSoul)
            : random.chance(45) ? .asItIs : Scene.allCases.randomElement(using: &random) ?? .asItIs
        taps = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            Self.gestures.randomElement(using: &random) ?? "knob cw"
        }
        lead = random.chance(50) ? 0 : random.logarithmic(1...60)
        direction = random.chance(50) ? .up : .down
        // Handshakes have some hundred bytes, a first picture tens of thousands.
        let range = kind == .midCommit ? 1_500...60_000 : kind == .midPairing ? 1...4_000 : kind == .midHandshake ? 1...6_000 : 1...20_000
        bytes = (0..<Int.random(in: 1...3, using: &random)).map { _ in random.chance(4) ? 0 : random.logarithmic(range) }
        duration = random.logarithmic(20...500)
        let trouble = kind == .launchTrouble ? ["sleep \(random.logarithmic(10...300))", "exit 0", "exit 3", "crash", "trap 1"]
            : ["sleep \(random.logarithmic(10...400))", "spin \(random.logarithmic(10...200))", "exit 0", "exit 7", "crash", "trap 1"]
        let place = switch kind {
        case .tapTrouble: "tap"
        case .connectTrouble: "didConnect"
        case .launchTrouble: "launch"
        default: "didDisconnect"
        }
        // Handlers misbehave at any time, not only when it is what the cycle is about.
        orders = kind.needsChaosApp || random.chance(15) ? ["\(place) \(trouble.randomElement(using: &random) ?? "exit 1")"] : []
        let deeds: [ProxyRule.Deed] = [.reset, .finish, .halfClose, .blackhole, .corrupt, .stall(milliseconds: 150)]
        deed = deeds.randomElement(using: &random) ?? .reset
        encore = random.chance(20)
        coin = random.chance(50)
    }

    private static let gestures = [
        "knob cw 3", "knob ccw 2", "knob press", "key back", "key home", "tap 400 240", "tap 200 150", "drag 400 400 400 100 60", "night on", "night off", "key play",
    ]

    private static func pick(_ kinds: [FaultKind], _ random: inout SeededGenerator) -> FaultKind {
        var rest = Int.random(in: 0..<max(1, kinds.reduce(0) { $0 + $1.weight }), using: &random)
        for kind in kinds {
            if rest < kind.weight { return kind }
            rest -= kind.weight
        }
        return .reset
    }
}
