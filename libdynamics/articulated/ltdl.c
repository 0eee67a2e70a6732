/* SPDX-License-Identifier: Apache-2.0
 * articulated/ltdl.c: H = L^T D L along the tree, without fill [featherstone-2008,
 * section 6.5].
 *
 *     for k = n - 1 .. 0, for i in ancestors of k, from the next on:
 *         a = H(k,i)/H(k,k);  H(i,j) -= a H(k,j) for j = i and its ancestors;  H(k,i) = a
 *
 * The coordinate above the first of a link is the last of the next link below it that has
 * one. H is column-major, its lower triangle is read and written. */
#include <config.h>

#include "articulated.h"

/* Coordinate i of link `at` is left for the one above it; its link in *at; -1: none. */
static int32_t ltdl_above(const articulated_own *own, int32_t i, int32_t *at)
{
    const articulated_link *link = &own->links[*at];

    if ((size_t)i > link->first) {
        return i - 1;
    }
    do {
        *at = own->links[*at].parent;
    } while (*at >= 0 && own->links[*at].dof == 0);
    return *at < 0 ? -1 : (int32_t)(own->links[*at].first + own->links[*at].dof) - 1;
}

bool perp_articulation_ltdl(const perp_articulation *tree, double *H)
{
    const articulated_own *own = articulated_of(tree);
    const size_t n = tree->n;

    for (size_t link = tree->count; link-- > 0;) {
        for (uint32_t c = own->links[link].dof; c-- > 0;) {
            const size_t k = own->links[link].first + c;
            const double pivot = H[n * k + k];
            int32_t at = (int32_t)link;
            int32_t i = (int32_t)k;

            if (!(pivot > 0.0)) {
                return false;
            }
            while ((i = ltdl_above(own, i, &at)) >= 0) {
                const double a = H[n * (size_t)i + k] / pivot;
                int32_t at_j = at;

                for (int32_t j = i; j >= 0; j = ltdl_above(own, j, &at_j)) {
                    H[n * (size_t)j + (size_t)i] -= a * H[n * (size_t)j + k];
                }
                H[n * (size_t)i + k] = a;
            }
        }
    }
    return true;
}

void perp_articulation_ltdl_solve(const perp_articulation *tree, const double *factors,
                                  double *x)
{
    const articulated_own *own = articulated_of(tree);
    const size_t n = tree->n;

    for (size_t link = tree->count; link-- > 0;) {
        for (uint32_t c = own->links[link].dof; c-- > 0;) {
            const size_t k = own->links[link].first + c;
            int32_t at = (int32_t)link;

            for (int32_t i = (int32_t)k; (i = ltdl_above(own, i, &at)) >= 0;) {
                x[i] -= factors[n * (size_t)i + k] * x[k];
            }
        }
    }
    for (size_t link = 0; link < tree->count; link++) {
        for (uint32_t c = 0; c < own->links[link].dof; c++) {
            const size_t k = own->links[link].first + c;
            int32_t at = (int32_t)link;

            x[k] /= factors[n * k + k];
            for (int32_t i = (int32_t)k; (i = ltdl_above(own, i, &at)) >= 0;) {
                x[k] -= factors[n * (size_t)i + k] * x[i];
            }
        }
    }
}
