import FasciaAppLink
import FasciaPaint
import FasciaScene

extension PageContext {
    func row(_ item: AppListItem, _ template: UInt64, _ number: Int, _ box: Rect, isNear: Bool, in content: Canvas.Place) {
        if item.hasImageRow { return imageRow(item, template, number, box, isNear: isNear, in: content) }
        let isBusy = app.isBusy(.init(template: template, element: item.element, index: nil))
        let row = rowLayer(item, template, box, isNear: isNear, in: content)
        if isNear { drawRow(item, isBusy: isBusy, box, number: number, in: row) }
        rowElement(item, template, number, Rect(metrics.rowInset, 1, box.width - 2 * metrics.rowInset, box.height - 2), isBusy: isBusy, in: row)
    }

    /// Rows out of sight have no layer: their elements are placed by the content's.
    func rowLayer(_ item: AppListItem, _ template: UInt64, _ box: Rect, isNear: Bool, in content: Canvas.Place) -> Canvas.Place {
        guard isNear else { return Canvas.Place(layer: 0, key: content.key, x: content.x + box.x, y: content.y + box.y, scrolls: true) }
        return canvas.layer("row\(item.element)", box, in: content)
    }

    func rowElement(_ item: AppListItem, _ template: UInt64, _ number: Int, _ rect: Rect, isBusy: Bool, in row: Canvas.Place) {
        canvas.element(key("row\(item.element)"), rect, in: row) {
            $0.action = item.selectable ? .select(template: template, element: item.element, index: nil) : .none
            $0.role = .row
            $0.label = item.text
            $0.value = describe(item)
            $0.identifier = "row.\(number)"
            $0.enabled = item.enabled
            $0.selected = item.playing
            $0.busy = isBusy
            $0.focusable = item.enabled
            $0.focusRank = item.playing ? 0 : 10
        }
    }

    private func describe(_ item: AppListItem) -> String {
        var words: [String] = []
        if item.hasDetail_p, !item.detail.isEmpty { words.append(item.detail) }
        if item.explicit { words.append("Explicit") }
        if item.playing { words.append("Playing") }
        if item.progress > 0 { words.append("\(Int((min(1, item.progress) * 100).rounded())) % played") }
        if item.accessory == .cloud { words.append("In the cloud") }
        return words.joined(separator: ", ")
    }

    private func drawRow(_ item: AppListItem, isBusy: Bool, _ box: Rect, number: Int, in row: Canvas.Place) {
        let middle = box.height / 2, ink = item.enabled ? palette.text : palette.quiet, faint = item.enabled ? palette.secondary : palette.quiet
        var left = metrics.margin
        let leadingIndicator = item.playing && !item.playingIndicatorTrailing
        if item.image != 0 || leadingIndicator {
            let side = metrics.rowImage
            let rect = Rect(left, middle - side / 2, side, side)
            if leadingIndicator {
                canvas.fill("playing.ground", rect, palette.fill, in: row, z: 2, radius: 7)
                canvas.icon("playing", Icon(symbolName: "waveform"), side * 0.6, palette.accent, centerX: rect.midX, centerY: rect.midY, in: row, z: 3)
            } else {
                picture("image", item.image, rect, radius: 7, placeholder: Icon(symbolName: "music.note"), tint: ink, in: row, opacity: item.enabled ? 1 : 0.45)
            }
            left += side + 12
        }
        let right = drawAccessories(item, isBusy: isBusy, right: box.width - metrics.margin, middle: middle, ink: faint, in: row)
        let width = max(20, right - left)
        let hasDetail = item.hasDetail_p && !item.detail.isEmpty
        let baseline = hasDetail ? middle - 2.5 : Font.row.baseline(centeredAt: middle)
        let badge = item.explicit ? 20.0 : 0
        let titleWidth = canvas.text("title", item.text, .row, ink, x: left, baseline: baseline, width: width - badge, in: row)
        if item.explicit {
            canvas.icon("explicit", Icon(symbolName: "e.square"), 15, faint, centerX: left + titleWidth + 13, centerY: baseline - Font.row.size * Font.capHeight / 2, in: row)
        }
        if hasDetail { canvas.text("detail", item.detail, .detail, faint, x: left, baseline: baseline + 18.5, width: width, in: row) }
        canvas.separator("line", x: left, y: box.height - 0.5, width: box.width - left - metrics.rowInset, in: row)
    }

    /// From the right edge. Where a spinner may come, its place is kept: a tap must not move text.
    /// - Returns: how far text may go.
    private func drawAccessories(_ item: AppListItem, isBusy: Bool, right edge: Double, middle: Double, ink: Color, in row: Canvas.Place) -> Double {
        var right = edge
        let size = 22.0
        if item.selectable || item.accessory != .none || isBusy {
            let x = right - size / 2
            if isBusy { canvas.spinner("spinner", size, palette.text, centerX: x, centerY: middle, in: row) } else {
                switch item.accessory {
                case .disclosure: canvas.icon("accessory", Icon(symbolName: "chevron.right"), size, palette.quiet, centerX: x + 4, centerY: middle, in: row)
                case .cloud: canvas.icon("accessory", Icon(symbolName: "icloud.and.arrow.down"), size, ink, centerX: x, centerY: middle, in: row)
                case .image: symbol("accessory", item.accessoryImage, size, ink, centerX: x, centerY: middle, in: row)
                case .none, .UNRECOGNIZED: break
                }
            }
            right -= size + 8
        }
        if item.playing, item.playingIndicatorTrailing {
            canvas.icon("playing", Icon(symbolName: "waveform"), size, palette.accent, centerX: right - size / 2, centerY: middle, in: row)
            right -= size + 8
        }
        if item.progress > 0 {
            let width = 44.0, done = Double(min(1, item.progress))
            canvas.fill("progress.track", Rect(right - width, middle - 2, width, 4), palette.track, in: row, z: 2, radius: 2)
            canvas.fill("progress", Rect(right - width, middle - 2, max(4, width * done), 4), palette.accent, in: row, z: 3, radius: 2)
            right -= width + 10
        }
        return right
    }
}
