#define _GNU_SOURCE
#include "csystem.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int ckc_system_open(const char *path, int flags, mode_t mode) {
  int descriptor;
  do {
    descriptor = open(path, flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

int ckc_system_open_at(int folder, const char *path, int flags, mode_t mode) {
  int descriptor;
  do {
    descriptor = openat(folder, path, flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

int ckc_system_open_beneath(int folder, const char *path, int flags) {
  struct open_how how = {
      .flags = (unsigned)flags | O_CLOEXEC,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  long descriptor;
  do {
    descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
  } while (descriptor < 0 && (errno == EINTR || errno == EAGAIN));
  return (int)descriptor;
}

const int ckc_system_unnamed_flag = O_TMPFILE;

int ckc_system_fcntl(int descriptor, int command, int argument) {
  return fcntl(descriptor, command, argument);
}

#define MOST_DESCRIPTORS 4

ssize_t ckc_system_send(int socket, const void *bytes, size_t length, const int *descriptors,
                        int count) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
  } control;
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (count < 0 || count > MOST_DESCRIPTORS) {
    errno = EINVAL;
    return -1;
  }
  if (count > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.space;
    message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, (size_t)count * sizeof(int));
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t ckc_system_receive(int socket, void *bytes, size_t length, int *descriptors, int capacity,
                           int *count) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = length};
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = control.space,
      .msg_controllen = sizeof control.space,
  };
  *count = 0;
  ssize_t received;
  do {
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t came = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < came; i++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
      if (*count < capacity) {
        descriptors[(*count)++] = descriptor;
      } else {
        close(descriptor);
      }
    }
  }
  return received;
}

int ckc_system_rename_new(int source, const char *from, int folder, const char *to) {
  return renameat2(source, from, folder, to, RENAME_NOREPLACE);
}

int ckc_system_exchange(int folder, const char *one, const char *other) {
  return renameat2(folder, one, folder, other, RENAME_EXCHANGE);
}

int ckc_system_signal(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void ckc_system_raise(int descriptor) { eventfd_write(descriptor, 1); }

int64_t ckc_system_birth(int descriptor) {
  struct statx status;
  if (statx(descriptor, "", AT_EMPTY_PATH, STATX_BTIME, &status) != 0) return 0;
  if (!(status.stx_mask & STATX_BTIME)) return 0;
  return status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

int ckc_system_memory_file(const char *name) {
  return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

static const int all_seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

int ckc_system_seal(int descriptor) { return fcntl(descriptor, F_ADD_SEALS, all_seals); }

int ckc_system_memory_file_of(const char *name, off_t capacity) {
  int descriptor = ckc_system_memory_file(name);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, capacity) == 0 && fcntl(descriptor, F_ADD_SEALS, F_SEAL_GROW) == 0) {
    return descriptor;
  }
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

int ckc_system_status(int descriptor, struct stat *status) {
#if defined(__x86_64__) || defined(__aarch64__)
  return (int)syscall(SYS_fstat, descriptor, status);
#else
  return fstat(descriptor, status);
#endif
}

void ckc_system_use_one_arena(void) { mallopt(M_ARENA_MAX, 1); }

void ckc_system_trim(void) { malloc_trim(0); }

int ckc_system_renounce(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

const char *ckc_system_library(const char *symbol) {
  Dl_info place;
  void *address = dlsym(RTLD_DEFAULT, symbol);
  return address && dladdr(address, &place) != 0 ? place.dli_fname : NULL;
}
