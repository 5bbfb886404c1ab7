#include "result.h"

#include <stdlib.h>

#include <jerror.h>

static boolean grow(j_compress_ptr target) {
  ckc_result *result = (ckc_result *)target->dest;
  size_t capacity = result->capacity ? 2 * result->capacity : 1 << 16;
  unsigned char *bytes = realloc(result->bytes, capacity);
  if (!bytes) ERREXIT1(target, JERR_OUT_OF_MEMORY, 10);
  // libjpeg calls this when the buffer is full.
  result->base.next_output_byte = bytes + result->capacity;
  result->base.free_in_buffer = capacity - result->capacity;
  result->bytes = bytes;
  result->capacity = capacity;
  return TRUE;
}

static void begin(j_compress_ptr target) { grow(target); }

static void end(j_compress_ptr target) {
  ckc_result *result = (ckc_result *)target->dest;
  result->count = result->capacity - result->base.free_in_buffer;
}

void ckc_result_start(ckc_result *result, j_compress_ptr target) {
  result->base.init_destination = begin;
  result->base.empty_output_buffer = grow;
  result->base.term_destination = end;
  target->dest = &result->base;
}
