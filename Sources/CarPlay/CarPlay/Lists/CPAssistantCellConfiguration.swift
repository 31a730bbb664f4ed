public enum CPAssistantCellActionType: Int, Sendable { case playMedia, startCall }

extension CPListItem {
    public enum AssistantCellPosition: Int, Sendable { case top, bottom }
    public enum AssistantCellVisibility: Int, Sendable { case off, whileLimitedUIActive, always }
}

/// A row that starts the voice assistant. Kept; without an assistant it is not shown.
open class CPAssistantCellConfiguration: NSObject, _CPCoding {
    public let position: CPListItem.AssistantCellPosition
    public let visibility: CPListItem.AssistantCellVisibility
    public let assistantAction: CPAssistantCellActionType

    public init(
        position: CPListItem.AssistantCellPosition, visibility: CPListItem.AssistantCellVisibility, assistantAction: CPAssistantCellActionType
    ) {
        self.position = position
        self.visibility = visibility
        self.assistantAction = assistantAction
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }
}
