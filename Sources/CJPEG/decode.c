#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "planes.h"

struct ckc_jpeg_decoder {
  struct jpeg_decompress_struct source;
  ckc_errors errors;
};

ckc_jpeg_decoder *ckc_jpeg_open(const uint8_t *bytes, size_t count, ckc_jpeg_pixels pixels,
                                int scale, ckc_jpeg_picture *picture, ckc_jpeg_report *report) {
  memset(report, 0, sizeof *report);
  ckc_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) {
    report->is_memory = 1;
    return NULL;
  }
  struct jpeg_decompress_struct *source = &decoder->source;
  source->err = ckc_errors_start(&decoder->errors, report);
  if (setjmp(decoder->errors.escape)) {
    jpeg_destroy_decompress(source);
    free(decoder);
    return NULL;
  }
  jpeg_create_decompress(source);
  jpeg_mem_src(source, bytes, count);
  jpeg_read_header(source, TRUE);
  source->out_color_space = pixels == CKC_JPEG_RGB ? JCS_RGB : source->jpeg_color_space;
  source->raw_data_out = pixels == CKC_JPEG_PLANES;
  source->scale_num = (unsigned)scale;
  source->scale_denom = 8;
  jpeg_start_decompress(source);
  memset(picture, 0, sizeof *picture);
  picture->width = (int)source->output_width;
  picture->height = (int)source->output_height;
  picture->channels = source->output_components;
  picture->color_space = source->jpeg_color_space;
  picture->pixels = pixels;
  for (int i = 0; i < source->num_components && i < 4; i++) {
    picture->sampling[i].horizontal = source->comp_info[i].h_samp_factor;
    picture->sampling[i].vertical = source->comp_info[i].v_samp_factor;
    picture->component_ids[i] = (uint8_t)source->comp_info[i].component_id;
  }
  return decoder;
}

int ckc_jpeg_read(ckc_jpeg_decoder *decoder, uint8_t *pixels, int rows, ckc_jpeg_report *report) {
  struct jpeg_decompress_struct *source = &decoder->source;
  decoder->errors.report = report;
  if (setjmp(decoder->errors.escape)) return -1;
  size_t stride = (size_t)source->output_width * (size_t)source->output_components;
  while (rows > 0) {
    JSAMPROW lines[16];
    int most = rows < 16 ? rows : 16;
    for (int i = 0; i < most; i++) lines[i] = pixels + (size_t)i * stride;
    int done = (int)jpeg_read_scanlines(source, lines, (JDIMENSION)most);
    if (done == 0) return -1;
    pixels += (size_t)done * stride;
    rows -= done;
  }
  return 0;
}

int ckc_jpeg_read_planes(ckc_jpeg_decoder *decoder, const ckc_jpeg_plane *planes,
                         ckc_jpeg_report *report) {
  struct jpeg_decompress_struct *source = &decoder->source;
  decoder->errors.report = report;
  if (setjmp(decoder->errors.escape)) return -1;
  ckc_plane_lines lines;
  if (ckc_planes_line_up(&lines, planes, source->num_components, source->comp_info) != 0) return -1;
  JDIMENSION rows = (JDIMENSION)(source->max_v_samp_factor * DCTSIZE);
  return jpeg_read_raw_data(source, lines.channels, rows) == rows ? 0 : -1;
}

void ckc_jpeg_close(ckc_jpeg_decoder *decoder) {
  if (!decoder) return;
  jpeg_destroy_decompress(&decoder->source);
  free(decoder);
}
