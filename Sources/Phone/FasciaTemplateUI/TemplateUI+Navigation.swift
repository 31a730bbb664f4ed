import FasciaAppLink
import FasciaScene

extension TemplateUI {
    /// Stands for an app's Now Playing when the app never made one; the app is not told of it.
    static let systemNowPlaying = UInt64.max

    /// The page under any modal card.
    var page: PageKey {
        guard case .app(let id) = screen else { return .home }
        guard let top = sessions[id]?.stack.top else { return .launching(id) }
        return .template(id, top)
    }

    var modalPage: PageKey? {
        if notice != nil { return .notice }
        guard let session = frontSession, let presented = session.stack.presented else { return nil }
        return .modal(session.id, presented)
    }

    /// What takes input.
    var topPage: PageKey { modalPage ?? page }

    // MARK: Pages

    func showPage(from old: PageKey, style: Transition.Style, animated: Bool, now: UInt64) {
        touch = nil
        pressed = nil
        if animated, page != old {
            transitions &+= 1
            transition = Transition(id: transitions, style: style, from: old, now: now)
        }
        isDockFocused = isDockFocused && page == old
        updateLifecycles(animated: animated)
        if transition == nil { settleAll() }
        changed()
    }

    func finishTransition() {
        guard transition != nil else { return }
        transition = nil
        settleAll()
        changed()
    }

    func updateLifecycles(animated: Bool) {
        for session in sessions.values.sorted(by: { $0.id < $1.id }) {
            let visible = frontSession === session ? session.stack.visible : []
            send(session.lifecycle.change(to: visible, animated: animated), to: session)
        }
    }

    func settleAll() {
        for session in sessions.values.sorted(by: { $0.id < $1.id }) {
            send(session.lifecycle.settle(), to: session)
            for result in session.pendingResults { send(.with { $0.stackResult = result }, to: session) }
            session.pendingResults = []
        }
    }

    private func send(_ calls: [AppTemplateLifecycle], to session: AppSession) {
        for call in calls where call.template != Self.systemNowPlaying { send(.with { $0.lifecycle = call }, to: session) }
    }

    // MARK: Going places

    func goHome(now: UInt64) {
        guard screen != .home else {
            if notice == nil { state(of: .home).scroll.move(to: 0, seconds: 0.25, now: now) }
            return changed()
        }
        leave(to: .home, now: now)
    }

    private func leave(to next: Screen, now: UInt64) {
        finishTransition()
        let old = page, session = frontSession
        screen = next
        if let session, session.state == .connected { send(.with { $0.sceneActivation.foreground = false }, to: session) }
        if let front = frontSession, front.state == .connected { send(.with { $0.sceneActivation.foreground = true }, to: front) }
        showPage(from: old, style: .fade, animated: true, now: now)
    }

    func open(_ id: String, now: UInt64) {
        notice = nil
        let session = session(id)
        switch session.state {
        case .idle, .stopped:
            session.reset(to: .launching)
            actions.append(.launch(id))
        case .launching, .connected: break
        }
        if !recent.prefix(3).contains(id) { recent = [id] + recent.filter { $0 != id }.prefix(7) }
        if screen != .app(id) { leave(to: .app(id), now: now) }
        changed()
    }

    /// From the home screen, going back leads to the app's root; from the bar button of the app itself, to where the driver was.
    func showNowPlaying(now: UInt64) {
        guard let id = nowPlayingApp, let session = sessions[id], session.state == .connected, session.stack.hasRoot else { return }
        finishTransition()
        let fromBar = frontSession === session
        if !fromBar { open(id, now: now) }
        finishTransition()
        let old = page
        if session.nowPlayingTemplate == nil {
            var template = AppTemplate()
            template.id = Self.systemNowPlaying
            template.nowPlaying = AppNowPlayingTemplate()
            session.templates[template.id] = template
        }
        guard let template = session.nowPlayingTemplate, session.stack.top != template.id else { return changed() }
        let wasBelow = session.stack.path.contains(template.id)
        if !wasBelow { session.nowPlayingLeadsToRoot = !fromBar }
        tellPopped(session.stack.showNowPlaying(template.id), session)
        pageStates[.template(id, template.id)] = nil
        showPage(from: old, style: wasBelow ? .pop : .push, animated: true, now: now)
    }

