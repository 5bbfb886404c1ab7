#define _GNU_SOURCE
#include "csystem.h"

#include <errno.h>

int ckc_system_confine(void) {
  errno = ENOSYS;
  return -1;
}
