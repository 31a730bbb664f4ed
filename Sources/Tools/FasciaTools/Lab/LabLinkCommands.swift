import ArgumentParser
import FasciaLab

struct LabCutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cut", abstract: "Lets nothing pass, for a time or until `restore`; says since when and until when.")

    @OptionGroup var name: LabName
    @Argument(help: "How long, such as 300ms.") var length: String?

    func run() async throws { try await withLab(name.name) { Output.line(try $0.ask("cut" + (length.map { " " + $0 } ?? ""))) } }
}

struct LabRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "restore", abstract: "Ends a cut.")

    @OptionGroup var name: LabName

    func run() async throws { try await withLab(name.name) { Output.line(try $0.ask("restore")) } }
}

struct LabDelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delay", abstract: "How long packets take, both ways, and how many are lost.")

    @OptionGroup var name: LabName
    @Option(help: "There and back, such as 10ms.") var rtt = "0ms"
    @Option(help: "Each way varies by this to either side.") var jitter = "0ms"
    @Option(help: "Per cent of the packets, each way.") var loss: String?

    func run() async throws {
        try await withLab(name.name) { lab in
            try lab.ask("rtt \(rtt) jitter \(jitter)")
            if let loss { try lab.ask("loss \(loss)") }
        }
    }
}

struct LabAskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Says a line to the link and prints its answer.",
        discussion: """
            Times are like 300ms, 1.5s, 200us; a host behind `toward` is where packets arrive.
              delay D [jitter D] [toward car|phone]     one way
              rtt D [jitter D]                          half of D each way
              loss PERCENT [toward car|phone]
              rate RATE|off [queue BYTES] [toward ...]  such as 10mbit
              reorder on|off                            may jitter reorder packets? (off)
              cut [D], restore                          drop everything both ways
              gaps D..D every D..D [seed N], gaps off   cuts at random times
              carrier car|phone on|off                  plug the interface's cable
              seed N                                    loss and jitter start again
              stats [reset], settings, status           JSON
            """)

    @OptionGroup var name: LabName
    @Argument(help: "The line.") var words: [String]

    func run() async throws {
        try await withLab(name.name) { lab in
            let answer = try lab.ask(words.joined(separator: " "))
            if !answer.isEmpty { Output.line(answer) }
        }
    }
}
