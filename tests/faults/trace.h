/* SPDX-License-Identifier: Apache-2.0
 * faults/trace.h: parts of the program trace: the system calls it knows, and the machine. */
#ifndef PERP_TESTS_FAULTS_TRACE_H
#define PERP_TESTS_FAULTS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined __linux__ && (defined __x86_64__ || defined __aarch64__)
#define TRACE_SUPPORTED 1

/* Kinds of calls; each is a bit of a mask. */
enum {
    TRACE_WRITE = 1 << 0, /* to regular files */
    TRACE_OPEN = 1 << 1,  /* to write, or to create */
    TRACE_RENAME = 1 << 2,
    TRACE_FSYNC = 1 << 3,
    TRACE_UNLINK = 1 << 4,
    TRACE_MKDIR = 1 << 5,
    TRACE_TRUNCATE = 1 << 6,
    TRACE_LINK = 1 << 7,
    TRACE_MODE = 1 << 8, /* chmod, chown, times */
    TRACE_LOCK = 1 << 9,
    TRACE_READ = 1 << 10,    /* of regular files */
    TRACE_OPEN_ANY = 1 << 11 /* also to read */
};
/* What is counted unless --calls says otherwise: the calls that change files. */
#define TRACE_USUAL 0x1ff

typedef struct trace_call {
    long number;
    const char *name;
    unsigned kind;
    int descriptor; /* the argument that is one, or -1 */
    int path;       /* the argument that is the address of a path, or -1 */
} trace_call;

/** The call of a line of the table; NULL after the last. */
const trace_call *trace_call_at(size_t index);
/** The mask of a list of kinds, "write,open"; 0: a word is none. */
unsigned trace_kinds(const char *list);
/** The number of an error such as "ENOSPC"; 0: not known. */
int trace_errno(const char *name);
/** Let SECCOMP stop this process, and those it starts, at the calls of the mask. */
bool trace_filter(unsigned mask);

/** The arguments of the call before which a thread stands. */
bool trace_arguments(pid_t thread, unsigned long long arguments[6]);
/** Replace the call by its failure. */
bool trace_fail(pid_t thread, int error);
/** Replace the third argument of the call, a number of bytes. */
bool trace_shorten(pid_t thread, unsigned long long bytes);
/** Does the call count? Writes do to regular files, opens where they may write. */
bool trace_counts(pid_t thread, const trace_call *call, unsigned mask,
                  const unsigned long long arguments[6]);
/** What the call works on, for a list of calls: the path, or where the descriptor leads. */
void trace_object(pid_t thread, const trace_call *call,
                  const unsigned long long arguments[6], char *text, size_t size);
#endif

#endif
