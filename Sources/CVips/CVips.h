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

#endif
