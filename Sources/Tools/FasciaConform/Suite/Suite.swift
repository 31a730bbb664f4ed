import FasciaPairing
import FasciaProcesses
import FasciaRawPeer
import FixtureSupport
import Foundation

/// The conformance suite of spec/link.md: every case of one role, run against a live endpoint.
public struct Suite: Sendable {
    public let role: Role
    let address: Endpoint
    let code: PairingCode
    let fixtures: [Fixture]

    /// - Parameters:
    ///   - address: of the head unit; for a phone, where to wait for it.
    ///   - fixtures: the folder `Fixtures` of the repository.
    package init(_ role: Role, address: Endpoint, code: PairingCode, fixtures: URL) throws {
        (self.role, self.address, self.code) = (role, address, code)
        self.fixtures = try Fixture.load(from: fixtures)
    }

    /// Every case of both roles.
    public static func list(fixtures: URL) throws -> [CaseSummary] {
        let vectors = try Fixture.load(from: fixtures)
        return summaries(.headunit, headUnitCases(vectors)) + summaries(.phone, phoneCases(vectors))
    }

    private static func summaries<Rig>(_ role: Role, _ cases: [Case<Rig>]) -> [CaseSummary] {
        cases.map { CaseSummary(role: role, section: $0.section, ids: $0.ids, title: $0.title) }
    }

    static func headUnitCases(_ fixtures: [Fixture]) -> [Case<HeadUnitRig>] {
        let named = HeadUnitCases.transport + HeadUnitCases.pairing + HeadUnitCases.frames + HeadUnitCases.connection + HeadUnitCases.sessions + HeadUnitCases.display
            + HeadUnitCases.sound + HeadUnitCases.ownership
        return ordered(named + VectorCases.headUnit(fixtures)) + HeadUnitCases.lockout
    }

    static func phoneCases(_ fixtures: [Fixture]) -> [Case<PhoneRig>] {
        PhoneCases.pairing + ordered(PhoneCases.transport + PhoneCases.connection + PhoneCases.sessions + PhoneCases.display + PhoneCases.sound + VectorCases.phone(fixtures))
    }

    /// By section, in the order given within one.
    private static func ordered<Rig>(_ cases: [Case<Rig>]) -> [Case<Rig>] {
        cases.enumerated().sorted { (SectionNumber($0.element.section), $0.offset) < (SectionNumber($1.element.section), $1.offset) }.map(\.element)
    }

    /// Runs all cases, or those with one of the ids or sections.
    /// - Parameter onResult: told each as it ends.
    public func run(only: [String], onResult: (CaseResult) -> Void) throws -> [CaseResult] {
        switch role {
        case .headunit:
            let rig = try HeadUnitRig(address: address, code: code, fixtures: fixtures)
            try prepare("pair with the head unit at \(address)") { try rig.pair() }
            return run(Self.headUnitCases(fixtures), rig, only, settle: rig.settle, onResult)
        case .phone:
            let rig = try PhoneRig(address: address, code: code, fixtures: fixtures)
            // Whatever is asked for, the phone comes unpaired.
            let first = run(PhoneCases.pairing, rig, [], settle: rig.settle, onResult)
            return first + run(Array(Self.phoneCases(fixtures).dropFirst(PhoneCases.pairing.count)), rig, only, settle: rig.settle, onResult)
        }
    }

    private func prepare(_ what: String, _ body: () throws -> Void) throws {
        do { try body() } catch { throw ToolError("cannot \(what): \(error)") }
    }

    private func run<Rig>(_ cases: [Case<Rig>], _ rig: Rig, _ only: [String], settle: () -> Void, _ onResult: (CaseResult) -> Void) -> [CaseResult] {
        cases.filter { only.isEmpty || only.contains($0.section) || !Set(only).isDisjoint(with: $0.ids) }.map { one in
            let start = ContinuousClock.now
            var trouble: String?
            do { try one.run(rig) } catch { trouble = "\(error)" }
            let took = start.duration(to: .now)
            settle()
            let result = CaseResult(section: one.section, ids: one.ids, title: one.title, passed: trouble == nil, detail: trouble, milliseconds: (took / .milliseconds(1) * 10).rounded() / 10)
            onResult(result)
            return result
        }
    }
}
