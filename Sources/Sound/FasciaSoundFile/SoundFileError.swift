import CSndfile

/// Why a file cannot be read or written.
public struct SoundFileError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: Sendable, Equatable {
        /// No such file, or no permission.
        case system
        /// Nothing libsndfile can decode.
        case unknownFormat
        /// Of a format it knows, but broken.
        case malformed
        /// It cannot write such a format.
        case unsupported
    }

    public let code: Code
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { detail }

    static func last(of file: OpaquePointer?) -> SoundFileError {
        let text = String(cString: sf_strerror(file))
        return switch Int(sf_error(file)) {
        case Int(SF_ERR_UNRECOGNISED_FORMAT): SoundFileError(.unknownFormat, text)
        case Int(SF_ERR_SYSTEM): SoundFileError(.system, text)
        case Int(SF_ERR_UNSUPPORTED_ENCODING): SoundFileError(.unsupported, text)
        default: SoundFileError(.malformed, text)
        }
    }
}
