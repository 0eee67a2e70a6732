/* SPDX-License-Identifier: Apache-2.0
 * faults/trace_machine.c: the registers of a traced thread at a system call. */
#include "trace.h"

#ifdef TRACE_SUPPORTED
#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

bool trace_arguments(pid_t thread, unsigned long long arguments[6])
{
    struct __ptrace_syscall_info info = {0};

    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0 ||
        info.op != PTRACE_SYSCALL_INFO_SECCOMP) {
        return false;
    }
    memcpy(arguments, info.seccomp.args, sizeof info.seccomp.args);
    return true;
}

#ifdef __x86_64__
static bool machine_poke(pid_t thread, size_t offset, unsigned long long value)
{
    return ptrace(PTRACE_POKEUSER, thread, offset, value) == 0;
}

bool trace_fail(pid_t thread, int error)
{
    /* A call of number -1 is left out, and its result is what the register holds. */
    return machine_poke(thread, offsetof(struct user_regs_struct, orig_rax), -1ULL) &&
           machine_poke(thread, offsetof(struct user_regs_struct, rax),
                        (unsigned long long)-(long long)error);
}

bool trace_shorten(pid_t thread, unsigned long long bytes)
{
    return machine_poke(thread, offsetof(struct user_regs_struct, rdx), bytes);
}
#else
/* Set one of the registers x0, x1, … */
static bool machine_set(pid_t thread, int which, unsigned long long value)
{
    struct user_regs_struct registers;
    struct iovec all = {&registers, sizeof registers};

    if (ptrace(PTRACE_GETREGSET, thread, (void *)(uintptr_t)NT_PRSTATUS, &all) != 0) {
        return false;
    }
    registers.regs[which] = value;
    return ptrace(PTRACE_SETREGSET, thread, (void *)(uintptr_t)NT_PRSTATUS, &all) == 0;
}

bool trace_fail(pid_t thread, int error)
{
    int none = -1;
    struct iovec number = {&none, sizeof none};

    return ptrace(PTRACE_SETREGSET, thread, (void *)(uintptr_t)NT_ARM_SYSTEM_CALL,
                  &number) == 0 &&
           machine_set(thread, 0, (unsigned long long)-(long long)error);
}

bool trace_shorten(pid_t thread, unsigned long long bytes)
{
    return machine_set(thread, 2, bytes);
}
#endif
#endif
