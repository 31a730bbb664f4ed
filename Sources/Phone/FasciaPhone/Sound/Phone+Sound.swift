import FasciaAudioSession
import FasciaCarrier

/// The sound's thread and the rest of the phone.
extension Phone {
    /// Sound belongs to this connection from now on; what the car says of it goes past the main actor.
    func attachSound(_ session: LinkSession, resumed: Bool) {
        let link = SessionSoundLink(session)
        let sound = sound
        // First whose messages count, then the messages: one that came with the Welcome would be nobody's.
        sound.post(.attach(link, resumed: resumed, ownership.mainAudio))
        session.consumeSound { [weak link] channel, type, body, arrival in
            guard let link else { return } // the engine has let it go
            sound.post(.message(from: link, channel, type: type, body: body, arrival: arrival))
        }
    }

    func soundReport(_ report: SoundReport) {
        switch report {
        case .ownership(let wish, let app): ownership.wish(wish, for: app)
        case .states(let states): ownership.say(states)
        case .cutOff(let app, let reason): log.warning("\(app): its sound is cut off: \(reason)")
        }
    }
}
