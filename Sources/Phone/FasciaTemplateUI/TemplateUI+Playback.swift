import FasciaAppLink

extension TemplateUI {
    /// What makes this app stop playing: its pause command, else what comes nearest to it; nil if it does not play or offers nothing.
    public func pauseCommand(for app: String) -> AppToApp? {
        guard let session = sessions[app], session.isPlaying else { return nil }
        let commands = session.commands
        guard let kind: AppRemoteCommand.Kind = commands.pause ? .pause : commands.toggle ? .toggle : commands.stop ? .stop : nil else { return nil }
        return .with { $0.remoteCommand.kind = kind }
    }
}
