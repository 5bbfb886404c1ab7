#define _GNU_SOURCE
#include "csystem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define FILTERED_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define FILTERED_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef FILTERED_ARCH

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSE(error) ANSWER(SECCOMP_RET_ERRNO | (error))
#define ALLOW(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), ANSWER(SECCOMP_RET_ALLOW)

// The low half of an argument; both processors are little-endian.
#define ARGUMENT(index) (offsetof(struct seccomp_data, args) + 8 * (index))

static struct sock_filter rules[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FILTERED_ARCH, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
#ifdef __x86_64__
    // The x32 numbers of the same calls.
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    REFUSE(EPERM),
#endif
    ALLOW(read), ALLOW(write), ALLOW(readv), ALLOW(writev), ALLOW(pread64), ALLOW(lseek),
    // Not newfstatat: allowed for open files, it would allow paths too.
    ALLOW(close), ALLOW(fstat), ALLOW(dup),
    // mremap keeps the rights of what it moves.
    ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(brk),
    ALLOW(futex), ALLOW(ppoll), ALLOW(sendmsg), ALLOW(recvmsg),
    ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(clock_nanosleep), ALLOW(nanosleep),
    ALLOW(gettimeofday), ALLOW(getrandom), ALLOW(getrusage), ALLOW(getpid), ALLOW(gettid),
    ALLOW(getppid), ALLOW(getuid), ALLOW(geteuid), ALLOW(getgid), ALLOW(getegid),
    ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(sched_getattr), ALLOW(sched_getparam),
    ALLOW(sched_getscheduler), ALLOW(getpriority), ALLOW(getcpu), ALLOW(sysinfo), ALLOW(uname),
    ALLOW(membarrier), ALLOW(set_robust_list), ALLOW(get_robust_list), ALLOW(rseq),
    ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack),
    ALLOW(restart_syscall), ALLOW(exit), ALLOW(exit_group),
#ifdef __NR_poll
    ALLOW(poll),
#endif
#ifdef __NR_time
    ALLOW(time),
#endif
    // mmap and mprotect: no memory that can be executed.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 1, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 0, 4),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(2)),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
    REFUSE(EPERM),
    ANSWER(SECCOMP_RET_ALLOW),
    // Without clone3 the C library falls back to clone, whose flags can be seen here.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
    REFUSE(ENOSYS),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(0)),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
    ANSWER(SECCOMP_RET_ALLOW),
    REFUSE(EPERM),
    // prctl: only naming a thread (PR_SET_NAME).
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prctl, 0, 4),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(0)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_NAME, 0, 1),
    ANSWER(SECCOMP_RET_ALLOW),
    REFUSE(EPERM),
    // prlimit64: only this process (0).
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 4),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(0)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
    ANSWER(SECCOMP_RET_ALLOW),
    REFUSE(EPERM),
    // fcntl: only commands that query; others can make a file signal other processes (F_SETOWN,
    // O_ASYNC).
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fcntl, 0, 5),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(1)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFD, 1, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFL, 0, 1),
    ANSWER(SECCOMP_RET_ALLOW),
    REFUSE(EPERM),
    // tgkill: abort() signals the thread that calls it. The next rule allows only the caller's own
    // process (its number is filled in below); the kernel's permissions do the rest.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 4),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(0)),
#define OWN_PROCESS_RULE (sizeof rules / sizeof rules[0] - 4)
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
    ANSWER(SECCOMP_RET_ALLOW),
    REFUSE(EPERM),
    REFUSE(EPERM),
};

int ckc_system_confine(void) {
  rules[OWN_PROCESS_RULE].k = (uint32_t)syscall(SYS_getpid);
  struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
  // All threads, also those that libraries have started.
  long failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (failed == 0) return 0;
  if (failed > 0) errno = EBUSY;
  return -1;
}

bool ckc_system_can_confine(void) {
  uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

#else

int ckc_system_confine(void) {
  errno = ENOSYS;
  return -1;
}

bool ckc_system_can_confine(void) { return false; }

#endif
