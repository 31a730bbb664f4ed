import CSDL2
import Foundation

/// What SDL says of this machine's sound devices.
enum SoundDevices {
    static func count(recording: Bool) -> Int {
        guard SDL_InitSubSystem(SDL_INIT_AUDIO) == 0 else { return 0 }
        // SDL counts ALSA's default device also where there is no hardware behind it.
        if let driver = SDL_GetCurrentAudioDriver(), String(cString: driver) == "alsa", !FileManager.default.fileExists(atPath: "/dev/snd") { return 0 }
        return max(0, Int(SDL_GetNumAudioDevices(recording ? 1 : 0)))
    }
}
