/* SPDX-License-Identifier: Apache-2.0
 * faults/trace_calls.c: the system calls that the program trace knows, and which of them count. */
#include "trace.h"

#ifdef TRACE_SUPPORTED
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef __x86_64__
#define TRACE_ARCH AUDIT_ARCH_X86_64
#else
#define TRACE_ARCH AUDIT_ARCH_AARCH64
#endif

/* The calls of both machines; aarch64 has no call without "at" in its name. */
#define TRACE_CALL(name, kind, descriptor, path)                                         \
    {                                                                                    \
        SYS_##name, #name, kind, descriptor, path                                        \
    }
static const trace_call trace_table[] = {
    TRACE_CALL(write, TRACE_WRITE, 0, -1),
    TRACE_CALL(pwrite64, TRACE_WRITE, 0, -1),
    TRACE_CALL(writev, TRACE_WRITE, 0, -1),
    TRACE_CALL(pwritev, TRACE_WRITE, 0, -1),
    TRACE_CALL(pwritev2, TRACE_WRITE, 0, -1),
    TRACE_CALL(sendfile, TRACE_WRITE, 0, -1),
    TRACE_CALL(copy_file_range, TRACE_WRITE, 2, -1),
    TRACE_CALL(splice, TRACE_WRITE, 2, -1),
    TRACE_CALL(openat, TRACE_OPEN, -1, 1),
    TRACE_CALL(openat2, TRACE_OPEN, -1, 1),
    TRACE_CALL(renameat, TRACE_RENAME, -1, 1),
    TRACE_CALL(renameat2, TRACE_RENAME, -1, 1),
    TRACE_CALL(fsync, TRACE_FSYNC, 0, -1),
    TRACE_CALL(fdatasync, TRACE_FSYNC, 0, -1),
    TRACE_CALL(syncfs, TRACE_FSYNC, 0, -1),
    TRACE_CALL(unlinkat, TRACE_UNLINK, -1, 1),
    TRACE_CALL(mkdirat, TRACE_MKDIR, -1, 1),
    TRACE_CALL(truncate, TRACE_TRUNCATE, -1, 0),
    TRACE_CALL(ftruncate, TRACE_TRUNCATE, 0, -1),
    TRACE_CALL(fallocate, TRACE_TRUNCATE, 0, -1),
    TRACE_CALL(linkat, TRACE_LINK, -1, 1),
    TRACE_CALL(symlinkat, TRACE_LINK, -1, 0),
    TRACE_CALL(fchmod, TRACE_MODE, 0, -1),
    TRACE_CALL(fchmodat, TRACE_MODE, -1, 1),
    TRACE_CALL(fchown, TRACE_MODE, 0, -1),
    TRACE_CALL(fchownat, TRACE_MODE, -1, 1),
    TRACE_CALL(utimensat, TRACE_MODE, -1, 1),
    TRACE_CALL(flock, TRACE_LOCK, 0, -1),
    TRACE_CALL(read, TRACE_READ, 0, -1),
    TRACE_CALL(pread64, TRACE_READ, 0, -1),
    TRACE_CALL(readv, TRACE_READ, 0, -1),
    TRACE_CALL(preadv, TRACE_READ, 0, -1),
#ifdef __x86_64__
    TRACE_CALL(open, TRACE_OPEN, -1, 0),
    TRACE_CALL(creat, TRACE_OPEN, -1, 0),
    TRACE_CALL(rename, TRACE_RENAME, -1, 0),
    TRACE_CALL(unlink, TRACE_UNLINK, -1, 0),
    TRACE_CALL(rmdir, TRACE_UNLINK, -1, 0),
    TRACE_CALL(mkdir, TRACE_MKDIR, -1, 0),
    TRACE_CALL(link, TRACE_LINK, -1, 0),
    TRACE_CALL(symlink, TRACE_LINK, -1, 0),
    TRACE_CALL(chmod, TRACE_MODE, -1, 0),
    TRACE_CALL(chown, TRACE_MODE, -1, 0),
#endif
};
enum { TRACE_COUNT = sizeof trace_table / sizeof *trace_table };

const trace_call *trace_call_at(size_t index)
{
    return index < TRACE_COUNT ? &trace_table[index] : NULL;
}

