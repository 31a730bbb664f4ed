import FasciaRawPeer
import FasciaWire

extension HeadUnitCases {
    /// Section 10, beside the vectors.
    static let display: [Case<HeadUnitRig>] = [
        Case("10.4", "D-7", "D-11", title: "a commit that breaks a rule is BAD_COMMIT") { rig in
            let (peer, _) = try shown(rig)
            try peer.message(16, MessageType.commit, Commit.with { $0.sequence = 9 })
            try peer.expectClose(.badCommit)
        },
        Case("10.4", "D-14", title: "more to draw than 64 screens is BAD_COMMIT") { rig in
            let (peer, _) = try shown(rig)
            try peer.message(16, MessageType.commit, Commit.with { commit in
                commit.sequence = 2
                commit.upsert = (1...65 as ClosedRange<UInt32>).map { id in Layer.with { $0.id = id; $0.width = 16_384; $0.height = 16_384; $0.solid = 0xFF00_00FF } }
            })
            try peer.expectClose(.badCommit)
        },
        Case("10.5", "D-12", title: "every commit is answered with Presented, several at once as one") { rig in
            let (peer, _) = try rig.session()
            for sequence in 1...20 as ClosedRange<UInt32> { try peer.message(16, MessageType.commit, Commit.with { $0.sequence = sequence }) }
            try VectorCases.presented(peer, 20)
        },
        Case("10.6", "D-13", title: "semantics with unknown parents and roles are tolerated") { rig in
            let (peer, _) = try shown(rig)
            try peer.message(4, MessageType.semanticsUpdate, SemanticsUpdate.with {
                $0.sequence = 1
                $0.upsert = [.with { node in
                    node.id = 7
                    node.parent = 4_711
                    node.role = SemanticNode.Role(rawValue: 999) ?? .unspecified
                }]
            })
            try peer.expectAlive()
        },
    ]
}
