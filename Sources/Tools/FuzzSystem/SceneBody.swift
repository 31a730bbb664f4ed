import FasciaCompositor
import FasciaHeadUnit
import FasciaScene
import FasciaWire
import FuzzCore

/// Input: steps. Commits (as bytes), pictures, releases, semantics and time go to one screen of 96 x 64.
@Sendable func checkScene(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    var limits = DisplayLimits(screenWidth: 96, screenHeight: 64)
    limits.resourceBytes = 1 << 18
    let scene = LayerScene(limits: limits)
    let compositor = Compositor(width: 96, height: 64, scenes: [scene])
    var semantics = SemanticsStore()
    var now: UInt64 = 1, resource: UInt32 = 0
    while !input.isEmpty {
        switch input.byte() % 8 {
        case 0...2:
            let keepsSequence = input.byte() & 15 == 0
            guard var commit = try? Commit(serializedBytes: input.take(Int(input.byte()) * 2)) else { continue }
            if !keepsSequence { commit.sequence = scene.sequence &+ 1 }
            let before = (scene.sequence, scene.layerCount)
            do throws(DisplayError) {
                try scene.apply(commit)
                if scene.sequence != commit.sequence { return "an applied commit does not count" }
            } catch {
                if before != (scene.sequence, scene.layerCount) { return "a refused commit changed something: \(error)" }
            }
            if scene.layerCount > limits.layers { return "\(scene.layerCount) layers" }
        case 3:
            let format: RasterImage.Format = input.byte() & 1 == 0 ? .a8 : .bgra8
            let width = 1 + Int(input.byte() & 15), height = 1 + Int(input.byte() & 15), shade = input.byte()
            resource += 1
            guard let image = RasterImage(format: format, width: width, height: height,
                                          pixels: [UInt8](repeating: shade, count: width * height * format.bytesPerPixel)) else { continue }
            _ = try? scene.resources.store(image.resourceBody(id: resource, compress: shade & 1 == 0))
        case 4: scene.resources.release([UInt32(input.byte() & 7)])
        case 5:
            let bytes = input.take(Int(input.byte()) * 2)
            guard let update = try? SemanticsUpdate(serializedBytes: bytes) else { continue }
            _ = semantics.receive(update, encoded: bytes.count, presented: scene.sequence)
            if semantics.bytes > SemanticsStore.maximumBytes || semantics.bytes < 0 { return "\(semantics.bytes) bytes of semantics" }
            if semantics.nodes.count > SemanticsStore.maximumNodes { return "\(semantics.nodes.count) semantic nodes" }
        case 6:
            if input.byte() & 1 == 0 { scene.resume() } else { scene.frozenAt = scene.frozenAt == nil ? now : nil }
        default:
            now += UInt64(input.word()) * 1_000_000
            for area in compositor.compose(at: now) where !compositor.bounds.contains(area) { return "painted outside of the screen: \(area)" }
            if let next = compositor.nextFrameDeadline(now: now), next < now { return "the next frame is in the past" }
            _ = semantics.advance(to: scene.sequence)
        }
        if scene.resources.byteCount > limits.resourceBytes { return "\(scene.resources.byteCount) bytes of pictures" }
    }
    compositor.compose(at: now)
    return nil
}
