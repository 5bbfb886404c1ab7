#include "csystem.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

static int argument_count;
static char **argument_list;

// The GNU C library calls constructors as it calls main.
__attribute__((constructor)) static void keep(int count, char **arguments) {
  argument_count = count;
  argument_list = arguments;
}

// As a program that is linked statically starts, Swift's runtime derives its own folder from
// /proc/self/exe and aborts where it can't. It looks no further where SWIFT_ROOT names a folder; in that
// folder it only seeks a debugger's helper. This runs before the runtime's constructors.
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
