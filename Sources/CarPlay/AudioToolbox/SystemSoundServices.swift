@_exported import AVFoundation
import Synchronization

public typealias SystemSoundID = UInt32
/// As far as system sounds need it.
public typealias CFURL = URL
public typealias AudioServicesSystemSoundCompletionProc = @convention(c) (SystemSoundID, UnsafeMutableRawPointer?) -> Void

public let kSystemSoundID_Vibrate: SystemSoundID = 0x0FFF
public let kAudioServicesNoError: OSStatus = 0
public let kAudioServicesUnsupportedPropertyError: OSStatus = 0x7074_793F // 'pty?'
public let kAudioServicesBadSpecifierSizeError: OSStatus = 0x2173_7063 // '!spc'
public let kAudioServicesSystemSoundUnspecifiedError: OSStatus = -1_500
public let kAudioServicesSystemSoundClientTimedOutError: OSStatus = -1_501

/// Those of the app's own by number, from 4096 on.
private let created = Mutex<(next: SystemSoundID, sounds: [SystemSoundID: SystemSound])>((4_096, [:]))

/// Reads a sound of at most 30 seconds.
public func AudioServicesCreateSystemSoundID(_ inFileURL: CFURL, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>) -> OSStatus {
    guard let sound = try? SystemSound(contentsOf: inFileURL.path) else { return kAudioServicesSystemSoundUnspecifiedError }
    outSystemSoundID.pointee = created.withLock { created in
        defer { created.next &+= 1 }
        created.sounds[created.next] = sound
        return created.next
    }
    return kAudioServicesNoError
}

public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus {
    created.withLock { $0.sounds.removeValue(forKey: inSystemSoundID) } == nil ? kAudioServicesSystemSoundUnspecifiedError : kAudioServicesNoError
}

/// On the interface's route.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) { play(inSystemSoundID, alert: false, nil) }

/// On the alerts' route.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) { play(inSystemSoundID, alert: true, nil) }

public func AudioServicesPlaySystemSoundWithCompletion(_ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (@Sendable () -> Void)?) {
    play(inSystemSoundID, alert: false, inCompletionBlock)
}

public func AudioServicesPlayAlertSoundWithCompletion(_ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (@Sendable () -> Void)?) {
    play(inSystemSoundID, alert: true, inCompletionBlock)
}

private func play(_ id: SystemSoundID, alert: Bool, _ completion: (@Sendable () -> Void)?) {
    // A car does not vibrate; numbers below 4096 are the system's, of which each has a pitch of its own here.
    let sound: SystemSound? = switch id {
    case kSystemSoundID_Vibrate: nil
    case 1_000..<1_400: SystemSound(bell: 523.25 * pow(2, Double([0, 2, 4, 7, 9][Int(id % 5)]) / 12))
    default: created.withLock { $0.sounds[id] }
    }
    guard let sound else {
        if let completion { DispatchQueue.main.async(execute: completion) }
        return
    }
    sound.play(alert: alert, completion: completion)
}
