import FasciaProcesses
import Foundation

/// An X server without hardware whose frame buffer is a file: what is in it is what a person would see.
final class VirtualDisplay {
    /// For the environment variable DISPLAY.
    let name: String
    private let server: ChildProgram
    private let buffer: String

    /// - Parameter directory: for the frame buffer; belongs to the test.
    init(width: Int, height: Int, in directory: String) async throws {
        server = try await ChildProgram("/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-fbdir", directory, "-nolisten", "tcp"])
        name = ":" + (try await server.line { Int($0) != nil })
        buffer = directory + "/Xvfb_screen0"
    }

    deinit {
        // Not SIGTERM: children of this process have it blocked. What the server would have removed goes with it.
        server.signal(SIGKILL)
        for file in ["/tmp/.X\(name.dropFirst())-lock", "/tmp/.X11-unix/X\(name.dropFirst())"] { try? FileManager.default.removeItem(atPath: file) }
    }

    /// What a person does with mouse and keyboard, as `xdotool` takes it: `mousemove 10 20 click 1`.
    func person(_ actions: String...) async throws {
        let (status, output) = try await SystemCommand.run("env", ["DISPLAY=\(name)", "xdotool"] + actions)
        guard status == 0 else { throw ToolError("xdotool: \(output)") }
    }

    /// What is on the screen: blue, green, red and an unused byte a pixel, rows from the top.
    func pixels() throws -> (width: Int, height: Int, bytes: [UInt8]) {
        // XWD version 7: 25 big-endian words, the window's name, colours of 12 bytes, rows.
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: buffer)))
        func word(_ index: Int) -> Int { file[index * 4 ..< index * 4 + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard file.count > 100, word(1) == 7, word(11) == 32, word(7) == 0 else { throw ToolError("\(buffer) is no XWD file of 32 bits a pixel") }
        let (width, height, stride) = (word(4), word(5), word(12))
        let start = word(0) + word(19) * 12
        guard file.count >= start + height * stride else { throw ToolError("\(buffer) ends early") }
        let rows = (0..<height).flatMap { file[start + $0 * stride ..< start + $0 * stride + width * 4] }
        return (width, height, rows)
    }
}
