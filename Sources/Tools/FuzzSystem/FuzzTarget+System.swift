import FasciaAppLink
import FuzzCore

extension FuzzTarget {
    /// Targets of everything above the core: they need the system's libraries.
    public static let system: [FuzzTarget] = [
        FuzzTarget("pairing", "both ends of a pairing take anything in any order; nobody finishes without the code", maximumLength: 1_024, checkPairing),
        FuzzTarget("car-message", "what a head unit sends is decoded or refused, numbers in it are numbers", maximumLength: 1_024, checkCarMessage),
        FuzzTarget("app-link", "any chunking of the App Link gives the same messages and the same end", checkAppLink),
        FuzzTarget("from-app", "messages of an app: what decodes encodes to something that decodes to the same") { checkMessage($0, AppFromApp.self) },
        FuzzTarget("to-app", "the same for messages to an app") { checkMessage($0, AppToApp.self) },
        FuzzTarget("sound-datagram", "datagrams of app and phone: what decodes encodes to the same or is too long to", checkSoundDatagram),
        FuzzTarget("mixer", "streams, cuts and packets of any kind: what is held is bounded, what is heard is a number below full scale", maximumLength: 1_024, checkMixer),
        FuzzTarget("car-sound", "phones' messages of sound and the driver's wishes: every stream is answered, what is kept is bounded, nothing outlives its connection", maximumLength: 1_024, checkCarSound),
        FuzzTarget("arbiter", "head unit and phone never disagree on who owns what; every request is answered once", maximumLength: 1_024, checkArbiter),
        FuzzTarget("audio-policy", "apps' sessions: every request is answered once, and what is heard is allowed", maximumLength: 1_024, checkAudioPolicy),
        FuzzTarget("sound-file", "an app's sound files are read within bounds or refused", maximumLength: 16_384, checkSoundFile),
        FuzzTarget("app-sound", "datagrams of an app and answers of a car, whatever they are: streams stay bounded and end with their app", checkAppSound),
        FuzzTarget("app-report", "what an app writes when it is asked where it hangs, and the names it gives threads", maximumLength: 8_192, checkAppReport),
        FuzzTarget("resource", "pictures for the head unit stay within their budget, compressed or not", checkResource),
        FuzzTarget("scene", "commits change the layer tree whole or not at all; what is kept is bounded; it can be drawn at any time", checkScene),
        FuzzTarget("image", "an app's image files are decoded within the limits or refused", maximumLength: 16_384, checkImage),
        FuzzTarget("console", "every line of the head unit's console is a command or an error that says what is wrong", maximumLength: 1_024, checkConsole),
        FuzzTarget("profile", "a screen profile is one a screen can have, or refused", maximumLength: 1_024, checkProfile),
        FuzzTarget("bundle", "Info.plist and Entitlements.plist make an app or an error", checkBundle),
        FuzzTarget("trust", "a trust document that is read is written and read the same", maximumLength: 2_048, checkTrust),
        FuzzTarget("txt", "TXT records are bounded; what is announced is read the same", maximumLength: 2_048, checkText),
        FuzzTarget("event", "a line of an event file is written and read the same", maximumLength: 2_048, checkEvent),
        FuzzTarget("netlink", "datagrams of any content are taken apart; the table of interfaces stays bounded", maximumLength: 2_048, checkNetlink),
    ]

    /// Every target there is.
    public static let all = core + system
}
