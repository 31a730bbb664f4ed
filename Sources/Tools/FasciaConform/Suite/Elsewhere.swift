extension Suite {
    /// Requirements no connection can show. A test of the repository shows each instead.
    public static let elsewhere: [Elsewhere] = [
        Elsewhere(id: "N-1", why: "needs an announcement of another version on the network", shownBy: "ServiceTextTests"),
        Elsewhere(id: "P-2", why: "a code is seen on the screen only, and is fixed for this suite", shownBy: "PairingCodeTests"),
    ]
}
