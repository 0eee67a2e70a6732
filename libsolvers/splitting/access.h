/* SPDX-License-Identifier: Apache-2.0
 * splitting/access.h: what the step of a block reads and writes. Private. */
#ifndef PERP_SPLITTING_ACCESS_H
#define PERP_SPLITTING_ACCESS_H

#include "core/solvers.h"

/** Resources are numbered: the impulses of block k are k, and in factored form velocity i is
 *  count + i; where rows act on two bodies all velocities of body i are count + i. */
typedef struct access_map {
    const perp_problem *p;
    size_t resources;
    size_t *block_of;     /* n: the block of a row */
    unsigned char *moves; /* of each velocity: whether it ever changes */
} access_map;

typedef void access_visit(void *context, size_t resource, bool writes);

/** Take memory from `ws`; false when there is none. */
bool perp_access_setup(access_map *t, const perp_problem *p, perp_workspace *ws);
/** Visit the resources that block k reads or writes, for a sparse A; a resource may be visited
 *  more than once, and one that is read and written is visited as written. */
void perp_access_visit(const access_map *t, size_t k, access_visit *visit, void *context);

#endif
