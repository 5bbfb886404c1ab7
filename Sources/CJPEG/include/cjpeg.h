// What Swift can't call of libjpeg-turbo: its errors jump (setjmp), which no Swift frame survives.
//
// Nothing here prints. Every call that can fail says so by its result and leaves words in a
// ckc_jpeg_report. All buffers are bounded by the sizes that come with them.
#ifndef CKC_JPEG_H
#define CKC_JPEG_H

#include <stddef.h>
#include <stdint.h>

// What went wrong: the error's words and how many warnings came before, with the first one's words.
typedef struct {
  char error[200];
  char warning[200];
  long warnings;
  // Whether the error is that there is no memory.
  int is_memory;
} ckc_jpeg_report;

// The sides of the block grid of one component, 1 to 4.
typedef struct {
  int horizontal;
  int vertical;
} ckc_jpeg_sampling;

// How pixels are handed over.
typedef enum {
  // Row by row, in the colour space that is stored.
  CKC_JPEG_STORED,
  // Row by row, in RGB where YCbCr is stored.
  CKC_JPEG_RGB,
  // Each channel by itself, in the size in which it is stored.
  CKC_JPEG_PLANES
} ckc_jpeg_pixels;

// What the pixels of a picture are.
typedef struct {
  int width;
  int height;
  int channels;
  // libjpeg's J_COLOR_SPACE: how the file stores its channels.
  int color_space;
  ckc_jpeg_sampling sampling[4];
  uint8_t component_ids[4];
  ckc_jpeg_pixels pixels;
} ckc_jpeg_picture;

// A channel of some rows of MCUs in memory.
typedef struct {
  uint8_t *start;
  size_t stride;
} ckc_jpeg_plane;

// A segment to write behind the start marker.
typedef struct {
  uint8_t marker;
  const uint8_t *bytes;
  size_t count;
} ckc_jpeg_segment;

// A rectangle of stored pixels.
typedef struct {
  int x;
  int y;
  int width;
  int height;
} ckc_jpeg_rect;

typedef struct ckc_jpeg_decoder ckc_jpeg_decoder;
typedef struct ckc_jpeg_encoder ckc_jpeg_encoder;

// Opens the JPEG in `bytes`, which must stay in place until it is closed; NULL if it can't be read.
//
// `scale` is 1 to 8: eighths of the size; planes have the whole size only.
ckc_jpeg_decoder *ckc_jpeg_open(const uint8_t *bytes, size_t count, ckc_jpeg_pixels pixels,
                                int scale, ckc_jpeg_picture *picture, ckc_jpeg_report *report);

// Decodes the next `rows` rows, each of width × channels bytes, one behind the other. 0 or -1.
int ckc_jpeg_read(ckc_jpeg_decoder *decoder, uint8_t *pixels, int rows, ckc_jpeg_report *report);

// Decodes the next row of MCUs, whole blocks of each channel into its plane. 0 or -1.
int ckc_jpeg_read_planes(ckc_jpeg_decoder *decoder, const ckc_jpeg_plane *planes,
                         ckc_jpeg_report *report);

// Frees a decoder; NULL is nothing.
void ckc_jpeg_close(ckc_jpeg_decoder *decoder);

// Begins a JPEG of `picture`. NULL on failure.
ckc_jpeg_encoder *ckc_jpeg_create(const ckc_jpeg_picture *picture, int quality, int is_progressive,
                                  const ckc_jpeg_segment *segments, size_t segment_count,
                                  ckc_jpeg_report *report);

// Codes the next `rows` rows, each `stride` bytes behind the other. 0 or -1.
int ckc_jpeg_write(ckc_jpeg_encoder *encoder, const uint8_t *pixels, size_t stride, int rows,
                   ckc_jpeg_report *report);

// Codes the next row of MCUs, whole blocks of each channel. 0 or -1.
int ckc_jpeg_write_planes(ckc_jpeg_encoder *encoder, const ckc_jpeg_plane *planes,
                          ckc_jpeg_report *report);

// Ends the JPEG and hands over its bytes, to be freed with free(). 0 or -1.
int ckc_jpeg_finish(ckc_jpeg_encoder *encoder, uint8_t **bytes, size_t *count,
                    ckc_jpeg_report *report);

// Frees an encoder; NULL is nothing.
void ckc_jpeg_discard(ckc_jpeg_encoder *encoder);

// How blocks are quantised again that the right or bottom edge of a cut divides.
typedef struct {
  // Replaces 64 coefficients, row by row, by others that show the same in so many columns and rows, 1 to 8.
  // `steps` are the quantiser's 64 numbers, row by row.
  void (*requantize)(void *context, int16_t *block, const uint16_t *steps, int columns, int rows);
  void *context;
  // How many blocks it was called for, by component.
  long blocks[4];
} ckc_jpeg_border;

// Cuts `rect` out of the coefficients and lays it down anew, without loss but for the blocks that its right and
// bottom edges divide: these go through `border`.
//
// The left and top edges must be multiples of the MCU; first rows and columns change places if
// `is_transposed`, then the picture is mirrored left-right or top-bottom. A side that is mirrored must
// have whole MCUs. At most `most_scans` scans are read. The bytes are to be freed with free(). 0 or -1.
int ckc_jpeg_transform(const uint8_t *source, size_t source_count, ckc_jpeg_rect rect,
                       int is_transposed, int is_mirrored, int is_flipped, int is_progressive,
                       int most_scans, ckc_jpeg_border *border, const ckc_jpeg_segment *segments,
                       size_t segment_count, uint8_t **bytes, size_t *count,
                       ckc_jpeg_report *report);

#endif
