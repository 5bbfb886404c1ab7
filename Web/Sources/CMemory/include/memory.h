// What Swift asks the C library for, under the names by which it does: memory, the one function of
// mathematics that is no instruction, and chance.
#ifndef CROPKIT_MEMORY_H
#define CROPKIT_MEMORY_H

/// Puts the address of room for `size` bytes at `place` and gives 0. Addresses are multiples of 16 and
/// of `alignment`, a power of two. Where the memory can't grow any more, the module ends.
int posix_memalign(void **place, __SIZE_TYPE__ alignment, __SIZE_TYPE__ size);

/// Gives back what posix_memalign gave; a null pointer is nothing.
void free(void *place);

/// The nearest whole number, halves away from zero.
double round(double value);

/// What Swift's hashing would seed itself with: zeros. Nothing in the module hashes.
void arc4random_buf(void *place, __SIZE_TYPE__ size);

#endif
