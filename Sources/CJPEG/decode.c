#include <stdlib.h>
#include <string.h>

#include "errors.h"

struct ckc_jpeg_decoder {
  struct jpeg_decompress_struct source;
  ckc_errors errors;
};

ckc_jpeg_decoder *ckc_jpeg_open(const uint8_t *bytes, size_t count, int is_rgb, int scale,
                                ckc_jpeg_picture *picture, ckc_jpeg_report *report) {
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
  source->out_color_space = is_rgb ? JCS_RGB : source->jpeg_color_space;
  source->scale_num = (unsigned)scale;
  source->scale_denom = 8;
  jpeg_start_decompress(source);
  memset(picture, 0, sizeof *picture);
  picture->width = (int)source->output_width;
  picture->height = (int)source->output_height;
  picture->channels = source->output_components;
  picture->color_space = source->jpeg_color_space;
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

void ckc_jpeg_close(ckc_jpeg_decoder *decoder) {
  if (!decoder) return;
  jpeg_destroy_decompress(&decoder->source);
  free(decoder);
}