unsigned trace_kinds(const char *list)
{
    static const char *const names[] = {"write",  "open",  "rename",   "fsync",
                                        "unlink", "mkdir", "truncate", "link",
                                        "mode",   "lock",  "read",     "open-any"};
    unsigned mask = 0;

    while (*list) {
        size_t length = strcspn(list, ","), kind = 0;

        while (kind < sizeof names / sizeof *names &&
               (strncmp(list, names[kind], length) != 0 || names[kind][length] != '\0')) {
            kind++;
        }
        if (kind == sizeof names / sizeof *names) {
            return 0;
        }
        mask |= 1U << kind;
        list += length + (list[length] == ',');
    }
    return mask & TRACE_OPEN_ANY ? mask | TRACE_OPEN : mask;
}

int trace_errno(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } errors[] = {
        {"EPERM", EPERM},   {"ENOENT", ENOENT}, {"EINTR", EINTR},   {"EIO", EIO},
        {"EBADF", EBADF},   {"EAGAIN", EAGAIN}, {"ENOMEM", ENOMEM}, {"EACCES", EACCES},
        {"EBUSY", EBUSY},   {"EEXIST", EEXIST}, {"EXDEV", EXDEV},   {"ENOTDIR", ENOTDIR},
        {"EINVAL", EINVAL}, {"ENFILE", ENFILE}, {"EMFILE", EMFILE}, {"ETXTBSY", ETXTBSY},
        {"EFBIG", EFBIG},   {"ENOSPC", ENOSPC}, {"EROFS", EROFS},   {"EPIPE", EPIPE},
        {"EDQUOT", EDQUOT}, {"ENOSYS", ENOSYS}, {"ENOLCK", ENOLCK}, {"EISDIR", EISDIR},
    };

    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (strcmp(errors[i].name, name) == 0) {
            return errors[i].number;
        }
    }
    return 0;
}

bool trace_filter(unsigned mask)
{
    struct sock_filter code[2 * TRACE_COUNT + 5];
    unsigned short length = 0;

    code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                  offsetof(struct seccomp_data, arch));
    code[length++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TRACE_ARCH, 1, 0);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                  offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < TRACE_COUNT; i++) {
        if (!(trace_table[i].kind & mask)) {
            continue;
        }
        code[length++] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (unsigned)trace_table[i].number, 0, 1);
        code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
                                                      SECCOMP_RET_TRACE | (unsigned)i);
    }
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

    struct sock_fprog program = {.len = length, .filter = code};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* The flags of a call that opens a file. */
static int calls_flags(pid_t thread, const trace_call *call,
                       const unsigned long long arguments[6])
{
    unsigned long long flags = 0;

    if (strcmp(call->name, "creat") == 0) {
        return O_CREAT | O_WRONLY;
    }
    if (strcmp(call->name, "openat2") == 0) {
        struct iovec here = {&flags, sizeof flags};
        struct iovec there = {(void *)(uintptr_t)arguments[2], sizeof flags};

        return process_vm_readv(thread, &here, 1, &there, 1, 0) == (ssize_t)sizeof flags
                   ? (int)flags
                   : O_RDONLY;
    }
    return (int)arguments[call->path + 1];
}

bool trace_counts(pid_t thread, const trace_call *call, unsigned mask,
                  const unsigned long long arguments[6])
{
    char path[64];
    struct stat st = {0};

    if (call->kind & (TRACE_WRITE | TRACE_READ)) {
        snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)thread,
                 (int)arguments[call->descriptor]);
        return stat(path, &st) == 0 && S_ISREG(st.st_mode);
    }
    if (call->kind & TRACE_OPEN && !(mask & TRACE_OPEN_ANY)) {
        int flags = calls_flags(thread, call, arguments);

        return (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
    }
    return true;
}

void trace_object(pid_t thread, const trace_call *call,
                  const unsigned long long arguments[6], char *text, size_t size)
{
    char path[64];
    ssize_t length = -1;

    if (call->descriptor >= 0) {
        snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)thread,
                 (int)arguments[call->descriptor]);
        length = readlink(path, text, size - 1);
    } else {
        /* Read up to the end of a page, and on if there is another one behind. */
        uintptr_t start = (uintptr_t)arguments[call->path];
        size_t page = 4096 - start % 4096, first = size - 1 < page ? size - 1 : page;
        struct iovec here = {text, size - 1};
        struct iovec there[2] = {{(void *)start, first},
                                 {(void *)(start + first), size - 1 - first}};

        length = process_vm_readv(thread, &here, 1, there, 2, 0);
    }
    text[length > 0 ? length : 0] = '\0';
    for (char *at = text; *at; at++) {
        *at = *at == '\n' ? '?' : *at;
    }
}
#endif
