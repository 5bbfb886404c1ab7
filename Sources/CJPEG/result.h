#ifndef CKC_JPEG_RESULT_H
#define CKC_JPEG_RESULT_H

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

// Where libjpeg writes a file in memory. Unlike that of jpeg_mem_dest, which frees what it grew out of and
// says so at the end alone, `bytes` is right at all times: whoever gives up frees it.
typedef struct {
  struct jpeg_destination_mgr base;
  unsigned char *bytes;
  // How many there are, once libjpeg is done.
  size_t count;
  size_t capacity;
} ckc_result;

// Makes `target` write to `result`, which is all zeros.
void ckc_result_start(ckc_result *result, j_compress_ptr target);

#endif
