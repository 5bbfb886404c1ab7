/// libvips as its headers declare it, and libheif, which libvips stands on. Swift makes the calls;
/// nothing here needs C of our own, because operations are run by name through properties instead of
/// through libvips' variadic functions.
#ifndef CKC_VIPS_H
#define CKC_VIPS_H

#include <gmodule.h>
#include <libheif/heif.h>
#include <vips/vips.h>

#endif
