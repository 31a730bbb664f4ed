import FuzzCore

// usage: replay-core FOLDER: gives every file of it to the target named by the environment, once.
FuzzTarget.named(FuzzTarget.core).replay(CommandLine.arguments.dropFirst().first ?? ".")
