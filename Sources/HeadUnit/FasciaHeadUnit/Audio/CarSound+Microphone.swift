/// The microphone, which takes its time: what a phone asks for is done on a queue of its own, and the phone may be gone when it is done.
extension CarSound {
    /// For a call of the car's own: it has the microphone, and a phone's stream of it ends.
    func takeMicrophone(_ takes: Bool) {
        state.withLock { state in
            state.isInCall = takes
            guard var desk = state.desk else { return }
            desk.isInCall = takes
            let effects = takes ? desk.stopMicrophone("the car is in a call of its own") : []
            state.desk = desk
            perform(effects, &state)
        }
        tell()
    }

    func openMicrophone(_ recording: SoundDesk.Recording, _ state: inout State) {
        guard let link = state.link else { return }
        let id = state.feed
        state.listener = recording.label
        microphone.open(recording, link: link, opened: { [weak self] problem in self?.microphoneAnswered(id, recording, problem) ?? false },
                        failed: { [weak self] reason in self?.microphoneFailed(id, recording.stream, reason) })
    }

    /// On the microphone's queue.
    /// - Returns: the phone still wants it.
    private func microphoneAnswered(_ id: UInt64, _ recording: SoundDesk.Recording, _ problem: String?) -> Bool {
        let goesOn = state.withLock { state in
            guard state.feed == id, var desk = state.desk, desk.recording == recording else { return false }
            let effects = problem.map { desk.microphoneFailed(recording.stream, $0) } ?? desk.microphoneOpened(recording.stream)
            state.desk = desk
            if problem == nil {
                state.isMicrophoneOpen = true
                note(&state, "microphone-opened", ["label": .string(recording.label), "format": .string(recording.format.text)])
            } else {
                state.listener = nil
            }
            perform(effects, &state)
            return problem == nil
        }
        tell()
        return goesOn
    }

    /// It was open.
    private func microphoneFailed(_ id: UInt64, _ stream: UInt32, _ reason: String) {
        state.withLock { state in
            guard state.feed == id, var desk = state.desk, desk.recording?.stream == stream else { return }
            let effects = desk.microphoneFailed(stream, reason)
            (state.desk, state.listener, state.isMicrophoneOpen) = (desk, nil, false)
            note(&state, "microphone-failed", ["reason": .string(reason)])
            perform(effects, &state)
        }
        tell()
    }

    func closeMicrophone() {
        microphone.close { [weak self] in
            guard let self else { return }
            state.withLock { state in
                if state.isMicrophoneOpen { self.note(&state, "microphone-closed", [:]) }
                state.isMicrophoneOpen = false
                if state.desk?.recording == nil { state.listener = nil } // else the next one has begun meanwhile
            }
            tell()
        }
    }
}
