/* SPDX-License-Identifier: Apache-2.0
 * geometry/tree_build.c: a tree of boxes from all of them at once.
 *
 * Each node halves its boxes at the median of their centres along the axis on which the
 * centres spread most [ericson-2005, section 6.2]; boxes whose centres are equal there
 * are told apart by their numbers, so the tree is the same on every machine. Cost: n log2
 * n comparisons a few times over (Hoare's selection); height ceil(log2 n). */
#include <config.h>

#include <stdlib.h>

#include "geometry/nodes.h"

perp_status perp_tree_new(perp_tree **tree, perp_error *err)
{
    *tree = calloc(1, sizeof **tree);
    return *tree ? PERP_OK : perp_fail(err, PERP_ERR_MEMORY, "tree: no memory");
}

void perp_tree_free(perp_tree *tree)
{
    if (tree) {
        free(tree->node);
        free(tree);
    }
}

static bool build_box_is_finite(const perp_aabb *box)
{
    for (int k = 0; k < 3; k++) {
        if (!isfinite(box->lo[k]) || !isfinite(box->hi[k]) || box->lo[k] > box->hi[k]) {
            return false;
        }
    }
    return true;
}

static bool build_reserve(perp_tree *t, size_t nodes)
{
    return GROW(t->node, t->room, nodes);
}

typedef struct build_item {
    double center[3];
    uint32_t number;
} build_item;

static bool build_before(const build_item *a, const build_item *b, int axis)
{
    return a->center[axis] < b->center[axis] ||
           (a->center[axis] == b->center[axis] && a->number < b->number);
}

static void build_swap(build_item *a, build_item *b)
{
    build_item c = *a;

    *a = *b;
    *b = c;
}

/* The middle one of the first, the middle and the last item. */
static build_item build_pivot(const build_item *item, size_t n, int axis)
{
    const build_item *a = item;
    const build_item *b = item + n / 2;
    const build_item *c = item + n - 1;

    if (build_before(b, a, axis)) {
        const build_item *d = a;

        a = b;
        b = d;
    }
    return build_before(c, a, axis) ? *a : build_before(b, c, axis) ? *b : *c;
}

/* Let the `half` first items be those that are before the others; half < n. */
static void build_select(build_item *item, size_t n, size_t half, int axis)
{
    ptrdiff_t begin = 0, end = (ptrdiff_t)n - 1, k = (ptrdiff_t)half;

    while (begin < end) {
        build_item pivot = build_pivot(item + begin, (size_t)(end - begin + 1), axis);
        ptrdiff_t i = begin, j = end;

        while (i <= j) {
            while (build_before(&item[i], &pivot, axis)) {
                i++;
            }
            while (build_before(&pivot, &item[j], axis)) {
                j--;
            }
            if (i <= j) {
                build_swap(&item[i++], &item[j--]);
            }
        }
        /* up to j they are not behind the pivot, from i on not before it */
        begin = j < k ? i : begin;
        end = k < i ? j : end;
    }
}

static int build_axis(const build_item *item, size_t n)
{
    double spread[3];
    int axis = 0;

    for (int k = 0; k < 3; k++) {
        double lo = item[0].center[k];
        double hi = lo;

        for (size_t i = 1; i < n; i++) {
            lo = item[i].center[k] < lo ? item[i].center[k] : lo;
            hi = item[i].center[k] > hi ? item[i].center[k] : hi;
        }
        spread[k] = 0.5 * hi - 0.5 * lo;
        axis = spread[k] > spread[axis] ? k : axis;
    }
    return axis;
}

/* Box and height of an inner node from its children. */
static void build_join(const tree_node *a, const tree_node *b, tree_node *out)
{
    for (int k = 0; k < 3; k++) {
        out->box.lo[k] = a->box.lo[k] < b->box.lo[k] ? a->box.lo[k] : b->box.lo[k];
        out->box.hi[k] = a->box.hi[k] > b->box.hi[k] ? a->box.hi[k] : b->box.hi[k];
    }
    out->height = 1 + (a->height > b->height ? a->height : b->height);
}

/* Nodes of n items, the root of which is returned. */
static uint32_t build_node(perp_tree *t, build_item *item, size_t n,
                           const perp_aabb *boxes)
{
    uint32_t k = (uint32_t)t->used++;
    uint32_t number = item[0].number;
    size_t half = n / 2;
    uint32_t *child = t->node[k].child;

    if (n == 1) {
        t->node[k] = (tree_node){.box = boxes[number], .child = {number}};
        return k;
    }
    build_select(item, n, half, build_axis(item, n));
    child[0] = build_node(t, item, half, boxes);
    child[1] = build_node(t, item + half, n - half, boxes);
    build_join(&t->node[child[0]], &t->node[child[1]], &t->node[k]);
    return k;
}

perp_status perp_tree_build(perp_tree *tree, size_t n, const perp_aabb *boxes,
                            perp_error *err)
{
    build_item *item = NULL;

    tree->count = tree->used = 0;
    for (size_t i = 0; i < n; i++) {
        if (!build_box_is_finite(&boxes[i])) {
            return perp_fail(err, PERP_ERR_ARGUMENT,
                             "tree: box %zu is empty or not finite", i);
        }
    }
    if (n == 0) {
        return PERP_OK;
    }
    if (n > UINT32_MAX / 2 || !build_reserve(tree, 2 * n) ||
        !(item = math_alloc(n, sizeof *item))) {
        return perp_fail(err, PERP_ERR_MEMORY, "tree: no memory for %zu leaves", n);
    }
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            item[i].center[k] = 0.5 * boxes[i].lo[k] + 0.5 * boxes[i].hi[k];
        }
        item[i].number = (uint32_t)i;
    }
    build_node(tree, item, n, boxes);
    tree->count = n;
    free(item);
    return PERP_OK;
}
