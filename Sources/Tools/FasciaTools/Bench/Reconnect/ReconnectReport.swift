import Histogram

/// What `fascia bench reconnect` found: one fault, one mode, one path.
struct ReconnectReport: Encodable {
    struct Floor: Encodable {
        var p50, p99: Double
    }

    var runs: Int
    var mode: HandshakeMode
    var fault: ReconnectFault
    var rttMilliseconds: Double
    var lossPercent: Double
    /// `cut` only, seconds.
    var cut: Double?
    /// Link back to presented frame.
    var firstFrame: Percentiles?
    var phases: [String: Percentiles]
    var floor: Floor?
    var failures: Int
    /// How the connections that won were made: by mode.
    var handshakes: [String: Int]
    /// By the phone: `resumed` the session, began one (`connected`), or the old connection `recovered`.
    var outcomes: [String: Int]
    var linkBack: String

    var ratio50: Double? { ratio(firstFrame?.p50, floor?.p50) }
    var ratio99: Double? { ratio(firstFrame?.p99, floor?.p99) }

    private func ratio(_ value: Double?, _ floor: Double?) -> Double? {
        guard let value, let floor, floor > 0 else { return nil }
        return (value / floor * 100).rounded() / 100
    }

    enum CodingKeys: String, CodingKey {
        case runs, mode, fault, rtt = "rtt_ms", loss = "loss_pct", cut = "cut_s", firstFrame = "first_frame_ms", phases, floor = "floor_ms"
        case ratio50 = "ratio_p50", ratio99 = "ratio_p99", failures, handshakes, outcomes, linkBack = "link_back"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(runs, forKey: .runs)
        try container.encode(mode.rawValue, forKey: .mode)
        try container.encode(fault.rawValue, forKey: .fault)
        try container.encode(rttMilliseconds, forKey: .rtt)
        try container.encode(lossPercent, forKey: .loss)
        try container.encodeIfPresent(cut, forKey: .cut)
        try container.encode(firstFrame, forKey: .firstFrame)
        try container.encode(phases, forKey: .phases)
        try container.encode(floor, forKey: .floor)
        try container.encode(ratio50, forKey: .ratio50)
        try container.encode(ratio99, forKey: .ratio99)
        try container.encode(failures, forKey: .failures)
        try container.encode(handshakes, forKey: .handshakes)
        try container.encode(outcomes, forKey: .outcomes)
        try container.encode(linkBack, forKey: .linkBack)
    }
}

/// A report and the samples it was made from, for the plot. Nanoseconds.
struct ReconnectResult {
    var report: ReconnectReport
    var firstFrames: [UInt64]
    var floors: [UInt64]

    /// Rows for people.
    var table: String {
        let order = (["start", "publish"] + Milestones.Phase.allCases.map(\.rawValue)).filter { report.phases[$0] != nil }
        var rows = [["ms", "p50", "p90", "p99", "max"]]
        rows += order.compactMap { name in report.phases[name].map { [name == "detect" ? "detect (before)" : name] + $0.cells } }
        if let firstFrame = report.firstFrame { rows.append(["link back to \(report.fault == .cut ? "next" : "first") frame"] + firstFrame.cells) }
        if let floor = Percentiles(nanoseconds: floors) { rows.append(["floor: OpenSSL, \(report.mode.rawValue)"] + floor.cells) }
        if let ratio50 = report.ratio50, let ratio99 = report.ratio99 { rows.append(["ratio", "\(ratio50)", "", "\(ratio99)", ""]) }
        return Output.table(rows)
    }
}
