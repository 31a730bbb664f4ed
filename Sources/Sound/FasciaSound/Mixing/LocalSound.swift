/// A sound of the car's own: radio, a call's ring, a chime.
public protocol LocalSound: AnyObject {
    /// Adds nothing: overwrites `frames` stereo frames at 48 kHz.
    /// - Returns: false: it is over, and this block was its last.
    func render(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Bool
}
