import FasciaAppLink
import FasciaCompositor
import FasciaPaint
import FasciaScene
import FasciaWire
@testable import FasciaTemplateUI

/// Every kind of screen with contents that are hard on a layout.
struct Gallery {
    static let screens = ["home", "homepages", "launching", "tabs", "list", "longlist", "grid", "grid3", "info", "info2", "nowplaying", "nowplaying-plain", "alert", "alert3", "sheet", "empty", "loading", "stopped", "scripts", "moving", "headers"]

    let phone: FakePhone

    init(_ screen: String, _ traits: ScreenTraits, painter: Painter) throws {
        let many = (0..<13).map { HomeApplication(id: "app\($0)", name: ["Maps", "Podcasts", "Srirocka", "BabyBus", "CountryRoads", "2GIS", "Nachrichten & Wetter", "Ёлка", "音楽", "Parking", "Charge", "Talk", "Books"][$0]) }
        phone = try FakePhone(traits, painter: painter, applications: [HomeApplication(id: FakePhone.app, name: "Rubber Soul", icon: FakeCover.icon), HomeApplication(id: "org.example.radio", name: "Radio")] + (screen == "homepages" ? many : []))
        phone.ui.recent = screen.hasPrefix("home") ? [FakePhone.app, "org.example.radio"] : ["org.example.radio"]
        if screen.hasPrefix("home") { return }
        if screen == "launching" {
            phone.ui.open(FakePhone.app, now: phone.now)
            phone.settle()
            return
        }
        phone.launch()
        for i in 1...12 { phone.picture(UInt64(i)) }
        for (i, name) in ["music.note.list", "heart.fill", "square.grid.2x2", "radio", "clock", "mappin", "phone.fill", "cloud", "ellipsis", "magnifyingglass"].enumerated() { phone.symbol(UInt64(50 + i), name) }
        show(screen)
        phone.settle()
    }

    private func root(_ template: AppTemplate) {
        phone.upsert(template)
        phone.operate(.setRoot, template.id)
    }

    private func play(_ title: String = "In My Life", rate: Double = 1) {
        phone.app {
            $0.nowPlaying.present = true
            $0.nowPlaying.title = title
            $0.nowPlaying.artist = "The Beatles"
            $0.nowPlaying.album = "Rubber Soul (Remastered 2009)"
            $0.nowPlaying.artwork = 5
            $0.nowPlaying.duration = 147
            $0.nowPlaying.elapsed = 52
            $0.nowPlaying.rate = rate
            $0.nowPlaying.defaultRate = 1
            $0.nowPlaying.asOfNs = phone.now
            $0.nowPlaying.playbackState = rate > 0 ? 1 : 2
        }
        phone.app {
            $0.remoteCommands.play = true
            $0.remoteCommands.pause = true
            $0.remoteCommands.next = true
            $0.remoteCommands.previous = true
            $0.remoteCommands.repeatMode = true
            $0.remoteCommands.shuffleMode = true
            $0.remoteCommands.rate = true
            $0.remoteCommands.currentRepeat = 2
        }
    }

    static let tracks = ["Drive My Car", "Norwegian Wood (This Bird Has Flown)", "You Won't See Me", "Nowhere Man", "Think for Yourself", "The Word", "Michelle", "What Goes On", "Girl", "I'm Looking Through You", "In My Life", "Wait", "If I Needed Someone", "Run for Your Life"]

