import FasciaAppLink
import FasciaPaint
import FasciaScene

/// What a modal card shows.
struct ModalContent {
    struct Choice {
        var title: String
        var look: PageContext.ButtonLook
        var action: ElementAction
    }
    var icon: Icon?
    var title: String
    var message: String
    var choices: [Choice]
}

extension PageContext {
    func modal(_ template: AppTemplate, in rect: Rect) {
        let width = cardWidth(rect) - 48
        switch template.kind {
        case .alert(let alert):
            card(ModalContent(title: variant(alert.titleVariants, .title, width: width, lines: 3), message: "", choices: choices(alert.actions, template.id, leads: true)), in: rect)
        case .actionSheet(let sheet):
            card(ModalContent(title: sheet.title, message: sheet.message, choices: choices(sheet.actions, template.id, leads: false)), in: rect)
        default: break
        }
    }

    private func choices(_ actions: [AppAlertAction], _ template: UInt64, leads: Bool) -> [ModalContent.Choice] {
        let first = actions.firstIndex { $0.style == .default }
        return actions.enumerated().map { index, action in
            let look: ButtonLook = action.style == .destructive ? .destructive : leads && index == first && actions.count > 1 ? .prominent : .plain
            return .init(title: action.title, look: look, action: .chooseModal(template: template, element: action.element))
        }
    }

    private func cardWidth(_ rect: Rect) -> Double { min(rect.width - 32, 380) }

    /// A card in the middle over a darkened page. Buttons lie side by side when their titles fit, else one above the other.
    func card(_ content: ModalContent, in rect: Rect) {
        canvas.fill("scrim", rect, palette.scrim, in: place, z: 0)
        let width = cardWidth(rect), inner = width - 40
        let titleLines = content.title.isEmpty ? 0 : canvas.label(content.title, .title, width: inner, lines: 3, alignment: .center).lines
        let messageLines = content.message.isEmpty ? 0 : canvas.label(content.message, .body, width: inner, lines: 3, alignment: .center).lines
        let sideBySide = content.choices.count == 2 && content.choices.allSatisfy { canvas.width($0.title, .button) < (width - 34) / 2 - 20 }
        let buttonHeight = 42.0, gap = 8.0
        let buttonRows = sideBySide ? 1 : content.choices.count
        let icon = content.icon == nil ? 0.0 : 44
        let head = 18 + icon + Double(titleLines) * Font.title.leading + (messageLines > 0 ? Double(messageLines) * Font.body.leading + 6 : 0) + 12
        let buttons = Double(buttonRows) * (buttonHeight + gap) + 4
        let height = min(rect.height - 16, head + buttons)
        let box = Rect(rect.midX - width / 2, (rect.midY - height / 2).rounded(), width, height)
        let card = canvas.layer("card", box, in: place, z: 1, content: .solid(palette.card), radius: 18)
        var y = 18.0
        if let symbol = content.icon {
            canvas.icon("icon", symbol, 36, palette.secondary, centerX: width / 2, centerY: y + 16, in: card)
            y += icon
        }
        canvas.text("title", content.title, .title, palette.text, x: 20, baseline: y + 17, width: inner, align: .center, lines: 3, in: card)
        y += Double(titleLines) * Font.title.leading
        if messageLines > 0 {
            canvas.text("message", content.message, .body, palette.secondary, x: 20, baseline: y + 17, width: inner, align: .center, lines: 3, in: card)
        }
        canvas.element(key("card"), Rect(0, 0, width, height), in: card) {
            $0.role = .alert
            $0.focusable = false
            $0.label = content.title.isEmpty ? content.message : content.title
            $0.value = content.title.isEmpty ? "" : content.message
            $0.identifier = "alert"
            $0.cornerRadius = 18
        }
        let field = Rect(0, head, width, height - head)
        var host = card, top = head
        if buttons > field.height + 0.5 {
            state.scroll.setExtent(content: buttons, viewport: field.height)
            if canvas.isInteractive { state.viewport = field.moved(card.x, card.y) }
            host = canvas.layer("choices", field, in: card) {
                $0.clip = true
                $0.scrollY = canvas.pixels(state.scroll.offset)
                $0.animations = state.scroll.animation(scale: canvas.scale)
            }
            host.scrolls = true
            top = 0
        }
        for (index, choice) in content.choices.enumerated() {
            let frame = sideBySide
                ? Rect(14 + Double(index) * ((width - 28 + gap) / 2), top, (width - 28 - gap) / 2, buttonHeight)
                : Rect(14, top + Double(index) * (buttonHeight + gap), width - 28, buttonHeight)
            textButton("choice\(index)", choice.title, choice.look, frame, in: host) {
                $0.action = choice.action
                $0.identifier = "choice.\(index)"
                $0.focusRank = 10 + index
            }
        }
    }
}
