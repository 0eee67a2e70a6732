/* SPDX-License-Identifier: Apache-2.0
 * perp/random.h: SplitMix64, the portable stream every random choice is drawn from.
 *
 * The same seed gives the same bits on every machine and in every language
 * [steele-lea-flood-2014]. The state is the caller's; there is no global stream. */
#ifndef PERP_RANDOM_H
#define PERP_RANDOM_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** A generator of random numbers (SplitMix64). */
typedef struct perp_random {
    uint64_t state; /* the seed is the initial state */
} perp_random;

/** The next 64 random bits. */
static inline uint64_t perp_random_next(perp_random *g)
{
    uint64_t z = g->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/** Uniform in [0, 1). */
static inline double perp_random_unit(perp_random *g)
{
    /* 2^-53 exactly; C++11 cannot read 0x1p-53. */
    return (double)(perp_random_next(g) >> 11) * (1.0 / 9007199254740992.0);
}

/** Uniform in [a, b). */
static inline double perp_random_uniform(perp_random *g, double a, double b)
{
    return a + (b - a) * perp_random_unit(g);
}

/** One of the integers a, ..., b. */
static inline long perp_random_integer(perp_random *g, long a, long b)
{
    return a + (long)(perp_random_next(g) % (uint64_t)(b - a + 1));
}

PERP_END_DECLS

#endif
