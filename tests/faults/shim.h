/* SPDX-License-Identifier: Apache-2.0
 * tests/faults/shim.h: a shared object that lets a call of a program fail.
 *
 * With LD_PRELOAD it stands between the program and the C library. Counted from the start of
 * main, the k-th call of one kind fails, or all from the k-th on:
 *
 *     PERP_FAULT_KIND   memory (malloc and its kin), or a kind of system call: write, open,
 *                       rename, fsync, unlink, mkdir, each on files, not on pipes or sockets
 *     PERP_FAULT_AT     the number k of the one call that fails
 *     PERP_FAULT_FROM   the number k of the first call that fails
 *     PERP_FAULT_ERRNO  the number of the error of a system call
 *     PERP_FAULT_CHILDREN  the programs of the same name that it starts are counted as well; "only":
 *                       the first process is not
 *     PERP_FAULT_PROGRAM  the name of programs that are counted as children, in place of that one
 *     PERP_FAULT_COUNT  a file for the counter, which the children share, and behind it 1 where libhdf5
 *                       asked for the memory that failed
 *     PERP_FAULT_CLOCK  the clock stands still: equal runs, equal files
 *     PERP_FAULT_SHOW   a file that receives the stack of the call that failed
 *
 * With PERP_FAULT_DRIVE it runs main once per k in a fork and judges each end (drive.c). */
#ifndef PERP_TEST_SHIM_H
#define PERP_TEST_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SHIM_LOCAL __attribute__((visibility("hidden")))

#define SHIM_KIND_LIST(X)                                                                \
    X(SHIM_MEMORY, "memory")                                                             \
    X(SHIM_WRITE, "write")                                                               \
    X(SHIM_OPEN, "open")                                                                 \
    X(SHIM_RENAME, "rename")                                                             \
    X(SHIM_FSYNC, "fsync")                                                               \
    X(SHIM_UNLINK, "unlink")                                                             \
    X(SHIM_MKDIR, "mkdir")

typedef enum shim_kind {
#define SHIM_ENUM(kind, name) kind,
    SHIM_KIND_LIST(SHIM_ENUM)
#undef SHIM_ENUM
} shim_kind;

typedef int (*shim_main)(int, char **, char **);

/** What shall fail, in this process and, where asked, in its children. */
typedef struct shim_order {
    shim_kind kind;
    uint64_t at;   /**< number of the call, from 1; 0: none */
    bool from;     /**< all later ones, too */
    int error;     /**< of a system call */
    bool children; /**< programs of the same name are counted, too */
    bool clock;    /**< the clock is that of the shim */
    pid_t owner;   /**< the process that counts where children do not */
    pid_t spared;  /**< the process that does not count where only children do; 0: none */
    const char *show;
    uint64_t *
        count; /**< calls so far, and whether libhdf5 lacked memory; NULL: nothing is counted */
} shim_order;

extern SHIM_LOCAL shim_order shim;

/** Count a call of this kind; whether it shall fail. */
SHIM_LOCAL bool shim_fails(shim_kind kind);
/** The name of a kind, and the kind of a name; false: there is none. */
SHIM_LOCAL const char *shim_kind_name(shim_kind kind);
SHIM_LOCAL bool shim_kind_find(const char *name, shim_kind *kind);
/** Counters in a file that processes share; NULL: it cannot be mapped. */
SHIM_LOCAL uint64_t *shim_counter(const char *path);

/** Let system calls of the kinds above pass through the handler, from now on. False where the
 *  processor or the kernel does not allow it. */
SHIM_LOCAL bool shim_calls_filter(void);
/** The handler alone, in a program that inherits the filter. */
SHIM_LOCAL bool shim_calls_handle(void);

/** Run main for each k; returns the exit status. */
SHIM_LOCAL int shim_drive(shim_main program, int argc, char **argv, char **env);

#endif
