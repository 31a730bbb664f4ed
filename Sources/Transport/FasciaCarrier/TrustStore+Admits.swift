import FasciaTLS
import FasciaTrust
import Logging

extension TrustStore {
    /// Whether a peer with that key may speak; nobody may while the store cannot be read, and the log says why.
    func admits(_ fingerprint: Fingerprint, log: Logger) -> Bool {
        do throws(StateError) {
            return try currentPeers().contains { $0.fingerprint == fingerprint }
        } catch {
            log.error("no peer is trusted: \(error)")
            return false
        }
    }
}
