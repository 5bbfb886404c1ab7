#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#include "errors.h"
#include "result.h"

// A transform of complete blocks. The cosine transform makes it exact: exchanging rows and columns of pixels
// exchanges those of coefficients, and a mirror negates the odd ones along its axis.
typedef struct {
  ckc_jpeg_rect rect;
  int is_transposed;
  int is_mirrored;
  int is_flipped;
  // Whether the blocks at the right and bottom edges of the rectangle contain pixels outside of it.
  int hides_columns;
  int hides_rows;
} move;

typedef struct {
  struct jpeg_decompress_struct source;
  struct jpeg_compress_struct target;
  ckc_errors errors;
  ckc_progress progress;
  jvirt_barray_ptr arrays[MAX_COMPONENTS];
  ckc_jpeg_border *border;
  ckc_result result;
} work;

static JDIMENSION ceiling(long value, long divisor) {
  return (JDIMENSION)((value + divisor - 1) / divisor);
}

// A component's sampling factors, and the largest of all. A single component is coded block by block, whatever its
// factors are.
typedef struct {
  int horizontal;
  int vertical;
  int widest;
  int tallest;
} sampling;

static sampling sampling_of(const work *w, int component) {
  const jpeg_component_info *info = &w->source.comp_info[component];
  if (w->source.num_components == 1) return (sampling){1, 1, 1, 1};
  return (sampling){
    info->h_samp_factor, info->v_samp_factor, w->source.max_h_samp_factor, w->source.max_v_samp_factor};
}

// The size of a component of the result in blocks, rounded up to complete MCUs.
typedef struct {
  JDIMENSION width;
  JDIMENSION height;
  int horizontal;
  int vertical;
} extent;

static extent extent_of(const work *w, const move *m, int component) {
  sampling s = sampling_of(w, component);
  extent e;
  e.width = ceiling(m->rect.width, 8L * s.widest) * (JDIMENSION)s.horizontal;
  e.height = ceiling(m->rect.height, 8L * s.tallest) * (JDIMENSION)s.vertical;
  e.horizontal = s.horizontal;
  e.vertical = s.vertical;
  if (m->is_transposed) {
    JDIMENSION width = e.width;
    e.width = e.height;
    e.height = width;
    e.horizontal = s.vertical;
    e.vertical = s.horizontal;
  }
  return e;
}

// Whether 8-bit samples can have these coefficients, with a tolerance of a quarter for DC, as in CropJPEG for
// sequential files; `steps` are the quantization steps. libjpeg's encoder writes others as invalid bits: a
// difference of DC has at most 11 bits, another coefficient 10 (T.81, F.1.2.1 and F.1.2.2).
static int is_possible(const JCOEF *block, const JQUANT_TBL *steps) {
  int step = steps && steps->quantval[0] > 0 ? steps->quantval[0] : 1;
  int most = 1280 / step + 2;
  if (block[0] < -(most < 1024 ? most : 1024) || block[0] > (most < 1023 ? most : 1023)) return 0;
  int is_beyond = 0;
  for (int i = 1; i < DCTSIZE2; i++) is_beyond |= block[i] > 1023 || block[i] < -1023;
  return !is_beyond;
}

static void move_block(const JCOEF *from, JCOEF *to, const move *m) {
  if (!m->is_transposed && !m->is_mirrored && !m->is_flipped) {
    memcpy(to, from, sizeof(JBLOCK));
    return;
  }
  for (int row = 0; row < 8; row++) {
    for (int column = 0; column < 8; column++) {
      JCOEF value = m->is_transposed ? from[column * 8 + row] : from[row * 8 + column];
      int is_negative = (m->is_mirrored && column & 1) != (m->is_flipped && row & 1);
      to[row * 8 + column] = is_negative ? (JCOEF)-value : value;
    }
  }
}

// A component's first block in the crop, and how many of its samples are in the crop.
typedef struct {
  JDIMENSION left;
  JDIMENSION top;
  JDIMENSION columns;
  JDIMENSION rows;
} window;

static window window_of(const work *w, const move *m, int component) {
  sampling s = sampling_of(w, component);
  window v;
  v.left = (JDIMENSION)(m->rect.x / (8 * s.widest) * s.horizontal);
  v.top = (JDIMENSION)(m->rect.y / (8 * s.tallest) * s.vertical);
  v.columns = ceiling((long)m->rect.width * s.horizontal, s.widest);
  v.rows = ceiling((long)m->rect.height * s.vertical, s.tallest);
  return v;
}

