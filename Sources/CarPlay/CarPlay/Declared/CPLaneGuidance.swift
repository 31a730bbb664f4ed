public enum CPLaneStatus: Int, Sendable { case notGood, good, preferred }

/// Which lanes to take.
open class CPLaneGuidance: NSObject, NSCopying, _CPCoding {
    open var lanes: [CPLane] = []
    open var instructionVariants: [String] = []

    public override init() { super.init() }

    public required convenience init?(coder: NSCoder) { return nil }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CPLaneGuidance()
        copy.lanes = lanes
        copy.instructionVariants = instructionVariants
        return copy
    }
}

/// One lane and where it leads.
open class CPLane: NSObject, NSCopying, _CPCoding {
    open var status = CPLaneStatus.notGood
    open var primaryAngle = Measurement(value: 0, unit: UnitAngle.degrees)
    open var secondaryAngles: [Measurement<UnitAngle>] = []
    public private(set) var highlightedAngle: Measurement<UnitAngle>?
    public private(set) var angles: [Measurement<UnitAngle>] = []

    public override init() { super.init() }

    public convenience init(angles: [Measurement<UnitAngle>]) {
        self.init()
        self.angles = angles
    }

    public convenience init(angles: [Measurement<UnitAngle>], highlightedAngle: Measurement<UnitAngle>, isPreferred: Bool) {
        self.init()
        self.angles = angles
        self.highlightedAngle = highlightedAngle
        status = isPreferred ? .preferred : .good
    }

    public required convenience init?(coder: NSCoder) { return nil }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CPLane()
        copy.status = status
        copy.primaryAngle = primaryAngle
        copy.secondaryAngles = secondaryAngles
        copy.highlightedAngle = highlightedAngle
        copy.angles = angles
        return copy
    }
}
