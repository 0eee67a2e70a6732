/* SPDX-License-Identifier: Apache-2.0
 * cli/emergency.c: what happens when a library crashes because memory is missing.
 *
 * libhdf5 1.10 uses memory that it did not get: a failed allocation ends in a signal, and what it
 * registered for the end of the program may end in another one, or in an endless loop. The data of
 * libhdf5 cannot be used afterwards, so the program ends, in its handler and without the functions of
 * exit. The handler reads its stack, and where a function of libhdf5 is on it, or libhdf5 has lacked
 * memory before, after which malloc may find its data spoilt,
 *
 *  - removes the temporary files that are open, and the unfinished folders that hold them,
 *  - prints one line, and ends with exit status 2.
 *
 * It calls the kernel and what needs no memory. A file is committed only after libhdf5 has closed it
 * without an error, so that no target is half-written. */
#include <config.h>

#include <fcntl.h>
#include <hdf5.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "base/file.h"
#include "base/hdf5.h"
#include "command/cli/args.h"
#include "command/cli/emergency.h"

enum { EMERGENCY_FILES = 256, EMERGENCY_PATH = 4096 };

static const int emergency_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { EMERGENCY_SIGNALS = sizeof emergency_signals / sizeof *emergency_signals };

static struct sigaction emergency_before[EMERGENCY_SIGNALS];
static uintptr_t emergency_code[2]; /* where the code of libhdf5 begins and ends */

static int emergency_find(struct dl_phdr_info *info, size_t size, void *function)
{
    (void)size;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;

        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) &&
            (uintptr_t)function - start < part->p_memsz) {
            emergency_code[0] = start;
            emergency_code[1] = start + part->p_memsz;
            return 1;
        }
    }
    return 0;
}

static _Unwind_Reason_Code emergency_frame(struct _Unwind_Context *frame, void *found)
{
    bool *is_hdf5 = found;

    *is_hdf5 = *is_hdf5 || (uintptr_t)_Unwind_GetIP(frame) - emergency_code[0] <
                               emergency_code[1] - emergency_code[0];
    return *is_hdf5 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static bool emergency_is_hdf5(void)
{
    bool found = false;

    _Unwind_Backtrace(emergency_frame, &found);
    return found;
}

/* ".tmp-HOST-PID-K", ".tmp-PID-K" and ".part-PID-K" of this process, at the end of a name. */
static bool emergency_is_ours(const char *name)
{
    char pid[32];
    const char *end = strrchr(name, '/');

    snprintf(pid, sizeof pid, "-%ld-", (long)getpid());
    name = end ? end : name;
    return (strstr(name, ".tmp-") || strstr(name, ".part-")) && strstr(name, pid);
}

static void emergency_remove(void)
{
    for (int fd = 3; fd < EMERGENCY_FILES; fd++) {
        char link[64], path[EMERGENCY_PATH];
        ssize_t length = 0;
        char *end = NULL;

        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        length = readlink(link, path, sizeof path - 1);
        if (length <= 0) {
            continue;
        }
        path[length] = '\0';
        end = strrchr(path, '/');
        if (emergency_is_ours(path)) {
            unlink(path);
        }
        if (end && end > path) {
            *end = '\0';
            if (emergency_is_ours(path)) {
                perp_folder_remove_all(path);
            }
        }
    }
}

static void emergency_end(const char *what, int number)
{
    char line[128];
    int length = snprintf(line, sizeof line,
                          "perp: libhdf5 %s %d: not enough memory, or a damaged file\n",
                          what, number);
    ssize_t told = 0;

    emergency_remove();
    told = write(STDERR_FILENO, line, (size_t)length);
    (void)told; /* no other stream is left */
    _exit(CLI_BAD_INPUT);
}

/* libhdf5 ends the program by itself, without a word. */
static void emergency_exit(void)
{
    if (emergency_is_hdf5()) {
        emergency_end("ended the program, status", -1);
    }
}

static void emergency_handle(int number)
{
    for (size_t k = 0; k < EMERGENCY_SIGNALS; k++) { /* once: the next crash is an end */
        sigaction(emergency_signals[k], &emergency_before[k], NULL);
    }
    if (!emergency_is_hdf5() && !perp_h5_spoilt()) {
        return; /* the instruction is repeated, and has its usual end */
    }
    emergency_end("crashed, signal", number);
}

/* A recursion without end leaves no room on the usual stack. */
static void emergency_stack(void)
{
    static char room[1 << 16];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    stack_t now;

    if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE)) {
        sigaltstack(&stack, NULL);
    }
}

void emergency_prepare(void)
{
    struct sigaction action = {.sa_handler = emergency_handle, .sa_flags = SA_ONSTACK};
    void *function = NULL;
    herr_t (*open_library)(void) = H5open;

    memcpy(&function, &open_library, sizeof function);
    dl_iterate_phdr(emergency_find, function);
    emergency_stack();
    atexit(emergency_exit);
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < EMERGENCY_SIGNALS; k++) {
        sigaction(emergency_signals[k], &action, &emergency_before[k]);
    }
    H5dont_atexit(); /* each file is closed by those that opened it */
}
