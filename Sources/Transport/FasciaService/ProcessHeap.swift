import CMalloc

/// How this process's heap treats memory that is no longer used.
public enum ProcessHeap {
    /// A block this large gets pages of its own, which go back to the system with it; bytes.
    static let ownPages: Int32 = 1 << 20
    /// Unused memory kept at the end of the heap; bytes.
    static let kept: Int32 = 4 << 20

    /// Bounds what glibc keeps, in programs that run for weeks. By default it makes an arena for almost every thread, whose free
    /// memory no other thread uses, and after the first large block it keeps blocks of up to that size (32 MiB at most) for ever:
    /// a peer that makes each thread hold a large message once would leave that much behind for each. Call it before threads start.
    public static func bound() {
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, ownPages)
        mallopt(M_TRIM_THRESHOLD, kept)
    }
}
