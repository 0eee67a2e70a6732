/* SPDX-License-Identifier: Apache-2.0
 * tests/faults/calls.c: system calls that fail.
 *
 * The C library makes most of its system calls without a function that a shared object could
 * replace. A filter of the kernel (seccomp) turns the calls of interest into the signal SIGSYS;
 * its handler makes the call, or returns an error in its place. Calls whose sixth argument, which
 * none of them has, is a number of the shim pass the filter: these are the handler's own. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "shim.h"

#if defined(__x86_64__)
#define CALLS_ARCH AUDIT_ARCH_X86_64
#define CALLS_ARG(c, k)                                                                  \
    ((c)->uc_mcontext                                                                    \
         .gregs[(const int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9}[k]])
#define CALLS_RESULT(c) ((c)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define CALLS_ARCH      AUDIT_ARCH_AARCH64
#define CALLS_ARG(c, k) ((c)->uc_mcontext.regs[k])
#define CALLS_RESULT(c) ((c)->uc_mcontext.regs[0])
#endif

#ifdef CALLS_ARCH

static const unsigned calls_pass = 0x70657270; /* "perp" */

static const struct {
    int number;
    shim_kind kind;
} calls[] = {
    {SYS_write, SHIM_WRITE},     {SYS_pwrite64, SHIM_WRITE},
    {SYS_writev, SHIM_WRITE},    {SYS_pwritev, SHIM_WRITE},
    {SYS_ftruncate, SHIM_WRITE}, {SYS_fallocate, SHIM_WRITE},
    {SYS_openat, SHIM_OPEN},     {SYS_renameat2, SHIM_RENAME},
    {SYS_fsync, SHIM_FSYNC},     {SYS_fdatasync, SHIM_FSYNC},
    {SYS_unlinkat, SHIM_UNLINK}, {SYS_mkdirat, SHIM_MKDIR},
#ifdef SYS_renameat
    {SYS_renameat, SHIM_RENAME},
#endif
#ifdef SYS_open
    {SYS_open, SHIM_OPEN},       {SYS_creat, SHIM_OPEN},
    {SYS_rename, SHIM_RENAME},   {SYS_unlink, SHIM_UNLINK},
    {SYS_rmdir, SHIM_UNLINK},    {SYS_mkdir, SHIM_MKDIR},
#endif
};

enum { CALLS = sizeof calls / sizeof *calls };

/* A write that a full disk could fail: to a regular file that is not the stream of messages. */
static bool calls_to_file(int fd)
{
    struct stat st;

    return fd != STDERR_FILENO && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* What describes the machine may be absent: a result without it is a result. */
static bool calls_machine(const char *path)
{
    return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0;
}

/* Whether this call is one that may fail: a file's. */
static bool calls_counts(shim_kind kind, long number, const ucontext_t *c)
{
    if (kind == SHIM_OPEN) {
        return !calls_machine((const char *)CALLS_ARG(c, number == SYS_openat ? 1 : 0));
    }
    return (kind != SHIM_WRITE && kind != SHIM_FSYNC) ||
           calls_to_file((int)CALLS_ARG(c, 0));
}

static void calls_handler(int signal_number, siginfo_t *info, void *context)
{
    ucontext_t *c = context;
    int saved = errno;
    long number = info->si_syscall;
    int known = 0;
    bool fails = false;

    (void)signal_number;
    while (known < CALLS && calls[known].number != number) {
        known++;
    }
    if (known < CALLS && calls_counts(calls[known].kind, number, c)) {
        fails = shim_fails(calls[known].kind);
    }
    if (fails) {
        CALLS_RESULT(c) = -shim.error;
    } else {
        long got = syscall(number, CALLS_ARG(c, 0), CALLS_ARG(c, 1), CALLS_ARG(c, 2),
                           CALLS_ARG(c, 3), CALLS_ARG(c, 4), calls_pass);

        CALLS_RESULT(c) = got < 0 ? -errno : got;
    }
    errno = saved;
}

bool shim_calls_handle(void)
{
    struct sigaction action = {.sa_sigaction = calls_handler,
                               .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};

    return sigaction(SIGSYS, &action, NULL) == 0;
}

bool shim_calls_filter(void)
{
    enum { BEFORE = 6 };
    struct sock_filter code[BEFORE + 2 * CALLS + 1] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALLS_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls_pass, 2 * CALLS + 1, 0),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    struct sock_fprog program = {.len = BEFORE + 2 * CALLS + 1, .filter = code};

    for (int k = 0; k < CALLS; k++) {
        code[BEFORE + 2 * k] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[k].number, 0, 1);
        code[BEFORE + 2 * k + 1] =
            (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    }
    code[BEFORE + 2 * CALLS] =
        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    return shim_calls_handle() && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else

bool shim_calls_handle(void)
{
    return false;
}

bool shim_calls_filter(void)
{
    return false;
}

#endif
