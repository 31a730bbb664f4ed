import FasciaAppLink
import FasciaDiscovery
import FasciaEvents
import FasciaEvidence
import FasciaHeadUnit
import FasciaTrust
import Foundation
import FuzzCore

/// Input: a line.
@Sendable func checkConsole(_ input: [UInt8]) -> String? {
    let line = String(decoding: input, as: UTF8.self)
    for result in ConsoleCommand.parse(line: line) {
        switch result {
        case .success(.wait(_, let seconds)) where !(0...86_400).contains(seconds): return "waits for \(seconds) s"
        case .success(.sleep(let seconds)) where !(0...86_400).contains(seconds): return "sleeps for \(seconds) s"
        case .success(.tapPoint(let x, let y)) where !x.isFinite || !y.isFinite: return "taps nowhere"
        case .success(.knobTurn(let detents)) where !(1...100).contains(abs(detents)): return "turns by \(detents)"
        case .failure(let error) where error.description.isEmpty: return "an error without words"
        case .success, .failure: break
        }
    }
    return nil
}

/// Input: a JSON file.
@Sendable func checkProfile(_ input: [UInt8]) -> String? {
    guard let profile = try? ScreenProfile.parse(json: Data(input), file: "profile.json") else { return nil }
    let fits = (320...7_680).contains(profile.width) && (240...4_320).contains(profile.height) && (1...4).contains(profile.scale)
        && (10...240).contains(profile.refresh) && !profile.inputs.isEmpty
    if !fits { return "\(profile) came through" }
    let insets = profile.insets
    return min(insets.left, insets.right, insets.top, insets.bottom) >= 0 && insets.left + insets.right < profile.width ? nil : "\(insets) came through"
}

/// Input: length of the first file (2 bytes), then Info.plist and Entitlements.plist.
@Sendable func checkBundle(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    let info = input.take(Int(input.word()))
    guard let bundle = try? AppBundle.read(info: Data(info), entitlements: Data(input.rest), product: "App") else { return nil }
    if bundle.id.isEmpty || bundle.categories.isEmpty || bundle.scenes.carPlay() == nil { return "an app without what it needs" }
    return bundle.categories.contains(bundle.category) ? nil : "a category it does not have"
}

/// Input: a JSON file.
@Sendable func checkTrust(_ input: [UInt8]) -> String? {
    guard let document = try? TrustDocument(json: input) else { return nil }
    guard let json = document.json, let again = try? TrustDocument(json: json) else { return "what was read cannot be written and read" }
    return again.peers == document.peers ? nil : "written and read it is another"
}

/// Input: entries, each after its length (1 byte), as in a TXT record.
@Sendable func checkText(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    var entries: [[UInt8]] = []
    while !input.isEmpty { entries.append(input.take(Int(input.byte()))) }
    let text = ServiceText(entries: entries)
    if text.values.count > ServiceText.maximumEntries { return "\(text.values.count) entries" }
    let announced = text.entries
    if announced.contains(where: { $0.count > ServiceText.maximumEntryBytes }) { return "an entry too long for its length octet" }
    // A value may be cut where a repair made it longer; then what was announced is what holds.
    let again = ServiceText(entries: announced)
    return ServiceText(entries: again.entries) == again && again.values.count == text.values.count ? nil : "announced and read it is another"
}

/// Input: a line of an event file.
@Sendable func checkEvent(_ input: [UInt8]) -> String? {
    guard let record = EventRecord(line: String(decoding: input, as: UTF8.self)) else { return nil }
    if record.humanLine.isEmpty { return "nothing for people" }
    guard let again = EventRecord(line: record.line) else { return "the line cannot be read back: \(record.line)" }
    return again.line == record.line && again.event == record.event && again.time == record.time ? nil : "written and read it is another"
}

/// Input: datagrams, each after its length (1 byte).
@Sendable func checkNetlink(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    var table = InterfaceTable()
    while !input.isEmpty {
        let length = Int(input.byte())
        if length == 255 { table.beginDump() }
        if length == 254 { _ = table.endDump() }
        let datagram = input.take(length)
        let messages = NetlinkParser.messages(datagram)
        if messages.count * 8 > datagram.count { return "\(messages.count) messages in \(datagram.count) bytes" }
        for message in messages { _ = table.apply(message) }
    }
    return nil
}
