#ifndef CKC_JPEG_ERRORS_H
#define CKC_JPEG_ERRORS_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "cjpeg.h"

// libjpeg's error manager with a jump buffer. Each call sets `report`.
typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf escape;
  ckc_jpeg_report *report;
  // Whether extraneous bytes between a scan's wanted rows and the next marker are expected, so not
  // warned about.
  int passes_over;
} ckc_errors;

// A progress monitor that stops decoding when a file has too many scans.
typedef struct {
  struct jpeg_progress_mgr base;
  int most_scans;
} ckc_progress;

// Makes libjpeg jump to `errors->escape` on errors, and counts its warnings.
struct jpeg_error_mgr *ckc_errors_start(ckc_errors *errors, ckc_jpeg_report *report);

// Makes reading fail when a scan after the last allowed one starts.
void ckc_progress_start(ckc_progress *progress, j_decompress_ptr source, int most_scans);

// Writes the segments; called right after a compressor has started.
void ckc_segments_write(j_compress_ptr target, const ckc_jpeg_segment *segments, size_t count);

#endif
