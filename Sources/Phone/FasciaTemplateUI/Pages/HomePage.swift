import FasciaPaint
import FasciaScene

/// The home screen and the dock do not belong to an app.
struct SystemContext {
    let canvas: Canvas
    let metrics: Metrics
    let pictures: Pictures
    let applications: [HomeApplication]
    var palette: Palette { canvas.palette }

    /// An application's icon, or a tile with its first letter.
    func applicationIcon(_ application: HomeApplication, _ rect: Rect, in place: Canvas.Place) {
        let side = canvas.whole(rect.width)
        if let image = pictures.homeIcon(application, size: side) {
            canvas.image("icon", image, x: rect.x, y: rect.y, in: place)
            return
        }
        let tile = Palette.tiles[Int(application.id.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } % UInt32(Palette.tiles.count))]
        let radius = rect.width * Pictures.iconCorner
        canvas.layer("icon", rect, in: place, content: .gradient(top: tile.top, bottom: tile.bottom), radius: radius)
        let font = Font(size: (rect.width * 0.46).rounded(), weight: .bold)
        canvas.text("letter", String(application.name.prefix(1)).uppercased(), font, Color(255, 255, 255), x: rect.x, baseline: font.baseline(centeredAt: rect.midY), width: rect.width,
                    align: .center, in: place, z: 3)
    }

    func nowPlayingIcon(_ rect: Rect, in place: Canvas.Place) {
        canvas.layer("icon", rect, in: place, content: .gradient(top: Color(0xF2, 0x4E, 0x6B), bottom: Color(0xB8, 0x22, 0x45)), radius: rect.width * Pictures.iconCorner)
        canvas.icon("symbol", Icon(symbolName: "waveform"), rect.width * 0.58, Color(255, 255, 255), centerX: rect.midX, centerY: rect.midY, in: place, z: 3)
    }
}

/// Columns, rows and pages of the home screen.
struct HomeGrid {
    let columns: Int
    let rows: Int
    let pages: Int
    let icon: Double
    let cell: (width: Double, height: Double)
    let top: Double

    init(count: Int, width: Double, height: Double) {
        let isLarge = height >= 300 && width >= 480
        icon = isLarge ? 84 : height >= 300 ? 72 : 60
        let wanted = isLarge ? (width: icon + 24, height: icon + 60) : (width: icon + 20, height: icon + 40)
        columns = max(1, min(8, Int((width - 16) / wanted.width)))
        rows = max(1, min(height > width ? 5 : 3, Int((height - 22) / wanted.height)))
        pages = max(1, (count + columns * rows - 1) / (columns * rows))
        cell = ((width - 16) / Double(columns), min((height - 22) / Double(rows), wanted.height + 30))
        top = (height - 12 - cell.height * Double(rows)) / 2
    }
}

extension SystemContext {
    func home(in place: Canvas.Place, bounds: Rect, state: PageState, showsNowPlaying: Bool) {
        let count = applications.count + (showsNowPlaying ? 1 : 0)
        let grid = HomeGrid(count: count, width: bounds.width, height: bounds.height)
        state.isPaged = true
        state.scroll.setExtent(content: bounds.width * Double(grid.pages), viewport: bounds.width)
        if canvas.isInteractive { state.viewport = bounds.moved(place.x, place.y) }
        var content = canvas.layer("pages", bounds, in: place) {
            $0.clip = true
            $0.scrollX = canvas.pixels(state.scroll.offset)
            $0.animations = state.scroll.animation(scale: canvas.scale, horizontal: true)
        }
        content.scrolls = true
        let perPage = grid.columns * grid.rows
        for index in 0..<count {
            let onPage = index % perPage
            let x = Double(index / perPage) * bounds.width + 8 + Double(onPage % grid.columns) * grid.cell.width
            let y = grid.top + Double(onPage / grid.columns) * grid.cell.height
            tile(index < applications.count ? applications[index] : nil, index, Rect(x, y, grid.cell.width, grid.cell.height), grid.icon, in: content)
        }
        if count == 0 { emptyHome(in: place, bounds: bounds) }
        guard grid.pages > 1 else { return }
        let current = Int((state.scroll.offset / bounds.width).rounded())
        for page in 0..<grid.pages {
            let x = bounds.midX + (Double(page) - Double(grid.pages - 1) / 2) * 14
            canvas.fill("dot\(page)", .centered(x, bounds.maxY - 10, 6), page == current ? palette.text : palette.track, in: place, radius: 3)
        }
    }

    private func tile(_ application: HomeApplication?, _ index: Int, _ cell: Rect, _ icon: Double, in content: Canvas.Place) {
        let id = application?.id ?? "nowplaying"
        let place = canvas.layer("app.\(id)", cell, in: content)
        let below = metrics.isRoomy ? 29.0 : 26
        let top = (cell.height - icon - below) / 2
        let rect = Rect(cell.width / 2 - icon / 2, top, icon, icon)
        if let application { applicationIcon(application, rect, in: place) } else { nowPlayingIcon(rect, in: place) }
        let name = application?.name ?? "Now Playing"
        let font: Font = canvas.width(name, metrics.caption) > cell.width - 4 ? metrics.narrowCaption : metrics.caption
        canvas.text("name", name, font, palette.text, x: 1, baseline: rect.maxY + below - 8, width: cell.width - 2, align: .center, in: place)
        canvas.element("home#\(id)", Rect(cell.width / 2 - icon / 2 - 9, top - 7, icon + 18, icon + below + 9), in: place) {
            $0.action = application.map { .openApplication($0.id) } ?? .showNowPlaying
            $0.role = .application
            $0.label = name
            $0.identifier = "app.\(id)"
            $0.focusRank = 10 + index
            $0.cornerRadius = 16
        }
    }

    private func emptyHome(in place: Canvas.Place, bounds: Rect) {
        canvas.icon("empty.icon", Icon(symbolName: "square.grid.2x2"), 44, palette.quiet, centerX: bounds.midX, centerY: bounds.midY - 30, in: place)
        canvas.text("empty", "No apps yet", .title, palette.text, x: 16, baseline: bounds.midY + 16, width: bounds.width - 32, align: .center, in: place)
        canvas.text("empty.detail", "Apps for the car appear here", .body, palette.secondary, x: 16, baseline: bounds.midY + 40, width: bounds.width - 32, align: .center, in: place)
        canvas.element("home#empty", Rect(16, bounds.midY - 60, bounds.width - 32, 110), in: place) {
            $0.role = .text
            $0.focusable = false
            $0.label = "No apps yet"
            $0.identifier = "home.empty"
        }
    }

    /// While an app's process starts.
    func launching(_ application: HomeApplication, in place: Canvas.Place, bounds: Rect) {
        let side = min(84, bounds.height * 0.36)
        applicationIcon(application, Rect(bounds.midX - side / 2, bounds.midY - side / 2 - 26, side, side), in: place)
        canvas.text("name", application.name, .title, palette.text, x: 16, baseline: bounds.midY + side / 2 + 2, width: bounds.width - 32, align: .center, in: place)
        canvas.spinner("spinner", 26, palette.secondary, centerX: bounds.midX, centerY: bounds.midY + side / 2 + 30, in: place)
        canvas.element("launching", bounds, in: place) {
            $0.role = .spinner
            $0.focusable = false
            $0.busy = true
            $0.label = "Opening \(application.name)"
            $0.identifier = "launching"
        }
    }
}
