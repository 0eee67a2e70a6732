/* SPDX-License-Identifier: Apache-2.0
 * articulated/innovations.c: forces on links as innovations [rodriguez-1992].
 *
 *     e_k = S^T F_k,   F_p += X^T (F_k - G e_k),       H^-1 = Psi^T Delta^-1 Psi
 *
 * F starts as the force at o of the link; what reaches the parent is what the joint
 * transmits when it is free to move. Two links: each climbs by the greater index until
 * they meet, then one force goes on. */
#include <config.h>

#include "articulated.h"

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

/* Entries of the link it is at, then one joint down. */
static void innovations_climb(const perp_articulation *tree, size_t rows,
                              innovations_force *force, double *value)
{
    const articulated_own *own = articulated_of(tree);
    const articulated_link *link = &own->links[force->at];

    for (uint32_t i = 0; i < link->dof; i++) {
        for (size_t r = 0; r < rows; r++) {
            value[i * rows + r] = six_dot(own->S + 6 * (link->first + i), force->F[r]);
        }
    }
    for (uint32_t i = 0; i < link->dof; i++) {
        const double *G = own->G + 6 * (link->first + i);

        for (size_t r = 0; r < rows; r++) {
            for (int j = 0; j < 6; j++) {
                force->F[r][j] -= G[j] * value[i * rows + r];
            }
        }
    }
    for (size_t r = 0; r < rows; r++) {
        vec3_cross_add(link->d, force->F[r], force->F[r] + 3);
    }
    force->at = link->parent;
}

/* The last link that both hang on, or -1. */
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

size_t perp_articulation_row(perp_articulation *tree, int32_t i, int32_t j, size_t rows,
                             const double *f_i, const double *f_j, int32_t *index,
                             double *value)
{
    const articulated_own *own = articulated_of(tree);
    const int32_t meet = innovations_meet(own, i, j);
    const size_t count = (i >= 0 ? tree->depth[i] : 0) + (j >= 0 ? tree->depth[j] : 0) -
                         (meet >= 0 ? tree->depth[meet] : 0);
    size_t left = count;
    innovations_force x;
    innovations_force y;

    innovations_start(tree, i, rows, f_i, &x);
    innovations_start(tree, j, rows, f_j, &y);
    while (x.at >= 0 || y.at >= 0) {
        innovations_force *force = x.at >= y.at ? &x : &y;
        const articulated_link *link = &own->links[force->at];

        if (x.at == y.at) {
            for (size_t r = 0; r < rows; r++) {
                for (int s = 0; s < 6; s++) {
                    x.F[r][s] += y.F[r][s];
                }
            }
            y.at = -1;
        }
        left -= link->dof;
        for (uint32_t s = 0; s < link->dof; s++) {
            index[left + s] = (int32_t)(link->first + s);
        }
        innovations_climb(tree, rows, force, value + left * rows);
    }
    return count;
}
