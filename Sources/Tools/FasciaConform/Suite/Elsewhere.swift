extension Suite {
    /// Requirements no connection can show. A test of the repository shows each instead.
    public static let elsewhere: [Elsewhere] = [
        Elsewhere(id: "N-1", why: "needs an announcement of another version on the network", shownBy: "ServiceTextTests"),
        Elsewhere(id: "O-16", why: "a phone's memory of a session shows in its next requests, which its apps make", shownBy: "MirrorTests"),
        Elsewhere(id: "O-19", why: "needs an app that plays", shownBy: "OwnershipTests"),
        Elsewhere(id: "O-21", why: "needs a car that takes its screen", shownBy: "OwnershipTests"),
        Elsewhere(id: "O-22", why: "is heard only", shownBy: "OwnershipTests"),
        Elsewhere(id: "S-15", why: "needs an app that plays and a network that stalls", shownBy: "SoundHubTests"),
        Elsewhere(id: "S-16", why: "is heard only", shownBy: "JitterBufferTests"),
        Elsewhere(id: "S-17", why: "needs minutes, and clocks that differ", shownBy: "JitterBufferTests"),
        Elsewhere(id: "S-18", why: "is heard only", shownBy: "JitterBufferTests"),
        Elsewhere(id: "S-24", why: "is heard only", shownBy: "DuckingTests"),
        Elsewhere(id: "S-21", why: "is heard only", shownBy: "DuckingTests"),
        Elsewhere(id: "P-2", why: "a code is seen on the screen only, and is fixed for this suite", shownBy: "PairingCodeTests"),
    ]
}
