/* SPDX-License-Identifier: Apache-2.0
 * base/base.h: helpers that both libraries and the command use: the clock, checked sizes, a
 * hash, and the known word nearest to one that was typed. Needs only <perp/base.h>. */
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

/** Returns the status of a call unless it is PERP_OK: for functions that own nothing. */
#define TRY(...)                                                                         \
    do {                                                                                 \
        const perp_status try_ = __VA_ARGS__;                                            \
        if (try_ != PERP_OK) {                                                           \
            return try_;                                                                 \
        }                                                                                \
    } while (0)

/** The ending of a noun that is counted: "" for one, else "s". */
static inline const char *perp_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/** The ending of "body" and its like: "y" for one, else "ies". */
static inline const char *perp_plural_y(size_t count)
{
    return count == 1 ? "y" : "ies";
}

/** FNV-1a hash of 64 bits: where it starts, and with more bytes. */
#define PERP_HASH_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t perp_hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = (const unsigned char *)bytes;

    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/** Letters to insert, delete or replace, and neighbours to swap, to turn one name into the other. Names longer than 63 letters are compared on their first 63. */
size_t perp_edit_distance(const char *a, const char *b);

/** The search for the known name nearest to a typed one: start, offer every known name, then
 *  ask for advice. Of two names at the same distance the first one is kept. */
typedef struct perp_nearest {
    const char *typed;
    const char *dashes; /**< "--" where the names are options: set it after the start */
    char name[64];      /**< the best so far; "" before the first offer */
    size_t distance;
    char known[200]; /**< the names offered, as many as there is room for: "a, b, c" */
    size_t length;
    bool more; /**< there are others */
    char advice[256];
} perp_nearest;

void perp_nearest_start(perp_nearest *best, const char *typed);
void perp_nearest_offer(perp_nearest *best, const char *name);
/** At most a third of the letters differ, or one name holds the other. */
bool perp_nearest_is_near(const perp_nearest *best);
/** `the nearest is "pgs"` where it is near, else `expected one of: a, b, c`, or `there is none`. It is in `best`. */
const char *perp_nearest_advice(perp_nearest *best);

#endif
