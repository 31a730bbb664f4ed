/// The kinds of templates there are. An app's own subclass is none of them.
enum TemplateKind: String, CaseIterable {
    case actionSheet = "CPActionSheetTemplate"
    case alert = "CPAlertTemplate"
    case contact = "CPContactTemplate"
    case grid = "CPGridTemplate"
    case information = "CPInformationTemplate"
    case list = "CPListTemplate"
    case map = "CPMapTemplate"
    case nowPlaying = "CPNowPlayingTemplate"
    case pointOfInterest = "CPPointOfInterestTemplate"
    case search = "CPSearchTemplate"
    case tabBar = "CPTabBarTemplate"
    case voiceControl = "CPVoiceControlTemplate"

    /// Kinds that are presented and never pushed.
    static let modal: Set<TemplateKind> = [.actionSheet, .alert, .voiceControl]
    /// Kinds a tab may have.
    static let tabs: Set<TemplateKind> = [.grid, .information, .list, .pointOfInterest]
    /// Kinds this version declares but cannot draw.
    static let notDrawn: Set<TemplateKind> = [.contact, .map, .pointOfInterest, .search, .voiceControl]

    /// Nil for a subclass of an app's own.
    @MainActor
    init?(of template: CPTemplate) {
        let type = type(of: template)
        let exact: [(CPTemplate.Type, TemplateKind)] = [
            (CPListTemplate.self, .list), (CPTabBarTemplate.self, .tabBar), (CPGridTemplate.self, .grid), (CPNowPlayingTemplate.self, .nowPlaying),
            (CPAlertTemplate.self, .alert), (CPActionSheetTemplate.self, .actionSheet), (CPInformationTemplate.self, .information),
            (CPContactTemplate.self, .contact), (CPMapTemplate.self, .map), (CPPointOfInterestTemplate.self, .pointOfInterest),
            (CPSearchTemplate.self, .search), (CPVoiceControlTemplate.self, .voiceControl),
        ]
        guard let found = exact.first(where: { $0.0 == type }) else { return nil }
        self = found.1
    }

    /// An object as Apple's messages show it.
    @MainActor
    static func describe(_ template: CPTemplate) -> String {
        let address = String(UInt(bitPattern: ObjectIdentifier(template).hashValue), radix: 16)
        return "<\(String(reflecting: type(of: template))): 0x\(address)>"
    }

    /// Class names as Apple's messages list them.
    static func list(_ kinds: Set<TemplateKind>) -> String {
        "{( \(kinds.map(\.rawValue).sorted().joined(separator: ", ")) )}"
    }
}
