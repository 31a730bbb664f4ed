import CAvahi

/// The functions of libavahi-client or libavahi-core, opened on first use and kept: `CAvahi/shim.h` says why they are not linked.
enum AvahiLibraries {
    static let client = open(AvahiClientLibrary.self, fascia_open_avahi_client)
    static let core = open(AvahiCoreLibrary.self, fascia_open_avahi_core)

    private static func open<Table>(_ type: Table.Type, _ fill: (UnsafeMutablePointer<Table>) -> Int32) -> Result<Table, AvahiFailure> {
        let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        defer { table.deallocate() }
        guard fill(table) != 0 else {
            return .failure(AvahiFailure(code: Int32(AVAHI_ERR_FAILURE), text: dlerror().map { String(cString: $0) } ?? "the Avahi library cannot be loaded"))
        }
        return .success(table.pointee)
    }
}
