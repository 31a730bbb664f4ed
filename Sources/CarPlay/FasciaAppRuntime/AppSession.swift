import FasciaAppLink

/// The app's state towards the phone: which templates and images the phone has, what is still to be sent, and who in the
/// app handles what arrives. One a process, on the main thread.
///
/// Sending: nothing is sent when a property changes. Once a run-loop turn `flush` sends, in this order, the images and
/// templates that changed and are known to the phone, then the operations of that turn, then what was released. While the
/// phone is slow (`AppLinkLimits.highWater` bytes unread) flushes wait and changes merge.
@MainActor
package final class AppSession {
    package static let shared = AppSession()

    package weak var lifecycleHandler: (any AppLifecycleHandler)?
    package weak var sceneHandler: (any AppSceneHandler)?
    /// Encodes `MPNowPlayingInfoCenter`'s state.
    package var nowPlaying: (@MainActor (TemplateEncoder) -> AppNowPlaying)?
    /// Encodes `MPRemoteCommandCenter`'s state.
    package var remoteCommands: (@MainActor () -> AppRemoteCommands)?
    /// Handles a command from the car.
    package var remoteCommandHandler: (@MainActor (AppRemoteCommand) -> Void)?
    /// Handles a Now Playing button of the system's own.
    package var nowPlayingTapHandler: (@MainActor (AppNowPlayingTapped) -> Void)?

    package private(set) var traits = AppTraits()
    /// The running app's bundle; nil in tests and tools.
    package internal(set) var bundle: AppBundle?
    package var category: AppCategory = .audio

    private struct WeakTemplate { weak var source: (any TemplateSource)? }

    private var templates: [UInt64: WeakTemplate] = [:]
    private var sentTemplates: Set<UInt64> = []
    private var sentImages: Set<UInt64> = []
    private var changes = PendingChanges.Changes()
    private var queue: [AppFromApp] = []
    private var sceneConnected = false

    private init() {
        PendingChanges.shared.onFlush { AppSession.shared.flush() }
    }

    // MARK: Sending

    /// Makes a template known so that its changes can be sent once the phone has it.
    package func register(_ template: any TemplateSource) {
        templates[template.templateID] = WeakTemplate(source: template)
    }

    /// Queues a message after the state of every template in `needing`.
    package func enqueue(_ message: AppFromApp, needing templates: [any TemplateSource] = []) {
        for template in templates where !sentTemplates.contains(template.templateID) {
            changes.templates.insert(template.templateID)
            needed.insert(template.templateID)
        }
        queue.append(message)
        PendingChanges.shared.scheduleFlush()
    }

    /// Makes sure that the phone has a template, though nothing names it.
    package func require(_ template: any TemplateSource) {
        needed.insert(template.templateID)
        PendingChanges.shared.changed(template: template.templateID)
    }

    private var needed: Set<UInt64> = []

    /// Sends what has changed. Runs by itself once a turn; tests call it.
    package func flush() {
        merge(PendingChanges.shared.take())
        guard AppOutput.shared.queuedBytes < AppLinkLimits.highWater else { return }
        let encoder = TemplateEncoder(session: self)
        let due = changes
        changes = PendingChanges.Changes()
        for id in due.templates.sorted() where sentTemplates.contains(id) || needed.contains(id) {
            guard let template = templates[id]?.source else { continue }
            upsert(template, encoder)
        }
        needed = []
        for (id, items) in due.items where sentTemplates.contains(id) && !due.templates.contains(id) {
            guard let template = templates[id]?.source else { continue }
            for element in items.sorted() {
                guard let item = template.encodeItem(element, encoder) else { continue }
                AppOutput.shared.send(.with { $0.updateItem = .with { $0.template = id; $0.item = item } })
            }
        }
        if due.nowPlaying, let state = nowPlaying?(encoder) { AppOutput.shared.send(.with { $0.nowPlaying = state }) }
        if due.remoteCommands, let state = remoteCommands?() { AppOutput.shared.send(.with { $0.remoteCommands = state }) }
        let messages = queue
        queue = []
        for message in messages { AppOutput.shared.send(message) }
        release(due)
    }

    private func merge(_ new: PendingChanges.Changes) {
        changes.templates.formUnion(new.templates)
        changes.items.merge(new.items) { $0.union($1) }
        changes.nowPlaying = changes.nowPlaying || new.nowPlaying
        changes.remoteCommands = changes.remoteCommands || new.remoteCommands
        changes.releasedTemplates += new.releasedTemplates
        changes.releasedImages += new.releasedImages
    }

    private func upsert(_ template: any TemplateSource, _ encoder: TemplateEncoder) {
        sentTemplates.insert(template.templateID)
        let state = template.encodeTemplate(encoder)
        AppOutput.shared.send(.with { $0.upsertTemplate = state })
    }

    private func release(_ due: PendingChanges.Changes) {
        for id in due.releasedTemplates { templates[id] = nil }
        let templateIDs = due.releasedTemplates.filter { sentTemplates.remove($0) != nil }
        if !templateIDs.isEmpty { AppOutput.shared.send(.with { $0.releaseTemplates = .with { $0.ids = templateIDs } }) }
        let imageIDs = due.releasedImages.filter { sentImages.remove($0) != nil }
        if !imageIDs.isEmpty { AppOutput.shared.send(.with { $0.releaseImages = .with { $0.ids = imageIDs } }) }
    }

    /// Sends a template the phone does not have yet.
    func announce(_ template: any TemplateSource) {
        guard !sentTemplates.contains(template.templateID) else { return }
        upsert(template, TemplateEncoder(session: self))
    }

    /// Sends an image the phone does not have yet; its id, or 0 if it cannot be sent.
    func announce(_ image: any ImageSource, _ encoder: TemplateEncoder) -> UInt64 {
        if sentImages.contains(image.imageID) { return image.imageID }
        guard let encoded = image.encodeImage(encoder) else { return 0 }
        guard encoded.encoded.count <= AppLinkLimits.encodedImage else {
            Faults.warn("FasciaImageTooLarge", "an image of \(encoded.encoded.count) bytes is not sent, the limit is \(AppLinkLimits.encodedImage)")
            return 0
        }
        sentImages.insert(image.imageID)
        AppOutput.shared.send(.with { $0.image = encoded })
        return image.imageID
    }

    // MARK: Receiving

    /// Handles one message of the phone.
    package func receive(_ message: AppToApp) {
        switch message.message {
        case .sceneConnect(let connect)?:
            guard !sceneConnected else { return }
            sceneConnected = true
            traits = connect.traits
            forgetWhatWasSent()
            lifecycleHandler?.connectScene(connect)
            reply(.connected, scene: connect.scene)
        case .sceneDisconnect(let disconnect)?:
            disconnectScene(reason: disconnect.reason)
            reply(.disconnected, scene: disconnect.scene)
        case .sceneActivation(let activation)?: lifecycleHandler?.activateScene(foreground: activation.foreground)
        case .traits(let traits)?:
            self.traits = traits
            lifecycleHandler?.traitsChanged()
            sceneHandler?.traitsChanged()
        case .remoteCommand(let command)?: remoteCommandHandler?(command)
        case .nowPlayingTapped(let tap)?: nowPlayingTapHandler?(tap)
        case .elementActivated(let activation)?: activate(activation)
        case .ping(let ping)?: AppOutput.shared.send(.with { $0.pong.number = ping.number }) // here, not on the link's thread (spec/applink.md AM-12)
        case .terminate?: break // the process's main loop handles it
        case let other?: sceneHandler?.receive(other)
        case nil: break
        }
    }

    /// The phone, or the scene, is gone: the delegate hears of it once.
    package func disconnectScene(reason: String) {
        guard sceneConnected else { return }
        sceneConnected = false
        lifecycleHandler?.disconnectScene(reason: reason)
        sceneHandler = nil
        // What was under way for the scene is dropped (spec/applink.md AM-10); what plays goes on being reported.
        queue = []
        needed = []
        sentTemplates = []
    }

    /// The phone begins each scene with nothing: templates and images are sent again, with the same ids, when they are used.
    private func forgetWhatWasSent() {
        sentTemplates = []
        sentImages = []
        PendingChanges.shared.nowPlayingChanged()
        PendingChanges.shared.remoteCommandsChanged()
    }

    /// Ends the spinner of a selection. `selection` 0 is none.
    package func completeSelection(_ selection: UInt64) {
        guard selection != 0 else { return }
        enqueue(.with { $0.selectionCompleted = .with { $0.selection = selection } })
    }

    private func activate(_ activation: AppElementActivated) {
        guard sceneConnected, let template = templates[activation.template]?.source else {
            return completeSelection(activation.selection)
        }
        template.activated(activation)
    }

    private func reply(_ kind: AppSceneReply.Kind, scene: UInt64) {
        flush()
        AppOutput.shared.send(.with { $0.sceneReply = .with { $0.kind = kind; $0.scene = scene } })
    }

    // MARK: Tests

    /// Forgets everything, as in a new process.
    package func reset(category: AppCategory = .audio) {
        _ = PendingChanges.shared.take()
        changes = PendingChanges.Changes()
        queue = []
        needed = []
        sentTemplates = []
        sentImages = []
        sceneConnected = false
        sceneHandler = nil
        traits = AppTraits()
        self.category = category
    }
}
