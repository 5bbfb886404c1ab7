#define _GNU_SOURCE
#include "csystem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

int ckc_system_set_attribute(int descriptor, const char *name, const void *bytes, size_t length) {
  return fsetxattr(descriptor, name, bytes, length, 0);
}

ssize_t ckc_system_get_attribute(int descriptor, const char *name, void *bytes, size_t length) {
  return fgetxattr(descriptor, name, bytes, length);
}

// Linux' limit for the size of an attribute, and for the list of their names.
enum { MOST = 1 << 16 };

static int is_no_answer(int error) { return error == ENOTSUP || error == ENODATA; }

int ckc_system_copy_attributes(int from, int to, const char *prefix, const char *except) {
  char *names = malloc(2 * MOST);
  if (!names) return -1;
  char *bytes = names + MOST;
  ssize_t length = flistxattr(from, names, MOST);
  int failed = length < 0 && !is_no_answer(errno);
  for (char *name = names; !failed && name < names + length; name += strlen(name) + 1) {
    if (strncmp(name, prefix, strlen(prefix)) != 0 || strcmp(name, except) == 0) continue;
    ssize_t count = fgetxattr(from, name, bytes, MOST);
    // An attribute that was removed in the meantime is skipped.
    if (count < 0 && is_no_answer(errno)) continue;
    failed = count < 0 || fsetxattr(to, name, bytes, (size_t)count, 0) != 0;
  }
  int reason = errno;
  free(names);
  errno = reason;
  return failed ? -1 : 0;
}

int ckc_system_copy_access_list(int folder, const char *name, int to) {
  const char *attribute = "system.posix_acl_access";
  char path[64 + 256];
  if (snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name) >= (int)sizeof path) return 0;
  char *bytes = malloc(MOST);
  if (!bytes) return -1;
  ssize_t count = lgetxattr(path, attribute, bytes, MOST);
  int failed = count >= 0 && fsetxattr(to, attribute, bytes, (size_t)count, 0) != 0;
  // A new file may inherit an ACL from its folder that the source does not have. On systems
  // without ACLs, nothing needs to be done.
  if (count < 0 && errno == ENODATA) fremovexattr(to, attribute);
  int reason = errno;
  free(bytes);
  errno = reason;
  return failed ? -1 : 0;
}
