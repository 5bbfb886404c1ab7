#define _GNU_SOURCE
#include "callocationhook.h"

#include "shortage.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

// These definitions take precedence over the C library's, also for all shared libraries (Replacing
// malloc, in the manual of the GNU C library). The C library still allocates and frees the blocks.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { return ckc_shortage_block(__libc_malloc(size), size); }

void *calloc(size_t count, size_t size) {
  return ckc_shortage_block(__libc_calloc(count, size), count && size);
}

void *realloc(void *old, size_t size) {
  return ckc_shortage_block(__libc_realloc(old, size), size);
}

void *memalign(size_t alignment, size_t size) {
  return ckc_shortage_block(__libc_memalign(alignment, size), size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment == 0 || alignment % sizeof(void *) || alignment & (alignment - 1)) return EINVAL;
  int reason = errno;
  void *block = memalign(alignment, size);
  errno = reason;
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *context) {
  ckc_thread_creator *create = (ckc_thread_creator *)dlsym(RTLD_NEXT, "pthread_create");
  return ckc_shortage_thread(create, thread, attributes, body, context);
}
