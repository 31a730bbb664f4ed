import FasciaTLS

extension Identity {
    public static let fileName = "identity.pem"

    /// The identity kept in `directory`; at first start it is made there.
    ///
    /// Two processes starting at the same time get the same identity.
    /// - Throws: when the file is damaged, readable by others or cannot be written. It is never overwritten: with a new
    ///   key every pairing would be lost.
    public static func loadOrCreate(in directory: StateDirectory) throws(StateError) -> Identity {
        let file = PrivateFile(fileName, in: directory)
        if let identity = try load(file) { return identity }
        return try file.exclusively { () throws(StateError) -> Identity in
            if let identity = try load(file) { return identity }
            let made: (identity: Identity, pem: [UInt8])
            do throws(TLSError) {
                let identity = try Identity.generate()
                made = (identity, try identity.pem())
            } catch {
                throw StateError(.writeFailed, path: file.path, "no identity can be made: \(error)")
            }
            try file.replace(with: made.pem)
            return made.identity
        }
    }

    private static func load(_ file: PrivateFile) throws(StateError) -> Identity? {
        guard let pem = try file.read() else { return nil }
        do throws(TLSError) {
            return try Identity(pem: pem)
        } catch {
            throw StateError(.corrupt, path: file.path, "holds no usable identity: \(error). Restore it, or move it away to start with a new key and pair anew")
        }
    }
}
