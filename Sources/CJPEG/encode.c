#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "planes.h"
#include "result.h"

struct ckc_jpeg_encoder {
  struct jpeg_compress_struct target;
  ckc_errors errors;
  ckc_result result;
};

static void begin(struct jpeg_compress_struct *target, const ckc_jpeg_picture *picture, int quality,
                  int is_progressive) {
  target->image_width = (JDIMENSION)picture->width;
  target->image_height = (JDIMENSION)picture->height;
  target->input_components = picture->channels;
  target->in_color_space = (J_COLOR_SPACE)picture->color_space;
  if (picture->pixels == CKC_JPEG_RGB) target->in_color_space = JCS_RGB;
  jpeg_set_defaults(target);
  jpeg_set_colorspace(target, (J_COLOR_SPACE)picture->color_space);
  jpeg_set_quality(target, quality, TRUE);
  for (int i = 0; i < target->num_components && i < 4; i++) {
    target->comp_info[i].h_samp_factor = picture->sampling[i].horizontal;
    target->comp_info[i].v_samp_factor = picture->sampling[i].vertical;
    target->comp_info[i].component_id = picture->component_ids[i];
  }
  target->raw_data_in = picture->pixels == CKC_JPEG_PLANES;
  if (is_progressive) jpeg_simple_progression(target);
  // If wanted, both are among the segments.
  target->write_JFIF_header = FALSE;
  target->write_Adobe_marker = FALSE;
}

ckc_jpeg_encoder *ckc_jpeg_create(const ckc_jpeg_picture *picture, int quality, int is_progressive,
                                  const ckc_jpeg_segment *segments, size_t segment_count,
                                  ckc_jpeg_report *report) {
  memset(report, 0, sizeof *report);
  ckc_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) {
    report->is_memory = 1;
    return NULL;
  }
  struct jpeg_compress_struct *target = &encoder->target;
  target->err = ckc_errors_start(&encoder->errors, report);
  if (setjmp(encoder->errors.escape)) {
    ckc_jpeg_discard(encoder);
    return NULL;
  }
  jpeg_create_compress(target);
  ckc_result_start(&encoder->result, target);
  begin(target, picture, quality, is_progressive);
  jpeg_start_compress(target, TRUE);
  ckc_segments_write(target, segments, segment_count);
  return encoder;
}

int ckc_jpeg_write(ckc_jpeg_encoder *encoder, const uint8_t *pixels, size_t stride, int rows,
                   ckc_jpeg_report *report) {
  struct jpeg_compress_struct *target = &encoder->target;
  encoder->errors.report = report;
  if (setjmp(encoder->errors.escape)) return -1;
  while (rows > 0) {
    JSAMPROW lines[16];
    int most = rows < 16 ? rows : 16;
    // libjpeg doesn't modify its input.
    for (int i = 0; i < most; i++) lines[i] = (JSAMPROW)(pixels + (size_t)i * stride);
    int done = (int)jpeg_write_scanlines(target, lines, (JDIMENSION)most);
    if (done == 0) return -1;
    pixels += (size_t)done * stride;
    rows -= done;
  }
  return 0;
}

int ckc_jpeg_write_planes(ckc_jpeg_encoder *encoder, const ckc_jpeg_plane *planes,
                          ckc_jpeg_report *report) {
  struct jpeg_compress_struct *target = &encoder->target;
  encoder->errors.report = report;
  if (setjmp(encoder->errors.escape)) return -1;
  ckc_plane_lines lines;
  if (ckc_planes_line_up(&lines, planes, target->num_components, target->comp_info) != 0) return -1;
  JDIMENSION rows = (JDIMENSION)(target->max_v_samp_factor * DCTSIZE);
  return jpeg_write_raw_data(target, lines.channels, rows) == rows ? 0 : -1;
}

int ckc_jpeg_finish(ckc_jpeg_encoder *encoder, uint8_t **bytes, size_t *count,
                    ckc_jpeg_report *report) {
  encoder->errors.report = report;
  if (setjmp(encoder->errors.escape)) return -1;
  jpeg_finish_compress(&encoder->target);
  *bytes = encoder->result.bytes;
  *count = encoder->result.count;
  encoder->result.bytes = NULL;
  return 0;
}

void ckc_jpeg_discard(ckc_jpeg_encoder *encoder) {
  if (!encoder) return;
  jpeg_destroy_compress(&encoder->target);
  free(encoder->result.bytes);
  free(encoder);
}
