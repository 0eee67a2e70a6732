/* SPDX-License-Identifier: Apache-2.0
 * geometry/tree_query.c: leaves of a tree of boxes that overlap a box, each other, or a
 * ray. A node that does not overlap excludes its descendants. */
#include <config.h>

#include "geometry/nodes.h"

void perp_tree_query(const perp_tree *tree, const perp_aabb *box, perp_tree_visit *visit,
                     void *context)
{
    uint32_t stack[TREE_DEPTH];
    size_t top = 0;

    if (tree->count > 0) {
        stack[top++] = 0;
    }
    while (top > 0) {
        const tree_node *n = &tree->node[stack[--top]];

        if (!perp_aabb_overlap(&n->box, box)) {
            continue;
        }
        if (n->height > 0) {
            stack[top++] = n->child[1];
            stack[top++] = n->child[0];
        } else if (!visit(context, n->child[0])) {
            return;
        }
    }
}

typedef struct query_pairs {
    const tree_node *node;
    perp_tree_visit_pair *visit;
    void *context;
} query_pairs;

/* Pairs of the leaves below node i with those below node j; the higher node is opened. The
 * recursion is as deep as both are high. */
static bool query_cross(const query_pairs *q, uint32_t i, uint32_t j)
{
    const tree_node *a = &q->node[i];
    const tree_node *b = &q->node[j];

    if (!perp_aabb_overlap(&a->box, &b->box)) {
        return true;
    }
    if (a->height == 0 && b->height == 0) {
        const bool swapped = b->child[0] < a->child[0];

        return q->visit(q->context, swapped ? b->child[0] : a->child[0],
                        swapped ? a->child[0] : b->child[0]);
    }
    return a->height >= b->height
               ? query_cross(q, a->child[0], j) && query_cross(q, a->child[1], j)
               : query_cross(q, i, b->child[0]) && query_cross(q, i, b->child[1]);
}

static bool query_within(const query_pairs *q, uint32_t k)
{
    const tree_node *n = &q->node[k];

    return n->height == 0 ||
           (query_within(q, n->child[0]) && query_within(q, n->child[1]) &&
            query_cross(q, n->child[0], n->child[1]));
}

void perp_tree_pairs(const perp_tree *tree, perp_tree_visit_pair *visit, void *context)
{
    const query_pairs q = {.node = tree->node, .visit = visit, .context = context};

    if (tree->count > 0) {
        query_within(&q, 0);
    }
}

typedef struct query_ray {
    const double *origin, *direction;
    double most;
} query_ray;

/* Where the ray enters a closed box: the greatest of 0 and of its entries between the
 * three pairs of planes, if it has left none of them by then [kay-kajiya-1986]. Along an
 * axis on which the ray does not move, it is between the planes or never. INFINITY: not
 * before `most`. A box within another is never entered before it, rounding included,
 * since differences and quotients are rounded without changing their order. */
static double query_entry(const query_ray *ray, const perp_aabb *box)
{
    double enter = 0.0, leave = ray->most;

    for (int k = 0; k < 3; k++) {
        double o = ray->origin[k];
        double d = ray->direction[k];

        if (d == 0.0) {
            if (o < box->lo[k] || o > box->hi[k]) {
                return INFINITY;
            }
        } else {
            double in = ((d > 0.0 ? box->lo[k] : box->hi[k]) - o) / d;
            double out = ((d > 0.0 ? box->hi[k] : box->lo[k]) - o) / d;

            enter = in > enter ? in : enter;
            leave = out < leave ? out : leave;
        }
    }
    return enter <= leave ? enter : INFINITY;
}

typedef struct query_stop {
    uint32_t node;
    double t;
} query_stop;

void perp_tree_cast(const perp_tree *tree, const double origin[3],
                    const double direction[3], double most, perp_tree_visit_ray *visit,
                    void *context)
{
    query_ray ray = {.origin = origin, .direction = direction, .most = most};
    query_stop stack[TREE_DEPTH];
    size_t top = 0;

    if (tree->count == 0 || !math_finite(origin, 3) || !math_finite(direction, 3)) {
        return;
    }
    stack[top++] = (query_stop){0, query_entry(&ray, &tree->node[0].box)};
    while (top > 0) {
        query_stop s = stack[--top];
        const tree_node *n = &tree->node[s.node];

        if (!(s.t <= ray.most) || s.t == INFINITY) {
            continue;
        }
        if (n->height == 0) {
            ray.most = fmin(ray.most, visit(context, n->child[0], s.t, ray.most));
        } else {
            double t0 = query_entry(&ray, &tree->node[n->child[0]].box);
            double t1 = query_entry(&ray, &tree->node[n->child[1]].box);
            int far = t0 <= t1; /* the nearer child is on top */

            stack[top++] = (query_stop){n->child[far], far ? t1 : t0};
            stack[top++] = (query_stop){n->child[!far], far ? t0 : t1};
        }
    }
}
