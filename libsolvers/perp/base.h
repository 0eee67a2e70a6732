/* SPDX-License-Identifier: Apache-2.0
 * perp/base.h: statuses, errors with a place, and the version.
 *
 * A perp_status says whether a call worked, a perp_outcome (<perp/result.h>) what a
 * solver found. Reaching a limit is an outcome, not an error. Only perp_lcp_solve,
 * which has no other way to report an outcome, returns a status for it. */
#ifndef PERP_BASE_H
#define PERP_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define PERP_BEGIN_DECLS extern "C" {
#define PERP_END_DECLS   }
#else
#define PERP_BEGIN_DECLS
#define PERP_END_DECLS
#endif

#if defined(__GNUC__)
#define PERP_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define PERP_PRINTF(text, first)
#endif

PERP_BEGIN_DECLS

/** Each status and its text. */
#define PERP_STATUS_LIST(X)                                                              \
    X(PERP_OK, "ok")                                                                     \
    X(PERP_ERR_MEMORY, "not enough memory")                                              \
    X(PERP_ERR_ARGUMENT, "bad argument")                                                 \
    X(PERP_ERR_DATA, "bad data")         /* NaN, infinity, mu < 0, lo > hi, extents */   \
    X(PERP_ERR_OPTION, "bad option")     /* unknown name, or value out of range */       \
    X(PERP_ERR_UNSUITABLE, "unsuitable") /* this solver does not take this problem */    \
    X(PERP_ERR_READ, "cannot read")      /* missing, truncated, no permission */         \
    X(PERP_ERR_FORMAT, "malformed")      /* a file that is not what it should be */      \
    X(PERP_ERR_WRITE, "cannot write")    /* full disk, no permission */                  \
    X(PERP_ERR_LIBRARY, "a library failed") /* LAPACK, SuiteSparse, HDF5, gnuplot */     \
    X(PERP_ERR_NOT_SOLVED, "not solved")    /* perp_lcp_solve: no solution was found */

typedef enum perp_status {
#define PERP_ENUM(name, text) name,
    PERP_STATUS_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_status;

/** The text of a status, to be printed; never NULL. */
const char *perp_status_text(perp_status status);

enum { PERP_ERROR_LENGTH = 512 };

/** What went wrong, in one line: the object, the place, what was found, what was
 *  expected. A public function that takes one clears it first, so it need not be
 *  initialised, and fills it when it fails; NULL is allowed. */
typedef struct perp_error {
    perp_status status;
    char text[PERP_ERROR_LENGTH];
} perp_error;

/** Record an error and return its status: `return perp_fail(...)`. An error that is
 *  already there is kept, since it is the nearest to the cause. `err` may be NULL. */
perp_status perp_fail(perp_error *err, perp_status status, const char *format, ...)
    PERP_PRINTF(3, 4);

/** Put "context: " before the text of an error, and return `status`; `err` may be
 *  NULL. */
perp_status perp_fail_in(perp_error *err, perp_status status, const char *context);

/** The version of the library, "0.1.0"; static. */
const char *perp_version(void);

PERP_END_DECLS

#endif
