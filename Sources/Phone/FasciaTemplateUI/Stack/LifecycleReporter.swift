import FasciaAppLink

/// Turns what is visible into will/did appear/disappear calls, each exactly once and in UIKit's order: will disappear, will
/// appear, (animation), did disappear, did appear.
struct LifecycleReporter: Equatable {
    private(set) var visible: [UInt64] = []
    private var leaving: [UInt64] = []
    private var arriving: [UInt64] = []
    private var animated = false

    var isSettled: Bool { leaving.isEmpty && arriving.isEmpty }

    /// The visible templates become `next`. What was still under way ends first.
    mutating func change(to next: [UInt64], animated: Bool) -> [AppTemplateLifecycle] {
        guard next != visible else { return [] }
        var calls = settle()
        leaving = visible.filter { !next.contains($0) }.reversed()
        arriving = next.filter { !visible.contains($0) }
        self.animated = animated
        visible = next
        calls += leaving.map { call($0, .willDisappear) } + arriving.map { call($0, .willAppear) }
        return calls
    }

    /// The animation is over.
    mutating func settle() -> [AppTemplateLifecycle] {
        let calls = leaving.map { call($0, .didDisappear) } + arriving.map { call($0, .didAppear) }
        leaving = []
        arriving = []
        return calls
    }

    private func call(_ template: UInt64, _ phase: AppTemplateLifecycle.Phase) -> AppTemplateLifecycle {
        var call = AppTemplateLifecycle()
        call.template = template
        call.phase = phase
        call.animated = animated
        return call
    }
}
