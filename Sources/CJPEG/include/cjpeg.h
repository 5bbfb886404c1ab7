// The parts of libjpeg-turbo that Swift can't call: its errors use longjmp, which must not cross Swift
// frames.
//
// Nothing here prints. Every call that can fail reports it in its result and describes it in a
// ckc_jpeg_report. All buffers are bounded by the sizes passed with them.
#ifndef CKC_JPEG_H
#define CKC_JPEG_H

#include <stddef.h>
#include <stdint.h>

// What went wrong: the error message, the number of warnings before it and the first one's message.
typedef struct {
  char error[200];
  char warning[200];
  long warnings;
  // Whether memory ran out.
  int is_memory;
} ckc_jpeg_report;

// The sampling factors of one component, 1 to 4.
typedef struct {
  int horizontal;
  int vertical;
} ckc_jpeg_sampling;

// The layout of pixels.
typedef enum {
  // Row by row, in the stored color space.
  CKC_JPEG_STORED,
  // Row by row; stored YCbCr is converted to RGB.
  CKC_JPEG_RGB,
  // Each channel separately, in its stored size.
  CKC_JPEG_PLANES
} ckc_jpeg_pixels;

// The format of an image's pixels.
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

// Some rows of MCUs of one channel, in memory.
typedef struct {
  uint8_t *start;
  size_t stride;
} ckc_jpeg_plane;

// A segment to write after the start marker.
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

// Opens the JPEG in `bytes`, which must stay valid until the decoder is closed; NULL if it can't be
// read.
//
// `scale` is 1 to 8: eighths of the size; planes are only available in full size.
ckc_jpeg_decoder *ckc_jpeg_open(const uint8_t *bytes, size_t count, ckc_jpeg_pixels pixels,
                                int scale, ckc_jpeg_picture *picture, ckc_jpeg_report *report);

// Decodes the next `rows` rows, each of width × channels bytes, one after the other. Returns 0 or
// -1.
int ckc_jpeg_read(ckc_jpeg_decoder *decoder, uint8_t *pixels, int rows, ckc_jpeg_report *report);

// Decodes the next row of MCUs, complete blocks of each channel into its plane. Returns 0 or -1.
int ckc_jpeg_read_planes(ckc_jpeg_decoder *decoder, const ckc_jpeg_plane *planes,
                         ckc_jpeg_report *report);

// Frees a decoder; NULL is allowed.
void ckc_jpeg_close(ckc_jpeg_decoder *decoder);

// Starts a JPEG of `picture`. Returns NULL on failure.
ckc_jpeg_encoder *ckc_jpeg_create(const ckc_jpeg_picture *picture, int quality, int is_progressive,
                                  const ckc_jpeg_segment *segments, size_t segment_count,
                                  ckc_jpeg_report *report);

// Encodes the next `rows` rows, which are `stride` bytes apart. Returns 0 or -1.
int ckc_jpeg_write(ckc_jpeg_encoder *encoder, const uint8_t *pixels, size_t stride, int rows,
                   ckc_jpeg_report *report);

// Encodes the next row of MCUs, complete blocks of each channel. Returns 0 or -1.
int ckc_jpeg_write_planes(ckc_jpeg_encoder *encoder, const ckc_jpeg_plane *planes,
                          ckc_jpeg_report *report);

// Finishes the JPEG and passes ownership of its bytes; free them with free(). Returns 0 or -1.
int ckc_jpeg_finish(ckc_jpeg_encoder *encoder, uint8_t **bytes, size_t *count,
                    ckc_jpeg_report *report);

// Frees an encoder; NULL is allowed.
void ckc_jpeg_discard(ckc_jpeg_encoder *encoder);

// Requantizes the blocks that the right or bottom edge of a crop divides.
typedef struct {
  // Replaces 64 coefficients, in row order, by others that show the same in the first `columns` and
  // `rows` samples, 1 to 8. `steps` are the 64 quantization steps, in row order.
  void (*requantize)(void *context, int16_t *block, const uint16_t *steps, int columns, int rows);
  void *context;
  // How often `requantize` was called, by component.
  long blocks[4];
} ckc_jpeg_border;

// Crops the coefficients to `rect` and reorients them, losslessly except for the blocks that the
// right and bottom edges divide: these go through `border`.
//
// The left and top edges must be multiples of the MCU. First, rows and columns are exchanged if
// `is_transposed`, then the image is mirrored left-right or top-bottom. A mirrored side must consist of
// complete MCUs. At most `most_scans` scans are read. Free the bytes with free(). Returns 0 or -1.
int ckc_jpeg_transform(const uint8_t *source, size_t source_count, ckc_jpeg_rect rect,
                       int is_transposed, int is_mirrored, int is_flipped, int is_progressive,
                       int most_scans, ckc_jpeg_border *border, const ckc_jpeg_segment *segments,
                       size_t segment_count, uint8_t **bytes, size_t *count,
                       ckc_jpeg_report *report);

#endif