static JDIMENSION visible(JDIMENSION samples, JDIMENSION block) {
  JDIMENSION rest = samples - block * DCTSIZE;
  return rest < DCTSIZE ? rest : DCTSIZE;
}

// Requantizes the blocks that an edge of the crop divides, in place. Blocks outside the crop are
// never copied: the encoder fills up the last MCUs with empty blocks.
static void requantize(work *w, const move *m, int component, jvirt_barray_ptr from) {
  const jpeg_component_info *info = &w->source.comp_info[component];
  window v = window_of(w, m, component);
  JDIMENSION width = ceiling((long)v.columns, DCTSIZE);
  JDIMENSION height = ceiling((long)v.rows, DCTSIZE);
  for (JDIMENSION y = 0; y < height; y++) {
    int rows = (int)visible(v.rows, y);
    int is_row = m->hides_rows && rows < DCTSIZE;
    int is_column = m->hides_columns && visible(v.columns, width - 1) < DCTSIZE;
    if (!is_row && !is_column) continue;
    JBLOCKARRAY line = (*w->source.mem->access_virt_barray)(
        (j_common_ptr)&w->source, from, v.top + y, 1, TRUE);
    for (JDIMENSION x = is_row ? 0 : width - 1; x < width; x++) {
      JCOEF *block = line[0][v.left + x];
      if (!info->quant_table || !is_possible(block, info->quant_table)) {
        ERREXIT(&w->source, JERR_BAD_DCT_COEF);
      }
      w->border->requantize(w->border->context, block, info->quant_table->quantval,
                            (int)visible(v.columns, x), rows);
      w->border->blocks[component]++;
    }
  }
}

// Fills one component's blocks.
static void move_component(work *w, const move *m, int component, jvirt_barray_ptr from) {
  j_common_ptr common = (j_common_ptr)&w->source;
  const jpeg_component_info *info = &w->source.comp_info[component];
  extent e = extent_of(w, m, component);
  window v = window_of(w, m, component);
  for (JDIMENSION y = 0; y < e.height; y++) {
    JBLOCKARRAY target = (*w->source.mem->access_virt_barray)(
        common, w->arrays[component], y, 1, TRUE);
    JDIMENSION row = m->is_flipped ? e.height - 1 - y : y;
    JBLOCKARRAY line = NULL;
    if (!m->is_transposed) {
      if (v.top + row >= info->height_in_blocks) continue;
      line = (*w->source.mem->access_virt_barray)(common, from, v.top + row, 1, FALSE);
    }
    for (JDIMENSION x = 0; x < e.width; x++) {
      JDIMENSION column = m->is_mirrored ? e.width - 1 - x : x;
      JDIMENSION across = v.left + (m->is_transposed ? row : column);
      JDIMENSION down = v.top + (m->is_transposed ? column : row);
      // The encoder fills the blocks beyond the border.
      if (across >= info->width_in_blocks || down >= info->height_in_blocks) continue;
      if (m->is_transposed) {
        line = (*w->source.mem->access_virt_barray)(common, from, down, 1, FALSE);
      }
      if (!is_possible(line[0][across], info->quant_table)) {
        ERREXIT(&w->source, JERR_BAD_DCT_COEF);
      }
      move_block(line[0][across], target[0][x], m);
    }
  }
}

static void turn_tables(struct jpeg_compress_struct *target) {
  for (int i = 0; i < NUM_QUANT_TBLS; i++) {
    JQUANT_TBL *table = target->quant_tbl_ptrs[i];
    if (!table) continue;
    for (int row = 0; row < 8; row++) {
      for (int column = 0; column < row; column++) {
        UINT16 value = table->quantval[row * 8 + column];
        table->quantval[row * 8 + column] = table->quantval[column * 8 + row];
        table->quantval[column * 8 + row] = value;
      }
    }
  }
}

// Shortens the image to the last requested row, so that no more of each scan is decoded and stored.
// The scan's other bytes are skipped up to the next marker.
static void end_below(work *w, JDIMENSION bottom) {
  struct jpeg_decompress_struct *source = &w->source;
  JDIMENSION tallest = (JDIMENSION)source->max_v_samp_factor * DCTSIZE;
  JDIMENSION rows = (bottom + tallest - 1) / tallest;
  if (rows >= source->total_iMCU_rows) return;
  w->errors.passes_over = 1;
  source->total_iMCU_rows = rows;
  source->image_height = rows * tallest;
  for (int i = 0; i < source->num_components; i++) {
    jpeg_component_info *info = &source->comp_info[i];
    info->height_in_blocks = rows * (JDIMENSION)info->v_samp_factor;
    info->downsampled_height = info->height_in_blocks * DCTSIZE;
  }
}

