/* SPDX-License-Identifier: Apache-2.0
 * collision/skin.c: pairs of boxes that have not moved, or not by much, without a search.
 *
 * Boxes and their pairs are stored. Boxes with the same bits have the same pairs. Where
 * all boxes have moved little since the last call, they are grown by a skin before the
 * search; as long as each box stays within its grown box, all pairs are among those of
 * the grown boxes, and only these are tested, in their order. The result is that of a
 * search, bit by bit.
 *
 * Cost per call: one comparison of each box and of each pair of grown boxes; for boxes
 * that move farther, comparisons up to the first such box, and a copy of boxes and pairs.
 * */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collision/skin.h"

/* Width in shares of the harmonic mean of the longest edges, which huge boxes hardly
 * change: every fourth box of a pile then overlaps one more. */
static const double skin_share = 1.0 / 32.0;
/* Boxes are grown when none has moved by more than this share of the skin in a call, so
 * that the skin is valid for some calls. */
static const double skin_calm = 0.25;

static bool skin_is_box(const perp_aabb *b)
{
    return (b->lo[0] <= b->hi[0]) & (b->lo[1] <= b->hi[1]) & (b->lo[2] <= b->hi[2]);
}

/* Whether `outer`, grown by `by`, contains b, which is not empty. */
static bool skin_holds(const perp_aabb *outer, double by, const perp_aabb *b)
{
    return skin_is_box(b) & (outer->lo[0] - by <= b->lo[0]) &
           (outer->lo[1] - by <= b->lo[1]) & (outer->lo[2] - by <= b->lo[2]) &
           (b->hi[0] <= outer->hi[0] + by) & (b->hi[1] <= outer->hi[1] + by) &
           (b->hi[2] <= outer->hi[2] + by);
}

static bool skin_holds_all(const broad_skin *skin, double by, const perp_aabb *boxes)
{
    for (size_t i = 0; i < skin->n; i++) {
        if (!skin_holds(&skin->boxes[i], by, &boxes[i])) {
            return false;
        }
    }
    return true;
}

static double skin_width(size_t n, const perp_aabb *boxes)
{
    double sum = 0.0;
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        double edge = 0.0;

        for (int k = 0; k < 3; k++) {
            edge = fmax(edge, boxes[i].hi[k] - boxes[i].lo[k]);
        }
        if (edge > 0.0 && isfinite(edge)) {
            sum += 1.0 / edge;
            count++;
        }
    }
    return count > 0 ? skin_share * (double)count / sum : 0.0;
}

static bool skin_same_immovable(const broad_skin *skin, const bool *immovable)
{
    for (size_t i = 0; i < skin->n; i++) {
        if (skin->immovable[i] != (immovable && immovable[i])) {
            return false;
        }
    }
    return true;
}

/* perp_aabb_overlap without branches, which would be mispredicted. */
static inline bool skin_overlap(const perp_aabb *a, const perp_aabb *b)
{
    return (a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) &
           (b->lo[1] <= a->hi[1]) & (a->lo[2] <= b->hi[2]) & (b->lo[2] <= a->hi[2]);
}

/* Those of `all` that overlap; `out` has room for all. How many. */
static size_t skin_filter(const perp_box_pairs *all, const perp_aabb *boxes,
                          perp_box_pair *out)
{
    size_t count = 0;

    for (size_t k = 0; k < all->count; k++) {
        const perp_box_pair p = all->at[k];

        out[count] = p;
        count += skin_overlap(&boxes[p.i], &boxes[p.j]);
    }
    return count;
}

broad_reuse skin_reuse(const broad_skin *skin, size_t n, const perp_aabb *boxes,
                       const bool *immovable, perp_box_pairs *pairs)
{
    bool same = false;

    if (n == 0 || n != skin->n || !skin_same_immovable(skin, immovable)) {
        return BROAD_MOVED;
    }
    if (skin->width == 0.0) {
        same = memcmp(skin->boxes, boxes, n * sizeof *boxes) == 0;
        if (!same) {
            double width = skin_width(n, boxes);

            return width > 0.0 && skin_holds_all(skin, skin_calm * width, boxes)
                       ? BROAD_CALM
                       : BROAD_MOVED;
        }
    } else if (!skin_holds_all(skin, 0.0, boxes)) {
        return BROAD_MOVED;
    }
    if (!pairs_reserve(pairs, skin->all.count + 1)) {
        return BROAD_NO_MEMORY;
    }
    if (same) {
        memcpy(pairs->at, skin->all.at, skin->all.count * sizeof *pairs->at);
        pairs->count = skin->all.count;
    } else {
        pairs->count = skin_filter(&skin->all, boxes, pairs->at);
    }
    return BROAD_FOUND;
}

static bool skin_reserve(broad_skin *skin, size_t n)
{
    if (n > skin->room) {
        size_t room = n + n / 4;

        free(skin->boxes);
        free(skin->immovable);
        skin->room = 0;
        skin->boxes = math_alloc(room, sizeof *skin->boxes);
        skin->immovable = math_alloc(room, sizeof *skin->immovable);
        if (!skin->boxes || !skin->immovable) {
            return false;
        }
        skin->room = room;
    }
    return true;
}

const perp_aabb *skin_grow(broad_skin *skin, size_t n, const perp_aabb *boxes,
                           const bool *immovable, bool calm)
{
    skin_forget(skin);
    if (!skin_reserve(skin, n)) {
        return boxes;
    }
    skin->n = n;
    skin->width = calm ? skin_width(n, boxes) : 0.0;
    if (n > 0) {
        memcpy(skin->boxes, boxes, n * sizeof *boxes);
    }
    for (size_t i = 0; i < n; i++) {
        skin->immovable[i] = immovable && immovable[i];
    }
    for (size_t i = 0; i < n && calm; i++) {
        for (int k = 0; k < 3; k++) {
            skin->boxes[i].lo[k] -= skin->width;
            skin->boxes[i].hi[k] += skin->width;
        }
    }
    return calm ? skin->boxes : boxes;
}

void skin_remember(broad_skin *skin, const perp_aabb *boxes, perp_box_pairs *pairs)
{
    const bool grown = skin->width > 0.0;

    /* with room for the pairs of grown boxes */
    size_t room = grown ? pairs->count + 1 : pairs->count + pairs->count / 2 + 64;

    skin->all.count = 0;
    if (skin->n > 0 && pairs_reserve(&skin->all, room)) {
        if (pairs->count > 0) {
            memcpy(skin->all.at, pairs->at, pairs->count * sizeof *pairs->at);
        }
        skin->all.count = pairs->count;
    } else {
        skin_forget(skin);
    }
    if (grown) {
        pairs->count = skin_filter(pairs, boxes, pairs->at);
    }
}

void skin_forget(broad_skin *skin)
{
    skin->n = 0;
    skin->width = 0.0;
}

void skin_clear(broad_skin *skin)
{
    free(skin->boxes);
    free(skin->immovable);
    perp_box_pairs_clear(&skin->all);
    *skin = (broad_skin){0};
}
