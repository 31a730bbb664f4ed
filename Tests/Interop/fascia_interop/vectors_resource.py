"""Golden vectors for image resources (kind `resource`)."""
import hashlib

import zstandard

from . import resource
from .codes import *
from .resource import A8, BGRA8, NONE, ZSTD

MASK = bytes([0, 64, 128, 255, 255, 128])
PICTURE = bytes.fromhex("0000ffff" "00ff00ff" "ff0000ff" "80808080" "00000000" "402010ff")
WIDE = bytes(range(256)) * 64


def make(out):
    def good(name, requirements, meaning, id, format, width, height, pixels, compression=NONE):
        body = resource.body(id, format, width, height, pixels, compression)
        header, decoded = resource.decode(body)
        assert decoded == pixels
        expect = {"header": {"id": id, "format": format, "compression": compression, "width": width, "height": height,
                             "raw_length": len(pixels), "content_hash": header.content_hash.hex()}}
        if len(pixels) > 64:
            expect |= {"pixels_length": len(pixels), "pixels_sha256": hashlib.sha256(pixels).hexdigest()}
        else:
            expect["pixels"] = pixels.hex()
        out.add(f"resource/{name}", "resource", "10.2", requirements, meaning, [("header", body[:32]), ("data", body[32:])], zstd=True,
                canonical=compression == NONE, expect=expect)

    def bad(name, requirements, meaning, body, found_in="header", zstd=True, code="BAD_RESOURCE"):
        out.add(f"resource/{name}", "resource", "10.2", requirements, meaning, [("header", body[:32]), ("data", body[32:])], zstd=zstd,
                expect={"error": {"code": code, "number": CLOSE_CODES[code]}, "found_in": found_in})

    good("a8", ["D-2"], "A mask of 3x2 pixels", 1, A8, 3, 2, MASK)
    good("bgra8", ["D-2"], "A picture of 3x2 pixels", 2, BGRA8, 3, 2, PICTURE)
    good("a8-zstd", ["D-2", "D-4"], "A mask of 256x64 pixels, compressed", 3, A8, 256, 64, WIDE, ZSTD)
    good("bgra8-zstd", ["D-2", "D-4"], "A picture of 64x64 pixels, compressed", 4, BGRA8, 64, 64, WIDE, ZSTD)
    good("highest-id", ["D-2"], "The largest id", 2**32 - 1, A8, 1, 1, b"\xff")

    whole = resource.body(1, A8, 3, 2, MASK)
    bad("truncated-header", ["D-2"], "31 bytes", whole[:31])
    bad("empty", ["D-2"], "No bytes", b"")
    bad("zero-id", ["D-3"], "Id 0", resource.body(1, A8, 3, 2, MASK, id=0))
    bad("unknown-format", ["D-3"], "Format 3", resource.body(1, A8, 3, 2, MASK, format=3))
    bad("zero-format", ["D-3"], "Format 0", resource.body(1, A8, 3, 2, MASK, format=0))
    bad("unknown-compression", ["D-3"], "Compression 2", resource.body(1, A8, 3, 2, MASK)[:5] + b"\x02" + whole[6:])
    bad("reserved", ["D-3"], "Reserved bits set", resource.body(1, A8, 3, 2, MASK, reserved=1))
    bad("zero-width", ["D-3"], "No width", resource.body(1, A8, 3, 2, MASK, width=0))
    bad("zero-height", ["D-3"], "No height", resource.body(1, A8, 3, 2, MASK, height=0))
    bad("too-wide", ["D-3"], "4,097 pixels wide", resource.body(1, A8, 4_097, 1, bytes(4_097)))
    bad("raw-length", ["D-3"], "The raw length does not fit width and height", resource.body(1, A8, 3, 2, MASK, raw_length=7))
    bad("raw-length-overflow", ["D-3"], "4,096x4,096 BGRA8 whose length is said to be 0", resource.body(1, BGRA8, 4_096, 4_096, b"", raw_length=0))
    bad("short-data", ["D-4"], "Uncompressed data one byte short", whole[:-1], "data")
    bad("trailing-data", ["D-4"], "Uncompressed data one byte long", whole + b"\x00", "data")
    bad("no-data", ["D-4"], "The header alone", whole[:32], "data")
    bad("hash", ["D-5"], "The content hash of something else", resource.body(1, A8, 3, 2, MASK, content_hash=bytes(16)), "data")

    packed = resource.body(3, A8, 256, 64, WIDE, ZSTD)
    bad("zstd-not-agreed", ["D-4"], "zstd without the capability", packed, "capability", zstd=False)
    bad("zstd-garbage", ["D-4"], "Data that is not zstd", packed[:32] + b"not zstd at all", "data")
    bad("zstd-empty", ["D-4"], "zstd said, no data", packed[:32], "data")
    bad("zstd-truncated", ["D-4"], "A zstd frame cut short", packed[:-3], "data")
    bad("zstd-trailing", ["D-4"], "Bytes after the zstd frame", packed + b"tail", "data")
    bomb = zstandard.ZstdCompressor(level=1).compress(bytes(1 << 20))
    head = resource.ResourceHeader(5, A8, ZSTD, 16, 16, 256, resource.content_hash(A8, 16, 16, bytes(256))).encode()
    bad("zstd-bomb", ["D-4"], "1 MiB where 256 bytes were said", head + bomb, "data")
    bad("zstd-too-little", ["D-4"], "255 bytes where 256 were said", head + zstandard.ZstdCompressor(level=1).compress(bytes(255)), "data")
