/* SPDX-License-Identifier: Apache-2.0
 * view/same.h: which of many things are the same as an earlier one: a table by hash, so that the time
 * grows with their number. */
#ifndef PERP_VIEW_SAME_H
#define PERP_VIEW_SAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Are the things `a` and `b`, by their numbers, the same? Then they have one hash. */
typedef bool (*view_equal)(const void *things, size_t a, size_t b);

typedef struct view_same {
    size_t *slot; /* a number and 1; 0: free */
    size_t mask;
} view_same;

/** A table for `count` things; false: no memory. */
bool view_same_new(view_same *s, size_t count);
void view_same_free(view_same *s); /* no-op when zeroed */
/** The first one that is the same as thing `now`: an earlier one, or `now`, which is kept. */
size_t view_same_first(view_same *s, size_t now, uint64_t hash, view_equal equal,
                       const void *things);

#endif
