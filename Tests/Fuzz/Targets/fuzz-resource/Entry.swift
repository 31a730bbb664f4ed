import FuzzBodies

@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzBody.resource.run(bytes, count)
    return 0
}
