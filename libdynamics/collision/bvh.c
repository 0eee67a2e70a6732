/* SPDX-License-Identifier: Apache-2.0
 * collision/bvh.c: a hierarchy of boxes built in each call, and traversed against itself.
 *
 * Boxes are rounded to the cells of a grid (cells.h), sorted along a curve through the
 * cells that keeps neighbours together, by the bits of their centres interleaved
 * [lauterbach-2009], and joined in runs of eight, runs of these in eights again, up to a
 * root. Indices in the arrays follow from counts: there are no pointers, no balancing,
 * and no data between calls. Then all pairs of runs that overlap are visited from the
 * root, a run with itself first; of two runs only the members that overlap the other run
 * are compared. A pair of boxes that overlap by more than a cell is accepted, one whose
 * cells touch is tested in doubles. Two runs in which nothing moves are skipped. Boxes
 * that hardly moved are not searched (skin.c).
 *
 * Cost: proportional to the boxes and the overlaps, and log n for the levels. A kept tree
 * (tree.h) with fat leaves costs more: where half of the boxes move, the moves alone cost
 * as much as this search, and the pairs four times as much; a new tree costs three times
 * as much.
 *
 * A grid is too coarse where nearly all boxes lie within few of its cells, since one box
 * is very far away. Then many boxes touch in cells and do not overlap: above sixteen such
 * pairs per box, a tree of boxes in doubles (tree.h) is built, which works at any
 * scale. */
#include <config.h>

#include <stdlib.h>

#include "collision/broad.h"
#include "collision/cells.h"

enum {
    BVH_FAN = 8,      /* members of a run: 4 are a tenth slower, 16 no faster */
    BVH_LEVELS = 12,  /* 8^11 > 2^32 */
    BVH_FEW = 64,     /* up to here brute force is faster */
    BVH_BATCH = 2048, /* pairs in cells that wait to be looked at, in the nearest cache */
    BVH_REJECTED = 16,  /* pairs in cells that are none, a box */
    BVH_DIGIT_MOST = 11 /* bits of a key sorted at once: counts in the nearest cache */
};

typedef struct bvh_state {
    size_t room;       /* boxes that there is memory for */
    cell_box *cells;   /* room: of the boxes, in their order */
    uint64_t *key[2];  /* room: places on the curve, and what sorting needs */
    uint32_t *box[2];  /* room: whose */
    cell_box *storage; /* of all levels */
    perp_tree *tree;   /* for coarse grids; NULL until the first */

    /* of a call */
    size_t n;
    const perp_aabb *boxes;
    const bool *immovable;
    perp_box_pairs *pairs;
    size_t count[BVH_LEVELS];
    cell_box *level[BVH_LEVELS]; /* level[0]: the boxes as sorted */
    const uint32_t *order;       /* the box at each place of level[0] */
    size_t waiting;
    perp_box_pair *batch;
    size_t rejected;
    bool coarse, no_memory; /* why it stops before the end */
} bvh_state;

static void bvh_forget(bvh_state *s)
{
    free(s->cells);
    free(s->storage);
    free(s->batch);
    for (int k = 0; k < 2; k++) {
        free(s->key[k]);
        free(s->box[k]);
    }
    s->cells = s->storage = NULL;
    s->batch = NULL;
    s->key[0] = s->key[1] = NULL;
    s->box[0] = s->box[1] = NULL;
    s->room = 0;
}

static void bvh_close(void *state)
{
    bvh_state *s = state;

    bvh_forget(s);
    perp_tree_free(s->tree);
}

static size_t bvh_runs(size_t members)
{
    return (members + BVH_FAN - 1) / BVH_FAN;
}

static bool bvh_reserve(bvh_state *s, size_t n)
{
    size_t cells = 0;
    size_t room = n + n / 4;

    if (n <= s->room) {
        return true;
    }
    bvh_forget(s);
    for (size_t m = room; m > 1; m = bvh_runs(m)) {
        cells += bvh_runs(m) * BVH_FAN;
    }
    s->cells = math_alloc(room, sizeof *s->cells);
    s->storage = math_alloc(cells + BVH_FAN, sizeof *s->storage);
    s->batch = math_alloc(BVH_BATCH + BVH_FAN * BVH_FAN, sizeof *s->batch);
    for (int k = 0; k < 2; k++) {
        s->key[k] = math_alloc(room, sizeof *s->key[k]);
        s->box[k] = math_alloc(room, sizeof *s->box[k]);
    }
    if (!s->cells || !s->storage || !s->batch || !s->key[0] || !s->key[1] || !s->box[0] ||
        !s->box[1]) {
        bvh_forget(s);
        return false;
    }
    s->room = room;
    return true;
}

