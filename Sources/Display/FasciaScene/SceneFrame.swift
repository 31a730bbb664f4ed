import FasciaWire

/// One whole state of a screen: what is drawn, and what it means. The painter makes these; `ScenePublisher` turns the
/// difference to the last one into resources, a commit and a semantics update (spec "Display").
public struct SceneFrame: Sendable, Equatable {
    /// Behind all layers.
    public var background: Color
    /// In any order: ids, parents and `order` say how they lie.
    public var layers: [SceneLayer]
    /// What it means, for test drivers and screen readers (spec 10.6).
    public var semantics: [SemanticNode]
    public init(background: Color = Color(0, 0, 0), layers: [SceneLayer] = [], semantics: [SemanticNode] = []) {
        self.background = background
        self.layers = layers
        self.semantics = semantics
    }
}

/// A layer of the tree (spec `Layer`, where every field's meaning and unit is given). Positions are pixels in the parent's space.
public struct SceneLayer: Sendable, Equatable {
    /// What a layer shows itself, under its children.
    public enum Content: Sendable, Equatable {
        case none
        case solid(Color)
        /// `tint` colours an A8 mask; nil for BGRA8.
        case image(RasterImage, tint: Color?)
        /// Linear, vertical.
        case gradient(top: Color, bottom: Color)
    }

    /// Inside the layer's edges, over its content.
    public struct Border: Sendable, Equatable {
        /// Pixels.
        public var width: Float
        public var color: Color
        public init(width: Float, color: Color) {
            self.width = width
            self.color = color
        }
    }

    /// A property that the head unit moves by itself (spec 11.6).
    public struct Animation: Sendable, Equatable {
        public var id: UInt32
        /// What moves.
        public var property: FasciaWire.Animation.Property
        /// Values at the beginning and at the end, in the property's unit.
        public var from: Float
        public var to: Float
        public var milliseconds: UInt32
        /// How the value goes from one to the other.
        public var curve: FasciaWire.Animation.Curve
        /// For ever, until the layer no longer has it.
        public var repeats: Bool
        public init(id: UInt32, property: FasciaWire.Animation.Property, from: Float, to: Float, milliseconds: UInt32,
                    curve: FasciaWire.Animation.Curve = .easeInOut, repeats: Bool = false) {
            self.id = id
            self.property = property
            self.from = from
            self.to = to
            self.milliseconds = milliseconds
            self.curve = curve
            self.repeats = repeats
        }
    }

    public var id: UInt32
    /// The layer it lies in; 0 is the screen.
    public var parent: UInt32
    /// Among siblings: higher lies above.
    public var order: Int32
    /// Top left corner and size, pixels; `width` and `height` are not negative.
    public var x: Float
    public var y: Float
    public var width: Float
    public var height: Float
    /// 1 opaque, 0 invisible.
    public var opacity: Float = 1
    /// Cuts content and descendants to the rectangle.
    public var clip = false
    /// How far the children are moved to the left and up, pixels.
    public var scrollX: Float = 0
    public var scrollY: Float = 0
    /// Pixels.
    public var cornerRadius: Float = 0
    /// Degrees clockwise about the centre, own content only.
    public var rotation: Float = 0
    public var content: Content
    public var border: Border?
    public var animations: [Animation] = []

    public init(id: UInt32, parent: UInt32 = 0, order: Int32 = 0, x: Float, y: Float, width: Float, height: Float, content: Content = .none) {
        self.id = id
        self.parent = parent
        self.order = order
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.content = content
    }
}
