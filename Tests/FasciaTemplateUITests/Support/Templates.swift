import FasciaAppLink

func listItem(_ element: UInt64, _ text: String, _ detail: String? = nil, change: (inout AppListItem) -> Void = { _ in }) -> AppListItem {
    .with {
        $0.element = element
        $0.text = text
        $0.detail = detail ?? ""
        $0.hasDetail_p = detail != nil
        $0.enabled = true
        $0.selectable = true
        change(&$0)
    }
}

func list(_ id: UInt64, _ title: String, _ items: [AppListItem] = [], sections: [AppListSection] = [], change: (inout AppTemplate) -> Void = { _ in }) -> AppTemplate {
    .with {
        $0.id = id
        $0.tabSystemItem = -1
        $0.list.title = title
        $0.list.sections = sections.isEmpty ? [.with { $0.items = items }] : sections
        change(&$0)
    }
}

func section(_ header: String, _ items: [AppListItem], index: String = "") -> AppListSection {
    .with {
        $0.header = header
        $0.indexTitle = index
        $0.items = items
    }
}

func tabBar(_ id: UInt64, _ tabs: [UInt64]) -> AppTemplate {
    .with {
        $0.id = id
        $0.tabBar.templates = tabs
    }
}

func alert(_ id: UInt64, _ titles: [String], _ actions: [(UInt64, String, AppAlertAction.Style)]) -> AppTemplate {
    .with {
        $0.id = id
        $0.alert.titleVariants = titles
        $0.alert.actions = actions.map { action in .with { $0.element = action.0; $0.title = action.1; $0.style = action.2 } }
    }
}

func sheet(_ id: UInt64, _ title: String, _ message: String, _ actions: [(UInt64, String, AppAlertAction.Style)]) -> AppTemplate {
    .with {
        $0.id = id
        $0.actionSheet.title = title
        $0.actionSheet.message = message
        $0.actionSheet.actions = actions.map { action in .with { $0.element = action.0; $0.title = action.1; $0.style = action.2 } }
    }
}

func grid(_ id: UInt64, _ title: String, _ buttons: [(UInt64, [String], UInt64)]) -> AppTemplate {
    .with {
        $0.id = id
        $0.grid.title = title
        $0.grid.buttons = buttons.map { button in .with { $0.element = button.0; $0.titleVariants = button.1; $0.image = button.2; $0.enabled = true } }
    }
}

func nowPlayingTemplate(_ id: UInt64, kinds: [AppNowPlayingButton.Kind] = [.shuffle, .repeat, .rate, .addToLibrary, .more]) -> AppTemplate {
    .with {
        $0.id = id
        $0.nowPlaying.upNextEnabled = true
        $0.nowPlaying.albumArtistEnabled = true
        $0.nowPlaying.buttons = kinds.enumerated().map { index, kind in .with { $0.element = id * 100 + UInt64(index); $0.kind = kind; $0.enabled = true } }
    }
}
