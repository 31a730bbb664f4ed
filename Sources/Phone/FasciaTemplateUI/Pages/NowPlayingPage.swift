import FasciaAppLink
import FasciaPaint
import FasciaScene

/// Where the parts of Now Playing are. Small screens set the cover beside the text and the controls across the whole page; wide
/// ones give the cover the page's height; tall ones put everything below the cover.
struct NowPlayingLayout {
    var artwork: Rect
    var text: Rect
    var textAlign = Canvas.Alignment.left
    var progressY: Double
    var controls: Rect
    var transportY: Double
    var buttonsY: Double
    var transportSize: Double
    /// Large type; the times are below the track, which then spans the column.
    var isLarge = false
    var textAtTop = false

    /// From play to the buttons beside it.
    var transportSpread: Double { min(controls.width / 3, transportSize * 1.7) }

    init(_ rect: Rect, metrics: Metrics, hasButtons: Bool) {
        let margin = metrics.margin
        if rect.height > rect.width * 0.85 {
            let side = min(rect.width - 2 * margin - 20, rect.height * 0.34)
            artwork = Rect(rect.midX - side / 2, rect.y + 8, side, side)
            text = Rect(margin, artwork.maxY + 10, rect.width - 2 * margin, 76)
            textAlign = .center
            isLarge = metrics.isRoomy && rect.height >= 360
            text.height = isLarge ? 80 : 76
            controls = Rect(margin, text.maxY, rect.width - 2 * margin, rect.maxY - text.maxY)
            // Air between the times, the transport and the buttons below it.
            transportSize = min(64, controls.height * 0.35)
        } else if rect.width >= 420 {
            let side = min(rect.height - 2 * margin, rect.width * 0.38)
            artwork = Rect(rect.x + margin, rect.midY - side / 2 - 4, side, side)
            let left = artwork.maxX + margin + 4
            isLarge = metrics.isRoomy
            textAtTop = true
            text = Rect(left, artwork.y, rect.maxX - margin - left, isLarge ? 84 : 70)
            // Down to the cover's foot, or to the page's when that is too little.
            controls = Rect(left, text.maxY, text.width, min(rect.maxY, max(artwork.maxY + 22, text.maxY + 150)) - text.maxY)
            transportSize = min(64, controls.height * 0.38)
        } else {
            let side = min(hasButtons ? 76 : 88, rect.height * 0.45)
            artwork = Rect(rect.x + margin, rect.y + 1, side, side)
            let left = artwork.maxX + 14
            text = Rect(left, artwork.midY - 36, rect.maxX - margin - left, 72)
            controls = Rect(margin, artwork.maxY, rect.width - 2 * margin, rect.maxY - artwork.maxY)
            transportSize = hasButtons ? 46 : 54
        }
        let free = controls.height
        progressY = controls.y + min(28, max(14, free * 0.13))
        buttonsY = controls.maxY - min(34, 22 + max(0, free - 120) * 0.12)
        let below = progressY + (isLarge ? 26 : 8)
        transportY = hasButtons ? (below + buttonsY - 20) / 2 : (below + controls.maxY - 8) / 2
    }
}

extension PageContext {
    func nowPlaying(_ template: AppTemplate, in rect: Rect) {
        let buttons = template.nowPlaying.buttons.prefix(5)
        let layout = NowPlayingLayout(rect, metrics: metrics, hasButtons: !buttons.isEmpty)
        let info = app.nowPlaying ?? AppNowPlaying()
        picture("artwork", info.artwork, layout.artwork, radius: min(14, layout.artwork.width * 0.08), placeholder: Icon(symbolName: "music.note"), in: place)
        nowPlayingText(info, template, layout)
        progress(info, layout)
        transport(layout)
        bottomButtons(buttons, template.id, layout)
    }

