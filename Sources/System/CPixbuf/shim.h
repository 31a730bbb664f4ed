#pragma once
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

// Casts the GObject macros do, which Swift does not see.
typedef void (*fascia_size_prepared)(GdkPixbufLoader *loader, int width, int height, void *context);
static inline unsigned long fascia_on_size_prepared(GdkPixbufLoader *loader, fascia_size_prepared handler, void *context) {
    return g_signal_connect_data(loader, "size-prepared", G_CALLBACK(handler), context, NULL, (GConnectFlags)0);
}

// The loader for an image, by its first bytes: png, jpeg, gif, or NULL. No other loader is ever given anything: that for BMP asks for the
// gigabytes a header of 54 bytes claims, before it tells a size.
static inline const char *fascia_image_format(const unsigned char *bytes, size_t count) {
    if (count >= 8 && !memcmp(bytes, "\x89PNG\r\n\x1a\n", 8)) return "png";
    if (count >= 3 && !memcmp(bytes, "\xff\xd8\xff", 3)) return "jpeg";
    if (count >= 6 && (!memcmp(bytes, "GIF87a", 6) || !memcmp(bytes, "GIF89a", 6))) return "gif";
    return NULL;
}
