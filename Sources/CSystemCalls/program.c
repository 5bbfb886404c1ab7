#include "csystem.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

static int argument_count;
static char **argument_list;

// The GNU C library passes main's arguments to constructors.
__attribute__((constructor)) static void keep(int count, char **arguments) {
  argument_count = count;
  argument_list = arguments;
}

// When a statically linked program starts, Swift's runtime derives its folder from /proc/self/exe
// and aborts if it can't. If SWIFT_ROOT names a folder, it uses that instead, and only looks there
// for a debugger's helper. This runs before the runtime's constructors.
__attribute__((constructor(101))) static void start_without_proc(void) {
  if (access("/proc/self/exe", F_OK) != 0) setenv("SWIFT_ROOT", "/usr", 0);
}

int ckc_system_arguments(char ***arguments) {
  *arguments = argument_list;
  return argument_count;
}

char *ckc_system_program(void) {
  char *path = realpath("/proc/self/exe", NULL);
  if (path) return path;
  const char *started = (const char *)getauxval(AT_EXECFN);
  return started ? realpath(started, NULL) : NULL;
}
