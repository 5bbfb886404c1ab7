#ifndef CKC_SHORTAGE_H
#define CKC_SHORTAGE_H

// Records which resources a process was denied: each failed allocation and thread creation, by any library.
// Active in programs that link CAllocationHook (CAllocationWrap, if they are linked statically).

#include <pthread.h>
#include <stddef.h>

#define CKC_SHORTAGE_NONE 0
#define CKC_SHORTAGE_MEMORY 1
#define CKC_SHORTAGE_THREADS 2
// Memory, because of a limit set for the process from outside.
#define CKC_SHORTAGE_OUTER_MEMORY 3

/// What was refused first since ckc_shortage_forget.
int ckc_shortage(void);

/// From here on nothing was refused.
void ckc_shortage_forget(void);

/// Says whose limit is reached first from here on: with 0 that from outside, as at the start, else one that the
/// process set itself.
void ckc_shortage_bounds_itself(int does);

/// The exit status of a process that stops because of `shortage`.
int ckc_shortage_exit_status(int shortage);

/// From now on, this process exits immediately with ckc_shortage_exit_status when a thread is denied, and
/// when it crashes after memory was denied; other crashes end it as usual.
void ckc_shortage_ends_process(void);

/// Returns `block`; notes if it is NULL though `size` is not 0.
void *ckc_shortage_block(void *block, size_t size);

typedef int ckc_thread_creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/// Calls `create`; notes if it finds no thread, or no memory for its stack.
int ckc_shortage_thread(ckc_thread_creator *create, pthread_t *thread,
                        const pthread_attr_t *attributes, void *(*body)(void *), void *context);

#endif
