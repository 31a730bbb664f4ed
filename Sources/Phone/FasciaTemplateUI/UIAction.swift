import FasciaAppLink
import FasciaWire

/// What the phone has to do for its screen.
public enum UIAction: Sendable, Equatable {
    /// Start this app's process.
    case launch(String)
    case send(AppToApp, to: String)
    /// A media key nobody on the screen wants.
    case playbackKey(KeyEvent.Key)
    /// The voice key.
    case voice
    /// A line for the log.
    case log(String)
}
