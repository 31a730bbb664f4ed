import FasciaAppLink

extension TemplateUI {
    /// A message of an app. Unknown and pointless ones change nothing.
    public func receive(_ message: AppFromApp, from id: String, now: UInt64) {
        let session = session(id)
        if case .stopped = session.state { return }
        switch message.message {
        case .upsertTemplate(let template): upsert(template, session)
        case .updateItem(let update): self.update(update, session)
        case .releaseTemplates(let release):
            for id in release.ids where !session.stack.visible.contains(id) {
                session.templates[id] = nil
                forgetPages(of: id, session)
            }
        case .stackOperation(let operation): apply(operation, session, now: now)
        case .selectionCompleted(let done): if session.complete(selection: done.selection) { changed() }
        case .image(let image):
            session.images.insert(image)
            changed()
        case .nowPlaying(let info): nowPlaying(info, session)
        case .remoteCommands(let commands):
            guard commands != session.commands else { return }
            session.commands = commands
            changed()
        case .selectTab(let select): selectTab(select, session)
        case .fault(let fault): actions.append(.log("\(session.name): \(fault.name): \(fault.reason)" + (fault.fatal ? " (the app ends)" : "")))
        case .releaseImages(let release): for image in release.ids { session.images.remove(image) }
        case .hello, .sceneReply, .pong, nil: break
        }
    }

    private func upsert(_ template: AppTemplate, _ session: AppSession) {
        session.templates[template.id] = template
        let gone = session.templates.trim { session.stack.contains($0) }
        if !gone.isEmpty { actions.append(.log("\(session.name): too many templates at a time, the oldest \(gone.count) are forgotten")) }
        for id in gone { forgetPages(of: id, session) }
        if case .tabBar(let bar)? = template.kind, session.stack.tabBar == template.id, bar.templates != session.stack.tabs {
            session.stack.tabsChanged(to: bar.templates)
            updateLifecycles(animated: false)
            settleAll()
        }
        changed()
    }

    private func forgetPages(of template: UInt64, _ session: AppSession) {
        pageStates[.template(session.id, template)] = nil
        pageStates[.modal(session.id, template)] = nil
    }

    /// One row: only its layers change.
    private func update(_ update: AppItemUpdate, _ session: AppSession) {
        guard case .list(var list)? = session.templates[update.template]?.kind else { return }
        for (s, section) in list.sections.enumerated() {
            guard let i = section.items.firstIndex(where: { $0.element == update.item.element }) else { continue }
            list.sections[s].items[i] = update.item
            session.templates[update.template]?.list = list
            return changed()
        }
    }

    private func nowPlaying(_ info: AppNowPlaying, _ session: AppSession) {
        guard info != session.nowPlaying else { return }
        session.nowPlaying = info
        if info.present, session.isPlaying || nowPlayingApp == nil { nowPlayingApp = session.id }
        if !info.present, nowPlayingApp == session.id { nowPlayingApp = sessions.values.first { $0.nowPlaying?.present == true }?.id }
        changed()
    }

    private func selectTab(_ select: AppSelectTab, _ session: AppSession) {
        guard session.stack.tabBar == select.tabBar, session.stack.selectedTab != select.template, session.stack.select(tab: select.template) else { return }
        finishTransition()
        updateLifecycles(animated: false)
        settleAll()
        changed()
    }

    private func apply(_ operation: AppStackOperation, _ session: AppSession, now: UInt64) {
        finishTransition()
        let page = page, hadModal = modalPage != nil
        var result = AppStackResult()
        result.operation = operation.operation
        do throws(StackError) {
            let change = try session.stack.apply(operation) { session.templates[$0]?.kind }
            result.success = true
            session.pendingResults.append(result)
            if change == .presented || change == .dismissed { session.dismissedByDriver = false }
            stackChanged(session, change, from: page, hadModal: hadModal, animated: operation.animated, now: now)
        } catch {
            // The driver was faster: what the app wants gone is gone.
            result.success = operation.kind == .dismiss && session.dismissedByDriver
            session.dismissedByDriver = false
            if !result.success { result.error = error.reason }
            send(.with { $0.stackResult = result }, to: session)
        }
    }

    private func stackChanged(_ session: AppSession, _ change: StackChange, from old: PageKey, hadModal: Bool, animated: Bool, now: UInt64) {
        changed()
        let isFront = frontSession === session
        if change == .pushed || change == .replaced, let top = session.stack.top { pageStates[.template(session.id, top)] = nil }
        if change == .presented, let presented = session.stack.presented { pageStates[.modal(session.id, presented)] = nil }
        if change == .replaced {
            session.nowPlayingLeadsToRoot = false
            if let bar = session.stack.tabBar, let tab = session.stack.selectedTab { sendTabSelected(bar, tab, initial: true, to: session) }
        }
        guard isFront else { return settleAll() }
        let style: Transition.Style = change == .pushed ? .push : change == .popped ? .pop : .fade
        let isFirst = if case .launching = old { true } else { false }
        showPage(from: old, style: style, animated: animated || isFirst, now: now)
    }

    func sendTabSelected(_ bar: UInt64, _ tab: UInt64, initial: Bool, to session: AppSession) {
        send(.with {
            $0.tabSelected.tabBar = bar
            $0.tabSelected.template = tab
            $0.tabSelected.initial = initial
        }, to: session)
    }
}
