import Foundation

/// One line of an event file.
///
///     {"event":"disconnected","t_ns":81230045,"evidence":["goodbye"],"reason":"goodbye"}
public struct EventRecord: Sendable, Equatable {
    /// Its name, in words joined by hyphens.
    public var event: String
    /// `CLOCK_MONOTONIC` nanoseconds at which the event was emitted.
    public var time: UInt64
    /// All fields but `event` and `t_ns`.
    public var fields: [String: EventValue]

    public init(event: String, time: UInt64, fields: [String: EventValue] = [:]) {
        self.event = event
        self.time = time
        self.fields = fields
    }

    /// Reads a line back; nil when it is not a JSON object with a name for `event` and with `t_ns` (a line still being written, for example).
    public init?(line: some StringProtocol) {
        guard var fields = try? JSONDecoder().decode([String: EventValue].self, from: Data(line.utf8)),
            case .string(let event)? = fields.removeValue(forKey: "event"), !event.isEmpty,
            case .integer(let time)? = fields.removeValue(forKey: "t_ns"), time >= 0
        else { return nil }
        self.init(event: event, time: UInt64(time), fields: fields)
    }

    /// Nil when the event has no such field.
    public subscript(field: String) -> EventValue? { fields[field] }

    /// The line, without the newline: `event` and `t_ns` first, then the fields in alphabetical order.
    public var line: String {
        var rest = fields
        rest["event"] = nil
        rest["t_ns"] = nil
        var text = "{\"event\":"
        EventValue.write(event, to: &text)
        text += ",\"t_ns\":\(time)"
        EventValue.write(rest, after: true, to: &text)
        text += "}"
        return text
    }

    /// `disconnected  reason=goodbye evidence=[goodbye]`, for people.
    public var humanLine: String {
        let text = fields.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return event + (text.isEmpty ? "" : " " + text)
    }
}
