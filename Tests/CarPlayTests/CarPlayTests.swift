import Testing

/// All tests of the CarPlay module: one after another, as the session and the shared templates are one a process.
@Suite(.serialized, .timeLimit(.minutes(2)))
enum CarPlayTests {}
