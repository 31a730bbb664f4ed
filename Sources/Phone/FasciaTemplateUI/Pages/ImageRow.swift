import FasciaAppLink
import FasciaPaint
import FasciaScene

/// How many images of an image row fit, and how big.
struct ImageRowLayout {
    let columns: Int
    let rows: Int
    let side: Double
    let gap = 12.0
    let captionLines: Int
    let titleHeight = 44.0
    let captionLeading: Double

    init(_ row: AppImageRow, metrics: Metrics, width: Double) {
        let count = max(1, row.elements.count)
        let wanted = metrics.isRoomy ? 96.0 : 80.0
        let space = width - 2 * metrics.margin + 12
        let fit = max(2, Int(space / (wanted + 12)))
        // What is left over makes the images a little larger, so that the row ends at the margin.
        let shown = min(fit, max(count, min(fit, 3)))
        side = min(wanted * 1.3, (space / Double(max(shown, fit)) - 12).rounded(.down))
        columns = min(fit, count)
        rows = row.multipleLines ? min(3, (count + fit - 1) / fit) : 1
        captionLeading = metrics.caption.leading + 1
        captionLines = row.elements.contains { !$0.subtitle.isEmpty } ? 2 : row.elements.contains { !$0.title.isEmpty } ? 1 : 0
    }

    var captionHeight: Double { captionLines == 0 ? 0 : 6 + captionLeading * Double(captionLines) }
    var cellHeight: Double { side + captionHeight }
    var height: Double { titleHeight + Double(rows) * cellHeight + Double(rows - 1) * 8 + 12 }
}

extension PageContext {
    /// A title row, itself selectable, over images that are, too.
    func imageRow(_ item: AppListItem, _ template: UInt64, _ number: Int, _ box: Rect, isNear: Bool, in content: Canvas.Place) {
        let layout = ImageRowLayout(item.imageRow, metrics: metrics, width: bounds.width)
        let isBusy = app.isBusy(.init(template: template, element: item.element, index: nil))
        let row = rowLayer(item, template, box, isNear: isNear, in: content)
        let middle = layout.titleHeight / 2 - 1.5
        if isNear {
            let right = box.width - metrics.margin
            let used = canvas.text("title", item.text, .imageRow, item.enabled ? palette.text : palette.quiet, x: metrics.margin, baseline: Font.imageRow.baseline(centeredAt: middle),
                                   width: right - metrics.margin - 34, in: row)
            if isBusy { canvas.spinner("spinner", 20, palette.text, centerX: right - 11, centerY: middle, in: row) } else if item.selectable {
                canvas.icon("chevron", Icon(symbolName: "chevron.right"), 22, palette.quiet, centerX: metrics.margin + used + 13, centerY: middle + 0.5, in: row)
            }
        }
        if item.selectable || !item.text.isEmpty {
            rowElement(item, template, number, Rect(metrics.rowInset, 2, box.width - 2 * metrics.rowInset, layout.titleHeight - 7), isBusy: isBusy, in: row)
        }
        for (index, element) in item.imageRow.elements.prefix(layout.columns * layout.rows).enumerated() {
            let x = metrics.margin + Double(index % layout.columns) * (layout.side + layout.gap)
            let y = layout.titleHeight + Double(index / layout.columns) * (layout.cellHeight + 8)
            image(element, index, of: item, template, number, layout, Rect(x, y, layout.side, layout.cellHeight), isNear: isNear, in: row)
        }
        if isNear { canvas.separator("line", x: metrics.margin, y: box.height - 0.5, width: box.width - metrics.margin - metrics.rowInset, in: row) }
    }

    private func image(_ element: AppImageRowElement, _ index: Int, of item: AppListItem, _ template: UInt64, _ number: Int, _ layout: ImageRowLayout, _ cell: Rect, isNear: Bool,
                       in row: Canvas.Place) {
        let side = layout.side, radius = element.circular ? side / 2 : 9
        let isBusy = app.isBusy(.init(template: template, element: item.element, index: index))
        let enabled = item.enabled && (element.enabled || element.title.isEmpty)
        if isNear {
            let place = canvas.layer("image\(index)", cell, in: row)
            picture("image", element.image, Rect(0, 0, side, side), radius: radius, placeholder: Icon(symbolName: "music.note"), in: place, opacity: enabled ? 1 : 0.45)
            if isBusy {
                canvas.fill("shade", Rect(0, 0, side, side), palette.scrim, in: place, z: 3, radius: radius)
                canvas.spinner("spinner", 28, Color(255, 255, 255), centerX: side / 2, centerY: side / 2, in: place)
            }
            canvas.text("title", element.title, metrics.caption, enabled ? palette.text : palette.quiet, x: 0, baseline: side + 4 + metrics.caption.size, width: side, in: place)
            canvas.text("subtitle", element.subtitle, metrics.caption, palette.secondary, x: 0, baseline: side + 4 + metrics.caption.size + layout.captionLeading, width: side, in: place)
        }
        canvas.element(key("row\(item.element).\(index)"), Rect(cell.x - 4, cell.y - 4, cell.width + 8, cell.height + 6), in: row) {
            $0.action = .select(template: template, element: item.element, index: index)
            $0.role = .image
            $0.label = element.title.isEmpty ? "\(item.text) \(index + 1)" : element.title
            $0.value = element.subtitle
            $0.identifier = "row.\(number).image.\(index)"
            $0.enabled = enabled
            $0.busy = isBusy
            $0.focusRank = 20
            $0.cornerRadius = min(radius + 4, 14)
        }
    }
}
