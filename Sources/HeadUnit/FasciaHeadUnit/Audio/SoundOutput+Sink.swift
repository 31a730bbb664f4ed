import FasciaSound
import FasciaSoundIO

extension SoundOutput {
    /// Opens it. A device that cannot be had is no reason not to start: the car is silent then, and says so.
    /// - Parameter warn: gets what is wrong and what happens instead, for people.
    /// - Throws: `.sound` when a file cannot be written.
    func open(warn: (String) -> Void) throws(HeadUnitError) -> any SoundSink {
        do throws(SoundError) {
            switch self {
            case .null: return NullSink()
            case .file(let path): return try WaveSink(file: path)
            case .directory(let path): return try WaveSink(directory: path)
            case .automatic where !DeviceSink.isAvailable: return NullSink()
            case .automatic, .device:
                do throws(SoundError) {
                    return try DeviceSink()
                } catch {
                    warn("\(error.description); going on without sound")
                    return NullSink()
                }
            }
        } catch {
            throw HeadUnitError(.sound, "--audio-out: \(error.description)")
        }
    }
}
