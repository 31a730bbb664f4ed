import Testing
@testable import FasciaHeadUnit

@Suite struct ConsoleCommandTests {
    func one(_ line: String) -> ConsoleCommand? {
        let commands = ConsoleCommand.parse(line: line)
        return commands.count == 1 ? try? commands[0].get() : nil
    }

    @Test func everyCommandOfTheContractIsUnderstood() {
        let cases: [(String, ConsoleCommand)] = [
            ("wait Rubber Soul", .wait(text: "Rubber Soul", seconds: 10)),
            ("wait Rubber Soul 2.5", .wait(text: "Rubber Soul", seconds: 2.5)),
            ("wait 42", .wait(text: "42", seconds: 10)),
            ("wait \"Track 5\" 3", .wait(text: "Track 5", seconds: 3)),
            ("wait \"Track 5\"", .wait(text: "Track 5", seconds: 10)),
            ("tap Library", .tapText("Library")),
            ("tap 10 20", .tapPoint(x: 10, y: 20)),
            ("tap \"10\" 20", .tapText("10 20")),
            ("tap \"a; b \\\" c\"", .tapText("a; b \" c")),
            ("tap Library # it's \"here; quit", .tapText("Library")),
            ("tap \"# 1\"", .tapText("# 1")),
            ("tap C#", .tapText("C#")),
            ("drag 1 2 3 4 500", .drag(fromX: 1, fromY: 2, toX: 3, toY: 4, milliseconds: 500)),
            ("knob cw", .knobTurn(detents: 1)),
            ("knob ccw 3", .knobTurn(detents: -3)),
            ("knob press", .knob(.press)),
            ("knob up", .knob(.nudgeUp)),
            ("knob down", .knob(.nudgeDown)),
            ("knob left", .knob(.nudgeLeft)),
            ("knob right", .knob(.nudgeRight)),
            ("key home", .key(.home)),
            ("key voice", .key(.voice)),
            ("key next 1.5", .key(.next, seconds: 1.5)),
            ("key bookmark", .key(.bookmark)),
            ("screenshot out/a b.png", .screenshot("out/a b.png")),
            ("tree", .tree), ("stats", .stats), ("quit", .quit),
            ("night on", .night(true)), ("night off", .night(false)),
            ("driver left", .driver(.left)), ("driver right", .driver(.right)),
            ("link cut", .link(.cut)), ("link restore", .link(.restore)), ("link reset", .link(.reset)), ("link goodbye", .link(.goodbye)),
            ("radio on", .radio(true)), ("radio off", .radio(false)), ("reverse-gear on", .reverseGear(true)), ("reverse-gear off", .reverseGear(false)),
            ("carcall ring", .carCall(.ring)), ("carcall start", .carCall(.start)), ("carcall end", .carCall(.end)),
            ("sleep 0.5", .sleep(seconds: 0.5)),
            ("volume media 60", .volume(.media, 60)), ("volume ui 0", .volume(.ui, 0)),
            ("mute navigation", .mute(.navigation, true)), ("mute alert off", .mute(.alert, false)), ("audio", .audio),
        ]
        for (line, expected) in cases { #expect(one(line) == expected, "\(line)") }
    }

    @Test func semicolonsJoin() {
        let commands = ConsoleCommand.parse(line: " key home ;; wait Home; screenshot x.png ")
        #expect(commands.compactMap { try? $0.get() } == [.key(.home), .wait(text: "Home", seconds: 10), .screenshot("x.png")])
    }

    @Test func emptyLinesAndCommentsSayNothing() {
        for line in ["", "   ", ";", "# tap Foo; quit"] { #expect(ConsoleCommand.parse(line: line).isEmpty) }
    }

    @Test(arguments: ["jump", "wait", "wait Foo -1", "tap", "drag 1 2 3 4", "drag 1 2 3 x 5", "drag 1 2 3 4 -5", "knob", "knob sideways", "knob cw 0", "knob cw 1.5", "knob cw 1 2",
                      "knob press 2", "key", "key start", "key next soon", "key next -1", "key next 1 2", "screenshot", "night", "radio", "radio loud", "carcall", "carcall on", "reverse-gear", "night maybe", "driver up", "link", "volume", "volume media", "volume media 101", "volume media -1", "volume media 1.5", "volume foo 3", "volume media \"3\"", "mute", "mute foo", "mute media loud", "audio now", "sleep", "sleep -1", "sleep nan", "tap \"open"])
    func mistakesAreExplained(line: String) {
        let results = ConsoleCommand.parse(line: line)
        #expect(results.count == 1)
        guard case .failure(let error) = results.first else {
            Issue.record("\(line) was understood")
            return
        }
        #expect(!error.description.isEmpty)
    }
}
