/* SPDX-License-Identifier: Apache-2.0
 * exact/infeasible.h: the sums behind a direction of infeasibility. */
#ifndef PERP_EXACT_INFEASIBLE_H
#define PERP_EXACT_INFEASIBLE_H

#include "interop/exact/integers.h"

enum { INFEASIBLE_BITS = 256 };

typedef struct infeasible_sums {
    const perp_problem *p;
    const double *s;     /* row scales */
    double *y;           /* moved into the cones */
    slong power;         /* v = V 2^-power, for A, b and y alike */
    fmpz *V;             /* n */
    fmpz_t by;           /* b.y 2^power */
    arb_ptr friction;    /* n: sum of mu |v_T| of the friction rows of a normal */
    arb_t value, misses; /* of all blocks */
} infeasible_sums;

/** out := v x, exactly. */
void infeasible_times(arb_t out, const arb_t v, double x);
/** Sum mu |v_T| of the friction rows of each normal. */
void infeasible_friction(infeasible_sums *c);
/** Add what the blocks allow v.z to the value and to the misses. */
void infeasible_blocks(infeasible_sums *c);

#endif
