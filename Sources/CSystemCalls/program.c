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
