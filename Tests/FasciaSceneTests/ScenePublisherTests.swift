import FasciaWire
import Testing

@testable import FasciaScene

@Suite struct ScenePublisherTests {
    private func image(_ value: UInt8, side: Int = 8) throws -> RasterImage {
        try #require(RasterImage(format: .a8, width: side, height: side, pixels: .init(repeating: value, count: side * side)))
    }

    private func layer(_ id: UInt32, _ image: RasterImage, x: Float = 0) -> SceneLayer {
        SceneLayer(id: id, x: x, y: 0, width: 8, height: 8, content: .image(image, tint: Color(255, 255, 255)))
    }

    /// `#require` cannot hold a mutating call.
    private func unwrap(_ publication: Publication?) throws -> Publication { try #require(publication) }

    @Test func firstPublicationIsWhole() throws {
        var publisher = ScenePublisher()
        let first = try unwrap(publisher.publish(SceneFrame(layers: [layer(1, try image(1)), layer(2, try image(2))])))
        #expect(first.commit.reset)
        #expect(first.commit.sequence == 1)
        #expect(first.commit.upsert.map(\.id) == [1, 2])
        #expect(first.resources.count == 2)
        #expect(first.semantics?.reset == true)
    }

    @Test func sameStateCostsNothing() throws {
        var publisher = ScenePublisher()
        let frame = SceneFrame(layers: [layer(1, try image(1))])
        _ = publisher.publish(frame)
        let again = publisher.publish(frame)
        #expect(again == nil)
        #expect(publisher.sequence == 1)
    }

    @Test func aMoveSendsOneLayerAndNoPixels() throws {
        var publisher = ScenePublisher()
        let picture = try image(1)
        _ = publisher.publish(SceneFrame(layers: [layer(1, picture), layer(2, picture)]))
        let moved = try unwrap(publisher.publish(SceneFrame(layers: [layer(1, picture), layer(2, picture, x: 5)]), causedBy: 7))
        #expect(moved.commit.upsert.map(\.id) == [2])
        #expect(moved.resources.isEmpty)
        #expect(moved.semantics == nil)
        #expect(moved.commit.causedBy == 7)
    }

    @Test func goneLayersAreRemoved() throws {
        var publisher = ScenePublisher()
        let picture = try image(1)
        _ = publisher.publish(SceneFrame(layers: [layer(1, picture), layer(9, picture)]))
        let next = try unwrap(publisher.publish(SceneFrame(layers: [layer(9, picture)])))
        #expect(next.commit.remove == [1])
        #expect(next.commit.upsert.isEmpty)
    }

    @Test func resumeResendsTheTreeAndOnlyWhatDidNotArrive() throws {
        var publisher = ScenePublisher()
        let frame = SceneFrame(layers: [layer(1, try image(1)), layer(2, try image(2)), layer(3, try image(3))])
        _ = publisher.publish(frame)
        publisher.resume(highestResource: 2)
        let again = try unwrap(publisher.publish(frame))
        #expect(again.commit.reset)
        #expect(again.commit.sequence == 2)
        #expect(again.commit.upsert.count == 3)
        #expect(again.resources.count == 1)
        #expect(again.resources.first?.prefix(4) == [0, 0, 0, 4])
    }

    @Test func budgetReleasesOnlyWhatIsNotShown() throws {
        var publisher = ScenePublisher(resourceBudget: 4 * (64 + 256))
        _ = publisher.publish(SceneFrame(layers: [layer(1, try image(1)), layer(2, try image(2))]))
        _ = publisher.publish(SceneFrame(layers: [layer(1, try image(1)), layer(2, try image(3))]))
        let third = try unwrap(publisher.publish(SceneFrame(layers: [layer(1, try image(1)), layer(2, try image(4))])))
        #expect(third.released == [2])
    }

    @Test func releasesLostWithTheLinkAreSaidAgain() throws {
        var publisher = ScenePublisher(resourceBudget: 2 * (64 + 256))
        _ = publisher.publish(SceneFrame(layers: [layer(1, try image(1))]))
        let second = try unwrap(publisher.publish(SceneFrame(layers: [layer(1, try image(2))])))
        #expect(second.released == [1])
        publisher.resume(highestResource: 2)
        let third = try unwrap(publisher.publish(SceneFrame(layers: [layer(1, try image(2))])))
        #expect(third.released == [1])
    }

    @Test func whatGoesWithARemovedNodeIsSaidAgain() throws {
        func node(_ id: UInt32, _ parent: UInt32) -> SemanticNode { .with { $0.id = id; $0.parent = parent } }
        var publisher = ScenePublisher()
        _ = publisher.publish(SceneFrame(semantics: [node(1, 0), node(2, 1), node(3, 2), node(4, 0)]))
        let next = try unwrap(publisher.publish(SceneFrame(semantics: [node(2, 1), node(3, 2), node(4, 0)])))
        #expect(next.semantics?.remove == [1])
        #expect(next.semantics?.upsert.map(\.id) == [2, 3])
    }

    @Test func resourceBodyCarriesItsHeader() throws {
        let picture = try #require(RasterImage(format: .bgra8, width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6, 7, 8]))
        let body = picture.resourceBody(id: 0x0102_0304, compress: true)
        #expect(Array(body.prefix(16)) == [1, 2, 3, 4, 2, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 8])
        #expect(Array(body.suffix(8)) == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(body.count == 40)
    }

    @Test func resourceBodyIsWhatTheHeaderReads() throws {
        let picture = try image(7, side: 64)
        let header = try ResourceHeader(decoding: picture.resourceBody(id: 9, compress: true))
        #expect(header.id == 9)
        #expect(header.compression == .zstd)
        #expect(header.rawLength == picture.pixels.count)
        #expect(ContentHash(bytes: header.contentHash) == picture.hash)
        #expect(picture.hash.bytes == header.contentHash)
    }

    @Test func picturesOfWrongSizeAreRefused() {
        #expect(RasterImage(format: .a8, width: 0, height: 1, pixels: []) == nil)
        #expect(RasterImage(format: .a8, width: 2, height: 2, pixels: [1, 2, 3]) == nil)
    }
}
