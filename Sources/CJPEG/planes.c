#include "planes.h"

int ckc_planes_line_up(ckc_plane_lines *lines, const ckc_jpeg_plane *planes, int count,
                       const jpeg_component_info *info) {
  if (count > 4) return -1;
  for (int i = 0; i < count; i++) {
    lines->channels[i] = lines->lines[i];
    for (int row = 0; row < info[i].v_samp_factor * DCTSIZE; row++) {
      lines->lines[i][row] = planes[i].start + (size_t)row * planes[i].stride;
    }
  }
  return 0;
}
