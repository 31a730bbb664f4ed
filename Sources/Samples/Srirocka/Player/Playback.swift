import Foundation

/// One track being played, whichever way it sounds.
protocol Playback: AnyObject {
    var elapsed: TimeInterval { get }
    var rate: Float { get set }
    /// Called on the main queue when the track has come to its end.
    var didFinish: (() -> Void)? { get set }
    /// False: the system does not let the app play.
    func play() -> Bool
    func pause()
    func seek(to time: TimeInterval)
}
