// The C functions that the Swift runtime needs: memory, random numbers, and the one mathematical
// function without an instruction.
#ifndef CROPKIT_MEMORY_H
#define CROPKIT_MEMORY_H

/// Stores the address of `size` allocated bytes in `place` and returns 0. Addresses are multiples
/// of 16 and of `alignment`, a power of two. If the memory can't grow, the module traps.
int posix_memalign(void **place, __SIZE_TYPE__ alignment, __SIZE_TYPE__ size);

/// Frees an allocation of posix_memalign; a null pointer is ignored.
void free(void *place);

/// The nearest integer, halves away from zero.
double round(double value);

/// Swift's hashing takes its seed from here. It is all zeros, since the module does not hash
/// anything.
void arc4random_buf(void *place, __SIZE_TYPE__ size);

#endif