static void run(work *w, const uint8_t *bytes, size_t count, move *m, int is_progressive,
                int most_scans, const ckc_jpeg_segment *segments, size_t segment_count) {
  struct jpeg_decompress_struct *source = &w->source;
  struct jpeg_compress_struct *target = &w->target;
  jpeg_mem_src(source, bytes, count);
  jpeg_read_header(source, TRUE);
  ckc_progress_start(&w->progress, source, most_scans);
  long right = (long)m->rect.x + m->rect.width;
  long bottom = (long)m->rect.y + m->rect.height;
  if (m->rect.x < 0 || m->rect.y < 0 || m->rect.width < 1 || m->rect.height < 1 ||
      right > (long)source->image_width || bottom > (long)source->image_height) {
    ERREXIT(source, JERR_BAD_CROP_SPEC);
  }
  int is_single = source->num_components == 1;
  m->hides_columns = right < (long)source->image_width &&
                     right % (DCTSIZE * (is_single ? 1 : source->max_h_samp_factor));
  m->hides_rows = bottom < (long)source->image_height &&
                  bottom % (DCTSIZE * (is_single ? 1 : source->max_v_samp_factor));
  end_below(w, (JDIMENSION)bottom);
  for (int i = 0; i < source->num_components; i++) {
    extent e = extent_of(w, m, i);
    w->arrays[i] = (*source->mem->request_virt_barray)(
        (j_common_ptr)source, JPOOL_IMAGE, TRUE, e.width, e.height, (JDIMENSION)e.vertical);
  }
  jvirt_barray_ptr *coefficients = jpeg_read_coefficients(source);
  for (int i = 0; i < source->num_components; i++) {
    if (m->hides_columns || m->hides_rows) requantize(w, m, i, coefficients[i]);
    move_component(w, m, i, coefficients[i]);
  }

  ckc_result_start(&w->result, target);
  jpeg_copy_critical_parameters(source, target);
  target->image_width = (JDIMENSION)(m->is_transposed ? m->rect.height : m->rect.width);
  target->image_height = (JDIMENSION)(m->is_transposed ? m->rect.width : m->rect.height);
  for (int i = 0; i < target->num_components; i++) {
    extent e = extent_of(w, m, i);
    target->comp_info[i].h_samp_factor = e.horizontal;
    target->comp_info[i].v_samp_factor = e.vertical;
  }
  if (m->is_transposed) turn_tables(target);
  target->write_JFIF_header = FALSE;
  target->write_Adobe_marker = FALSE;
  if (is_progressive) jpeg_simple_progression(target);
  jpeg_write_coefficients(target, w->arrays);
  ckc_segments_write(target, segments, segment_count);
  jpeg_finish_compress(target);
  jpeg_finish_decompress(source);
}

int ckc_jpeg_transform(const uint8_t *source, size_t source_count, ckc_jpeg_rect rect,
                       int is_transposed, int is_mirrored, int is_flipped, int is_progressive,
                       int most_scans, ckc_jpeg_border *border, const ckc_jpeg_segment *segments,
                       size_t segment_count, uint8_t **bytes, size_t *count,
                       ckc_jpeg_report *report) {
  memset(report, 0, sizeof *report);
  work *w = calloc(1, sizeof *w);
  if (!w) {
    report->is_memory = 1;
    return -1;
  }
  w->source.err = w->target.err = ckc_errors_start(&w->errors, report);
  w->border = border;
  move m = {rect, is_transposed, is_mirrored, is_flipped, 0, 0};
  int result = -1;
  if (!setjmp(w->errors.escape)) {
    jpeg_create_decompress(&w->source);
    jpeg_create_compress(&w->target);
    run(w, source, source_count, &m, is_progressive, most_scans, segments, segment_count);
    *bytes = w->result.bytes;
    *count = w->result.count;
    w->result.bytes = NULL;
    result = 0;
  }
  // Both are zeroed until created, which the functions allow.
  jpeg_destroy_compress(&w->target);
  jpeg_destroy_decompress(&w->source);
  free(w->result.bytes);
  free(w);
  return result;
}
