#pragma once
#include <cairo/cairo.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <fontconfig/fontconfig.h>

// Casts the GObject macros do, which Swift does not see.
static inline PangoFcFontMap *fascia_fc_font_map(PangoFontMap *map) { return PANGO_FC_FONT_MAP(map); }
static inline void fascia_unref(void *object) { if (object) g_object_unref(object); }
