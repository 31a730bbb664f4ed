#pragma once
#include <gdk-pixbuf/gdk-pixbuf.h>

// Casts the GObject macros do, which Swift does not see.
typedef void (*fascia_size_prepared)(GdkPixbufLoader *loader, int width, int height, void *context);
static inline unsigned long fascia_on_size_prepared(GdkPixbufLoader *loader, fascia_size_prepared handler, void *context) {
    return g_signal_connect_data(loader, "size-prepared", G_CALLBACK(handler), context, NULL, (GConnectFlags)0);
}
