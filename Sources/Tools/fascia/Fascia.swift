import ArgumentParser
import FasciaFuzz
import FasciaTools

@main
struct Fascia: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fascia",
        abstract: "Tools for the Fascia phone-to-car link.",
        discussion: """
            EXAMPLES
              fascia discover                     cars on this network
              fascia trust list                   what this machine's phone is paired with
              fascia bench framing                frames per second of parser and link machine
              fascia bench connect --json         time from TCP connect to the first frame on the screen
              fascia conform 127.0.0.1:7001       a head unit examined against the specification
              fascia attack --local               a head unit with a phone on it, attacked from all sides
              fascia fuzz frame --seconds 60      the frame parser under libFuzzer
              fascia lab up                       two hosts on this machine, joined by a link to slow down and cut
              fascia chaos --cycles 200           faults of all kinds, and whether anything goes wrong after them
            """,
        subcommands: [
            DiscoverCommand.self,
            TrustCommand.self,
            LevelsCommand.self,
            LabCommand.self,
            ChaosCommand.self,
            ConformCommand.self,
            AttackCommand.self,
            FuzzCommand.self,
            BenchCommand.self,
        ])
}
