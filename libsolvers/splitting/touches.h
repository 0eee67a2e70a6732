/* SPDX-License-Identifier: Apache-2.0
 * splitting/touches.h: what the step of a block reads and writes. Private. */
#ifndef PERP_SPLITTING_TOUCHES_H
#define PERP_SPLITTING_TOUCHES_H

#include "core/solvers.h"

/** Resources are numbered: the impulses of block k are k, and in factored form velocity i is
 *  count + i; where rows act on two bodies all velocities of body i are count + i. */
typedef struct touches {
    const perp_problem *p;
    size_t resources;
    size_t *block_of;     /* n: the block of a row */
    unsigned char *moves; /* of each velocity: it ever changes */
} touches;

typedef void touches_visit(void *context, size_t resource, bool writes);

/** Takes memory from `ws`; false without it. */
bool perp_touches_setup(touches *t, const perp_problem *p, perp_workspace *ws);
/** Visit what block k touches, A being sparse; one thing may come more than once, and what is read and written
 *  comes as written. */
void perp_touches_of(const touches *t, size_t k, touches_visit *visit, void *context);

#endif
