import CZstd
import FasciaScene
import Testing
@testable import FasciaCompositor

@Suite struct ResourceStoreTests {
    let store = ResourceStore()

    func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let count = ZSTD_compress(&out, out.count, bytes, bytes.count, 1)
        return Array(out[..<count])
    }

    @Test func rawAndCompressedAreStored() throws {
        let image = try raster(.bgra8, 2, 1, [1, 2, 3, 255, 4, 5, 6, 255])
        #expect(try store.store(resourceBody(id: 3, image)) == 3)
        #expect(try store.store(resourceBody(id: 4, image, compression: 1, data: compressed(image.pixels))) == 4)
        #expect(store.count == 2)
        #expect(store.highestIdentifier == 4)
        #expect(store[4]?.isOpaque == true)
        store.release([3, 4, 99])
        #expect(store.byteCount == 0)
        #expect(store.highestIdentifier == 4)
    }

    @Test func hostileBodiesAreRefused() throws {
        let image = try raster(.a8, 4, 2, [1, 2, 3, 4, 5, 6, 7, 8])
        let good = resourceBody(id: 2, image)
        func changed(_ at: Int, _ value: UInt8) -> [UInt8] {
            var body = good
            body[at] = value
            return body
        }
        try store.store(resourceBody(id: 1, image))
        let bomb = compressed([UInt8](repeating: 0, count: 4 << 20))
        let cases: [(DisplayError.Code, [UInt8])] = [
            (.malformedResource, []),
            (.malformedResource, Array(good[..<31])),
            (.malformedResource, changed(7, 1)),
            (.malformedResource, changed(3, 0)),
            (.reusedIdentifier, changed(3, 1)),
            (.unknownFormat, changed(4, 9)),
            (.unknownFormat, changed(5, 9)),
            (.malformedResource, changed(9, 0)),
            (.badDimensions, changed(8, 0xFF)),
            (.badDimensions, resourceBody(id: 2, try raster(.a8, 5_000, 1, [UInt8](repeating: 0, count: 5_000)))),
            (.lengthMismatch, changed(9, 5)),
            (.lengthMismatch, good + [0]),
            (.lengthMismatch, Array(good.dropLast())),
            (.lengthMismatch, resourceBody(id: 2, image, rawLength: .max)),
            (.hashMismatch, changed(32, 9)),
            (.hashMismatch, changed(16, good[16] ^ 1)),
            (.decompressionFailed, resourceBody(id: 2, image, compression: 1)),
            (.decompressionFailed, resourceBody(id: 2, image, compression: 1, data: [])),
            (.decompressionFailed, resourceBody(id: 2, image, compression: 1, data: bomb)),
            (.decompressionFailed, resourceBody(id: 2, image, compression: 1, data: compressed([1, 2]))),
        ]
        for (expected, body) in cases {
            #expect(code { () throws(DisplayError) in try store.store(body) } == expected, "\(expected)")
        }
        #expect(store.count == 1)
        #expect(store.highestIdentifier == 1)
        try store.store(good)
    }

    @Test func theBudgetCountsPicturesThatAreStillShown() throws {
        var limits = DisplayLimits()
        limits.resourceBytes = 8 + 256
        let scene = LayerScene(limits: limits)
        let image = try raster(.a8, 4, 2, [UInt8](repeating: 9, count: 8))
        try scene.resources.store(resourceBody(id: 1, image))
        try scene.apply(commit(1, [wireLayer(1) { $0.image = .with { $0.resource = 1; $0.tint = 0xFF } }]))
        scene.resources.release([1])
        #expect(code { () throws(DisplayError) in try scene.resources.store(resourceBody(id: 2, image)) } == .overBudget)
        try scene.apply(commit(2, remove: [1]))
        try scene.resources.store(resourceBody(id: 2, image))
    }

    @Test func theNumberOfSmallPicturesIsBounded() throws {
        var limits = DisplayLimits()
        limits.resourceBytes = 100 * 257
        let store = ResourceStore(limits: limits)
        let dot = try raster(.a8, 1, 1, [255])
        for id in UInt32(1)...100 { try store.store(resourceBody(id: id, dot)) }
        #expect(code { () throws(DisplayError) in try store.store(resourceBody(id: 101, dot)) } == .overBudget)
    }
}
