import FasciaSimulation
import Testing

/// What counts as wrong in what an app saw.
struct AppDiaryTests {
    private func faults(_ callbacks: (String, Int)...) -> [String] {
        var diary = AppDiary()
        return callbacks.compactMap { diary.note(.init(what: $0.0, scene: $0.1)) }
    }

    @Test func scenesOneAfterTheOtherAreFine() {
        #expect(faults(("launched", 0), ("didConnect", 1), ("didConnect-returns", 1), ("tap", 1), ("didDisconnect", 1), ("didDisconnect-returns", 1),
                       ("late-call-failed", 1), ("didConnect", 2), ("didDisconnect", 2)) == [])
    }

    @Test func aSecondDisconnectIsFound() { #expect(faults(("didConnect", 1), ("didDisconnect", 1), ("didDisconnect", 1)).count == 1) }
    @Test func aMissedDisconnectIsFound() { #expect(faults(("didConnect", 1), ("didConnect", 2)).count == 1) }
    @Test func aDisconnectOutOfNowhereIsFound() { #expect(faults(("launched", 0), ("didDisconnect", 1)).count == 1) }
    @Test func aCallbackAfterTheEndIsFound() { #expect(faults(("didConnect", 1), ("didDisconnect", 1), ("tap", 1)).count == 1) }
    @Test func aCallThatShouldFailIsFound() { #expect(faults(("didConnect", 1), ("didDisconnect", 1), ("late-call-succeeded", 1)).count == 1) }
    @Test func aControllerThatStaysIsFound() { #expect(faults(("didConnect", 1), ("didDisconnect", 1), ("controller-still-there", 1)).count == 1) }

    @Test func linesAreRead() {
        #expect(AppDiary.Entry(line: "12 34 didConnect 5") == .init(time: 12, pid: 34, what: "didConnect", scene: 5))
        #expect(AppDiary.Entry(line: "12 34 didConnect") == nil)
    }
}
