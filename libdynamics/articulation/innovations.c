/* SPDX-License-Identifier: Apache-2.0
 * articulation/innovations.c: forces on links as innovations [rodriguez-1992].
 *
 *     e_k = S^T F_k,   F_p += X^T (F_k - G e_k),       H^-1 = Psi^T Delta^-1 Psi
 *
 * F starts as the force at o of the link; the parent receives the force that the joint
 * transmits when it can move freely. For two links, the force at the one with the greater
 * index is propagated until both are at one link; then their sum is propagated. */
#include <config.h>

#include "articulation/articulated.h"

enum { ROWS = 8 };

typedef struct innovations_force {
    int32_t at;
    double F[ROWS][6];
} innovations_force;

static void innovations_start(const perp_articulation *tree, int32_t k, size_t rows,
                              const double *f, innovations_force *out)
{
    out->at = k;
    if (k < 0) {
        return;
    }
    for (size_t r = 0; r < rows; r++) {
        memcpy(out->F[r], f + 6 * r, sizeof out->F[r]);
        vec3_cross_add(articulated_of(tree)->links[k].rho, f + 6 * r, out->F[r] + 3);
    }
}

/* The entries of the present link, then the force at its parent. */
static inline void innovations_climb(const articulated_own *own, size_t rows,
                                     innovations_force *force, double *value)
{
    const articulated_link *link = &own->links[force->at];
    const double *S = own->S + 6 * link->first;
    const double *G = own->G + 6 * link->first;
    const bool turns = link->kind == ARTICULATED_TURN;

    for (uint32_t i = 0; i < link->dof; i++) {
        for (size_t r = 0; r < rows; r++) {
            value[i * rows + r] = turns ? vec3_dot(S + 3, force->F[r] + 3)
                                        : six_dot(S + 6 * i, force->F[r]);
        }
    }
    force->at = link->parent;
    if (link->parent < 0) {
        return;
    }
    for (size_t r = 0; r < rows; r++) {
        double *F = force->F[r];

        for (uint32_t i = 0; i < link->dof; i++) {
            vec3_add(F, -value[i * rows + r], G + 6 * i, F);
            vec3_add(F + 3, -value[i * rows + r], G + 6 * i + 3, F + 3);
        }
        vec3_cross_add(link->d, F, F + 3);
    }
}

/* The last common ancestor, or -1. */
static int32_t innovations_meet(const articulated_own *own, int32_t i, int32_t j)
{
    while (i != j) {
        if (i > j) {
            i = own->links[i].parent;
        } else {
            j = own->links[j].parent;
        }
    }
    return i;
}

/* Both are at one link: x becomes their sum. */
static void innovations_join(size_t rows, innovations_force *x, innovations_force *y)
{
    for (size_t r = 0; r < rows; r++) {
        vec3_add(x->F[r], 1.0, y->F[r], x->F[r]);
        vec3_add(x->F[r] + 3, 1.0, y->F[r] + 3, x->F[r] + 3);
    }
    y->at = -1;
}

/* From the last entry to the first. */
static inline void innovations_walk(const articulated_own *own, size_t rows,
                                    innovations_force *x, innovations_force *y,
                                    size_t left, int32_t *index, double *value)
{
    while (x->at >= 0 || y->at >= 0) {
        innovations_force *force = x->at >= y->at ? x : y;
        const articulated_link *link = &own->links[force->at];

        if (x->at == y->at) {
            innovations_join(rows, x, y);
        }
        left -= link->dof;
        for (uint32_t s = 0; s < link->dof; s++) {
            index[left + s] = (int32_t)(link->first + s);
        }
        innovations_climb(own, rows, force, value + left * rows);
    }
}

size_t perp_articulation_innovations(perp_articulation *tree, int32_t i, int32_t j,
                                     size_t rows, const double *f_i, const double *f_j,
                                     int32_t *index, double *value)
{
    const articulated_own *own = articulated_of(tree);
    const int32_t meet = innovations_meet(own, i, j);
    const size_t count = (i >= 0 ? tree->depth[i] : 0) + (j >= 0 ? tree->depth[j] : 0) -
                         (meet >= 0 ? tree->depth[meet] : 0);
    innovations_force x;
    innovations_force y;

    innovations_start(tree, i, rows, f_i, &x);
    innovations_start(tree, j, rows, f_j, &y);
    /* the usual numbers of rows are constants for the compiler */
    if (rows == 3) {
        innovations_walk(own, 3, &x, &y, count, index, value);
    } else if (rows == 1) {
        innovations_walk(own, 1, &x, &y, count, index, value);
    } else {
        innovations_walk(own, rows, &x, &y, count, index, value);
    }
    return count;
}
