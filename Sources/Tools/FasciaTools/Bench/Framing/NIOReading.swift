import FasciaProcesses
import NIOCore
import NIOEmbedded

/// The yardstick: SwiftNIO's way of cutting frames by a length field.
final class NIOReading {
    private let channel = EmbeddedChannel()
    private let sink = FrameSink()
    private let buffer: ByteBuffer
    private let frames: Int

    init(_ buffer: FrameBuffer) throws {
        self.buffer = ByteBuffer(bytes: buffer.bytes)
        frames = buffer.frames
        try channel.pipeline.syncOperations.addHandlers([ByteToMessageHandler(LengthFieldDecoder()), sink])
    }

    @inline(never)
    func read() throws {
        sink.frames = 0
        channel.pipeline.fireChannelRead(buffer)
        guard sink.frames == frames else { throw ToolError("SwiftNIO's decoder found \(sink.frames) of \(frames) frames") }
    }

    func close() { _ = try? channel.finish() }
}

/// Frames of a 24-bit length, five more header bytes and the payload.
private struct LengthFieldDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let high = buffer.getInteger(at: buffer.readerIndex, as: UInt16.self),
              let low = buffer.getInteger(at: buffer.readerIndex + 2, as: UInt8.self),
              let frame = buffer.readSlice(length: 8 + (Int(high) << 8 | Int(low)))
        else { return .needMoreData }
        context.fireChannelRead(Self.wrapInboundOut(frame))
        return .continue
    }
}

private final class FrameSink: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    var frames = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        frames += Self.unwrapInboundIn(data).readableBytes > 0 ? 1 : 0
    }
}
