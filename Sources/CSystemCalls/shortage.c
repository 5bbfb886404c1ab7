#define _GNU_SOURCE
#include "shortage.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_int noted = CKC_SHORTAGE_NONE;
static atomic_bool ends_process = false;
static atomic_int memory = CKC_SHORTAGE_OUTER_MEMORY;

static void note(int shortage) {
  int none = CKC_SHORTAGE_NONE;
  // Later shortages may be consequences of the first.
  atomic_compare_exchange_strong(&noted, &none, shortage);
}

int ckc_shortage(void) { return atomic_load(&noted); }

void ckc_shortage_bounds_itself(int does) {
  atomic_store(&memory, does ? CKC_SHORTAGE_MEMORY : CKC_SHORTAGE_OUTER_MEMORY);
}

void ckc_shortage_forget(void) { atomic_store(&noted, CKC_SHORTAGE_NONE); }

int ckc_shortage_exit_status(int shortage) { return 71 + shortage; }

static void end(int number) {
  int shortage = ckc_shortage();
  if (shortage != CKC_SHORTAGE_NONE) _exit(ckc_shortage_exit_status(shortage));
  // The default handler is restored (SA_RESETHAND), and the signal is not blocked (SA_NODEFER).
  raise(number);
}

void ckc_shortage_ends_process(void) {
  atomic_store(&ends_process, true);
  const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
  struct sigaction action = {.sa_handler = end, .sa_flags = SA_RESETHAND | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
    sigaction(crashes[i], &action, NULL);
  }
}

void *ckc_shortage_block(void *block, size_t size) {
  if (!block && size > 0) note(atomic_load(&memory));
  return block;
}

// Whether there is not enough memory for a thread's stack.
static int has_no_stack(const pthread_attr_t *attributes) {
  pthread_attr_t usual;
  if (!attributes) {
    if (pthread_getattr_default_np(&usual) != 0) return 0;
    attributes = &usual;
  }
  size_t size = 0;
  pthread_attr_getstacksize(attributes, &size);
  if (attributes == &usual) pthread_attr_destroy(&usual);
  void *stack = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return size > 0;
  munmap(stack, size);
  return 0;
}

int ckc_shortage_thread(ckc_thread_creator *create, pthread_t *thread,
                        const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
  int failed = create(thread, attributes, body, context);
  if (failed == EAGAIN || failed == ENOMEM) {
    note(has_no_stack(attributes) ? atomic_load(&memory) : CKC_SHORTAGE_THREADS);
    // Some libraries wait endlessly for a thread that they could not start.
    if (atomic_load(&ends_process)) _exit(ckc_shortage_exit_status(ckc_shortage()));
  }
  return failed;
}
