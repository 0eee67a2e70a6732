/* SPDX-License-Identifier: Apache-2.0
 * collision/sap.c: sweep and prune, incremental [cohen-1995].
 *
 * Along each axis the ends of all boxes are kept in ascending order, lower ends before
 * upper ends where they are equal, since boxes are closed. A call takes the new
 * coordinates and sorts by insertion, which costs as many exchanges as there are
 * inversions. Boxes that overlap now and did not before were apart along an axis, where
 * the lower end of one has passed the upper end of the other: each such exchange is
 * tested. Pairs of the last call are kept if they still overlap. In the plane (z equal
 * for all) there are two axes.
 *
 * Cost: proportional to n when little moves, and to motion: a box that moves by a length
 * d in a scene of the width L passes about 2 n d/L ends an axis, so that in space a step
 * of many that move costs about n^(5/3). Jumps are sorted like any motion. When more
 * exchanges would be needed than a fresh start costs (the first call, another n, many
 * jumps) it starts afresh: sorts, and sweeps along the axis of largest variance, testing
 * all boxes that overlap along it [ericson-2005, section 7.5], n^(5/3), too. So no call
 * costs more than about twice a sweep. For many boxes in space `bvh` is the faster one
 * unless they rest. */
#include <config.h>

#include <stdlib.h>

#include "collision/broad.h"

typedef struct sap_end {
    double at; /* [m] */
    uint32_t box;
    uint32_t upper; /* 1: the upper end */
} sap_end;

typedef struct sap_state {
    size_t n;            /* boxes of the last call; 0: start afresh */
    int axes;            /* 2 in the plane */
    size_t room;         /* boxes that there is memory for */
    sap_end *end[3];     /* 2 room each */
    perp_aabb *sorted;   /* room: boxes by their lower ends, when sweeping */
    uint32_t *order;     /* room: their numbers */
    perp_box_pairs kept; /* all that overlap, still or not */
    perp_box_pairs fresh;
    pairs_sorter sorter;
    double budget; /* exchanges that cost as much as a fresh start */
} sap_state;

static void sap_forget(sap_state *s)
{
    for (int k = 0; k < 3; k++) {
        free(s->end[k]);
        s->end[k] = NULL;
    }
    free(s->sorted);
    free(s->order);
    s->sorted = NULL;
    s->order = NULL;
    s->room = s->n = 0;
}

static void sap_close(void *state)
{
    sap_state *s = state;

    sap_forget(s);
    perp_box_pairs_clear(&s->kept);
    perp_box_pairs_clear(&s->fresh);
    pairs_sorter_clear(&s->sorter);
}

static bool sap_reserve(sap_state *s, size_t n)
{
    size_t room = n + n / 4;

    if (n <= s->room) {
        return true;
    }
    sap_forget(s);
    for (int k = 0; k < 3; k++) {
        s->end[k] = math_alloc(2 * room, sizeof *s->end[k]);
    }
    s->sorted = math_alloc(room, sizeof *s->sorted);
    s->order = math_alloc(room, sizeof *s->order);
    if (!s->end[0] || !s->end[1] || !s->end[2] || !s->sorted || !s->order) {
        sap_forget(s);
        return false;
    }
    s->room = room;
    return true;
}

static inline bool sap_before(const sap_end *a, const sap_end *b)
{
    return a->at < b->at || (a->at == b->at && a->upper < b->upper);
}

static int sap_compare(const void *a, const void *b)
{
    const sap_end *p = a;
    const sap_end *q = b;

    if (sap_before(p, q) || sap_before(q, p)) {
        return sap_before(p, q) ? -1 : 1;
    }
    return (p->box > q->box) - (p->box < q->box);
}

/* Where variance of the centres is largest. */
static int sap_axis(const sap_state *s, const perp_aabb *boxes)
{
    double most = -1.0;
    int axis = 0;

    for (int k = 0; k < s->axes; k++) {
        double mean = 0.0, variance = 0.0;

        for (size_t i = 0; i < s->n; i++) {
            mean += (0.5 * boxes[i].lo[k] + 0.5 * boxes[i].hi[k]) / (double)s->n;
        }
        for (size_t i = 0; i < s->n; i++) {
            double d = 0.5 * boxes[i].lo[k] + 0.5 * boxes[i].hi[k] - mean;

            variance += d * d;
        }
        if (variance > most) {
            most = variance;
            axis = k;
        }
    }
    return axis;
}

/* All pairs, along the axis whose ends are sorted: each box with those that begin before
 * it ends. */
static bool sap_sweep(sap_state *s, const perp_aabb *boxes, int axis)
{
    size_t tests = 0;
    size_t p = 0;

    s->kept.count = 0;
    for (size_t k = 0; k < 2 * s->n; k++) {
        const sap_end *e = &s->end[axis][k];

        if (!e->upper) {
            s->order[p] = e->box;
            s->sorted[p++] = boxes[e->box];
        }
    }
    for (p = 0; p < s->n; p++) {
        const perp_aabb box = s->sorted[p];
        size_t q = p + 1;

        for (; q < s->n && s->sorted[q].lo[axis] <= box.hi[axis]; q++) {
            uint32_t i = s->order[p];
            uint32_t j = s->order[q];

            if (pairs_overlap(&box, &s->sorted[q]) &&
                !perp_box_pairs_add(&s->kept, i < j ? i : j, i < j ? j : i)) {
                return false;
            }
        }
        tests += q - p;
    }
    /* an exchange costs about what a test does, and sorting some tens of them a box */
    s->budget = (double)tests + 64.0 * (double)s->n;
    return true;
}