    private func nowPlayingText(_ info: AppNowPlaying, _ template: AppTemplate, _ layout: NowPlayingLayout) {
        let box = layout.text
        let title = info.title.isEmpty ? "Not Playing" : info.title
        let artist = info.artist, album = info.album == info.title ? "" : info.album
        // A long title is set smaller, then takes the album's line, rather than lose its end.
        let large: Font = layout.isLarge ? .largeTrack : .track, leading = layout.isLarge ? 26.0 : 22
        let fonts = layout.isLarge ? [large, .track, .title] : [large, .title]
        let oneLine = fonts.first { !canvas.label(title, $0, width: box.width).truncated }
        let titleFont = oneLine ?? (layout.isLarge ? .track : .title)
        let titleLines = oneLine == nil ? canvas.label(title, titleFont, width: box.width, lines: 2, alignment: layout.textAlign).lines : 1
        let showsAlbum = !album.isEmpty && titleLines == 1
        let lines = titleLines + (artist.isEmpty ? 0 : 1) + (showsAlbum ? 1 : 0)
        // Capitals level with the cover's top, or the block in the middle of its box.
        var baseline = layout.textAtTop ? box.y + 2 + titleFont.size * Font.capHeight : box.y + (box.height - Double(lines - 1) * leading) / 2 + 6
        canvas.text("title", title, titleFont, palette.text, x: box.x, baseline: baseline, width: box.width, align: layout.textAlign, lines: titleLines, in: place)
        let titleTop = baseline - 20
        baseline += Double(titleLines - 1) * leading
        canvas.element(key("np.title"), Rect(box.x, titleTop, box.width, baseline + 6 - titleTop), in: place) {
            $0.role = .text
            $0.focusable = false
            $0.label = title
            let place = info.queueCount > 1 ? "\(min(info.queueIndex, info.queueCount - 1) + 1) of \(info.queueCount)" : ""
            $0.value = [artist, album, place].filter { !$0.isEmpty }.joined(separator: ", ")
            $0.identifier = "nowplaying.title"
        }
        let isLink = template.nowPlaying.albumArtistEnabled && !(artist.isEmpty && album.isEmpty)
        let top = baseline + 7
        let artistFont: Font = layout.isLarge ? .largeArtist : .artist, albumFont: Font = layout.isLarge ? .largeAlbum : .body
        for (part, text, font, color) in [("artist", artist, artistFont, isLink ? palette.accent : palette.text), ("album", showsAlbum ? album : "", albumFont, palette.secondary)] where !text.isEmpty {
            baseline += leading
            canvas.text(part, text, font, color, x: box.x, baseline: baseline, width: box.width, align: layout.textAlign, in: place)
        }
        guard isLink else { return }
        let width = min(box.width, max(canvas.width(artist, artistFont), showsAlbum ? canvas.width(album, albumFont) : 0) + 1)
        canvas.element(key("np.albumartist"), Rect(layout.textAlign == .center ? box.midX - width / 2 - 7 : box.x - 7, top, width + 14, baseline - top + 7), in: place) {
            $0.action = .albumArtist
            $0.label = [artist, album].filter { !$0.isEmpty }.joined(separator: ", ")
            $0.identifier = "nowplaying.albumartist"
            $0.cornerRadius = 8
        }
    }

    private func progress(_ info: AppNowPlaying, _ layout: NowPlayingLayout) {
        let y = layout.progressY, area = layout.controls
        guard info.present, !info.live, info.duration > 0 else {
            guard info.present, info.live else { return }
            let width = canvas.width("LIVE", .index) + 16
            canvas.fill("live", Rect(area.x, y - 9, width, 18), palette.fill, in: place, radius: 9)
            canvas.text("live.text", "LIVE", .index, palette.text, x: area.x + 8, baseline: Font.index.baseline(centeredAt: y), width: width, in: place)
            canvas.fill("track", Rect(area.x + width + 10, y - 2, area.width - width - 10, 4), palette.track, in: place, radius: 2)
            return
        }
        let elapsed = app.elapsed(at: now), time = TimeText.string(elapsed), left = "-" + TimeText.string(info.duration - elapsed.rounded(.down))
        let column = max(38, canvas.width(info.duration >= 3600 ? "-0:00:00" : "-00:00", .time) + 8)
        let baseline = Font.time.baseline(centeredAt: layout.isLarge ? y + 15 : y)
        canvas.text("elapsed", time, .time, palette.secondary, x: area.x, baseline: baseline, width: column, in: place)
        canvas.text("left", left, .time, palette.secondary, x: area.maxX - column, baseline: baseline, width: column, align: .right, in: place)
        let track = layout.isLarge ? Rect(area.x, y - 2, area.width, 4) : Rect(area.x + column + 2, y - 2, area.width - 2 * column - 4, 4)
        canvas.fill("track", track, palette.track, in: place, radius: 2)
        let done = max(4, track.width * elapsed / info.duration)
        canvas.fill("done", Rect(track.x, track.y, done, 4), palette.text, in: place, z: 2, radius: 2) {
            guard app.isPlaying, info.rate > 0 else { return }
            // To the end of the track, from where it is now. A head unit starts what has a new id, and goes on with an old one from
            // its own start: other values need another id, or the time that has passed counts twice.
            let remaining = UInt32(min(4e9, max(1, (info.duration - elapsed) / info.rate * 1000)))
            $0.animations = [.init(id: app.nowPlayingRevision &* 0x9E37_79B1 ^ remaining, property: .width, from: Float(done * canvas.scale), to: canvas.pixels(track.width),
                                   milliseconds: remaining, curve: .linear)]
        }
        canvas.element(key("np.progress"), Rect(area.x, y - 8, area.width, layout.isLarge ? 32 : 16), in: place) {
            $0.role = .progress
            $0.focusable = false
            $0.label = "Playback position"
            $0.value = "\(time) of \(TimeText.string(info.duration))"
            $0.identifier = "nowplaying.progress"
        }
    }

