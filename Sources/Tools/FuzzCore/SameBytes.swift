import Glibc

/// `==` of arrays compares byte by byte, and under libFuzzer every comparison is a call: this one made half of a run.
public func sameBytes(_ one: [UInt8], _ other: ArraySlice<UInt8>) -> Bool {
    if one.count != other.count { return false }
    return unsafe one.withUnsafeBytes { left in
        unsafe other.withUnsafeBytes { right in
            guard let left = left.baseAddress, let right = right.baseAddress else { return true }
            return unsafe memcmp(left, right, one.count) == 0
        }
    }
}

/// Bytes that compare quickly.
public struct Bytes: Equatable {
    public let array: [UInt8]
    public init(_ array: [UInt8]) { self.array = array }
    public static func == (one: Bytes, other: Bytes) -> Bool { sameBytes(one.array, other.array[...]) }
}
