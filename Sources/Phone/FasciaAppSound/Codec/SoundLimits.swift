/// Figures of spec/appsound.md 6.
public enum SoundLimits {
    /// Longest datagram, kind byte and all, in bytes.
    public static let datagram = 16_384
    /// Longest sound in one packet, in bytes: what an AudioPacket of the car link holds, 42 ms of 48 kHz stereo.
    public static let packet = 8_174
    /// Datagrams other than packets that an app may have waiting for room in the socket.
    public static let waiting = 64
}
