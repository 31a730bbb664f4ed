/// Signed 16 bits, little-endian, as PCM travels on the link, from and to Float with full scale 1.
public enum PCM16 {
    /// `bytes.count / 2` samples to `output`.
    /// - Parameter output: room for them.
    public static func decode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<Float>) {
        let scale: Float = 1 / 32_768
        for index in 0..<bytes.count / 2 {
            output[index] = Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))) * scale
        }
    }

    /// Full scale is clipped; what is not a number becomes silence.
    /// - Parameter bytes: room for two of each sample.
    public static func encode(_ samples: UnsafeBufferPointer<Float>, into bytes: UnsafeMutableRawBufferPointer) {
        for index in 0..<min(samples.count, bytes.count / 2) {
            bytes.storeBytes(of: sample(samples[index]).littleEndian, toByteOffset: index * 2, as: Int16.self)
        }
    }

    /// One sample, rounded.
    public static func sample(_ value: Float) -> Int16 {
        guard value > -1 else { return value.isNaN ? 0 : .min }
        return Int16(min(value * 32_768, 32_767).rounded())
    }

    /// The samples of a packet's bytes; an odd byte at the end is left out.
    public static func samples(_ bytes: [UInt8]) -> [Float] {
        [Float](unsafeUninitializedCapacity: bytes.count / 2) { output, count in
            count = bytes.count / 2
            guard let first = output.baseAddress else { return }
            bytes.withUnsafeBytes { decode($0, into: first) }
        }
    }

    /// A packet's bytes.
    public static func bytes(_ samples: [Float]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: samples.count * 2) { output, count in
            count = samples.count * 2
            samples.withUnsafeBufferPointer { encode($0, into: UnsafeMutableRawBufferPointer(output)) }
        }
    }
}
