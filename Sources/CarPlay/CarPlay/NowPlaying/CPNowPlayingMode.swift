/// How Now Playing looks. Kept; this version draws the default only.
@preconcurrency @MainActor
open class CPNowPlayingMode: NSObject, _CPCoding {
    private static let defaultMode = CPNowPlayingMode(mode: ())

    open class var `default`: CPNowPlayingMode { defaultMode }

    init(mode: Void) { super.init() }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }
}

/// A live sports event.
@preconcurrency @MainActor
open class CPNowPlayingModeSports: CPNowPlayingMode {
    public let leftTeam: CPNowPlayingSportsTeam
    public let rightTeam: CPNowPlayingSportsTeam
    public let eventStatus: CPNowPlayingSportsEventStatus?
    public let backgroundArtwork: UIImage?

    public init(
        leftTeam: CPNowPlayingSportsTeam, rightTeam: CPNowPlayingSportsTeam, eventStatus: CPNowPlayingSportsEventStatus?, backgroundArtwork: UIImage?
    ) {
        self.leftTeam = leftTeam
        self.rightTeam = rightTeam
        self.eventStatus = eventStatus
        self.backgroundArtwork = backgroundArtwork
        super.init(mode: ())
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }
}

@preconcurrency @MainActor
open class CPNowPlayingSportsTeam: NSObject, _CPCoding {
    public let name: String
    public let logo: CPNowPlayingSportsTeamLogo
    public let teamStandings: String?
    public let eventScore: String
    public let possessionIndicator: UIImage?
    public let isFavorite: Bool

    public init(
        name: String, logo: CPNowPlayingSportsTeamLogo, teamStandings: String?, eventScore: String, possessionIndicator: UIImage?, favorite: Bool
    ) {
        self.name = name
        self.logo = logo
        self.teamStandings = teamStandings
        self.eventScore = eventScore
        self.possessionIndicator = possessionIndicator
        isFavorite = favorite
        super.init()
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }
}

@preconcurrency @MainActor
open class CPNowPlayingSportsTeamLogo: NSObject, _CPCoding {
    public let logo: UIImage?
    public let initials: String?

    public init(teamLogo: UIImage) {
        logo = teamLogo
        initials = nil
        super.init()
    }

    public init(teamInitials: String) {
        logo = nil
        initials = teamInitials
        super.init()
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }
}

@preconcurrency @MainActor
open class CPNowPlayingSportsEventStatus: NSObject, _CPCoding {
    public let eventStatusText: [String]?
    public let eventStatusImage: UIImage?
    public let eventClock: CPNowPlayingSportsClock?

    public init(eventStatusText: [String]?, eventStatusImage: UIImage?, eventClock: CPNowPlayingSportsClock?) {
        self.eventStatusText = eventStatusText
        self.eventStatusImage = eventStatusImage
        self.eventClock = eventClock
        super.init()
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }
}

@preconcurrency @MainActor
open class CPNowPlayingSportsClock: NSObject, _CPCoding {
    /// Seconds.
    public let timeValue: TimeInterval
    public let isPaused: Bool
    public let countsUp: Bool

    public init(elapsedTime: TimeInterval, paused: Bool) {
        timeValue = elapsedTime
        isPaused = paused
        countsUp = true
        super.init()
    }

    public init(timeRemaining: TimeInterval, paused: Bool) {
        timeValue = timeRemaining
        isPaused = paused
        countsUp = false
        super.init()
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }
}
