import FasciaWire
import Testing

@testable import FasciaResources

/// Every state with every request, constraint and priority, as the specification's table has it.
@Suite struct TransitionTests {
    private typealias Position = TransitionTable.Position
    private static let constraints: [OwnershipConstraint] = [.anyTime, .userInitiated, .never]
    private static let priorities: [OwnershipPriority] = [.niceToHave, .userInitiated]

    @Test func theTableHasEveryState() throws {
        let table = try TransitionTable()
        let all = Position.Party.allCases.flatMap { owner in
            Position.Party.allCases.filter { $0 == .nobody || $0 != owner }.compactMap { Position("\(owner.rawValue)/\($0.rawValue)") }
        }
        #expect(Set(table.cells.keys) == Set(all))
    }

    @Test(arguments: [Owner.phone, .car], TransitionTable.Request.allCases)
    func everyTransition(asker: Owner, request: TransitionTable.Request) throws {
        for (position, row) in try TransitionTable().cells {
            let cell = try #require(row[request])
            for constraint in Self.constraints {
                for priority in Self.priorities {
                    // The constraint in question, and the strictest everywhere else: no other one may matter.
                    let before = holding(position, asker, cell.condition, constraint)
                    var after = before
                    let refusal = transfer(&after, asker, request, priority)
                    let passes = cell.condition == nil || constraint == .anyTime || (constraint == .userInitiated && priority == .userInitiated)
                    let comment: Comment = "\(asker) \(request) in \(position), \(constraint), \(priority)"
                    guard let expected = passes ? cell.then : cell.otherwise else {
                        #expect(refusal == (cell.then == nil ? .notHeld : .constraint), comment)
                        #expect(after == before, "a refusal changes nothing: \(comment)")
                        continue
                    }
                    #expect(refusal == .none, comment)
                    #expect(after.owner == party(expected.owner, asker) && after.borrower == party(expected.borrower, asker), comment)
                    checkConstraints(after, before, asker, request, comment)
                }
            }
        }
    }

    /// Constraints are those of the request that brought their owner or borrower, and none where there is none.
    private func checkConstraints(_ after: Holding, _ before: Holding, _ asker: Owner, _ request: TransitionTable.Request, _ comment: Comment) {
        #expect((after.owner == .none) == (after.takeConstraint == .unspecified) && (after.owner == .none) == (after.borrowConstraint == .unspecified), comment)
        #expect((after.borrower == .none) == (after.unborrowConstraint == .unspecified), comment)
        switch request {
        case .take: #expect(after.takeConstraint == .anyTime && after.borrowConstraint == .userInitiated && after.reason == "asked", comment)
        case .borrow where after.borrower == asker: #expect(after.unborrowConstraint == .userInitiated && after.reason == "asked", comment)
        case .borrow, .giveBack: #expect(after.owner != before.owner || after.takeConstraint == before.takeConstraint, comment)
        }
        if after.owner == .none && after.borrower == .none { #expect(after.reason.isEmpty, comment) }
    }

    private func transfer(_ holding: inout Holding, _ asker: Owner, _ request: TransitionTable.Request, _ priority: OwnershipPriority) -> OwnershipRefusal {
        switch request {
        case .take: holding.take(by: asker, .with { ($0.priority, $0.takeConstraint, $0.borrowConstraint, $0.reason) = (priority, .anyTime, .userInitiated, "asked") })
        case .borrow: holding.borrow(by: asker, .with { ($0.priority, $0.unborrowConstraint, $0.reason) = (priority, .userInitiated, "asked") })
        case .giveBack: holding.giveBack(by: asker)
        }
    }

    private func holding(_ position: TransitionTable.Position, _ asker: Owner, _ condition: TransitionTable.Condition?, _ constraint: OwnershipConstraint) -> Holding {
        .with {
            $0.owner = party(position.owner, asker)
            $0.borrower = party(position.borrower, asker)
            if $0.owner != .none { ($0.takeConstraint, $0.borrowConstraint) = (condition == .take ? constraint : .never, condition == .borrow ? constraint : .never) }
            if $0.borrower != .none { $0.unborrowConstraint = condition == .unborrow ? constraint : .never }
            if $0.owner != .none || $0.borrower != .none { $0.reason = "before" }
        }
    }

    private func party(_ party: TransitionTable.Position.Party, _ asker: Owner) -> Owner {
        switch party {
        case .nobody: .none
        case .own: asker
        case .other: asker == .phone ? .car : .phone
        }
    }
}