    private func show(_ screen: String) {
        switch screen {
        case "tabs":
            play()
            phone.upsert(list(10, "Library", sections: [
                section("Recently played", [listItem(1, "Made for you", nil) { $0.imageRow = Self.imageRow(["Daily Mix", "Focus", "Road Trip", "Evening Jazz", "Release Radar", "Sleep"], subtitles: false) },
                                            listItem(2, "Rubber Soul", "The Beatles") { $0.image = 5; $0.playing = true },
                                            listItem(3, "Revolver", "The Beatles") { $0.image = 6; $0.accessory = .disclosure }]),
            ]) { $0.tabTitle = "Library"; $0.tabImage = 50 })
            phone.upsert(list(11, "Favourites") { $0.tabTitle = "Favourites"; $0.tabImage = 51; $0.showsTabBadge = true })
            phone.upsert(list(12, "Browse") { $0.tabTitle = "Browse"; $0.tabImage = 52 })
            phone.upsert(list(13, "Search") { $0.tabSystemItem = 8 })
            root(tabBar(1, [10, 11, 12, 13]))
        case "list":
            play()
            root(list(1, "Library"))
            phone.upsert(list(2, "Rubber Soul", sections: [section("Side one", [
                listItem(1, Self.tracks[0], "The Beatles · 2:25") { $0.image = 1; $0.playing = true; $0.playingIndicatorTrailing = true; $0.explicit = true },
                listItem(2, Self.tracks[1], "The Beatles · 2:01") { $0.image = 2; $0.accessory = .cloud },
                listItem(3, "A title without detail") { $0.image = 3; $0.accessory = .disclosure },
                listItem(4, "Episode 12: The long way home through the mountains", "40 min left") { $0.image = 4; $0.progress = 0.4 },
                listItem(5, "Not available offline", "Connect to play") { $0.image = 5; $0.enabled = false },
                listItem(6, "No picture", "A row without any image"), listItem(7, "Playing, no picture", "Leading indicator") { $0.playing = true },
            ])]) { $0.trailingButtons = [.with { $0.element = 77; $0.image = 59; $0.enabled = true }] })
            phone.operate(.push, 2)
            phone.tap("Drive My Car")
            phone.knob(.rotate, 1)
            phone.knob(.rotate, 1)
        case "longlist":
            root(list(1, "Artists", sections: "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { letter in section(String(letter), (0..<4).map { listItem(UInt64(letter.asciiValue ?? 0) * 10 + $0, "\(letter)rtist number \($0)") }, index: String(letter)) }))
            phone.drag(from: (300, 400), to: (300, 100), milliseconds: 120)
            phone.settle()
        case "grid", "grid3":
            let titles = [["Favourites"], ["Recently played podcasts and shows", "Recent"], ["Albums"], ["Radio"], ["History"], ["Places"], ["Calls"], ["Downloads from the cloud"]]
            root(grid(1, "Browse", titles.prefix(screen == "grid" ? 8 : 3).enumerated().map { (UInt64($0 + 1), $1, $0 % 3 == 2 ? UInt64($0 + 1) : UInt64(50 + $0)) }))
            phone.knob(.rotate, 1)
        case "info", "info2":
            root(.with {
                $0.id = 1
                $0.information.title = "Bay 12, Harbour Street Car Park"
                $0.information.twoColumn = screen == "info2"
                $0.information.items = [("Address", "12 Harbour Street, Level 3, next to the north lift and the stairs"), ("Price", "3,20 € an hour"), ("Open", "24 hours"), ("Free bays", "117 of 240")].map { pair in .with { $0.title = pair.0; $0.detail = pair.1 } }
                    + [.with { $0.title = "Rating"; $0.hasRating_p = true; $0.rating = 3.5; $0.maximumRating = 5 }]
                $0.information.actions = [.with { $0.element = 1; $0.title = "Reserve"; $0.style = .confirm }, .with { $0.element = 2; $0.title = "Directions" }, .with { $0.element = 3; $0.title = "Cancel"; $0.style = .cancel }]
            })
        case "nowplaying", "nowplaying-plain":
            play(screen == "nowplaying" ? "In My Life" : "Norwegian Wood (This Bird Has Flown)", rate: screen == "nowplaying" ? 1 : 0)
            root(list(1, "Library", [listItem(1, "Row")]))
            phone.upsert(nowPlayingTemplate(9, kinds: screen == "nowplaying" ? [.shuffle, .repeat, .rate, .addToLibrary, .more] : []))
            phone.operate(.push, 9)
            if screen == "nowplaying" { phone.knob(.rotate, 1) }
        case "alert", "alert3", "sheet":
            root(list(1, "Library", Self.tracks.enumerated().map { listItem(UInt64($0 + 1), $1, "The Beatles") }))
            if screen == "alert" { phone.upsert(alert(2, ["You are offline, and this album is not downloaded. Try again when there is a connection.", "You are offline"], [(1, "Try Again", .default), (2, "Cancel", .cancel)])) }
            if screen == "alert3" { phone.upsert(alert(2, ["Delete this download?"], [(1, "Keep", .default), (2, "Delete", .destructive), (3, "Cancel", .cancel)])) }
            if screen == "sheet" { phone.upsert(sheet(2, "Playback Speed", "Applies to this show only", [(1, "0.8×", .default), (2, "1×", .default), (3, "1.5×", .default), (4, "2×", .default), (5, "Cancel", .cancel)])) }
            phone.operate(.present, 2)
            phone.knob(.rotate, 1)
        case "empty", "loading":
            root(list(1, "Favourites") {
                $0.list.emptyTitleVariants = screen == "empty" ? ["No Favourites Yet"] : ["Loading your library"]
                $0.list.emptySubtitleVariants = screen == "empty" ? ["Tap the heart on Now Playing to keep a song here for the road."] : []
                $0.list.showsSpinnerWhileEmpty = screen == "loading"
            })
        case "stopped": phone.ui.applicationState(FakePhone.app, .stopped(reason: "It did not answer for 10 seconds and was ended."), now: phone.now)
        case "scripts":
            root(list(1, "音楽 · Музыка · موسيقى", [
                listItem(1, "東京の夜、遠い雨の音が聞こえる", "椎名林檎 · 無罪モラトリアム") { $0.image = 1 }, listItem(2, "Щелкунчик: Вальс цветов", "Пётр Ильич Чайковский") { $0.image = 2 },
                listItem(3, "نسم علينا الهوى", "فيروز · أغاني مختارة") { $0.image = 3 }, listItem(4, "서울의 밤 하늘 아래에서", "아이유") { $0.image = 4 }, listItem(5, "北京欢迎你", "群星") { $0.image = 5 },
                listItem(6, "ירושלים של זהב", "נעמי שמר") { $0.image = 6 }, listItem(7, "คิดถึงเธอทุกที", "Ñandú · Łódź · Ærø") { $0.image = 7 }]))
        case "headers":
            var section = section("Fahrgastinformationen", [
                listItem(1, "Donaudampfschifffahrtsgesellschaftskapitän", "Geschwindigkeitsbegrenzung auf der Landstraße") { $0.image = 1; $0.accessory = .disclosure },
                listItem(2, "อัลบั้มเพลงที่ฟังล่าสุดของคุณ", "น้ำใจ · ที่นี่ · ผู้ใหญ่") { $0.image = 2; $0.progress = 0.7 },
                listItem(3, "المسار الطويل إلى البيت عبر الجبال العالية والوديان", "حلقة ١٢") { $0.image = 3; $0.explicit = true },
            ])
            section.headerSubtitle = "3 Stück"
            section.headerImage = 4
            section.headerButton = .with { $0.element = 90; $0.title = "Alle anzeigen"; $0.enabled = true }
            phone.upsert(list(1, "Zuletzt angehört und heruntergeladen", sections: [section]) {
                $0.list.headerGridButtons = [("Suchen", 59), ("Favoriten", 51), ("Verlauf", 54), ("Umkreissuche", 55)].enumerated().map { index, pair in
                    .with { $0.element = UInt64(80 + index); $0.titleVariants = [pair.0]; $0.image = UInt64(pair.1); $0.enabled = true }
                }
                $0.trailingButtons = [.with { $0.element = 77; $0.title = "Bearbeiten"; $0.enabled = true }, .with { $0.element = 78; $0.image = 59; $0.enabled = true }]
            })
            phone.operate(.setRoot, 1)
        case "moving":
            root(list(1, "Library", Self.tracks.enumerated().map { listItem(UInt64($0 + 1), $1, "The Beatles") }))
            phone.drag(from: (300, 400), to: (300, 100), milliseconds: 100)
            phone.drag(from: (300, 400), to: (300, 100), milliseconds: 100)
            phone.settle()
        default: break
        }
    }

    static func imageRow(_ titles: [String], subtitles: Bool) -> AppImageRow {
        .with {
            $0.elements = titles.enumerated().map { index, title in .with { $0.image = UInt64(index + 1); $0.title = title; $0.subtitle = subtitles ? "Mix" : ""; $0.enabled = true } }
        }
    }

    func png(after milliseconds: UInt64 = 5_000) throws -> [UInt8] {
        let traits = phone.ui.traits
        let pixels = try Compositor.render(phone.frame(), width: traits.width, height: traits.height, now: milliseconds * 1_000_000)
        return Painter.png(bgra: pixels, width: traits.width, height: traits.height)
    }

    static let profiles: [(name: String, traits: ScreenTraits)] = [
        ("800x480", ScreenTraits(clock: "10:09")),
        ("960x540", ScreenTraits(width: 960, height: 540, clock: "10:09")),
        ("1280x720", ScreenTraits(width: 1280, height: 720, clock: "10:09")),
        ("1920x720", ScreenTraits(width: 1920, height: 720, clock: "10:09")),
        ("portrait", ScreenTraits(width: 768, height: 1024, clock: "10:09")),
        ("rhd", ScreenTraits(driverSide: .right, clock: "10:09")),
        ("light", ScreenTraits(night: false, clock: "10:09")),
        ("knob", ScreenTraits(inputs: [.knob, .keys], clock: "10:09")),
    ]
}
