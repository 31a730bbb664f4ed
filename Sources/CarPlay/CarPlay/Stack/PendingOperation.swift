/// A stack operation the phone has not answered, with how to take it back.
struct PendingOperation {
    enum Undo {
        case restore(TemplateStack)
        case removePushed(CPTemplate)
        case putBack([CPTemplate])
        case unpresent(CPTemplate)
        case represent(CPTemplate)
    }

    let undo: Undo
    let completion: CPInterfaceController.Completion?
    /// Meanwhile the driver did the same: the phone's refusal is then no failure.
    var driverDidIt = false

    /// The template this operation pushed, if it is a push.
    var pushed: CPTemplate? {
        if case .removePushed(let template) = undo { return template }
        return nil
    }

    /// Whether it takes `id` off the screen.
    @MainActor
    func removes(_ id: UInt64) -> Bool {
        switch undo {
        case .putBack(let templates): templates.contains { $0.token.id == id }
        case .represent(let template): template.token.id == id
        case .restore, .removePushed, .unpresent: false
        }
    }
}