    /// The back button, key or swipe.
    func goBack(now: UInt64) {
        if notice != nil { return closeNotice() }
        guard let session = frontSession else { return }
        if let presented = session.stack.presented { return cancelModal(presented, session, now: now) }
        finishTransition()
        if let top = session.stack.top, let template = session.templates[top], session.stack.path.count > 1 {
            if template.hasBackButton, template.backButton.element != 0 {
                return sendActivated(template: top, element: template.backButton.element, to: session)
            }
            let isNowPlaying = if case .nowPlaying? = template.kind { true } else { false }
            let old = page
            tellPopped(session.stack.userPop(toRoot: isNowPlaying && session.nowPlayingLeadsToRoot), session)
            showPage(from: old, style: .pop, animated: true, now: now)
        } else { goHome(now: now) }
    }

    private func tellPopped(_ popped: [UInt64], _ session: AppSession) {
        for id in popped where id != Self.systemNowPlaying { send(.with { $0.userPopped.template = id }, to: session) }
    }

    /// Going back from a card is choosing its cancel action; without one the card stays.
    private func cancelModal(_ id: UInt64, _ session: AppSession, now: UInt64) {
        let actions = switch session.templates[id]?.kind {
        case .alert(let alert): alert.actions
        case .actionSheet(let sheet): sheet.actions
        default: [AppAlertAction]()
        }
        guard let cancel = actions.first(where: { $0.style == .cancel }) else { return }
        choose(template: id, element: cancel.element, session, now: now)
    }

    /// An action of an alert or sheet: the card goes, and the app need not (but may) dismiss it.
    func choose(template: UInt64, element: UInt64, _ session: AppSession, now: UInt64) {
        guard session.stack.presented == template else { return }
        finishTransition()
        sendActivated(template: template, element: element, to: session)
        let old = page
        session.stack.userDismiss()
        session.dismissedByDriver = true
        send(.with { $0.userDismissed.template = template }, to: session)
        showPage(from: old, style: .fade, animated: false, now: now)
    }

    func sendActivated(template: UInt64, element: UInt64, selection: UInt64 = 0, index: Int? = nil, to session: AppSession) {
        send(.with {
            $0.elementActivated.template = template
            $0.elementActivated.element = element
            $0.elementActivated.selection = selection
            if let index {
                $0.elementActivated.hasIndex_p = true
                $0.elementActivated.index = UInt32(clamping: index)
            }
        }, to: session)
    }

    // MARK: An app that ended

    func stopped(_ session: AppSession, _ reason: String?, now: UInt64) {
        let application = applications.first { $0.id == session.id } ?? HomeApplication(id: session.id, name: session.name)
        ended(session, .stopped(reason), notice: Notice(application: application, reason: reason), now: now)
    }

    /// The app's screens go; if one of them was shown, home comes, with `notice` over it.
    func ended(_ session: AppSession, _ state: AppSession.State, notice: Notice?, now: UInt64) {
        let wasFront = frontSession === session
        session.reset(to: state)
        if nowPlayingApp == session.id { nowPlayingApp = sessions.values.first { $0.nowPlaying?.present == true }?.id }
        for page in pageStates.keys {
            switch page {
            case .template(session.id, _), .modal(session.id, _): pageStates[page] = nil
            default: break
            }
        }
        recent.removeAll { $0 == session.id }
        guard wasFront else { return }
        transition = nil
        screen = .home
        self.notice = notice
        pageStates[.notice] = nil
        showPage(from: .home, style: .fade, animated: false, now: now)
    }

    func closeNotice() {
        notice = nil
        changed()
    }
}
