/* SPDX-License-Identifier: Apache-2.0
 * articulated/crba.c: H by composite rigid bodies [walker-orin-1982].
 *
 *     composite (m, h, J), h its first moment about o; up by d:  w = h + m d/2,
 *         h + m d,   J + 2 (d.w) E - d w^T - w d^T
 *     F = (m v + omega x h, J omega + h x v) of S,    H(k,k) = S^T F + armature,
 *     H(k,a) = H(a,k) = S_a^T F for each ancestor a
 *
 * Forces and ancestors' S are brought to one point, the o of the tree's first link, so
 * that nothing is carried from ancestor to ancestor. */
#include <config.h>

#include "articulated.h"

/* Composite of link k comes to its parent's. */
static inline void crba_hand_on(const articulated_body *from, const double d[3],
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

/* Entries of a coordinate of link k and of all coordinates above. F at o of k, `at` that
 * o from the common point, T the columns there. */
static void crba_column(const articulated_own *own, size_t n,
                        const articulated_link *link, size_t column, double F[6],
                        const double at[3], double *H)
{
    const double *T = own->T;
    double *const out = H + n * column;
    size_t row = link->first;

    for (size_t i = row; i <= column; i++) {
        H[n * i + column] = out[i] = six_dot(own->S + 6 * i, F);
    }
    out[column] += own->armature[column];
    vec3_cross_add(at, F, F + 3);
    while (own->runs[row].above >= 0) {
        const size_t last = (size_t)own->runs[row].above;

        row = (size_t)own->runs[row].start;
        for (size_t i = row; i <= last; i++) {
            H[n * i + column] = out[i] = six_dot(T + 6 * i, F);
        }
    }
}

void perp_articulation_crba(perp_articulation *tree, double *H)
{
    const articulated_own *own = articulated_of(tree);

    articulated_turn(tree);
    memset(H, 0, tree->n * tree->n * sizeof *H);
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
    for (size_t k = tree->count; k-- > 0;) {
        const articulated_link *link = &own->links[k];

        for (size_t i = link->first; i < link->first + link->dof; i++) {
            double F[6];

            crba_force(&own->bodies[k], own->S + 6 * i, F);
            crba_column(own, tree->n, link, i, F, link->a, H);
        }
        if (link->parent >= 0) {
            crba_hand_on(&own->bodies[k], link->d, &own->bodies[link->parent]);
        }
    }
}
