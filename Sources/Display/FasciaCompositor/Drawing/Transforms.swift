import CPixman
import Glibc

extension StoredImage {
    /// Makes the image fill `frame`, turned by `rotation` degrees about its centre. Untouched pixels when it fits exactly.
    func place(in frame: PixelRect, rotation: Float) {
        pixmap.setTransform(width: frame.width, height: frame.height, rotation: rotation)
    }
}

extension Pixmap {
    /// Scales to `width` x `height` and turns about the centre; smooth. Exact size without rotation is a plain copy.
    func setTransform(width targetWidth: Int, height targetHeight: Int, rotation: Float) {
        guard let image else { return }
        let scaled = targetWidth != width || targetHeight != height
        guard scaled || rotation != 0 else {
            pixman_image_set_transform(image, nil)
            pixman_image_set_filter(image, PIXMAN_FILTER_NEAREST, nil, 0)
            pixman_image_set_repeat(image, PIXMAN_REPEAT_NONE)
            return
        }
        // pixman asks where in the source a target pixel comes from: target -> centre -> turned back -> scaled.
        var map = pixman_f_transform()
        pixman_f_transform_init_translate(&map, -Double(targetWidth) / 2, -Double(targetHeight) / 2)
        let angle = -Double(rotation) * .pi / 180
        pixman_f_transform_rotate(&map, nil, cos(angle), sin(angle))
        pixman_f_transform_translate(&map, nil, Double(targetWidth) / 2, Double(targetHeight) / 2)
        pixman_f_transform_scale(&map, nil, Double(width) / Double(targetWidth), Double(height) / Double(targetHeight))
        var fixed = pixman_transform_t()
        guard pixman_transform_from_pixman_f_transform(&fixed, &map) != 0 else { return }
        pixman_image_set_transform(image, &fixed)
        pixman_image_set_filter(image, PIXMAN_FILTER_BILINEAR, nil, 0)
        pixman_image_set_repeat(image, rotation == 0 ? PIXMAN_REPEAT_PAD : PIXMAN_REPEAT_NONE)
    }
}
