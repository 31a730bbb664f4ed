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

    /// A card in the middle over a darkened page. Two buttons lie side by side when their titles fit; so do many that would not
    /// fit one above the other. What still does not fit scrolls.
    func card(_ content: ModalContent, in rect: Rect) {
        canvas.fill("scrim", rect, palette.scrim, in: place, z: 0)
        let width = cardWidth(rect), inner = width - 40
        let titleLines = content.title.isEmpty ? 0 : canvas.label(content.title, .title, width: inner, lines: 3, alignment: .center).lines
        let messageLines = content.message.isEmpty ? 0 : canvas.label(content.message, .body, width: inner, lines: 3, alignment: .center).lines
        let buttonHeight = 42.0, gap = 8.0
        let icon = content.icon == nil ? 0.0 : 44
        let head = 18 + icon + Double(titleLines) * Font.title.leading + (messageLines > 0 ? Double(messageLines) * Font.body.leading + 6 : 0) + 12
        let fitHalf = content.choices.allSatisfy { canvas.width($0.title, .button) < (width - 34) / 2 - 20 }
        let isTooTall = head + Double(content.choices.count) * (buttonHeight + gap) + 4 > rect.height - 16
        let columns = fitHalf && (content.choices.count == 2 || isTooTall) ? 2 : 1
        let buttonRows = (content.choices.count + columns - 1) / columns
        let buttons = Double(buttonRows) * (buttonHeight + gap) + 4
        let height = min(rect.height - 16, head + buttons)
        let box = Rect(rect.midX - width / 2, (rect.midY - height / 2).rounded(), width, height)
        let card = canvas.layer("card", box, in: place, z: 1, content: .solid(palette.card), radius: 18) { $0.border = .init(width: max(1, canvas.pixels(0.5)), color: palette.separator) }
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
        let field = Rect(0, head - 4, width, height - head + 4)
        var host = card, top = head
        if buttons + 4 > field.height + 0.5 {
            state.scroll.setExtent(content: buttons + 8, viewport: field.height)
            if canvas.isInteractive { state.viewport = field.moved(card.x, card.y) }
            host = canvas.layer("choices", field, in: card) {
                $0.clip = true
                $0.scrollY = canvas.pixels(state.scroll.offset)
                $0.animations = state.scroll.animation(scale: canvas.scale)
            }
            host.scrolls = true
            top = 4
        }
        for (index, choice) in content.choices.enumerated() {
            let isWide = columns == 1 || (index == content.choices.count - 1 && index % 2 == 0)
            let y = top + Double(index / columns) * (buttonHeight + gap)
            let half = (width - 28 - gap) / 2
            let frame = isWide ? Rect(14, y, width - 28, buttonHeight) : Rect(14 + Double(index % 2) * (half + gap), y, half, buttonHeight)
            textButton("choice\(index)", choice.title, choice.look, frame, in: host) {
                $0.action = choice.action
                $0.identifier = "choice.\(index)"
                $0.focusRank = 10 + index
            }
        }
    }
}
