#ifndef CKC_SYSTEM_H
#define CKC_SYSTEM_H

// What Swift can't call: functions with variable arguments and macros for control messages.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/// open(2), repeated on EINTR, with O_CLOEXEC. Returns a descriptor, or -1 and errno.
int ckc_system_open(const char *path, int flags, mode_t mode);

/// openat(2), repeated on EINTR, with O_CLOEXEC. Returns a descriptor, or -1 and errno.
int ckc_system_open_at(int folder, const char *path, int flags, mode_t mode);

/// openat2(2) beneath `folder`: no link is followed, no name leads out of it; repeated on EINTR and
/// EAGAIN, with O_CLOEXEC; nothing is created. Returns a descriptor, or -1 and errno.
int ckc_system_open_beneath(int folder, const char *path, int flags);

/// O_TMPFILE: with it a folder is opened as a new file without a name.
extern const int ckc_system_unnamed_flag;

/// fcntl(2) with an int argument.
int ckc_system_fcntl(int descriptor, int command, int argument);

/// Sends up to `length` bytes (at least 1) and `count` descriptors (0 to 4) over a Unix socket.
/// Returns the number of bytes sent, or -1 and errno. Never raises SIGPIPE.
ssize_t ckc_system_send(int socket, const void *bytes, size_t length, const int *descriptors,
                        int count);

/// Receives up to `length` bytes and up to `capacity` (0 to 4) descriptors, which are close-on-exec;
/// `*count` is set to how many came. Descriptors beyond `capacity` are closed.
/// Returns the number of bytes, 0 at the end, or -1 and errno.
ssize_t ckc_system_receive(int socket, void *bytes, size_t length, int *descriptors, int capacity,
                           int *count);

/// renameat2(2) with RENAME_NOREPLACE. Returns 0, or -1 and errno.
int ckc_system_rename_new(int source, const char *from, int folder, const char *to);

/// renameat2(2) with RENAME_EXCHANGE in one folder: both names stay, each with the other's file.
/// Returns 0, or -1 and errno (EINVAL where the file system can't).
int ckc_system_exchange(int folder, const char *one, const char *other);

/// A descriptor that can be read once ckc_system_raise was called for it; -1 and errno.
int ckc_system_signal(void);

/// Makes a descriptor of ckc_system_signal readable.
void ckc_system_raise(int descriptor);

/// The creation time of a file or folder, in nanoseconds; 0 if the file system does not store it.
int64_t ckc_system_birth(int descriptor);

/// fsetxattr(2). Returns 0, or -1 and errno.
int ckc_system_set_attribute(int descriptor, const char *name, const void *bytes, size_t length);

/// fgetxattr(2). Returns the number of bytes, or -1 and errno.
ssize_t ckc_system_get_attribute(int descriptor, const char *name, void *bytes, size_t length);

/// Copies the extended attributes whose names start with `prefix`, except for `except`, from one open file to
/// another. Does nothing on a file system without attributes. Returns 0, or -1 and errno.
int ckc_system_copy_attributes(int from, int to, const char *prefix, const char *except);

/// Gives an open file the access control list of the file `name` in `folder`, or none if that has none.
/// Returns 0, or -1 and errno.
int ckc_system_copy_access_list(int folder, const char *name, int to);

/// An anonymous file in memory that can be sealed. Returns a descriptor, or -1 and errno.
int ckc_system_memory_file(const char *name);

/// Seals an anonymous file against any change. Returns 0, or -1 and errno.
int ckc_system_seal(int descriptor);

/// An anonymous file of `capacity` zero bytes that can't grow; bytes that are never written take no
/// memory. Returns a descriptor, or -1 and errno.
int ckc_system_memory_file_of(const char *name, off_t capacity);

/// fstat(2) by the call of that name, where the C library may use another that looks at paths, too.
int ckc_system_status(int descriptor, struct stat *status);

/// One allocator arena for all threads: each of several would reserve 64 MiB of addresses.
void ckc_system_use_one_arena(void);

/// Gives free memory back to the system.
void ckc_system_trim(void);

/// No new privileges, not dumpable. Returns 0, or -1 and errno.
int ckc_system_renounce(void);

/// The arguments of this process, its name first, as it was started with them; `*arguments` is set to
/// them. Returns how many there are.
int ckc_system_arguments(char ***arguments);

/// The path of this process's program, without links, which the caller frees; NULL if it is not known.
char *ckc_system_program(void);

/// A connected pair of close-on-exec Unix stream sockets. Returns 0, or -1 and errno.
int ckc_system_socket_pair(int sockets[2]);

/// Starts `path` with `socket` as its descriptor 3, `errors` as 2 (unless negative), /dev/null as 0, 1 and
/// otherwise 2, no other descriptor, in a new process group and with default signal handling. Returns its
/// process ID, or -1 and errno.
pid_t ckc_system_start(const char *path, int socket, int errors, char *const environment[]);

/// Copies this process, which must have one thread, as a further child of its parent, with `socket` as its
/// descriptor 3, `errors` as 2 and none from 4 on. Returns 0 in the new process, its process ID in this one, or
/// -1 and errno.
pid_t ckc_system_fork_sibling(int socket, int errors);

/// From here on this process and its threads can compute, use memory and the descriptors they have:
/// no opens, no sockets, no other programs, no signals to others, no new memory that can be executed. Anything else fails with EPERM.
/// Returns 0, or -1 and errno.
int ckc_system_confine(void);

/// Whether this kernel can filter system calls as `ckc_system_confine` does, on this processor.
bool ckc_system_can_confine(void);

/// The path of the library that holds `symbol` for this program, NULL if none does. Lives as long as the
/// library is loaded.
const char *ckc_system_library(const char *symbol);

#endif
