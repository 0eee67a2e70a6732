/* SPDX-License-Identifier: Apache-2.0
 * base/base.h: helpers that both libraries and the command use: the clock, checked sizes, and
 * the known word nearest to one that was typed. Needs only <perp/base.h>. */
#ifndef PERP_BASE_BASE_H
#define PERP_BASE_BASE_H

#include <perp/base.h>

/** Seconds of the monotonic clock. */
double perp_clock(void);

/** *product := a*b; false on overflow. */
static inline bool perp_mul(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/** Levenshtein distance: letters to insert, delete or replace to turn one name into the
 *  other. Names longer than 63 letters are compared on their first 63. */
size_t perp_edit_distance(const char *a, const char *b);

/** The search for the known name nearest to a typed one: start, offer every known name, then
 *  read `name`. Of two names at the same distance the first offered is kept. */
typedef struct perp_nearest {
    const char *typed;
    const char *name; /**< the best so far; "" when none was offered */
    size_t distance;
} perp_nearest;

void perp_nearest_start(perp_nearest *best, const char *typed);
void perp_nearest_offer(perp_nearest *best, const char *name);

#endif
