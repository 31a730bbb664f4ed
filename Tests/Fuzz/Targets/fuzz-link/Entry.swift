import FuzzBodies

@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzBody.link.run(bytes, count)
    return 0
}
