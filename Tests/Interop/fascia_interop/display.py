"""The layer tree of one screen and how it is drawn: spec/link.md sections 10 and 11."""
import math

from . import resource, schema
from .codes import *

Animation = schema.link_class("Animation")
MAX_COORDINATE = 1_048_576


def _need(condition, detail, code="BAD_COMMIT"):
    if not condition:
        raise LinkError(code, detail)


def edge(value):
    return math.floor(value + 0.5)


class Display:
    def __init__(self, zstd=True, animations=True, budget=DEFAULT_RESOURCE_BUDGET, screen=(800, 480)):
        self.zstd, self.animations, self.budget = zstd, animations, budget
        self.screen = screen
        self.resources, self.highest_resource = {}, 0
        self.layers, self.background, self.sequence = {}, 0, 0
        self.starts = {}
        self.after_resume = False
        # What came by other connections when this one was welcomed, until one of its commits counts.
        self.known, self.ignored = None, set()

    def resumed(self, speculative=False):
        """The next commit may have any higher sequence [R-7]; with `speculative` what was overtaken is ignored up to it [R-14, R-15]."""
        self.after_resume = True
        self.known, self.ignored = (self.highest_resource, self.sequence) if speculative else None, set()

    def receive(self, type, body):
        """False for what is ignored."""
        if self.known and self._is_overtaken(type, body):
            return False
        if type == RESOURCE:
            header, pixels = resource.decode(body, self.zstd)
            _need(header.id > self.highest_resource, "resource ids must rise", "BAD_RESOURCE")
            kept = sum(len(other) + RESOURCE_OVERHEAD for _, other in self.resources.values())
            _need(kept + len(pixels) + RESOURCE_OVERHEAD <= self.budget, "resource budget", "RESOURCES_EXHAUSTED")
            self.resources[header.id], self.highest_resource = (header, pixels), header.id
        elif type == RELEASE_RESOURCES:
            for id in schema.decode("ReleaseResources", body).ids:
                self.resources.pop(id, None)
        elif type == COMMIT:
            self.apply(schema.decode("Commit", body))
            self.known, self.ignored = None, set()
        return True

    def _is_overtaken(self, type, body):
        resource_id, sequence = self.known
        if type == RESOURCE and len(body) >= 4:
            id = int.from_bytes(body[:4], "big")
            if 0 < id <= resource_id:
                if id not in self.resources:
                    self.ignored.add(id)
                return True
        if type == COMMIT:
            commit = schema.decode("Commit", body)
            return commit.sequence <= sequence or any(layer.image.resource in self.ignored for layer in commit.upsert)
        return False

    def apply(self, commit):
        """Whole or not at all: reset, remove, upsert, check."""
        _need(commit.sequence > self.sequence if self.after_resume else commit.sequence == self.sequence + 1, "sequence")
        layers = {} if commit.reset else dict(self.layers)
        doomed = set(commit.remove)
        while True:
            more = {id for id, layer in layers.items() if layer.parent in doomed and id not in doomed}
            if not more:
                break
            doomed |= more
        for id in doomed:
            layers.pop(id, None)
        for layer in commit.upsert:
            self._check_layer(layer)
            layers[layer.id] = layer
        _need(len(layers) <= MAX_LAYERS, "too many layers")
        area = sum(self._area(layer) for layer in layers.values())
        _need(area <= MAX_OVERDRAW * self.screen[0] * self.screen[1], "too much to draw")
        for layer in layers.values():
            depth, at = 1, layer.parent
            while at:
                _need(at in layers, f"layer {layer.id}: no parent {at}")
                depth, at = depth + 1, layers[at].parent
                _need(depth <= MAX_DEPTH, "too deep, or a cycle")
        starts = {(layer.id, a.id): self.starts[layer.id, a.id] for layer in layers.values() for a in layer.animations
                  if (layer.id, a.id) in self.starts}
        self.layers, self.starts, self.sequence, self.after_resume = layers, starts, commit.sequence, False
        if commit.background:
            self.background = commit.background

    def _area(self, layer):
        """What a layer counts of the drawing budget [D-14]."""
        if layer.WhichOneof("content") is None and not layer.HasField("border"):
            return 0
        width, height = layer.width, layer.height
        for animation in layer.animations:
            if animation.property == Animation.PROPERTY_WIDTH:
                width = max(width, getattr(animation, "from"), animation.to)
        if layer.rotation != 0 or any(animation.property == Animation.PROPERTY_ROTATION for animation in layer.animations):
            width = height = width + height
        return min(math.ceil(width), self.screen[0]) * min(math.ceil(height), self.screen[1])

    def _check_layer(self, layer):
        _need(layer.id != 0, "layer id 0")
        numbers = [layer.x, layer.y, layer.width, layer.height, layer.scroll_x, layer.scroll_y, layer.corner_radius, layer.rotation,
                   layer.border.width] + [value for a in layer.animations for value in (getattr(a, "from"), a.to)]
        _need(all(math.isfinite(value) and abs(value) <= MAX_COORDINATE for value in numbers), "number out of range")
        _need(math.isfinite(layer.transparency), "transparency")
        _need(layer.width >= 0 and layer.height >= 0, "negative size")
        _need(len(layer.animations) <= MAX_ANIMATIONS, "too many animations")
        if layer.WhichOneof("content") == "image":
            _need(layer.image.resource in self.resources, f"no resource {layer.image.resource}")

    # Drawing

    def present(self, now_ms):
        for layer in self.layers.values():
            for animation in layer.animations:
                self.starts.setdefault((layer.id, animation.id), now_ms)

    def in_order(self, parent=0):
        children = [layer for layer in self.layers.values() if layer.parent == parent]
        for layer in sorted(children, key=lambda one: (one.order, one.id)):
            yield layer
            yield from self.in_order(layer.id)

    def values(self, layer, now_ms):
        names = {Animation.PROPERTY_X: "x", Animation.PROPERTY_Y: "y", Animation.PROPERTY_TRANSPARENCY: "transparency",
                 Animation.PROPERTY_ROTATION: "rotation", Animation.PROPERTY_SCROLL_X: "scroll_x", Animation.PROPERTY_SCROLL_Y: "scroll_y",
                 Animation.PROPERTY_WIDTH: "width"}
        out = {name: getattr(layer, name) for name in names.values()}
        for animation in layer.animations if self.animations else []:
            elapsed = now_ms - self.starts[layer.id, animation.id]
            if animation.property not in names or animation.duration_ms == 0:
                continue
            if not animation.repeats and elapsed >= animation.duration_ms:
                continue
            p = elapsed % animation.duration_ms / animation.duration_ms
            start = getattr(animation, "from")
            out[names[animation.property]] = start + (animation.to - start) * curve(animation.curve, p)
        return out

    def draw(self, width, height, now_ms=0):
        """BGRA bytes. Rotation is drawn for images only, without rounded corners."""
        self.present(0)
        canvas = Canvas(width, height, self.background)
        self._draw(canvas, 0, 0.0, 0.0, 1.0, (0, 0, width, height), now_ms)
        return canvas.bytes()

    def _draw(self, canvas, parent, origin_x, origin_y, opacity, clip, now_ms):
        children = [layer for layer in self.layers.values() if layer.parent == parent]
        for layer in sorted(children, key=lambda one: (one.order, one.id)):
            v = self.values(layer, now_ms)
            left, top = origin_x + v["x"], origin_y + v["y"]
            rect = (edge(left), edge(top), edge(left + v["width"]), edge(top + layer.height))
            content = layer.WhichOneof("content")
            if content == "image":
                rect = (rect[0], rect[1], rect[0] + edge(v["width"]), rect[1] + edge(layer.height))
            own = opacity * (1 - min(max(v["transparency"], 0), 1))
            canvas.layer(self, layer, content, rect, own, clip)
            inner = clip
            if layer.clip:
                inner = (max(clip[0], rect[0]), max(clip[1], rect[1]), min(clip[2], rect[2]), min(clip[3], rect[3]))
            self._draw(canvas, layer.id, left - v["scroll_x"], top - v["scroll_y"], own, inner, now_ms)


