/* SPDX-License-Identifier: Apache-2.0
 * articulation/ltdl.c: H = L^T D L along the tree, without fill [featherstone-2008,
 * section 6.5].
 *
 *     for k = n - 1 .. 0, for ancestors i of k:
 *         a = H(k,i)/H(k,k);  H(i,j) -= a H(k,j) for j = i and its ancestors;  H(k,i) = a
 *
 * Row k holds H(k,j) of the ancestors j of k in ascending order and of k itself. The row
 * of an ancestor has the same coordinates as the first entries of row k, so an update is
 * a sum of two vectors. A coordinate and the one just before it, if that is above it, are
 * eliminated together: each row above both is then read and written once. */
#include <config.h>

#include <stdlib.h>

#include "articulation/articulated.h"

/* Entries of row i before its diagonal, which are those of its ancestors. */
static inline size_t ltdl_level(const perp_articulation *tree, size_t i)
{
    return tree->row[i + 1] - tree->row[i] - 1;
}

/* to[0 .. count - 1] -= a x. */
static inline void ltdl_subtract(size_t count, double a, const double *x, double *to)
{
    for (size_t j = 0; j < count; j++) {
        to[j] -= a * x[j];
    }
}

/* to[0 .. count - 1] -= a x + b y. */
static inline void ltdl_subtract_two(size_t count, double a, const double *restrict x,
                                     double b, const double *restrict y,
                                     double *restrict to)
{
    for (size_t j = 0; j < count; j++) {
        to[j] -= a * x[j] + b * y[j];
    }
}

/* Coordinate k. */
static bool ltdl_one(const perp_articulation *tree, size_t k, double *H)
{
    double *x = H + tree->row[k];
    size_t level = ltdl_level(tree, k);
    const double pivot = x[level];

    if (!(pivot > 0.0)) {
        return false;
    }
    for (int32_t i = tree->above[k]; level > 0; i = tree->above[i]) {
        const double a = x[level - 1] / pivot;

        ltdl_subtract(level, a, x, H + tree->row[i]);
        x[--level] = a;
    }
    return true;
}

/* Coordinates k and k - 1, which is above it. */
static bool ltdl_two(const perp_articulation *tree, size_t k, double *H)
{
    double *x = H + tree->row[k];
    double *y = H + tree->row[k - 1];
    size_t level = ltdl_level(tree, k - 1);
    const double first = x[level + 1];
    double second = 0.0;
    double a = 0.0;

    if (!(first > 0.0)) {
        return false;
    }
    a = x[level] / first;
    ltdl_subtract(level + 1, a, x, y);
    x[level] = a;
    second = y[level];
    if (!(second > 0.0)) {
        return false;
    }
    for (int32_t i = tree->above[k - 1]; level > 0; i = tree->above[i]) {
        const double b = y[level - 1] / second;

        a = x[level - 1] / first;
        ltdl_subtract_two(level, a, x, b, y, H + tree->row[i]);
        level--;
        x[level] = a;
        y[level] = b;
    }
    return true;
}

bool perp_articulation_sparse_ltdl(const perp_articulation *tree, double *H)
{
    size_t k = tree->n;

    while (k > 0) {
        bool two = k > 1 && tree->above[k - 1] == (int32_t)k - 2;

        if (!(two ? ltdl_two : ltdl_one)(tree, k - 1, H)) {
            return false;
        }
        k -= two ? 2 : 1;
    }
    return true;
}

/* x of the ancestors of k -= L(k,.) x_k; `row` is row k. */
static inline void ltdl_solve_up(const perp_articulation *tree, size_t k,
                                 const double *row, double *x)
{
    const articulated_run *runs = articulated_of(tree)->runs;
    const double *end = row + ltdl_level(tree, k);
    const double x_k = x[k];

    for (const articulated_run *run = &runs[k]; run->above >= 0;
         run = &runs[run->start]) {
        const size_t count = (size_t)(run->above - run->start) + 1;

        end -= count;
        ltdl_subtract(count, x_k, end, x + run->start);
    }
}

/* x_k / D(k) - L(k,.) x of the ancestors; in two independent
 * sums. */
static inline double ltdl_solve_down(const perp_articulation *tree, size_t k,
                                     const double *row, const double *x)
{
    const articulated_run *runs = articulated_of(tree)->runs;
    const double *end = row + ltdl_level(tree, k);
    double even = x[k] / *end;
    double odd = 0.0;

    for (const articulated_run *run = &runs[k]; run->above >= 0;
         run = &runs[run->start]) {
        const double *at = x + run->start;
        const size_t count = (size_t)(run->above - run->start) + 1;
        size_t j = 0;

        end -= count;
        for (; j + 1 < count; j += 2) {
            even -= end[j] * at[j];
            odd -= end[j + 1] * at[j + 1];
        }
        if (j < count) {
            even -= end[j] * at[j];
        }
    }
    return even + odd;
}

void perp_articulation_sparse_ltdl_solve(const perp_articulation *tree,
                                         const double *factors, double *x)
{
    for (size_t k = tree->n; k-- > 0;) {
        ltdl_solve_up(tree, k, factors + tree->row[k], x);
    }
    for (size_t k = 0; k < tree->n; k++) {
        x[k] = ltdl_solve_down(tree, k, factors + tree->row[k], x);
    }
}
