"""Image resources (message 0x1001): spec/link.md section 10."""
import hashlib
from dataclasses import dataclass

import zstandard

from .codes import *

A8, BGRA8 = 1, 2
NONE, ZSTD = 0, 1


@dataclass
class ResourceHeader:
    id: int
    format: int
    compression: int
    width: int
    height: int
    raw_length: int
    content_hash: bytes
    reserved: int = 0

    def encode(self):
        return (self.id.to_bytes(4, "big") + bytes([self.format, self.compression]) + self.reserved.to_bytes(2, "big")
                + self.width.to_bytes(2, "big") + self.height.to_bytes(2, "big") + self.raw_length.to_bytes(4, "big")
                + self.content_hash)


def content_hash(format, width, height, pixels):
    head = bytes([format]) + width.to_bytes(2, "big") + height.to_bytes(2, "big")
    return hashlib.sha256(head + pixels).digest()[:16]


def body(id, format, width, height, pixels, compression=NONE, /, **lies):
    """A whole 0x1001 body; `lies` replace header fields, for invalid vectors."""
    header = ResourceHeader(id, format, compression, width, height, len(pixels), content_hash(format, width, height, pixels))
    for name, value in lies.items():
        setattr(header, name, value)
    data = zstandard.ZstdCompressor(level=1).compress(pixels) if compression == ZSTD else pixels
    return header.encode() + data


def _need(condition, detail):
    if not condition:
        raise LinkError("BAD_RESOURCE", detail)


def decode(bytes_, zstd=True):
    """(header, pixels); raises LinkError BAD_RESOURCE. Nothing is allocated that the header alone claims without a bound."""
    _need(len(bytes_) >= RESOURCE_HEADER_BYTES, "shorter than its header")
    number = lambda at, count: int.from_bytes(bytes_[at:at + count], "big")
    header = ResourceHeader(number(0, 4), bytes_[4], bytes_[5], number(8, 2), number(10, 2), number(12, 4), bytes(bytes_[16:32]),
                            number(6, 2))
    _need(header.id != 0, "id 0")
    _need(header.format in (A8, BGRA8), "unknown format")
    _need(header.compression in (NONE, ZSTD), "unknown compression")
    _need(header.compression == NONE or zstd, "zstd was not agreed")
    _need(header.reserved == 0, "reserved is not zero")
    _need(1 <= header.width <= MAX_RESOURCE_SIDE and 1 <= header.height <= MAX_RESOURCE_SIDE, "side out of range")
    _need(header.raw_length == header.width * header.height * (1 if header.format == A8 else 4), "raw length does not fit the size")
    data = bytes(bytes_[RESOURCE_HEADER_BYTES:])
    if header.compression == NONE:
        _need(len(data) == header.raw_length, "data has the wrong length")
        return _checked(header, data)
    try:
        stream = zstandard.ZstdDecompressor().decompressobj()
        # decompressobj stops at the end of one zstd frame; the output is bounded by feeding in pieces.
        pixels = bytearray()
        for at in range(0, len(data), 256):
            if stream.eof:
                break
            pixels += stream.decompress(data[at:at + 256])
            _need(len(pixels) <= header.raw_length, "decompresses to too much")
        ended, rest = stream.eof, stream.unused_data
    except zstandard.ZstdError as error:
        raise LinkError("BAD_RESOURCE", f"zstd: {error}")
    consumed_all = ended and not rest and at + 256 >= len(data)
    _need(ended, "zstd data ends early")
    _need(consumed_all, "bytes after the zstd frame")
    _need(len(pixels) == header.raw_length, "decompresses to too little")
    return _checked(header, bytes(pixels))


def _checked(header, pixels):
    _need(header.content_hash == content_hash(header.format, header.width, header.height, pixels), "content hash")
    return header, pixels
