/// The headers of libvips and of libheif, which libvips uses. Swift makes the calls; no C code is needed
/// here, because operations are called by name through properties instead of through libvips' variadic
/// functions.
#ifndef CKC_VIPS_H
#define CKC_VIPS_H

#include <gmodule.h>
#include <libheif/heif.h>
#include <vips/vips.h>
// Not part of vips.h in every version.
#include <vips/vector.h>

// Names that Swift imports differently, or not at all, from newer headers: GLib marks its enumerations as sets of flags
// since 2.88, and libheif 1.23 has macros for old names.
static const int ckc_glib_levels = G_LOG_LEVEL_MASK | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION;
static const int ckc_glib_warnings = G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING;
static const GModuleFlags ckc_gmodule_lazy = G_MODULE_BIND_LAZY;
static const enum heif_chroma ckc_heif_monochrome = heif_chroma_monochrome;

#endif
