import ArgumentParser
import FasciaEvents
import FasciaService
import FasciaTLS

@main
struct FasciaPhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fascia-phone",
        abstract: "The phone end of the Fascia projection stack.",
        discussion: """
            Runs CarPlay-style apps, each in a process of its own, and shows them on a head unit.

            First contact, with the code that the head unit shows:
              fascia-phone pair --car "My Car" --code 123456

            From then on:
              fascia-phone run --car "My Car" --app .build/release/RubberSoul

            The phone's key and the cars it trusts are kept in $XDG_STATE_HOME/fascia/phone (or --state-dir), readable \
            only by you.
            """,
        subcommands: [Run.self, Cars.self, Pair.self, Forget.self, Symbolicate.self]
    )

    static func main() async {
        StandardDescriptors.reserve()
        ProcessHeap.bound()
        OpenSSLLibrary.prepare()
        await main(nil)
        ProgramEnd.now(0)
    }
}