static bool sap_start(sap_state *s, size_t n, int axes, const perp_aabb *boxes)
{
    s->n = 0; /* until all went well */
    if (!sap_reserve(s, n)) {
        return false;
    }
    s->n = n;
    s->axes = axes;
    for (int k = 0; k < axes; k++) {
        for (uint32_t i = 0; i < n; i++) {
            s->end[k][2 * (size_t)i] = (sap_end){boxes[i].lo[k], i, 0};
            s->end[k][2 * (size_t)i + 1] = (sap_end){boxes[i].hi[k], i, 1};
        }
        qsort(s->end[k], 2 * n, sizeof *s->end[k], sap_compare);
    }
    if (!sap_sweep(s, boxes, sap_axis(s, boxes))) {
        s->n = 0;
        return false;
    }
    return true;
}

typedef enum sap_end_of { SAP_DONE, SAP_TOO_FAR, SAP_NO_MEMORY } sap_end_of;

/* Sort the ends along an axis by insertion; pairs that may overlap since are in `fresh`,
 * maybe from more than one axis. *left: exchanges that are allowed. */
static sap_end_of sap_insert(sap_state *s, const perp_aabb *boxes, int axis, double *left)
{
    sap_end *end = s->end[axis];

    for (size_t k = 0; k < 2 * s->n; k++) {
        end[k].at =
            end[k].upper ? boxes[end[k].box].hi[axis] : boxes[end[k].box].lo[axis];
    }
    for (size_t k = 1; k < 2 * s->n; k++) {
        const sap_end e = end[k];
        size_t m = k;

        for (; m > 0 && sap_before(&e, &end[m - 1]); m--) {
            uint32_t other = end[m - 1].box;

            if (!e.upper && end[m - 1].upper &&
                pairs_overlap(&boxes[e.box], &boxes[other]) &&
                !perp_box_pairs_add(&s->fresh, e.box < other ? e.box : other,
                                    e.box < other ? other : e.box)) {
                return SAP_NO_MEMORY;
            }
            end[m] = end[m - 1];
        }
        end[m] = e;
        *left -= (double)(k - m);
        if (*left < 0.0) {
            return SAP_TOO_FAR;
        }
    }
    return SAP_DONE;
}

/* From the last call to this one. */
static sap_end_of sap_update(sap_state *s, const perp_aabb *boxes)
{
    sap_end_of end = SAP_DONE;
    double left = s->budget;
    size_t count = 0;

    s->fresh.count = 0;
    for (int k = 0; k < s->axes && end == SAP_DONE; k++) {
        end = sap_insert(s, boxes, k, &left);
    }
    if (end != SAP_DONE) {
        return end;
    }
    for (size_t k = 0; k < s->kept.count; k++) {
        perp_box_pair p = s->kept.at[k];

        if (pairs_overlap(&boxes[p.i], &boxes[p.j])) {
            s->kept.at[count++] = p;
        }
    }
    s->kept.count = count;
    if (!pairs_sort(&s->sorter, s->n, &s->fresh) ||
        !pairs_reserve(&s->kept, s->fresh.count)) {
        return SAP_NO_MEMORY;
    }
    pairs_unique(&s->fresh);
    for (size_t k = 0; k < s->fresh.count; k++) {
        s->kept.at[s->kept.count++] = s->fresh.at[k];
    }
    return SAP_DONE;
}

static bool sap_in_plane(size_t n, const perp_aabb *boxes)
{
    for (size_t i = 0; i < n; i++) {
        if (boxes[i].lo[2] != boxes[0].lo[2] || boxes[i].hi[2] != boxes[0].lo[2]) {
            return false;
        }
    }
    return true;
}

static perp_status sap_find(void *state, size_t n, const perp_aabb *boxes,
                            const bool *immovable, perp_box_pairs *pairs, perp_error *err)
{
    sap_state *s = state;
    int axes = sap_in_plane(n, boxes) ? 2 : 3;
    sap_end_of end = SAP_TOO_FAR;

    if (n == 0) {
        return PERP_OK;
    }
    s->kept.most = pairs->most;
    s->kept.full = false;
    if (n == s->n && axes == s->axes) {
        end = sap_update(s, boxes);
    }
    if (end == SAP_TOO_FAR) {
        end = sap_start(s, n, axes, boxes) ? SAP_DONE : SAP_NO_MEMORY;
    }
    if (end == SAP_NO_MEMORY || !pairs_reserve(pairs, s->kept.count)) {
        s->n = 0;
        if (s->kept.full) { /* the caller may want to know which they are */
            perp_box_pairs found = s->kept;

            s->kept = *pairs;
            *pairs = found;
        }
        return broad_no_memory(err, "sap", n);
    }
    for (size_t k = 0; k < s->kept.count; k++) {
        perp_box_pair p = s->kept.at[k];

        if (!(immovable && immovable[p.i] && immovable[p.j])) {
            pairs->at[pairs->count++] = p;
        }
    }
    return PERP_OK;
}

const perp_broad_type broad_sap = {
    .name = "sap",
    .summary = "sweep and prune: sorted ends along each axis, kept between calls",
    .reference = "cohen-1995",
    .state_size = sizeof(sap_state),
    .find = sap_find,
    .close = sap_close,
};
