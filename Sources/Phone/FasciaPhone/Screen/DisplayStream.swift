import FasciaScene
import FasciaWire

/// Feeds one screen of the head unit: publishes new states, keeps at most `window` of them unanswered, and lets states
/// that came in between go unsent, because only the newest counts.
struct DisplayStream {
    /// Commits on their way. Two keep the head unit busy at its own rate; more would only add latency.
    static let window: UInt32 = 2

    private var publisher = ScenePublisher()
    private var presented: UInt32 = 0
    /// Of the screen, pixels; nil before the first Welcome.
    private var size: (width: Int, height: Int)?
    /// Channel of the screen, 16 and up (spec "Channels").
    private(set) var channel = ChannelID.mainDisplay

    /// True while a new state may be sent.
    var isReady: Bool { publisher.sequence &- presented < Self.window }
    /// Highest commit known to be on the screen.
    var presentedSequence: UInt32 { presented }

    /// What can be said of this state before a connection is welcomed; nil when the head unit may lack something.
    /// - Parameter bringsPictures: what it lacks may go along.
    mutating func speculation(_ frame: SceneFrame, bringingPictures bringsPictures: Bool = false) -> Speculation? {
        publisher.speculation(frame, bringingPictures: bringsPictures)
    }

    /// A new connection: goes on with `resumed`, or starts over.
    /// - Parameter speculation: what was said in advance on it, if the head unit goes on with the session.
    /// - Returns: whether that is on the screen.
    @discardableResult
    mutating func connect(_ welcome: Welcome, channel: UInt16, counting speculation: Speculation? = nil) -> Bool {
        // Whatever was on its way is lost or irrelevant.
        defer { presented = publisher.sequence }
        self.channel = ChannelID(channel)
        size = welcome.screens.first { $0.channel == UInt32(channel) }.map { (Int($0.width), Int($0.height)) }
        guard welcome.hasResumed else {
            publisher.startSession(resourceBudget: Int(welcome.limits.resourceBudget),
                                   compress: welcome.capabilities.contains(UInt32(Capability.zstd.rawValue)))
            return false
        }
        let (resources, last) = (welcome.resumed.highestResource, welcome.resumed.presentedSequence)
        if let speculation { return publisher.resume(highestResource: resources, presented: last, showing: speculation) }
        publisher.resume(highestResource: resources, presented: last)
        return false
    }

    mutating func presented(_ message: Presented) {
        guard message.sequence <= publisher.sequence, message.sequence > presented else { return }
        presented = message.sequence
        publisher.presented(message.sequence)
    }

    /// Messages to send for this state, in order; empty when the head unit shows it already.
    mutating func messages(for frame: SceneFrame, causedBy input: UInt32, semanticsWanted: Bool) throws -> [OutboundMessage] {
        // A head unit refuses what is above its drawing budget and ends the session (spec D-14): the last state stays instead.
        if let size, frame.drawnArea(screenWidth: size.width, screenHeight: size.height) > DrawnArea.maximumOverdraw * size.width * size.height { return [] }
        guard let publication = publisher.publish(frame, causedBy: input) else { return [] }
        var messages = publication.resources.map { OutboundMessage(channel: channel, type: MessageType.resource, body: $0) }
        messages.append(OutboundMessage(channel: channel, type: MessageType.commit, body: try publication.commit.serializedBytes()))
        if semanticsWanted, let semantics = publication.semantics {
            messages.append(OutboundMessage(channel: ChannelID.semantics, type: MessageType.semanticsUpdate, body: try semantics.serializedBytes()))
        }
        if !publication.released.isEmpty {
            var release = ReleaseResources()
            release.ids = publication.released
            messages.append(OutboundMessage(channel: channel, type: MessageType.releaseResources, body: try release.serializedBytes()))
        }
        return messages
    }
}

/// A message for a channel of the link.
struct OutboundMessage {
    let channel: ChannelID
    let type: UInt16
    let body: [UInt8]
}
