/* SPDX-License-Identifier: Apache-2.0
 * exact/exact.c: which proof suits a problem. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/exact/exact.h"

const char *exact_verdict_name(exact_verdict verdict)
{
    switch (verdict) {
#define EXACT_CASE(name, text)                                                           \
    case name:                                                                           \
        return text;
        EXACT_VERDICT_LIST(EXACT_CASE)
#undef EXACT_CASE
    }
    return NULL;
}

void exact_proof_clear(exact_proof *proof)
{
    free(proof->distance);
    *proof = (exact_proof){0};
}

/* Two digits; small steps reach the next pair of digits, on the safe side. */
static const char *exact_digits(char room[16], double x, double step, double sign)
{
    snprintf(room, 16, "%.1e", x);
    for (double y = x; isfinite(y) && sign * strtod(room, NULL) < sign * x;) {
        y *= step;
        snprintf(room, 16, "%.1e", y);
    }
    return room;
}

const char *exact_above(char room[16], double x)
{
    return exact_digits(room, x, 1.005, 1.0);
}

const char *exact_below(char room[16], double x)
{
    return exact_digits(room, x, 1.0 / 1.005, -1.0);
}

perp_status exact_solution(const perp_problem *p, const double *z, double seconds,
                           exact_proof *proof, perp_error *err)
{
    const unsigned scalar = PERP_SET_FREE | PERP_SET_NONNEG | PERP_SET_BOX;

    return (perp_set_kinds(p->set) & ~scalar) == 0
               ? exact_rational(p, z, seconds, proof, err)
               : exact_krawczyk(p, z, seconds, proof, err);
}
