#define _GNU_SOURCE
#include "csystem.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int ckc_system_socket_pair(int sockets[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return -1;
  // Moves the descriptors away from the numbers that the program to start uses.
  for (int i = 0; i < 2; i++) {
    int moved = fcntl(sockets[i], F_DUPFD_CLOEXEC, 8);
    if (moved < 0) {
      // The limit on open files may be lower than the requested number.
      int reason = errno == EINVAL ? EMFILE : errno;
      close(sockets[0]);
      close(sockets[1]);
      errno = reason;
      return -1;
    }
    close(sockets[i]);
    sockets[i] = moved;
  }
  return 0;
}

static int describe(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
                    int socket, int errors) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int failed = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  if (!failed) failed = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
  if (!failed) failed = posix_spawn_file_actions_adddup2(actions, errors < 0 ? 1 : errors, 2);
  if (!failed) failed = posix_spawn_file_actions_adddup2(actions, socket, 3);
  if (!failed) failed = posix_spawn_file_actions_addclosefrom_np(actions, 4);
  if (!failed) failed = posix_spawnattr_setsigmask(attributes, &none);
  if (!failed) failed = posix_spawnattr_setsigdefault(attributes, &all);
  if (!failed) failed = posix_spawnattr_setpgroup(attributes, 0);
  if (!failed) {
    failed = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  return failed;
}

pid_t ckc_system_start(const char *path, int socket, int errors, char *const environment[]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failed = posix_spawn_file_actions_init(&actions);
  if (failed) {
    errno = failed;
    return -1;
  }
  failed = posix_spawnattr_init(&attributes);
  pid_t process = -1;
  if (!failed) {
    failed = describe(&actions, &attributes, socket, errors);
    char *const arguments[] = {(char *)path, NULL};
    if (!failed) failed = posix_spawn(&process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  if (failed) {
    errno = failed;
    return -1;
  }
  return process;
}

pid_t ckc_system_fork_sibling(int socket, int errors) {
  // Without the C library's fork: this process has one thread, and the new one must be a child of its
  // parent, which waits for it.
  pid_t process = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
  if (process != 0) return process;
  if (dup2(socket, 3) < 0 || dup2(errors, 2) < 0) _exit(71);
  if (close_range(4, ~0U, 0) != 0) {
    // The kernel may be too old. A worker may have no more anyway.
    for (int descriptor = 4; descriptor < 1024; descriptor++) close(descriptor);
  }
  return 0;
}
