/* SPDX-License-Identifier: Apache-2.0
 * articulated/crba.c: H by composite rigid bodies [walker-orin-1982].
 *
 *     I_p += X^T I X,   F = I S,   H(k,k) = S^T F + armature,
 *     for each ancestor a:  F := X^T F,  H(k,a) = F^T S_a = H(a,k)^T */
#include <config.h>

#include "articulated.h"

/* Rows and columns of link k and of all above it. */
static void crba_column(const perp_articulation *tree, size_t k, uint32_t i, double *H)
{
    const articulated_own *own = articulated_of(tree);
    const articulated_link *link = &own->links[k];
    const size_t n = tree->n;
    const size_t column = link->first + i;
    double F[6];

    inertia_apply(&link->inertia, own->S + 6 * column, F);
    for (uint32_t j = 0; j < link->dof; j++) {
        H[n * column + link->first + j] = six_dot(own->S + 6 * (link->first + j), F);
    }
    H[n * column + column] += tree->links[k].armature[i];
    while (link->parent >= 0) {
        vec3_cross_add(link->d, F, F + 3);
        link = &own->links[link->parent];
        for (uint32_t j = 0; j < link->dof; j++) {
            const size_t row = link->first + j;

            H[n * row + column] = H[n * column + row] = six_dot(own->S + 6 * row, F);
        }
    }
}

void perp_articulation_crba(perp_articulation *tree, double *H)
{
    const articulated_own *own = articulated_of(tree);

    memset(H, 0, tree->n * tree->n * sizeof *H);
    for (size_t k = 0; k < tree->count; k++) {
        articulated_rigid(&own->links[k], tree->E[k].R, &own->links[k].inertia);
    }
    for (size_t k = tree->count; k-- > 0;) {
        const articulated_link *link = &own->links[k];

        for (uint32_t i = 0; i < link->dof; i++) {
            crba_column(tree, k, i, H);
        }
        if (link->parent >= 0) {
            articulated_shift_add(&link->inertia, link->d,
                                  &own->links[link->parent].inertia);
        }
    }
}
