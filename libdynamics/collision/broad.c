/* SPDX-License-Identifier: Apache-2.0
 * collision/broad.c: the registry of broad phases, and the work common to all: empty
 * boxes are left out, unbounded ones are tested one by one (they overlap nearly
 * everything, and there are a few planes at most), the types receive finite boxes only,
 * and pairs are sorted. Boxes that have moved little are not searched again (skin.c). */
#include <config.h>

#include <float.h>
#include <stdlib.h>

#include "base/base.h"
#include "collision/broad.h"
#include "collision/skin.h"

/* clang-format off */
static const perp_broad_type *const registry[] = {
    &broad_bvh,
    &broad_sap,
    &broad_brute,
    NULL,
};
/* clang-format on */

const perp_broad_type *const *perp_broad_types(size_t *count)
{
    if (count) {
        *count = sizeof registry / sizeof *registry - 1;
    }
    return registry;
}

const perp_broad_type *perp_broad_find(const char *name)
{
    for (size_t k = 0; registry[k]; k++) {
        if (strcmp(registry[k]->name, name) == 0) {
            return registry[k];
        }
    }
    return NULL;
}

struct perp_broad {
    const perp_broad_type *type;
    void *state;
    pairs_sorter sorter;
    broad_skin skin;  /* of types that are `rested` */
    size_t room;      /* of the three below */
    perp_aabb *boxes; /* those that are finite, when others are not */
    uint32_t *number; /* that they have */
    bool *immovable;
};

perp_status broad_no_memory(perp_error *err, const char *type, size_t n)
{
    return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for the pairs of %zu boxes",
                     type, n);
}

perp_status perp_broad_new(perp_broad **broad, const perp_broad_type *type,
                           perp_error *err)
{
    perp_broad *b = calloc(1, sizeof *b);

    *broad = NULL;
    if (b) {
        b->type = type ? type : registry[0];
        b->state = calloc(1, b->type->state_size + 1); /* brute has none */
    }
    if (!b || !b->state) {
        free(b);
        return perp_fail(err, PERP_ERR_MEMORY, "broad phase: no memory");
    }
    *broad = b;
    return PERP_OK;
}

void perp_broad_free(perp_broad *broad)
{
    if (!broad) {
        return;
    }
    if (broad->type->close) {
        broad->type->close(broad->state);
    }
    pairs_sorter_clear(&broad->sorter);
    skin_clear(&broad->skin);
    free(broad->state);
    free(broad->boxes);
    free(broad->number);
    free(broad->immovable);
    free(broad);
}

const perp_broad_type *perp_broad_type_of(const perp_broad *broad)
{
    return broad->type;
}

typedef enum broad_kind { BROAD_FINITE, BROAD_UNBOUNDED, BROAD_NONE } broad_kind;

static bool broad_is_finite(const perp_aabb *b)
{
    return (b->lo[0] <= b->hi[0]) & (b->lo[1] <= b->hi[1]) & (b->lo[2] <= b->hi[2]) &
           (b->lo[0] >= -DBL_MAX) & (b->lo[1] >= -DBL_MAX) & (b->lo[2] >= -DBL_MAX) &
           (b->hi[0] <= DBL_MAX) & (b->hi[1] <= DBL_MAX) & (b->hi[2] <= DBL_MAX);
}

static broad_kind broad_kind_of(const perp_aabb *b)
{
    if (broad_is_finite(b)) {
        return BROAD_FINITE;
    }
    return b->lo[0] <= b->hi[0] && b->lo[1] <= b->hi[1] && b->lo[2] <= b->hi[2]
               ? BROAD_UNBOUNDED
               : BROAD_NONE;
}

static bool broad_reserve(perp_broad *b, size_t n)
{
    if (n > b->room) {
        free(b->boxes);
        free(b->number);
        free(b->immovable);
        b->room = 0;
        b->boxes = math_alloc(n, sizeof *b->boxes);
        b->number = math_alloc(n, sizeof *b->number);
        b->immovable = math_alloc(n, sizeof *b->immovable);
        if (!b->boxes || !b->number || !b->immovable) {
            return false;
        }
        b->room = n;
    }
    return true;
}

/* Box u, which is unbounded, with all that come before it and are finite, and all that
 * come behind it. */
static bool broad_ask(size_t n, const perp_aabb *boxes, const bool *immovable, size_t u,
                      perp_box_pairs *pairs)
{
    for (size_t i = 0; i < n; i++) {
        broad_kind kind = broad_kind_of(&boxes[i]);
        size_t low = i < u ? i : u;

        if (i == u || kind == BROAD_NONE || (kind == BROAD_UNBOUNDED && i < u) ||
            (immovable && immovable[i] && immovable[u]) ||
            !perp_aabb_overlap(&boxes[i], &boxes[u])) {
            continue;
        }
        if (!perp_box_pairs_add(pairs, (uint32_t)low, (uint32_t)(i + u - low))) {
            return false;
        }
    }
    return true;
}