    private func transport(_ layout: NowPlayingLayout) {
        let commands = app.commands, size = layout.transportSize
        func seconds(forward: Bool) -> Int { Int(max(1, min(99, app.skipInterval(forward: forward)))) }
        let backIcon = commands.previous || !commands.skipBackward ? Icon(symbolName: "backward.end") : .skip(seconds: seconds(forward: false), forward: false)
        let nextIcon = commands.next || !commands.skipForward ? Icon(symbolName: "forward.end") : .skip(seconds: seconds(forward: true), forward: true)
        let spread = layout.transportSpread
        let x = layout.controls.midX, y = layout.transportY
        transportButton("previous", commands.previous || !commands.skipBackward ? .previous : .skipBackward, backIcon, "Previous", enabled: commands.previous || commands.skipBackward, x: x - spread, y: y, size: size)
        let canToggle = commands.toggle || (app.isPlaying ? commands.pause : commands.play)
        let toggle: AppRemoteCommand.Kind = app.isPlaying ? (commands.pause || !commands.toggle ? .pause : .toggle) : (commands.play || !commands.toggle ? .play : .toggle)
        let toggleIcon = app.isPlaying ? Icon(symbolName: app.nowPlaying?.live == true && !commands.pause && commands.stop ? "stop" : "pause") : Icon(symbolName: "play")
        transportButton("play", !canToggle && commands.stop && app.isPlaying ? .stop : toggle, toggleIcon, app.isPlaying ? "Pause" : "Play",
                        enabled: canToggle || (commands.stop && app.isPlaying), x: x, y: y, size: size, isMain: true)
        transportButton("next", commands.next || !commands.skipForward ? .next : .skipForward, nextIcon, "Next", enabled: commands.next || commands.skipForward, x: x + spread, y: y, size: size)
    }

    private func transportButton(_ part: String, _ command: AppRemoteCommand.Kind, _ icon: Icon, _ label: String, enabled: Bool, x: Double, y: Double, size: Double, isMain: Bool = false) {
        let rect = Rect.centered(x, y, size)
        if isMain { canvas.fill(part + ".ground", rect, palette.fill, in: place, radius: size / 2) }
        canvas.icon(part, icon, size * (isMain ? 0.74 : 0.8), enabled ? palette.text : palette.quiet.alpha(0.6), centerX: x, centerY: y, in: place)
        canvas.element(key("np." + part), rect, in: place) {
            $0.action = .command(command)
            $0.label = label
            $0.enabled = enabled
            $0.focusable = enabled
            $0.identifier = "nowplaying.\(part)"
            $0.focusRank = isMain ? 0 : 20
            $0.cornerRadius = size / 2
        }
    }

