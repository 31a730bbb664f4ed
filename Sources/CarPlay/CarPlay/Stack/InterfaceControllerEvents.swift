import FasciaAppLink
import FasciaAppRuntime

// What the phone tells an interface controller.
extension CPInterfaceController {
    func receive(_ message: AppToApp.OneOf_Message) {
        guard isConnected else { return }
        switch message {
        case .stackResult(let result): answered(result)
        case .userPopped(let popped): driverWentBack(popped.template)
        case .userDismissed(let dismissed): driverDismissed(dismissed.template)
        case .lifecycle(let lifecycle): appearanceChanged(lifecycle)
        case .tabSelected(let selected): tabSelected(selected)
        default: break
        }
    }

    /// The scene is over: nothing is shown, every unanswered operation fails.
    func disconnect() {
        guard isConnected else { return }
        isConnected = false
        let unanswered = pending.sorted { $0.key < $1.key }.map(\.value)
        pending = [:]
        for operation in unanswered {
            finish(operation.completion, CarPlayError.make(.disconnected, "The car scene disconnected before the operation was done."))
        }
        stack = TemplateStack()
        departing = []
    }

    private func answered(_ result: AppStackResult) {
        guard let operation = pending.removeValue(forKey: result.operation) else { return }
        if result.success || operation.driverDidIt { return finish(operation.completion, nil) }
        undo(operation.undo)
        let reason = result.error.isEmpty ? "The phone refused the operation." : result.error
        if operation.completion == nil { Faults.warn(ExceptionName.generic, reason) }
        finish(operation.completion, CarPlayError.make(.phoneRefused, reason))
    }

    private func undo(_ undo: PendingOperation.Undo) {
        switch undo {
        case .restore(let before): stack = before
        case .removePushed(let template): _ = stack.remove(template.token.id)
        case .putBack(let templates): stack.current += templates
        case .unpresent(let template): if stack.presented === template { stack.presented = nil }
        case .represent(let template): if stack.presented == nil { stack.presented = template }
        }
    }

    private func markDriverDid(_ id: UInt64) {
        for number in pending.keys where pending[number]?.removes(id) == true { pending[number]?.driverDidIt = true }
    }

    private func driverWentBack(_ id: UInt64) {
        markDriverDid(id)
        if let template = stack.remove(id) {
            driverPopped = true
            depart([template])
        }
    }

    private func driverDismissed(_ id: UInt64) {
        markDriverDid(id)
        guard let presented = stack.presented, presented.token.id == id else { return }
        driverDismissed = true
        stack.presented = nil
        depart([presented])
    }

    private func tabSelected(_ selected: AppTabSelected) {
        guard let tabBar = stack.root as? CPTabBarTemplate, tabBar.token.id == selected.tabBar else { return }
        tabBar.selected(selected.template)
        stack.moveToSelectedTab(Set(pending.values.compactMap { $0.pushed?.token.id }))
    }

    private func appearanceChanged(_ lifecycle: AppTemplateLifecycle) {
        let nowPlaying = CPNowPlayingTemplate.shared
        if lifecycle.template == nowPlaying.token.id, lifecycle.phase == .willAppear, !stack.templates.contains(nowPlaying) {
            // The system showed it by itself, perhaps moving it here from another tab.
            _ = stack.remove(nowPlaying.token.id)
            stack.current.append(nowPlaying)
        }
        guard let template = (stack.all + departing).first(where: { $0.token.id == lifecycle.template }) else { return }
        switch lifecycle.phase {
        case .willAppear: delegate?.templateWillAppear(template, animated: lifecycle.animated)
        case .didAppear: delegate?.templateDidAppear(template, animated: lifecycle.animated)
        case .willDisappear: delegate?.templateWillDisappear(template, animated: lifecycle.animated)
        case .didDisappear:
            departing.removeAll { $0 === template }
            delegate?.templateDidDisappear(template, animated: lifecycle.animated)
        case .unspecified, .UNRECOGNIZED: break
        }
    }
}
