#ifndef CKC_JPEG_RESULT_H
#define CKC_JPEG_RESULT_H

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

// The memory that libjpeg writes a file to. Unlike with jpeg_mem_dest, which frees old buffers and only
// updates the pointer at the end, `bytes` is always valid, so that it can be freed after an error.
typedef struct {
  struct jpeg_destination_mgr base;
  unsigned char *bytes;
  // The number of bytes, once libjpeg has finished.
  size_t count;
  size_t capacity;
} ckc_result;

// Makes `target` write to `result`, which must be zeroed.
void ckc_result_start(ckc_result *result, j_compress_ptr target);

#endif
