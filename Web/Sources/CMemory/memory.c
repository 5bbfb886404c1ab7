#include "memory.h"

#ifdef __wasm__

// A block is a multiple of 16 bytes and starts with its length; Swift gets the rest:
//
//     | length .. requested bytes ...... | length, next .. free .. | length .. ...
//
// Free blocks are listed by address and merged with free neighbors, so that freed memory can be reused for
// any size. JavaScript runs a module on one thread.

typedef __SIZE_TYPE__ size;

typedef struct block {
  size length;
  struct block *next;
} block;

enum { grain = 16, page = 65536 };

// The head of the list is not a block and has no length.
static block list;

// Merges a block with the next free one, if they are adjacent.
static void join(block *it) {
  block *next = it->next;
  if (!next || (char *)it + it->length != (char *)next) return;
  it->length += next->length;
  it->next = next->next;
}

static void put(block *it) {
  block *before = &list;
  while (before->next && before->next < it) before = before->next;
  it->next = before->next;
  before->next = it;
  join(it);
  join(before);
}

// Takes the first block that is long enough, and returns its excess to the list; null if there is
// none.
static void *take(size length) {
  for (block *before = &list; before->next; before = before->next) {
    block *it = before->next;
    if (it->length < length) continue;
    size rest = it->length - length;
    if (rest < 2 * grain) {
      before->next = it->next;
    } else {
      // Takes the end of the block, so that the list stays unchanged.
      it->length = rest;
      it = (block *)((char *)it + rest);
      it->length = length;
    }
    return (char *)it + grain;
  }
  return 0;
}

// Moves the start of an allocation to a multiple of a larger alignment; the bytes before it are freed.
static void *aligned(char *taken, size alignment) {
  char *start = (char *)(((size)taken + alignment - 1) & -alignment);
  block *front = (block *)(taken - grain), *it = (block *)(start - grain);
  if (it == front) return taken;
  it->length = front->length - (start - taken);
  front->length = start - taken;
  put(front);
  return start;
}

int posix_memalign(void **place, size alignment, size count) {
  if (alignment < grain) alignment = grain;
  // Swift's sizes are signed, and it does not check the result.
  if (alignment > page || count > __INT32_MAX__ - 4 * page) __builtin_trap();
  size length = (count + grain + alignment - 1) & -(size)grain;
  void *taken;
  while (!(taken = take(length))) {
    size pages = (length + page - 1) / page;
    size first = __builtin_wasm_memory_grow(0, pages);
    if (first == (size)-1) __builtin_trap();
    block *it = (block *)(first * page);
    it->length = pages * page;
    put(it);
  }
  *place = aligned(taken, alignment);
  return 0;
}

void free(void *place) {
  if (place) put((block *)((char *)place - grain));
}

double round(double value) {
  double whole = __builtin_trunc(value);
  double rest = value - whole;
  // The remainder is exact, so the comparison with a half is too.
  return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole;
}

void arc4random_buf(void *place, size count) {
  __builtin_memset(place, 0, count);
}

#endif
