import FasciaAppLink

/// A template as the session sees it: something with an id that can be described to the phone.
@MainActor
package protocol TemplateSource: AnyObject {
    var templateID: UInt64 { get }
    /// The whole state. Images and templates it names are announced through `encoder`.
    func encodeTemplate(_ encoder: TemplateEncoder) -> AppTemplate
    /// One row, nil if this template no longer has it.
    func encodeItem(_ element: UInt64, _ encoder: TemplateEncoder) -> AppListItem?
    /// The driver chose something in it.
    func activated(_ activation: AppElementActivated)
}

/// An image as the session sees it.
@MainActor
package protocol ImageSource: AnyObject {
    var imageID: UInt64 { get }
    /// Nil: nothing to draw (an empty image).
    func encodeImage(_ encoder: TemplateEncoder) -> AppImage?
}

/// Given to whatever encodes itself; makes sure that what a message names was sent before it.
@MainActor
package struct TemplateEncoder {
    let session: AppSession

    /// The id of an image, sent first if the phone does not have it. 0 for none.
    package func image(_ image: (any ImageSource)?) -> UInt64 {
        guard let image else { return 0 }
        return session.announce(image, self)
    }

    /// The id of a template, sent first if the phone does not have it.
    package func template(_ template: any TemplateSource) -> UInt64 {
        session.announce(template)
        return template.templateID
    }

    /// What the screen can show.
    package var traits: AppTraits { session.traits }
}
