/// How prompts brought others down and let them come back, simulated or real: of each the worst.
struct DuckFigures: Encodable, Sendable {
    var prompts = 0
    /// Difference of the time a ramp took from what the prompt asked for; down and back.
    var maxDuckErrorMS = 0.0
    var maxRestoreErrorMS = 0.0
    /// From the prompt's end to the begin of the way back: what waits is still played, and an end that nobody tells has to be noticed.
    var maxUntilRestoreMS = 0.0
    /// dB from the level asked for and, at the end, from before.
    var maxLevelErrorDB = 0.0

    enum CodingKeys: String, CodingKey {
        case prompts, maxDuckErrorMS = "max_duck_error_ms", maxRestoreErrorMS = "max_restore_error_ms", maxUntilRestoreMS = "max_until_restore_ms"
        case maxLevelErrorDB = "max_level_error_db"
    }
}
