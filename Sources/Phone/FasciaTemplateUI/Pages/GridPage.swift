import FasciaAppLink
import FasciaPaint
import FasciaScene

extension PageContext {
    static let maximumGridButtons = 8

    /// Up to eight buttons; more than four are balanced over two rows. A tall screen has squarer grids.
    func grid(_ template: AppTemplate, in rect: Rect) {
        let buttons = template.grid.buttons.prefix(Self.maximumGridButtons)
        guard !buttons.isEmpty else { return emptyList(AppListTemplate(), in: rect) }
        let tall = bounds.height > bounds.width
        let area = Rect(metrics.rowInset + 4, rect.y, rect.width - 2 * (metrics.rowInset + 4), rect.height - 6)
        let even = tall ? (buttons.count == 4 ? 2 : buttons.count <= 3 ? buttons.count : (buttons.count + 1) / 2) : buttons.count <= 4 ? buttons.count : (buttons.count + 1) / 2
        let perRow = max(1, min(even, Int(area.width / 68)))
        let rows = (buttons.count + perRow - 1) / perRow
        let caption = metrics.caption
        let cellHeight = min(area.height / Double(rows), 160), cellWidth = min(area.width / Double(perRow), 200)
        let top = area.y + (area.height - cellHeight * Double(rows)) / 2
        let captionLines = cellHeight >= 74 + 2 * caption.leading ? 2 : 1
        let side = min(cellWidth - 24, cellHeight - 14 - caption.leading * Double(captionLines), metrics.isRoomy ? 88 : 62)
        for (index, button) in buttons.enumerated() {
            let line = index / perRow, inLine = min(perRow, buttons.count - line * perRow)
            let left = area.midX - cellWidth * Double(inLine) / 2
            let cell = Rect(left + Double(index % perRow) * cellWidth, top + Double(line) * cellHeight, cellWidth, cellHeight)
            gridButton(button, index, template.id, cell, side: side, lines: captionLines)
        }
    }

    private func gridButton(_ button: AppGridButton, _ index: Int, _ template: UInt64, _ cell: Rect, side: Double, lines: Int) {
        let place = canvas.layer("grid\(button.element)", cell, in: self.place)
        let width = cell.width - 10
        let cut = canvas.label(variant(button.titleVariants, metrics.caption, width: width, lines: lines), metrics.caption, width: width, lines: lines).truncated
        let font = cut ? metrics.narrowCaption : metrics.caption
        let content = side + 6 + font.leading * Double(lines)
        let top = max(3, (cell.height - content) / 2 - 1)
        let title = variant(button.titleVariants, font, width: width, lines: lines)
        let shown = max(1, canvas.label(title, font, width: width, lines: lines, alignment: .center).lines)
        let box = Rect(cell.width / 2 - side / 2, top, side, side)
        canvas.fill("ground", box, palette.fill, in: place, radius: side * 0.24)
        picture("image", button.image, box, radius: side * 0.24, placeholder: Icon(symbolName: "square"), tint: button.enabled ? palette.text : palette.quiet, in: place,
                opacity: button.enabled ? 1 : 0.45, symbolShare: 0.52)
        canvas.text("title", title, font, button.enabled ? palette.text : palette.quiet, x: 5, baseline: box.maxY + 5 + font.size, width: width, align: .center, lines: lines, in: place)
        let ground = min(cell.width - 6, max(side + 56, canvas.width(title, font) / Double(shown) + 30))
        canvas.element(key("grid\(button.element)"), Rect((cell.width - ground) / 2, max(0, top - 5), ground, min(cell.height - max(0, top - 5), side + 18 + font.leading * Double(shown))), in: place) {
            $0.action = .activate(template: template, element: button.element)
            $0.label = button.titleVariants.first ?? ""
            $0.enabled = button.enabled
            $0.identifier = "grid.\(index)"
            $0.focusRank = 10
            $0.cornerRadius = 14
        }
    }

    /// A row of round buttons over a list.
    func headerGrid(_ buttons: [AppGridButton], _ template: UInt64, _ box: Rect, in content: Canvas.Place) {
        let row = canvas.layer("gridbuttons", box, in: content)
        let shown = buttons.prefix(max(2, min(8, Int((box.width - 2 * metrics.rowInset) / 72))))
        let width = (box.width - 2 * metrics.rowInset) / Double(shown.count), side = 42.0
        for (index, button) in shown.enumerated() {
            let cell = Rect(metrics.rowInset + Double(index) * width, 2, width, box.height - 4)
            let place = canvas.layer("button\(button.element)", cell, in: row)
            let circle = Rect(width / 2 - side / 2, 6, side, side)
            canvas.fill("ground", circle, palette.fill, in: place, radius: side / 2)
            picture("image", button.image, circle, radius: side / 2, placeholder: Icon(symbolName: "square"), in: place, symbolShare: 0.55)
            let font = button.titleVariants.contains { canvas.width($0, metrics.caption) <= width - 4 } ? metrics.caption : metrics.narrowCaption
            canvas.text("title", variant(button.titleVariants, font, width: width - 4), font, palette.text, x: 2, baseline: circle.maxY + 6 + font.size, width: width - 4, align: .center, in: place)
            canvas.element(key("gridbutton\(button.element)"), Rect(max(0, width / 2 - 48), 0, min(width, 96), cell.height - 3), in: place) {
                $0.action = .activate(template: template, element: button.element)
                $0.label = button.titleVariants.first ?? ""
                $0.enabled = button.enabled
                $0.identifier = "gridbutton.\(index)"
                $0.focusRank = 50
            }
        }
    }
}
