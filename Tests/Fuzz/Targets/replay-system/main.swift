import FuzzCore
import FuzzSystem

// usage: replay-system FOLDER: gives every file of it to the target named by the environment, once.
FuzzTarget.named(FuzzTarget.system).replay(CommandLine.arguments.dropFirst().first ?? ".")