    private func bottomButtons(_ buttons: ArraySlice<AppNowPlayingButton>, _ template: UInt64, _ layout: NowPlayingLayout) {
        guard !buttons.isEmpty else { return }
        // Two stand below previous and next, three below all of the transport, more share the width.
        let step = buttons.count == 2 ? 2 * layout.transportSpread : buttons.count == 3 ? layout.transportSpread : min(layout.controls.width / Double(buttons.count), 84)
        let side = 38.0
        let first = layout.controls.midX - step * Double(buttons.count - 1) / 2
        for (index, button) in buttons.enumerated() {
            let look = NowPlayingButtonLook(button, app: app)
            let x = first + Double(index) * step
            let rect = Rect.centered(x, layout.buttonsY, side)
            let color = !look.enabled ? palette.quiet.alpha(0.6) : look.isOn ? palette.accent : palette.secondary
            if look.isOn { canvas.fill("np\(index).ground", rect.inset(2), palette.fill, in: place, radius: side / 2) }
            if let text = look.text {
                canvas.text("np\(index)", text, .barButton, color, x: rect.x - 6, baseline: Font.barButton.baseline(centeredAt: rect.midY), width: rect.width + 12, align: .center, in: place)
            } else if let icon = look.icon { canvas.icon("np\(index)", icon, 25, color, centerX: rect.midX, centerY: rect.midY, in: place) } else {
                symbol("np\(index)", button.image, 25, color, centerX: rect.midX, centerY: rect.midY, in: place)
            }
            canvas.element(key("np.button\(button.element)"), rect, in: place) {
                $0.action = .activate(template: template, element: button.element)
                $0.label = look.label
                $0.value = look.value
                $0.enabled = look.enabled
                $0.focusable = look.enabled
                $0.selected = look.isOn
                $0.identifier = "nowplaying.button.\(index)"
                $0.cornerRadius = side / 2
                $0.focusRank = 40
            }
        }
    }
}

/// How a button of Now Playing looks, from its kind and the commands' state.
struct NowPlayingButtonLook {
    var icon: Icon?
    var text: String?
    var label: String
    var value = ""
    var isOn = false
    var enabled: Bool

    init(_ button: AppNowPlayingButton, app: AppSession) {
        let commands = app.commands
        enabled = button.enabled
        isOn = button.selected
        switch button.kind {
        case .shuffle:
            label = "Shuffle"
            icon = Icon(symbolName: "shuffle")
            isOn = isOn || commands.currentShuffle != 0
            value = isOn ? "On" : "Off"
            enabled = enabled && commands.shuffleMode
        case .repeat:
            label = "Repeat"
            icon = Icon(symbolName: commands.currentRepeat == 1 ? "repeat.1" : "repeat")
            isOn = isOn || commands.currentRepeat != 0
            value = ["Off", "One", "All"][Int(min(2, commands.currentRepeat))]
            enabled = enabled && commands.repeatMode
        case .addToLibrary:
            label = "Add to Library"
            icon = Icon(symbolName: isOn ? "checkmark" : "plus")
        case .more:
            label = "More"
            icon = Icon(symbolName: "ellipsis")
        case .rate:
            label = "Playback Rate"
            let rate = app.nowPlaying.map { $0.rate > 0 ? $0.rate : $0.defaultRate } ?? 1
            text = Self.rate(rate > 0 ? rate : 1)
            value = text ?? ""
            enabled = enabled && commands.rate
        case .image, .UNRECOGNIZED:
            label = "Button"
            if case .systemName(let name)? = app.images[button.image]?.source { label = name }
            if button.image == 0 { icon = Icon(symbolName: "circle") }
        }
    }

    static func rate(_ rate: Double) -> String {
        let hundredths = rate.isFinite ? Int((min(99, max(0, rate)) * 100).rounded()) : 100
        let fraction = hundredths % 100
        return "\(hundredths / 100)" + (fraction == 0 ? "" : fraction % 10 == 0 ? ".\(fraction / 10)" : fraction < 10 ? ".0\(fraction)" : ".\(fraction)") + "×"
    }
}

enum TimeText {
    /// `m:ss` or `h:mm:ss`.
    static func string(_ seconds: Double) -> String {
        let total = seconds.isFinite ? Int(max(0, min(seconds, 359_999))) : 0
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return total >= 3600 ? "\(total / 3600):\(two(total / 60 % 60)):\(two(total % 60))" : "\(total / 60):\(two(total % 60))"
    }
}