def curve(kind, p):
    if kind == Animation.CURVE_EASE_IN_OUT:
        return p * p * (3 - 2 * p)
    if kind == Animation.CURVE_EASE_OUT:
        return 1 - (1 - p) ** 3
    if kind == Animation.CURVE_STEPS_12:
        return math.floor(12 * p) / 12
    return p


def coverage(x, y, radius):
    """How much of the pixel centred at (x, y) lies inside a corner at the origin."""
    qx, qy = radius - x, radius - y
    distance = math.hypot(max(qx, 0), max(qy, 0)) + min(max(qx, qy), 0) - radius
    return min(max(0.5 - distance, 0), 1)


def channels(rgba):
    return rgba >> 24 & 255, rgba >> 16 & 255, rgba >> 8 & 255, rgba & 255


class Canvas:
    def __init__(self, width, height, background):
        red, green, blue, alpha = channels(background)
        self.width, self.height = width, height
        self.pixels = [[[blue * alpha / 255, green * alpha / 255, red * alpha / 255] for _ in range(width)] for _ in range(height)]

    def bytes(self):
        return b"".join(bytes([round(b), round(g), round(r), 255]) for row in self.pixels for b, g, r in row)

    def over(self, x, y, red, green, blue, alpha):
        """Premultiplied source-over; all 0 to 255."""
        pixel = self.pixels[y][x]
        for index, value in enumerate((blue, green, red)):
            pixel[index] = value + pixel[index] * (255 - alpha) / 255

    def layer(self, display, layer, content, rect, opacity, clip):
        left, top, right, bottom = rect
        width, height = right - left, bottom - top
        radius = min(max(layer.corner_radius, 0), width / 2, height / 2)
        border = min(max(1, edge(layer.border.width)), (min(width, height) + 1) // 2) if layer.border.width > 0 else 0
        if layer.clip:
            clip = (max(clip[0], left), max(clip[1], top), min(clip[2], right), min(clip[3], bottom))
        if layer.rotation and content == "image":
            self._turned(display, layer, rect, opacity, clip)
            content = None
        for y in range(max(top, clip[1]), min(bottom, clip[3])):
            for x in range(max(left, clip[0]), min(right, clip[2])):
                # Distance to the nearest corner's two edges, pixel centres.
                cx, cy = min(x - left, right - 1 - x) + 0.5, min(y - top, bottom - 1 - y) + 0.5
                inside = coverage(cx, cy, radius) if radius > 0 else 1
                self._content(display, layer, content, x, y, x - left, y - top, height, opacity * inside)
                if border:
                    hole = coverage(cx - border, cy - border, max(0, radius - border))
                    self._color(x, y, layer.border.color, opacity * inside * (1 - hole))

    def _color(self, x, y, rgba, factor):
        red, green, blue, alpha = channels(rgba)
        scale = alpha / 255 * factor
        self.over(x, y, red * scale, green * scale, blue * scale, 255 * scale)

    def _content(self, display, layer, content, x, y, column, row, height, factor):
        if content == "solid":
            self._color(x, y, layer.solid, factor)
        elif content == "gradient":
            t = (row + 0.5) / height
            pairs = zip(channels(layer.gradient.top), channels(layer.gradient.bottom))
            red, green, blue, alpha = (a + (b - a) * t for a, b in pairs)
            scale = alpha / 255 * factor
            self.over(x, y, red * scale, green * scale, blue * scale, 255 * scale)
        elif content == "image":
            header, _ = display.resources[layer.image.resource]
            width = edge(layer.width)
            self._texel(display, layer, x, y, (column + 0.5) * header.width / width, (row + 0.5) * header.height / height, factor, clamp=True)

    def _turned(self, display, layer, rect, opacity, clip):
        header, _ = display.resources[layer.image.resource]
        width, height = rect[2] - rect[0], rect[3] - rect[1]
        centre_x, centre_y = rect[0] + width / 2, rect[1] + height / 2
        sine, cosine = math.sin(math.radians(layer.rotation)), math.cos(math.radians(layer.rotation))
        for y in range(max(0, clip[1]), min(self.height, clip[3])):
            for x in range(max(0, clip[0]), min(self.width, clip[2])):
                dx, dy = x + 0.5 - centre_x, y + 0.5 - centre_y
                u, v = dx * cosine + dy * sine + width / 2, dy * cosine - dx * sine + height / 2
                self._texel(display, layer, x, y, u * header.width / width, v * header.height / height, opacity, clamp=False)

    def _texel(self, display, layer, x, y, u, v, factor, clamp):
        """Bilinear between texel centres; (u, v) in texels from the picture's corner."""
        header, pixels = display.resources[layer.image.resource]
        u, v = round(u - 0.5, 6), round(v - 0.5, 6)
        left, top = math.floor(u), math.floor(v)
        size = 1 if header.format == resource.A8 else 4
        total = [0.0] * size
        for row, weight_y in ((top, 1 - (v - top)), (top + 1, v - top)):
            for column, weight_x in ((left, 1 - (u - left)), (left + 1, u - left)):
                if clamp:
                    row, column = min(max(row, 0), header.height - 1), min(max(column, 0), header.width - 1)
                elif not (0 <= row < header.height and 0 <= column < header.width):
                    continue
                at = (row * header.width + column) * size
                for index in range(size):
                    total[index] += pixels[at + index] * weight_x * weight_y
        if size == 1:
            self._color(x, y, layer.image.tint, factor * total[0] / 255)
        else:
            blue, green, red, alpha = (value * factor for value in total)
            self.over(x, y, red, green, blue, alpha)