/* One digit of the keys, stably. False when it is the same in all of them. */
static bool bvh_sort_digit(bvh_state *s, int shift, int digit)
{
    uint32_t start[(1 << BVH_DIGIT_MOST) + 1] = {0};
    const uint64_t mask = (UINT64_C(1) << digit) - 1;

    for (size_t i = 0; i < s->n; i++) {
        start[1 + (s->key[0][i] >> shift & mask)]++;
    }
    if (start[1 + (s->key[0][0] >> shift & mask)] == s->n) {
        return false;
    }
    for (size_t d = 0; d < mask; d++) {
        start[d + 1] += start[d];
    }
    for (size_t i = 0; i < s->n; i++) {
        uint32_t p = start[s->key[0][i] >> shift & mask]++;

        s->key[1][p] = s->key[0][i];
        s->box[1][p] = s->box[0][i];
    }
    return true;
}

/* In the order of their keys, by digits from the last. */
static void bvh_sort(bvh_state *s, int bits)
{
    int digit = s->n < 4096 ? 8 : BVH_DIGIT_MOST; /* few boxes: counts cost more */

    for (int shift = 0; shift < bits; shift += digit) {
        if (bvh_sort_digit(s, shift, digit)) {
            uint64_t *key = s->key[0];
            uint32_t *box = s->box[0];

            s->key[0] = s->key[1];
            s->box[0] = s->box[1];
            s->key[1] = key;
            s->box[1] = box;
        }
    }
    s->order = s->box[0];
}

/* Cells in order, then run upon run; what is missing in the last run of a level overlaps
 * nothing. Returns the level of the root. */
static int bvh_stack(bvh_state *s)
{
    cell_box *next = s->storage;
    int l = 0;

    s->level[0] = next;
    s->count[0] = s->n;
    for (size_t p = 0; p < s->n; p++) {
        next[p] = s->cells[s->order[p]];
    }
    while (s->count[l] > 1) {
        size_t runs = bvh_runs(s->count[l]);
        cell_box *members = s->level[l];

        for (size_t p = s->count[l]; p < runs * BVH_FAN; p++) {
            members[p] = cell_nothing;
        }
        next = members + runs * BVH_FAN;
        for (size_t r = 0; r < runs; r++) {
            cell_box join = members[r * BVH_FAN];

            for (size_t p = 1; p < BVH_FAN && r * BVH_FAN + p < s->count[l]; p++) {
                cell_join(&join, &members[r * BVH_FAN + p]);
            }
            next[r] = join;
        }
        s->level[++l] = next;
        s->count[l] = runs;
    }
    return l;
}

/* Append the waiting pairs, after a test in doubles of those that only touch in cells. */
static void bvh_settle(bvh_state *s)
{
    const cell_box *cells = s->level[0];
    perp_box_pair *out = NULL;

    s->no_memory |= s->waiting > 0 && !pairs_reserve(s->pairs, s->waiting);
    if (s->no_memory) {
        s->waiting = 0;
        return;
    }
    out = s->pairs->at + s->pairs->count;
    for (size_t k = 0; k < s->waiting; k++) {
        uint32_t p = s->batch[k].i;
        uint32_t q = s->batch[k].j;
        uint32_t i = s->order[p];
        uint32_t j = s->order[q];

        if (!cell_meet_surely(&cells[p], &cells[q]) &&
            !perp_aabb_overlap(&s->boxes[i], &s->boxes[j])) {
            s->rejected++;
            continue;
        }
        out->i = i < j ? i : j;
        out->j = i < j ? j : i;
        out++;
    }
    s->pairs->count = (size_t)(out - s->pairs->at);
    s->waiting = 0;
    s->coarse = s->rejected > BVH_REJECTED * s->n;
}

/* The members of a run, which begin at `at`, that overlap a box; how many. Branches would
 * be guessed wrongly half of the time, here and below, so there are none. */
static inline int bvh_filter(const cell_box *at, const cell_box *box, uint8_t *member)
{
    int count = 0;

    for (uint8_t k = 0; k < BVH_FAN; k++) {
        member[count] = k;
        count += cell_meet(&at[k], box);
    }
    return count;
}

