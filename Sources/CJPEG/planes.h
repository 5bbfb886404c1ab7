#ifndef CKC_JPEG_PLANES_H
#define CKC_JPEG_PLANES_H

#include <stdio.h>

#include <jpeglib.h>

#include "cjpeg.h"

// The lines of a row of MCUs, as libjpeg expects them: up to 4 channels, each up to 4 blocks high.
typedef struct {
  JSAMPROW lines[4][4 * DCTSIZE];
  JSAMPARRAY channels[4];
} ckc_plane_lines;

// Finds the lines of each channel; -1 if there are more channels than planes.
int ckc_planes_line_up(ckc_plane_lines *lines, const ckc_jpeg_plane *planes, int count,
                       const jpeg_component_info *info);

#endif