/* Where not all boxes are finite: copies of those that are, and numbers put back. */
static perp_status broad_find_mixed(perp_broad *b, size_t n, const perp_aabb *boxes,
                                    const bool *immovable, perp_box_pairs *pairs,
                                    perp_error *err)
{
    perp_status status = PERP_OK;
    size_t count = 0;

    if (!broad_reserve(b, n)) {
        return broad_no_memory(err, b->type->name, n);
    }
    for (size_t i = 0; i < n; i++) {
        if (broad_is_finite(&boxes[i])) {
            b->boxes[count] = boxes[i];
            b->immovable[count] = immovable && immovable[i];
            b->number[count++] = (uint32_t)i;
        }
    }
    status = b->type->find(b->state, count, b->boxes, immovable ? b->immovable : NULL,
                           pairs, err);
    for (size_t k = 0; k < pairs->count; k++) {
        pairs->at[k].i = b->number[pairs->at[k].i];
        pairs->at[k].j = b->number[pairs->at[k].j];
    }
    for (size_t u = 0; u < n && status == PERP_OK; u++) {
        if (broad_kind_of(&boxes[u]) == BROAD_UNBOUNDED &&
            !broad_ask(n, boxes, immovable, u, pairs)) {
            status = broad_no_memory(err, b->type->name, n);
        }
    }
    return status;
}

/* All boxes, from the start. */
static perp_status broad_search(perp_broad *b, size_t n, const perp_aabb *boxes,
                                const bool *immovable, perp_box_pairs *pairs,
                                perp_error *err)
{
    bool finite = true;

    for (size_t i = 0; i < n; i++) {
        finite &= broad_is_finite(&boxes[i]);
    }
    TRY(finite ? b->type->find(b->state, n, boxes, immovable, pairs, err)
               : broad_find_mixed(b, n, boxes, immovable, pairs, err));
    if (!pairs_sort(&b->sorter, n, pairs)) {
        TRY(broad_no_memory(err, b->type->name, n));
    }
    return PERP_OK;
}

/* Room for the pairs of boxes grown by a skin, so that a call that puts it on takes no
 * memory that others do not; if there is none, it will be asked for then. */
static void broad_provide(perp_broad *b, perp_box_pairs *pairs)
{
    size_t more = pairs->count / 2 + 64;

    b->sorter.spare.count = 0;
    (void)(pairs_reserve(pairs, more) &&
           pairs_reserve(&b->sorter.spare, pairs->count + more));
}

/* Search under the limit; what stops there has said that there is no memory. */
static perp_status broad_search_most(perp_broad *b, size_t n, const perp_aabb *boxes,
                                     const bool *immovable, perp_box_pairs *pairs,
                                     perp_error *err)
{
    const size_t most = PERP_BROAD_PAIRS + n * PERP_BROAD_PAIRS_PER_BOX;
    perp_error cause = {0};
    perp_status status = PERP_OK;

    pairs->most = most;
    pairs->full = false;
    status = broad_search(b, n, boxes, immovable, pairs, &cause);
    pairs->most = 0;
    if (status != PERP_OK && pairs->full) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: more than %zu pairs of %zu boxes overlap, expected at most "
                         "%d, and %d per box",
                         b->type->name, most, n, PERP_BROAD_PAIRS,
                         PERP_BROAD_PAIRS_PER_BOX);
    }
    if (status != PERP_OK) {
        pairs->count = 0;
    }
    return status == PERP_OK ? status : perp_fail(err, status, "%s", cause.text);
}

perp_status perp_broad_run(perp_broad *broad, size_t n, const perp_aabb *boxes,
                           const bool *immovable, perp_box_pairs *pairs, perp_error *err)
{
    broad_reuse recall = BROAD_MOVED;
    perp_status status = PERP_OK;

    pairs->count = 0;
    if (n > UINT32_MAX) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "broad phase: %zu boxes, expected at most %u", n, UINT32_MAX);
    }
    recall = skin_reuse(&broad->skin, n, boxes, immovable, pairs);
    if (recall == BROAD_FOUND) {
        return PERP_OK;
    }
    if (recall == BROAD_NO_MEMORY) {
        return broad_no_memory(err, broad->type->name, n);
    }
    if (broad->type->rested) {
        const perp_aabb *grown =
            skin_grow(&broad->skin, n, boxes, immovable, recall == BROAD_CALM);

        status = broad_search_most(broad, n, grown, immovable, pairs, err);
    } else {
        status = broad_search_most(broad, n, boxes, immovable, pairs, err);
    }
    if (status != PERP_OK) {
        skin_forget(&broad->skin);
    } else if (broad->type->rested) {
        if (recall == BROAD_MOVED) {
            broad_provide(broad, pairs);
        }
        skin_remember(&broad->skin, boxes, pairs);
    }
    return status;
}
