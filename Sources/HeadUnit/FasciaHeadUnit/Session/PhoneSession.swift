import FasciaCompositor
import FasciaWire
import SwiftProtobuf

/// One phone's presence on the screen: its layers, resources and meaning. It outlives connections: after a cut the next one
/// resumes it with everything still there.
@MainActor
final class PhoneSession {
    /// A message that ends the session: the close code and what is wrong.
    struct Violation: Error, Equatable {
        var code: CloseCode
        var detail: String
    }

    /// What a message changed.
    enum Effect: Equatable {
        case nothing
        /// The screen has to be composed.
        case commit
        case semantics
    }

    let id: [UInt8]
    let peer: PhonePeer
    let scene: LayerScene
    private(set) var semantics = SemanticsStore()
    /// Last commit that was on the screen.
    private(set) var presented: UInt32 = 0
    /// Input of the last commit applied.
    private(set) var causedBy: UInt32 = 0
    private(set) var commits = 0
    /// When the oldest commit was taken that is not on the screen yet; nil when none waits.
    var waitingSince: UInt64?
    var inputSequence: UInt32 = 0
    /// What a connection said before its Welcome tells a state that others have overtaken, if its sequence is not above this (spec, R-14).
    private var overtaken: UInt32 = 0
    /// No commit above it has come yet.
    private var mayBeOvertaken = false
    /// Its resources up to this id came by other connections (spec, R-15).
    private var overtakenResource: UInt32 = 0
    /// Those of them that came here and are not held.
    private var ignoredResources: Set<UInt32> = []
    private let limits: DisplayLimits

    init(id: [UInt8], peer: PhonePeer, limits: DisplayLimits, compresses: Bool = true) {
        self.id = id
        self.peer = peer
        self.limits = limits
        scene = LayerScene(limits: limits)
        scene.resources.acceptsCompressed = compresses
    }

    /// Has ever shown something.
    var hasPicture: Bool { scene.sequence > 0 }

    /// The phone is back over a new connection.
    /// - Parameter speculative: it speaks before it has the Welcome.
    func resume(speculative: Bool) {
        waitingSince = nil
        scene.resume()
        semantics.resume()
        overtaken = speculative ? scene.sequence : 0
        mayBeOvertaken = speculative
        overtakenResource = speculative ? scene.resources.highestIdentifier : 0
        ignoredResources = []
    }

    /// Whether a connection before was told of this resource, so that it is not to be looked at.
    private func isOvertaken(_ resource: [UInt8]) -> UInt32? {
        guard mayBeOvertaken, resource.count >= ResourceHeader.size else { return nil }
        let id = resource[..<4].reduce(0) { $0 << 8 | UInt32($1) }
        return id != 0 && id <= overtakenResource ? id : nil
    }

    func receive(channel: ChannelID, type: UInt16, body: [UInt8]) throws(Violation) -> Effect {
        switch (channel, type) {
        case (ScreenProfile.channel, MessageType.resource):
            if let id = isOvertaken(body) {
                if !scene.resources.holds(id) { ignoredResources.insert(id) }
                // No flight needs more than a tree has layers, and nothing else bounds them: they cost their sender nothing of its budget.
                guard ignoredResources.count <= limits.layers else {
                    throw Violation(code: CloseCode.resourcesExhausted, detail: "\(ignoredResources.count) resources that were given up, and no commit")
                }
                return .nothing
            }
            do throws(DisplayError) {
                try scene.resources.store(body)
            } catch {
                throw Violation(code: error.code == .overBudget ? CloseCode.resourcesExhausted : CloseCode.badResource, detail: error.description)
            }
            return .nothing
        case (ScreenProfile.channel, MessageType.releaseResources):
            scene.resources.release(try decode(ReleaseResources.self, body, "ReleaseResources").ids)
            return .nothing
        case (ScreenProfile.channel, MessageType.commit):
            let commit = try decode(Commit.self, body, "Commit")
            if mayBeOvertaken {
                if commit.sequence <= overtaken || !ignoredResources.isEmpty && commit.upsert.contains(where: { ignoredResources.contains($0.image.resource) }) {
                    return .nothing
                }
                mayBeOvertaken = false
                ignoredResources = []
            }
            do throws(DisplayError) {
                try scene.apply(commit)
            } catch {
                throw Violation(code: CloseCode.badCommit, detail: error.description)
            }
            commits += 1
            causedBy = commit.causedBy
            return .commit
        case (.semantics, MessageType.semanticsUpdate):
            let update = try decode(SemanticsUpdate.self, body, "SemanticsUpdate")
            if update.sequence <= overtaken { return .nothing }
            if let problem = semantics.receive(update, encoded: body.count, presented: presented) { throw Violation(code: CloseCode.badMessage, detail: problem) }
            return .semantics
        default: return .nothing
        }
    }

    /// Everything applied is on the screen now.
    /// - Returns: the acknowledgement to send; nil when the phone has it already.
    func framePresented(at now: UInt64) -> Presented? {
        waitingSince = nil
        guard scene.sequence > presented else { return nil }
        presented = scene.sequence
        _ = semantics.advance(to: presented)
        let sequence = presented
        return .with {
            $0.sequence = sequence
            $0.timeNs = now
        }
    }

    private func decode<M: SwiftProtobuf.Message>(_ type: M.Type, _ body: [UInt8], _ name: String) throws(Violation) -> M {
        do {
            return try M(serializedBytes: body)
        } catch {
            throw Violation(code: CloseCode.badMessage, detail: "\(name) cannot be decoded: \(error)")
        }
    }
}
