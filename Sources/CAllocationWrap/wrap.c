#include "callocationwrap.h"

#include "shortage.h"

// With --wrap=malloc, the linker resolves malloc to __wrap_malloc, and __real_malloc to malloc;
// without it, nothing calls these functions.

#define REAL __attribute__((weak)) extern

REAL void *__real_malloc(size_t);
REAL void *__real_calloc(size_t, size_t);
REAL void *__real_realloc(void *, size_t);
REAL void *__real_aligned_alloc(size_t, size_t);
REAL int __real_posix_memalign(void **, size_t, size_t);
REAL ckc_thread_creator __real_pthread_create;

void *__wrap_malloc(size_t size) { return ckc_shortage_block(__real_malloc(size), size); }

void *__wrap_calloc(size_t count, size_t size) {
  return ckc_shortage_block(__real_calloc(count, size), count && size);
}

void *__wrap_realloc(void *old, size_t size) {
  return ckc_shortage_block(__real_realloc(old, size), size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return ckc_shortage_block(__real_aligned_alloc(alignment, size), size);
}

int __wrap_posix_memalign(void **result, size_t alignment, size_t size) {
  int failed = __real_posix_memalign(result, alignment, size);
  if (failed) ckc_shortage_block(NULL, size);
  return failed;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *), void *context) {
  return ckc_shortage_thread(__real_pthread_create, thread, attributes, body, context);
}
