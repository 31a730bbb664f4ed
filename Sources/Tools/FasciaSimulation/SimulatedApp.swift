import FasciaSession

/// An app's process: callbacks one after the other, some slow, some that hang, some that crash.
final class SimulatedApp {
    enum Temper: CaseIterable { case good, slow, hangs, crashes }

    let name: String
    let pid: Int32
    var isAlive = true
    var diary = AppDiary()
    /// Callbacks that wait for the main thread.
    var inbox: [(what: String, scene: UInt64)] = []
    var isBusy = false
    /// How the next callbacks go.
    var temper = Temper.good

    init(_ name: String, pid: Int32) { (self.name, self.pid) = (name, pid) }
}
