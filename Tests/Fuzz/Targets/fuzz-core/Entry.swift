import FuzzCore

/// The target named by the environment.
private let target = FuzzTarget.named(FuzzTarget.core)

@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(bytes, count)
    return 0
}
