import Foundation

extension AVAudioSession {
    /// Codes of errors in `NSOSStatusErrorDomain`.
    public enum ErrorCode: Int, Sendable {
        case none = 0
        case mediaServicesFailed = 0x6D73_7276 // 'msrv'
        case isBusy = 0x2161_6374 // '!act'
        case incompatibleCategory = 0x2163_6174 // '!cat'
        case cannotInterruptOthers = 0x2169_6E74 // '!int'
        case missingEntitlement = 0x656E_743F // 'ent?'
        case siriIsRecording = 0x7369_7269 // 'siri'
        case cannotStartPlaying = 0x2170_6C61 // '!pla'
        case cannotStartRecording = 0x2172_6563 // '!rec'
        case badParam = -50
        case insufficientPriority = 0x2170_7269 // '!pri'
        case resourceNotAvailable = 0x2172_6573 // '!res'
        case unspecified = 0x7768_6174 // 'what'
        case expiredSession = 0x2173_6573 // '!ses'
        case sessionNotActive = 0x696E_6163 // 'inac'
    }

    static func error(_ code: ErrorCode, _ text: String) -> NSError { error(code.rawValue, text) }

    static func error(_ code: Int, _ text: String) -> NSError {
        NSError(domain: NSOSStatusErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
    }
}
