"""Golden vectors for the layer tree and for drawing (kind `display`)."""
import hashlib

from . import display, resource, schema
from .codes import *
from .framing import message_frames
from .resource import A8, BGRA8
from .samples import FIRST_COMMIT

MASK = bytes([0, 64, 128, 255] * 4)
PICTURE = bytes.fromhex("0000ffff" "00ff00ff" "ff0000ff" "80808080") * 4


def make(out):
    def add(name, section, requirements, meaning, messages, error=None, draw=None, at_ms=0, tolerance=2, zstd=True, animations=True):
        """messages: (type, body); the last is the violation when `error` is given."""
        screen = draw or (800, 480)
        state = display.Display(zstd, animations, screen=screen)
        applied, pieces = [], []
        for type, body in messages:
            frames = message_frames(16, type, body)
            pieces.append((f"{schema.REGISTRY[type].name}, {len(body)} bytes", b"".join(frame.encode() for frame in frames)))
            if error and len(pieces) == len(messages):
                break
            state.receive(type, body)
            if type == COMMIT:
                applied.append(state.sequence)
        expect = {"applied": applied}
        if error:
            end = sum(len(data) for _, data in pieces)
            expect["error"] = {"code": error, "number": CLOSE_CODES[error], "within": [end, end]}
        else:
            expect |= {"layers": [layer.id for layer in state.in_order()], "resources": sorted(state.resources)}
        extra = {}
        if draw:
            pixels = state.draw(*draw, at_ms)
            extra = {"at_ms": at_ms, "tolerance": tolerance}
            expect["pixels"] = pixels.hex()
        out.add(f"display/{name}", "display", section, requirements, meaning, pieces, screen=list(screen), zstd=zstd, animations=animations, **extra, expect=expect)

    def commit(sequence=1, **fields):
        return COMMIT, schema.encode("Commit", sequence=sequence, **fields)

    def mask(id):
        return RESOURCE, resource.body(id, A8, 4, 4, MASK)

    def picture(id):
        return RESOURCE, resource.body(id, BGRA8, 4, 4, PICTURE)

    def release(*ids):
        return RELEASE_RESOURCES, schema.encode("ReleaseResources", ids=ids)

    box = {"width": 4, "height": 4, "solid": 0xFF0000FF}
    add("order", "10.4", ["D-8", "G-2"], "Drawing order: parents, then children by order, then by id", [commit(upsert=[
        {"id": 9, **box}, {"id": 4, "parent": 9, "order": 1, **box}, {"id": 3, "parent": 9, "order": 1, **box}, {"id": 7, "parent": 9, "order": -5, **box}, {"id": 1, "order": 1, **box}])])
    add("first-commit", "10.4", ["D-7"], "Resources, then the first commit", [mask(1), (COMMIT, schema.encode("Commit", **FIRST_COMMIT))])
    add("remove-descendants", "10.4", ["D-7"], "Removing a layer removes its descendants; an unknown id is ignored", [
        commit(upsert=[{"id": 1, **box}, {"id": 2, "parent": 1, **box}, {"id": 3, "parent": 2, **box}, {"id": 4, **box}]), commit(2, remove=[1, 77])])
    add("move-child-out", "10.4", ["D-7"], "A child moved out of a removed parent in the same commit stays", [
        commit(upsert=[{"id": 1, **box}, {"id": 2, "parent": 1, **box}]), commit(2, remove=[1], upsert=[{"id": 2, **box}])])
    add("remove-and-upsert", "10.4", ["D-7"], "An id both removed and given anew is there", [commit(upsert=[{"id": 1, **box}]), commit(2, remove=[1], upsert=[{"id": 1, **box}])])
    add("reset", "10.4", ["D-7"], "A reset forgets every layer", [commit(upsert=[{"id": 1, **box}]), commit(2, reset=True, upsert=[{"id": 8, **box}])])
    add("parent-later", "10.4", ["D-7"], "A parent may stand after its child in the list", [commit(upsert=[{"id": 2, "parent": 1, **box}, {"id": 1, **box}])])
    add("release-shown", "10.3", ["D-6"], "A released resource stays on the screen while a layer shows it", [picture(1), commit(upsert=[{"id": 1, "width": 4, "height": 4, "image": {"resource": 1}}]), release(1, 99)])
    add("bad-sequence", "10.4", ["D-7"], "A sequence left out", [commit(), commit(3)], "BAD_COMMIT")
    add("bad-sequence-again", "10.4", ["D-7"], "A sequence used twice", [commit(), commit(1)], "BAD_COMMIT")
    add("bad-parent", "10.4", ["D-8"], "A parent that is not there", [commit(upsert=[{"id": 1, "parent": 5, **box}])], "BAD_COMMIT")
    add("bad-cycle", "10.4", ["D-8"], "Two layers each other's parent", [commit(upsert=[{"id": 1, "parent": 2, **box}, {"id": 2, "parent": 1, **box}])], "BAD_COMMIT")
    add("bad-own-parent", "10.4", ["D-8"], "A layer its own parent", [commit(upsert=[{"id": 1, "parent": 1, **box}])], "BAD_COMMIT")
    add("bad-depth", "10.4", ["D-8"], "33 layers deep", [commit(upsert=[{"id": n, "parent": n - 1, **box} for n in range(1, 34)])], "BAD_COMMIT")
    add("deepest", "10.4", ["D-8"], "32 layers deep", [commit(upsert=[{"id": n, "parent": n - 1, **box} for n in range(1, 33)])])
    add("bad-layer-id", "10.4", ["D-9"], "Layer id 0", [commit(upsert=[box])], "BAD_COMMIT")
    add("bad-nan", "10.4", ["D-9"], "A position that is no number", [commit(upsert=[{"id": 1, **box, "x": float("nan")}])], "BAD_COMMIT")
    add("bad-size", "10.4", ["D-9"], "A negative width", [commit(upsert=[{"id": 1, **box, "width": -1}])], "BAD_COMMIT")
    add("bad-coordinate", "10.4", ["D-9"], "A position beyond 1,048,576", [commit(upsert=[{"id": 1, **box, "y": 2_000_000}])], "BAD_COMMIT")
    add("bad-animation-count", "10.4", ["D-10"], "17 animations", [commit(upsert=[{"id": 1, **box, "animations": [{"id": n, "property": 1, "duration_ms": 1} for n in range(17)]}])], "BAD_COMMIT")
    full = {"width": 4_000, "height": 480, "solid": 0xFF0000FF}
    add("most-drawing", "10.4", ["D-14"], "64 screens of layers, and one that shows nothing", [commit(upsert=[{"id": n, **full} for n in range(1, 65)] + [{"id": 65, "width": 800, "height": 480}])])
    add("bad-drawing", "10.4", ["D-14"], "65 screens of layers", [commit(upsert=[{"id": n, **full} for n in range(1, 66)])], "BAD_COMMIT")
    add("bad-drawing-turned", "10.4", ["D-14"], "Long thin layers that turn", [commit(upsert=[{"id": n, "width": 800, "height": 1, "rotation": 45, "solid": 0xFF0000FF} for n in range(1, 66)])], "BAD_COMMIT")
    add("bad-resource", "10.4", ["D-9"], "An image that was not sent", [commit(upsert=[{"id": 1, "width": 4, "height": 4, "image": {"resource": 3}}])], "BAD_COMMIT")
    add("bad-released-resource", "10.3", ["D-6"], "An image that was released", [mask(1), release(1), commit(upsert=[{"id": 1, "width": 4, "height": 4, "image": {"resource": 1}}])], "BAD_COMMIT")
    add("bad-resource-again", "10.2", ["D-3"], "A resource id used twice", [mask(1), mask(1)], "BAD_RESOURCE")
    add("bad-resource-falling", "10.2", ["D-3"], "A resource id below the last", [mask(5), mask(4)], "BAD_RESOURCE")
    add("bad-resource-after-release", "10.2", ["D-3"], "A released id used again", [mask(5), release(5), mask(5)], "BAD_RESOURCE")

    black = {"background": 0x000000FF}
    layer = lambda **fields: commit(**black, upsert=[{"id": 1, "width": 8, "height": 8, **fields}])
    small = (8, 8)
    add("draw-empty", "11.1", ["G-1"], "No layers: the background alone", [commit(background=0x336699FF)], draw=(2, 2))
    add("draw-background-alpha", "11.1", ["G-1"], "A half transparent background lies over black", [commit(background=0xFF804080)], draw=(2, 2))
    add("draw-solid", "11.2", ["G-3"], "A rectangle at a place between pixels", [layer(x=1.5, y=2.49, width=3, height=2, solid=0xFF8000FF)], draw=small)
    add("draw-alpha", "11.3", ["G-6"], "A half transparent colour over grey", [commit(background=0x808080FF, upsert=[{"id": 1, "x": 2, "y": 2, "width": 4, "height": 4, "solid": 0xFF000080}])], draw=small)
    add("draw-transparency-tree", "11.3", ["G-6"], "Transparency multiplies down the tree, layer by layer", [commit(background=0xFFFFFFFF, upsert=[
        {"id": 1, "width": 6, "height": 6, "transparency": 0.5, "solid": 0x0000FFFF}, {"id": 2, "parent": 1, "x": 2, "y": 2, "width": 6, "height": 6, "transparency": 0.5, "solid": 0x00FF00FF}])], draw=small)
    add("draw-clip-scroll", "11.2", ["G-4"], "A clipped, scrolled list", [commit(**black, upsert=[
        {"id": 1, "x": 1, "y": 1, "width": 5, "height": 5, "clip": True, "scroll_y": 3, "scroll_x": -1}, {"id": 2, "parent": 1, "width": 8, "height": 4, "solid": 0xFF0000FF},
        {"id": 3, "parent": 1, "y": 4, "width": 2, "height": 8, "solid": 0x00FF00FF}])], draw=small)
    add("draw-no-clip", "11.2", ["G-4"], "Without clip children reach beyond their parent", [commit(**black, upsert=[
        {"id": 1, "x": 2, "y": 2, "width": 2, "height": 2, "solid": 0xFFFFFFFF}, {"id": 2, "parent": 1, "x": 1, "y": 1, "width": 4, "height": 4, "solid": 0x0000FFFF}])], draw=small)
    add("draw-image", "11.2", ["G-3", "G-7"], "A premultiplied picture at its own size", [picture(1), commit(background=0x404040FF, upsert=[
        {"id": 1, "x": 2.5, "y": 1.2, "width": 4, "height": 4, "image": {"resource": 1}}])], draw=small)
    add("draw-scaled", "11.5", ["G-11"], "A picture at twice its size", [picture(1), commit(background=0x404040FF, upsert=[
        {"id": 1, "width": 8, "height": 8, "image": {"resource": 1}}])], draw=small, tolerance=8)
    add("draw-turned", "11.2", ["G-5"], "A picture turned by 90 degrees clockwise, its border not", [picture(1), commit(background=0x404040FF, upsert=[
        {"id": 1, "x": 2, "y": 1, "width": 4, "height": 4, "rotation": 90, "image": {"resource": 1}, "border": {"width": 1, "color": 0xFFFFFF40}}])], draw=small, tolerance=8)
    add("draw-tint", "11.3", ["G-7"], "A mask in a half transparent colour", [mask(1), commit(background=0x000000FF, upsert=[
        {"id": 1, "x": 2, "y": 2, "width": 4, "height": 4, "image": {"resource": 1, "tint": 0xFF800080}}])], draw=small)
    add("draw-no-tint", "11.3", ["G-7"], "A mask without a tint draws nothing", [mask(1), commit(background=0x102030FF, upsert=[
        {"id": 1, "width": 4, "height": 4, "image": {"resource": 1}}])], draw=small)
    add("draw-gradient", "11.3", ["G-8"], "A vertical gradient whose alpha changes too", [commit(background=0xFFFFFFFF, upsert=[
        {"id": 1, "width": 4, "height": 8, "gradient": {"top": 0xFF0000FF, "bottom": 0x0000FF00}}])], draw=small)
    add("draw-corner", "11.4", ["G-9"], "Rounded corners", [layer(width=8, height=8, corner_radius=3, solid=0xFFFFFFFF)], draw=small, tolerance=3)
    add("draw-border", "11.4", ["G-10"], "A border over the content, under the children", [commit(**black, upsert=[
        {"id": 1, "width": 8, "height": 8, "solid": 0x003300FF, "border": {"width": 2, "color": 0xFFFFFFFF}}, {"id": 2, "parent": 1, "x": 0, "y": 3, "width": 8, "height": 2, "solid": 0xFF0000FF}])], draw=small)
    add("draw-border-corner", "11.4", ["G-9", "G-10"], "A border that follows a rounded corner", [layer(corner_radius=4, border={"width": 1, "color": 0x00FF00FF})], draw=small, tolerance=3)

    for label, kind, at in [("linear", 1, 250), ("ease-in-out", 2, 250), ("ease-out", 3, 250), ("steps", 4, 490)]:
        add(f"animate-{label}", "11.6", ["G-12"], f"x from 0 to 16 in 1 s, {label}, at {at} ms", [commit(**black, upsert=[
            {"id": 1, "x": 9, "width": 2, "height": 2, "solid": 0xFFFFFFFF, "animations": [{"id": 1, "property": 1, "from": 0, "to": 16, "duration_ms": 1_000, "curve": kind}]}])],
            draw=(16, 2), at_ms=at)
    moving = {"id": 1, "x": 9, "width": 2, "height": 2, "solid": 0xFFFFFFFF}
    add("animate-ended", "11.6", ["G-13"], "After the end the plain value holds", [commit(**black, upsert=[{**moving, "animations": [{"id": 1, "property": 1, "from": 0, "to": 3, "duration_ms": 100, "curve": 1}]}])],
        draw=(16, 2), at_ms=100)
    add("animate-repeats", "11.6", ["G-13"], "A repeated animation in its third round", [commit(**black, upsert=[{**moving, "animations": [{"id": 1, "property": 1, "from": 0, "to": 10, "duration_ms": 100, "curve": 1, "repeats": True}]}])],
        draw=(16, 2), at_ms=250)
    add("animate-transparency", "11.6", ["G-12"], "A fade half way", [commit(**black, upsert=[{**moving, "animations": [{"id": 1, "property": 3, "from": 1, "to": 0, "duration_ms": 100, "curve": 2}]}])],
        draw=(16, 2), at_ms=50)
    add("animate-unknown-property", "11.6", ["X-4"], "An unknown property is ignored", [commit(**black, upsert=[{**moving, "animations": [{"id": 1, "property": 55, "from": 1, "to": 0, "duration_ms": 100, "curve": 1}]}])],
        draw=(16, 2), at_ms=50)
    add("animate-last-wins", "11.6", ["G-13"], "Two animations of one property: the later in the list holds", [commit(**black, upsert=[{**moving, "animations": [
        {"id": 1, "property": 1, "from": 0, "to": 10, "duration_ms": 100, "curve": 1}, {"id": 2, "property": 1, "from": 14, "to": 14, "duration_ms": 100, "curve": 1}]}])], draw=(16, 2), at_ms=50)
