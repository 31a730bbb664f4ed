import FasciaAppLink
import FasciaWire

extension TemplateUI {
    /// The driver chose an element.
    func perform(_ element: Element, now: UInt64) {
        guard element.enabled else { return }
        switch element.action {
        case .none: break
        case .home: goHome(now: now)
        case .back: goBack(now: now)
        case .openApplication(let id): open(id, now: now)
        case .showNowPlaying: showNowPlaying(now: now)
        case .closeNotice: closeNotice()
        case .jump(let y):
            state(of: page).scroll.move(to: y, seconds: 0.3, now: now)
            changed()
        default: if let session = frontSession, session.state == .connected { perform(element.action, session, now: now) }
        }
    }

    private func perform(_ action: ElementAction, _ session: AppSession, now: UInt64) {
        switch action {
        case .barButton(let template, let element), .activate(let template, let element): sendActivated(template: template, element: element, to: session)
        case .chooseModal(let template, let element): choose(template: template, element: element, session, now: now)
        case .select(let template, let element, let index):
            let selection = AppSession.Selection(template: template, element: element, index: index)
            guard !session.isBusy(selection) else { return }
            sendActivated(template: template, element: element, selection: session.begin(selection), index: index, to: session)
            changed()
        case .tab(let tab): select(tab, session)
        case .command(let kind): send(kind, to: session)
        case .upNext: send(.with { $0.nowPlayingTapped.what = .upNext }, to: session)
        case .albumArtist: send(.with { $0.nowPlayingTapped.what = .albumArtist }, to: session)
        default: break
        }
    }

    /// Told on re-tapping the selected tab as well.
    private func select(_ tab: UInt64, _ session: AppSession) {
        guard let bar = session.stack.tabBar else { return }
        if session.stack.selectedTab != tab {
            finishTransition()
            guard session.stack.select(tab: tab) else { return }
            sendTabSelected(bar, tab, initial: false, to: session)
            // The knob stays on the tab that was chosen.
            state(of: page).focus = "stage/page:\(page.name)#tab\(tab)"
            updateLifecycles(animated: false)
            settleAll()
            changed()
        } else { sendTabSelected(bar, tab, initial: false, to: session) }
    }

    func send(_ kind: AppRemoteCommand.Kind, to session: AppSession) {
        send(.with {
            $0.remoteCommand.kind = kind
            if kind == .skipForward || kind == .skipBackward { $0.remoteCommand.value = session.skipInterval(forward: kind == .skipForward) }
        }, to: session)
    }
}
