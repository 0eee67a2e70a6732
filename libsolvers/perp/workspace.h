/* SPDX-License-Identifier: Apache-2.0
 * perp/workspace.h: scratch memory, taken in `setup` and given back in one go.
 *
 * A solver takes everything from the workspace of its run, so that no ladder of frees
 * can leak, the memory limit is kept, and the peak is known. All memory is zeroed and
 * aligned to 64 bytes. Not shared between threads. */
#ifndef PERP_WORKSPACE_H
#define PERP_WORKSPACE_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** The memory of one solve, freed at once. */
typedef struct perp_workspace perp_workspace;

/** A workspace that refuses to hold more than `limit` bytes; 0 means no limit.
 *  The caller frees it with perp_workspace_free. */
perp_status perp_workspace_new(perp_workspace **ws, size_t limit, perp_error *err);
void perp_workspace_free(perp_workspace *ws); /* NULL is allowed */

/** `count` items of `size` bytes, or NULL when there is no memory, the limit is reached
 *  or the product overflows. A count of 0 yields a valid pointer. */
void *perp_workspace_alloc(perp_workspace *ws, size_t count, size_t size);
static inline double *perp_workspace_reals(perp_workspace *ws, size_t count)
{
    return (double *)perp_workspace_alloc(ws, count, sizeof(double));
}
static inline size_t *perp_workspace_sizes(perp_workspace *ws, size_t count)
{
    return (size_t *)perp_workspace_alloc(ws, count, sizeof(size_t));
}
static inline int *perp_workspace_ints(perp_workspace *ws, size_t count)
{
    return (int *)perp_workspace_alloc(ws, count, sizeof(int));
}

/** PERP_OK, or PERP_ERR_MEMORY when any request or charge since the workspace was made, or
 *  since the last release, was refused: a setup asks once, after its last request and before
 *  it uses any of the memory. The message names the bytes held, wanted and allowed. */
perp_status perp_workspace_status(const perp_workspace *ws, perp_error *err);

PERP_END_DECLS

#endif
