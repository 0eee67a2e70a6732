/* SPDX-License-Identifier: Apache-2.0
 * articulation/crba.c: H by composite rigid bodies [walker-orin-1982].
 *
 *     composite (m, h, J), h its first moment about o; up by d:  w = h + m d/2,
 *         h + m d,   J + 2 (d.w) E - d w^T - w d^T
 *     F = (m v + omega x h, J omega + h x v) of S,    H(k,k) = S^T F + armature,
 *     H(k,a) = H(a,k) = S_a^T F for each ancestor a
 *
 * Forces and the S of ancestors are taken at one point, the o of the first link of the
 * tree, so that a force needs no shift from ancestor to ancestor. Ancestors are visited
 * in runs, which are consecutive ancestors, so that the inner loop is contiguous. The
 * storage of H, dense or sparse, is a constant of two inlined copies of one function. */
#include <config.h>

#include "articulation/articulated.h"

/* Add the composite of a link to that of its parent, whose o is at -d. */
static inline void crba_add_to_parent(const articulated_body *from, const double d[3],
                                      articulated_body *to)
{
    const double half = 0.5 * from->m;
    const double w[3] = {from->h[0] + half * d[0], from->h[1] + half * d[1],
                         from->h[2] + half * d[2]};
    const double x = d[0] * w[0];
    const double y = d[1] * w[1];
    const double z = d[2] * w[2];

    to->m += from->m;
    vec3_add(to->h, 1.0, from->h, to->h);
    vec3_add(to->h, from->m, d, to->h);
    to->J[0] += from->J[0] + 2.0 * (y + z);
    to->J[1] += from->J[1] - (d[0] * w[1] + w[0] * d[1]);
    to->J[2] += from->J[2] - (d[0] * w[2] + w[0] * d[2]);
    to->J[3] += from->J[3] + 2.0 * (x + z);
    to->J[4] += from->J[4] - (d[1] * w[2] + w[1] * d[2]);
    to->J[5] += from->J[5] + 2.0 * (x + y);
}

/* F at o that moves the composite by s. */
static inline void crba_force(const articulated_body *body, const double s[6],
                              double F[6])
{
    vec3_scale(body->m, s, F);
    vec3_cross_add(s + 3, body->h, F);
    sym3_apply(body->J, s + 3, F + 3);
    vec3_cross_add(body->h, s, F + 3);
}

/* The destination of rows: H, sparse or dense, of n columns. */
typedef struct crba_rows {
    const perp_articulation *tree;
    double *H;
    bool dense;
} crba_rows;

/* Entries of coordinate `column` and of start .. last, which are above it or itself, and
 * whose columns of `twists` are at the same point as F; `end`: behind the last in the
 * sparse row. Returns the first of them there. */
static inline __attribute__((always_inline)) double *crba_run(
    const crba_rows *rows, size_t column, size_t start, size_t last, const double *twists,
    const double F[6], double *end)
{
    const size_t n = rows->tree->n;
    double *out = rows->dense ? rows->H + n * column + start : end - (last - start + 1);

    for (size_t i = start; i <= last; i++) {
        out[i - start] = six_dot(twists + 6 * i, F);
        if (rows->dense) {
            rows->H[n * i + column] = out[i - start];
        }
    }
    return out;
}

/* The entries of a coordinate of link k and of its ancestors. F is at the o of k, which
 * is `at` from the common point. */
static inline __attribute__((always_inline)) void crba_row(const crba_rows *rows,
                                                           const articulated_link *link,
                                                           size_t column, double F[6],
                                                           const double at[3])
{
    const articulated_own *own = articulated_of(rows->tree);
    const articulated_run *run = &own->runs[link->first];
    double *end = rows->dense ? NULL : rows->H + rows->tree->row[column + 1];
    double *diagonal = rows->dense ? rows->H + (rows->tree->n + 1) * column : end - 1;

    end = crba_run(rows, column, link->first, column, own->S, F, end);
    *diagonal += own->armature[column];
    vec3_cross_add(at, F, F + 3);
    for (; run->above >= 0; run = &own->runs[run->start]) {
        end = crba_run(rows, column, (size_t)run->start, (size_t)run->above, own->T, F,
                       end);
    }
}

/* Composite bodies before links are added, and S at the common point. */
static void crba_start(const perp_articulation *tree)
{
    const articulated_own *own = articulated_of(tree);

    articulated_turn(tree);
    for (size_t k = 0; k < tree->count; k++) {
        articulated_link *link = &own->links[k];
        articulated_body *body = &own->bodies[k];

        body->m = link->m;
        vec3_scale(link->m, link->rho, body->h);
        memcpy(body->J, link->J, sizeof body->J);
        /* o from the common point, in place of an acceleration */
        if (link->parent < 0) {
            vec3_set(link->a, 0.0, 0.0, 0.0);
        } else {
            vec3_add(own->links[link->parent].a, 1.0, link->d, link->a);
        }
        for (size_t i = link->first; i < link->first + link->dof; i++) {
            memcpy(own->T + 6 * i, own->S + 6 * i, 6 * sizeof *own->T);
            vec3_cross_add(link->a, own->S + 6 * i + 3, own->T + 6 * i);
        }
    }
}

/* From the last link to the first. */
static inline __attribute__((always_inline)) void crba_walk(const crba_rows *rows)
{
    const perp_articulation *tree = rows->tree;
    const articulated_own *own = articulated_of(tree);

    crba_start(tree);
    for (size_t k = tree->count; k-- > 0;) {
        const articulated_link *link = &own->links[k];

        for (size_t i = link->first; i < link->first + link->dof; i++) {
            double F[6];

            crba_force(&own->bodies[k], own->S + 6 * i, F);
            crba_row(rows, link, i, F, link->a);
        }
        if (link->parent >= 0) {
            crba_add_to_parent(&own->bodies[k], link->d, &own->bodies[link->parent]);
        }
    }
}

/* One walk, of which compilers make two: `dense` is constant in each. */
void perp_articulation_mass(perp_articulation *tree, double *H)
{
    const crba_rows rows = {tree, H, false};

    crba_walk(&rows);
}

void perp_articulation_crba(perp_articulation *tree, double *H)
{
    const crba_rows rows = {tree, H, true};

    memset(H, 0, tree->n * tree->n * sizeof *H);
    crba_walk(&rows);
}
