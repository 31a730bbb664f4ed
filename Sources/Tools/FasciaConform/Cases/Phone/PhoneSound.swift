import FasciaRawPeer
import FasciaWire

extension PhoneCases {
    /// A connection with sound and ownership; nil when the phone does not list the channels.
    private static func sounding(_ rig: PhoneRig) throws -> (peer: Peer, hello: Hello)? {
        let (peer, hello) = try rig.greeted()
        let wanted: [UInt32] = [5, 32, 33, 34, 35, 36, 37, 48]
        guard hello.channels.contains(5) else { return nil }
        try rig.send(PhoneRig.welcome(hello) {
            $0.channels += hello.channels.filter { wanted.contains($0) }
            $0.audio.formats = ([1, 2] as [UInt32]).map { channels in .with { $0.codec = .pcm16; $0.sampleRate = 48_000; $0.channels = channels } }
            $0.audio.sink = "Conformance"
            if hello.channels.contains(48) { $0.audio.microphone = [.with { $0.codec = .pcm16; $0.sampleRate = 16_000; $0.channels = 1 }] }
        }, to: hello, on: peer)
        return (peer, hello)
    }

    private static func state(_ sequence: UInt64, _ edit: (inout OwnershipState) -> Void = { _ in }) -> OwnershipState {
        .with {
            $0.sequence = sequence
            $0.screen = .with { $0.owner = .phone; $0.takeConstraint = .userInitiated; $0.borrowConstraint = .anyTime }
            $0.mainAudio = Holding()
            $0.phoneStates = AppStates()
            $0.carStates = AppStates()
            edit(&$0)
        }
    }

    /// spec/sound.md, spec/ownership.md and section 8.9.
    static let sound: [Case<PhoneRig>] = [
        Case("8.9", "K-1", title: "an answer carries the phone's clock where both have the capability, and none else") { rig in
            for capability in [[], [4]] as [[UInt32]] {
                let (peer, hello, _) = try rig.session { $0.capabilities += capability }
                let size = hello.capabilities.contains(4) && !capability.isEmpty ? 16 : 8
                _ = try peer.expect(MessageType.commit)
                try peer.probe([7, 7, 7, 7, 7, 7, 7, 7])
                while true {
                    guard let arrival = try peer.next(within: Peer.patience) else { throw Deviation("no answer") }
                    guard case .acknowledgement(let bytes) = arrival, bytes.starts(with: [7, 7, 7, 7, 7, 7, 7, 7]) else { continue }
                    if bytes.count != size { throw Deviation("answered with \(bytes.count) bytes, not \(size)") }
                    break
                }
                rig.settle()
            }
        },
        Case("sound 4.1", "S-7", title: "answers, status and sound for streams nobody started are ignored") { rig in
            guard let (peer, hello) = try sounding(rig), hello.channels.contains(32) else { return }
            try peer.message(32, MessageType.streamStarted, StreamStarted.with { $0.stream = 77; $0.refusal = .UNRECOGNIZED(99) })
            try peer.message(33, MessageType.streamStatus, StreamStatus.with { $0.stream = 77; $0.latencyUs = .max })
            if hello.channels.contains(48) {
                try peer.packet(77, .max, [1, 2, 3], on: 48)
                try peer.message(48, MessageType.streamStop, StreamStop.with { $0.stream = 77 })
            }
            try peer.expectAlive()
        },
        Case("sound 4.2", "S-11", title: "a packet of the microphone that is shorter than its header is BAD_MESSAGE") { rig in
            guard let (peer, hello) = try sounding(rig), hello.channels.contains(48) else { return }
            try peer.message(48, MessageType.audioPacket, [0, 0, 0, 1])
            try peer.expectClose(.badMessage)
        },
        Case("ownership 2.2", "O-5", title: "no request before the first state") { rig in
            guard let (peer, _) = try sounding(rig) else { return }
            for arrival in try peer.collect(for: .milliseconds(1_500)) {
                if case .message(5, MessageType.ownershipRequest, _) = arrival { throw Deviation("it asked before there was a state") }
            }
        },
        Case("ownership 6", "O-2", "O-17", "O-18", title: "states that are old, answer nothing or say what is unknown do no harm") { rig in
            guard let (peer, _) = try sounding(rig) else { return }
            try peer.message(5, MessageType.ownershipState, state(5))
            try peer.message(5, MessageType.ownershipState, state(3) { $0.screen.owner = .car })
            try peer.message(5, MessageType.ownershipState, state(6) { $0.answers = 4_711; $0.refusal = .UNRECOGNIZED(99) })
            try peer.message(5, MessageType.ownershipState, state(7) {
                $0.screen = .with { $0.owner = .UNRECOGNIZED(9); $0.borrower = .UNRECOGNIZED(8); $0.takeConstraint = .UNRECOGNIZED(7) }
                $0.mainAudio = .with { $0.owner = .phone; $0.borrower = .phone }
                $0.carStates.speech = .UNRECOGNIZED(6)
            })
            try peer.message(5, MessageType.ownershipState, OwnershipState.with { $0.sequence = .max })
            try peer.expectAlive()
        },
    ]
}
