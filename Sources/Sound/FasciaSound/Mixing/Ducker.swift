/// Everything that ducks now, by who does. Several: the lowest level holds, with its ramp; when it ends, the next one's level with the ramp
/// of the one that ended.
struct Ducker<ID: Hashable> {
    private var ducks: [ID: Duck] = [:]

    var isEmpty: Bool { ducks.isEmpty }

    mutating func set(_ duck: Duck?, by id: ID) { ducks[id] = duck }

    mutating func removeAll() { ducks.removeAll() }

    func duck(by id: ID) -> Duck? { ducks[id] }

    /// The lowest, of others than the listener itself; nil: nothing ducks.
    func strongest(except listener: ID?) -> Duck? {
        ducks.lazy.filter { $0.key != listener }.map(\.value).min { ($0.level, $0.ramp) < ($1.level, $1.ramp) }
    }
}
