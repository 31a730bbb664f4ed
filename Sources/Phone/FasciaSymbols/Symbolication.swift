import FasciaAppHost
import Foundation
import Runtime

/// Names for the addresses of a report.
public enum Symbolication {
    /// What Runtime decodes; the payloads are base64 without padding.
    private struct Encoded: Encodable {
        let architecture: String
        let backtrace: String
        let imageMap: String
    }

    /// - Throws: if Runtime refuses what the report says.
    public static func symbolicate(_ report: inout WatchdogReport) throws {
        for index in report.threads.indices where !report.threads[index].backtrace.isEmpty {
            report.threads[index].backtrace = try symbolicate(report.threads[index].backtrace, report.images)
        }
    }

    private static func symbolicate(_ frames: [StackFrame], _ images: [LoadedImage]) throws -> [StackFrame] {
        let addresses = frames.enumerated().map { (address: $1.address, isReturn: $0 > 0) }
        let encoded = Encoded(architecture: architecture, backtrace: base64(compactBacktrace(addresses)), imageMap: base64(compactImageMap(images)))
        let backtrace = try JSONDecoder().decode(Backtrace.self, from: try JSONEncoder().encode(encoded))
        guard let symbolicated = backtrace.symbolicated() else { return frames }
        var result: [StackFrame] = []
        var known = frames[...]
        for frame in symbolicated.frames {
            // Inlined functions come first, with the address of the one they are in.
            guard let address = UInt64(frame.captured.originalProgramCounter) else { continue }
            while let next = known.first, next.address != address { result.append(known.removeFirst()); _ = next }
            guard var named = known.first else { break }
            if let symbol = frame.symbol {
                named.symbol = symbol.name
                named.symbolOffset = symbol.offset
                if let place = symbol.sourceLocation, place.line > 0 {
                    named.file = place.path
                    named.line = place.line
                }
            }
            if frame.inlined { named.isInlined = true } else { known.removeFirst() }
            result.append(named)
        }
        return result + known
    }

    private static func base64(_ bytes: [UInt8]) -> String { String(Data(bytes).base64EncodedString().prefix { $0 != "=" }) }

    private static var architecture: String {
        #if arch(x86_64)
        "x86_64"
        #elseif arch(arm64)
        "arm64"
        #else
        "unknown"
        #endif
    }
}