/* Members of run a with members of run b, both at level l. */
static void bvh_cross(bvh_state *s, int l, size_t a, size_t b)
{
    const cell_box *A = s->level[l - 1] + a * BVH_FAN;
    const cell_box *B = s->level[l - 1] + b * BVH_FAN;
    uint8_t in_a[BVH_FAN + 1], in_b[BVH_FAN + 1];
    int na = bvh_filter(A, &s->level[l][b], in_a);
    int nb = bvh_filter(B, &s->level[l][a], in_b);
    perp_box_pair below[BVH_FAN * BVH_FAN + 1];
    perp_box_pair *at = l == 1 ? s->batch + s->waiting : below;
    size_t count = 0;

    for (int i = 0; i < na; i++) {
        for (int j = 0; j < nb; j++) {
            at[count] = (perp_box_pair){(uint32_t)(a * BVH_FAN) + in_a[i],
                                        (uint32_t)(b * BVH_FAN) + in_b[j]};
            count += cell_meet(&A[in_a[i]], &B[in_b[j]]);
        }
    }
    if (l == 1) {
        s->waiting += count;
        if (s->waiting >= BVH_BATCH) {
            bvh_settle(s);
        }
        return;
    }
    for (size_t k = 0; k < count && !s->coarse && !s->no_memory; k++) {
        bvh_cross(s, l - 1, below[k].i, below[k].j);
    }
}

/* Members of a run with each other. */
static void bvh_within(bvh_state *s, int l, size_t a)
{
    const size_t first = a * BVH_FAN;
    const cell_box *A = s->level[l - 1] + first;

    if (!(s->level[l][a].hi & CELL_MOVES)) {
        return;
    }
    for (size_t i = 0; i < BVH_FAN && !s->coarse && !s->no_memory; i++) {
        if (l > 1 && first + i < s->count[l - 1]) {
            bvh_within(s, l - 1, first + i);
        }
        for (size_t j = i + 1; j < BVH_FAN; j++) {
            if (!cell_meet(&A[i], &A[j])) {
                continue;
            }
            if (l > 1) {
                bvh_cross(s, l - 1, first + i, first + j);
            } else {
                s->batch[s->waiting++] =
                    (perp_box_pair){(uint32_t)(first + i), (uint32_t)(first + j)};
            }
        }
    }
    if (s->waiting >= BVH_BATCH) {
        bvh_settle(s);
    }
}

static bool bvh_add(void *context, uint32_t a, uint32_t b)
{
    bvh_state *s = context;

    if (!(s->immovable && s->immovable[a] && s->immovable[b])) {
        s->no_memory |= !perp_box_pairs_add(s->pairs, a, b);
    }
    return !s->no_memory;
}

/* At any scale. */
static perp_status bvh_find_by_tree(bvh_state *s, perp_error *err)
{
    if ((!s->tree && perp_tree_new(&s->tree, err) != PERP_OK) ||
        perp_tree_build(s->tree, s->n, s->boxes, err) != PERP_OK) {
        return perp_fail_in(err, PERP_ERR_MEMORY, "bvh");
    }
    perp_tree_pairs(s->tree, bvh_add, s);
    return s->no_memory ? broad_no_memory(err, "bvh", s->n) : PERP_OK;
}

static perp_status bvh_find(void *state, size_t n, const perp_aabb *boxes,
                            const bool *immovable, perp_box_pairs *pairs, perp_error *err)
{
    bvh_state *s = state;
    size_t before = pairs->count;
    int bits = 0;
    int root = 0;

    if (n <= BVH_FEW) {
        return broad_brute.find(NULL, n, boxes, immovable, pairs, err);
    }
    if (!bvh_reserve(s, n)) {
        return broad_no_memory(err, "bvh", n);
    }
    s->n = n;
    s->boxes = boxes;
    s->immovable = immovable;
    s->pairs = pairs;
    s->waiting = s->rejected = 0;
    s->coarse = s->no_memory = false;
    bits = cells_along_curve(n, s->cells, cells_round(n, boxes, immovable, s->cells),
                             s->key[0], s->box[0]);
    bvh_sort(s, bits);
    root = bvh_stack(s);
    bvh_within(s, root, 0);
    bvh_settle(s);
    if (s->no_memory) {
        return broad_no_memory(err, "bvh", n);
    }
    if (s->coarse) {
        pairs->count = before;
        return bvh_find_by_tree(s, err);
    }
    return PERP_OK;
}

const perp_broad_type broad_bvh = {
    .name = "bvh",
    .summary = "a hierarchy of boxes along a curve, rebuilt in each call",
    .reference = "lauterbach-2009",
    .state_size = sizeof(bvh_state),
    .rested = true,
    .find = bvh_find,
    .close = bvh_close,
};
