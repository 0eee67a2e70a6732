/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/draw.c: small problems that are hard on purpose.
 *
 * Matrix: B B^T of any rank, with a skew part, with zero rows, with equal rows, indefinite,
 * zero. Right side: built around a degenerate solution, drawn, or aimed at infeasibility.
 * Sets: any mixture of rows, cones with tiny, huge and zero mu. Then the rows, or the whole,
 * are scaled by powers of ten up to 1e12 either way; a few to the ends of doubles. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

enum { ROWS_MOST = 24, BLOCKS_MOST = 10 };

typedef struct draw {
    perp_random g;
    size_t n;
    perp_set *set;
    double A[ROWS_MOST * ROWS_MOST]; /* by rows */
    double b[ROWS_MOST];
    double z[ROWS_MOST], w[ROWS_MOST]; /* the solution built in */
    bool solvable;
    char *what;
} draw;

static double uniform(draw *d, double low, double high)
{
    return perp_random_uniform(&d->g, low, high);
}

static size_t choose(draw *d, size_t count)
{
    return (size_t)perp_random_integer(&d->g, 0, (long)count - 1);
}

static void say(draw *d, const char *text)
{
    size_t length = strlen(d->what);

    snprintf(d->what + length, 128 - length, "%s%s", length ? ", " : "", text);
}

/* Friction coefficients at the ends of what a double holds well, and some in between. */
static double draw_mu(draw *d)
{
    static const double ends[] = {0.0, 1e-12, 1e-6, 1e6, 1e12};

    return choose(d, 2) ? uniform(d, 0.1, 1.0) : ends[choose(d, 5)];
}

static void add_block(draw *d, unsigned kind)
{
    double low = uniform(d, -1.0, 0.5);

    switch (kind) {
    case PERP_SET_FREE:
        perp_set_add_free(d->set);
        break;
    case PERP_SET_BOX:
        perp_set_add_box(d->set, choose(d, 3) ? low : -INFINITY,
                         choose(d, 3) ? low + choose(d, 3) * 0.5 : INFINITY);
        break;
    case PERP_SET_FRICTION:
        perp_set_add_nonneg(d->set);
        perp_set_add_friction(d->set, draw_mu(d), d->set->n - 1);
        break;
    case PERP_SET_CONE:
        perp_set_add_cone(d->set, 2 + (unsigned)choose(d, 2), draw_mu(d));
        break;
    case PERP_SET_ROLLING:
        perp_set_add_rolling(d->set, draw_mu(d), draw_mu(d));
        break;
    case PERP_SET_DISK:
        perp_set_add_disk(d->set, choose(d, 3) ? uniform(d, 0.0, 2.0) : 0.0);
        break;
    default:
        perp_set_add_nonneg(d->set);
        break;
    }
}

/* What a problem is made of: one kind, or a mixture. */
static bool draw_set(draw *d)
{
    static const unsigned kinds[] = {PERP_SET_NONNEG, PERP_SET_FREE,     PERP_SET_BOX,
                                     PERP_SET_CONE,   PERP_SET_FRICTION, PERP_SET_ROLLING,
                                     PERP_SET_DISK};
    static const size_t of[][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 1, 2}, {3, 3, 3},
                                   {3, 3, 3}, {0, 3, 1}, {4, 4, 4}, {5, 5, 5}, {0, 6, 3}};
    const size_t *row = of[choose(d, sizeof of / sizeof *of)];
    size_t blocks = 1 + choose(d, BLOCKS_MOST);

    if (perp_set_new(&d->set, 2 * BLOCKS_MOST + 2, NULL) != PERP_OK) {
        return false;
    }
    while (blocks-- > 0 && d->set->n + 5 <= ROWS_MOST) {
        add_block(d, kinds[row[choose(d, 3)]]);
    }
    d->n = d->set->n;
    return true;
}

static double *at(draw *d, size_t i, size_t j)
{
    return &d->A[i * d->n + j];
}

/* B B^T of rank r, whole numbers so that degeneracy is exact. */
static void fill_gram(draw *d, size_t rank)
{
    double B[ROWS_MOST][ROWS_MOST];

    for (size_t i = 0; i < d->n; i++) {
        for (size_t k = 0; k < rank; k++) {
            B[i][k] = (double)perp_random_integer(&d->g, -3, 3);
        }
    }
    for (size_t i = 0; i < d->n; i++) {
        for (size_t j = 0; j < d->n; j++) {
            for (size_t k = 0; k < rank; k++) {
                *at(d, i, j) += B[i][k] * B[j][k];
            }
        }
    }
}

static void add_skew(draw *d, double size)
{
    for (size_t i = 0; i < d->n; i++) {
        for (size_t j = 0; j < i; j++) {
            double s = size * (double)perp_random_integer(&d->g, -3, 3);

            *at(d, i, j) += s;
            *at(d, j, i) -= s;
        }
    }
}

static void clear_row(draw *d, size_t row, bool column)
{
    for (size_t j = 0; j < d->n; j++) {
        *at(d, row, j) = 0.0;
        if (column) {
            *at(d, j, row) = 0.0;
        }
    }
}

static void draw_matrix(draw *d)
{
    size_t n = d->n;

    switch (choose(d, 9)) {
    case 0:
        say(d, "zero matrix");
        break;
    case 1:
        say(d, "rank 1");
        fill_gram(d, 1);
        break;
    case 2:
        say(d, "indefinite");
        fill_gram(d, n);
        for (size_t i = 0; i < n; i++) {
            *at(d, i, i) -= (double)n;
        }
        break;
    case 3:
        say(d, "drawn");
        for (size_t i = 0; i < n * n; i++) {
            d->A[i] = uniform(d, -1.0, 1.0);
        }
        break;
    case 4:
        say(d, "semidefinite with a skew part");
        fill_gram(d, (n + 1) / 2);
        add_skew(d, 1.0);
        break;
    case 5:
        say(d, "a zero row and column");
        fill_gram(d, n);
        clear_row(d, choose(d, n), true);
        break;
    case 6:
        say(d, "a zero row");
        fill_gram(d, n);
        clear_row(d, choose(d, n), false);
        break;
    case 7:
        say(d, "semidefinite");
        fill_gram(d, (n + 1) / 2);
        break;
    default:
        say(d, "definite");
        fill_gram(d, n);
        for (size_t i = 0; i < n; i++) {
            *at(d, i, i) += 1.0;
        }
        break;
    }
}

/* A scalar row of a solution: half of them with z = w = 0. */
static void solve_row(draw *d, const perp_block *k)
{
    double lo = 0.0;
    double hi = 0.0;
    size_t i = k->first;

    perp_block_bounds(k, d->z, &lo, &hi);
    if (lo == -INFINITY && hi == INFINITY) {
        d->z[i] = (double)perp_random_integer(&d->g, -3, 3);
        return;
    }
    switch (choose(d, 4)) {
    case 0: /* inside, or on the one bound there is */
        d->z[i] = lo > -INFINITY ? fmin(lo + 1.0, hi) : hi - 1.0;
        break;
    case 1: /* on a bound, pushed against it */
        d->z[i] = lo > -INFINITY ? lo : hi;
        d->w[i] = lo > -INFINITY ? 1.0 : -1.0;
        break;
    default: /* on a bound, not pushed */
        d->z[i] = lo > -INFINITY ? lo : hi;
        break;
    }
}

/* b := w - A z around a solution: scalar rows any way, the others inside or open. */
static void build_solution(draw *d)
{
    for (size_t k = 0; k < d->set->count; k++) {
        const perp_block *block = &d->set->blocks[k];

        if (block->dim == 1) {
            solve_row(d, block);
        } else if (block->kind != PERP_SET_DISK && choose(d, 2)) {
            d->z[block->first] = choose(d, 3) ? 1.0 : 0.0; /* sticks, w = 0 */
        } else if (block->kind != PERP_SET_DISK) {
            d->w[block->first] = choose(d, 3) ? 1.0 : 0.0; /* open, z = 0 */
        }
    }
    for (size_t i = 0; i < d->n; i++) {
        d->b[i] = d->w[i];
        for (size_t j = 0; j < d->n; j++) {
            d->b[i] -= *at(d, i, j) * d->z[j];
        }
    }
    d->solvable = true;
}

static void draw_right_side(draw *d)
{
    switch (choose(d, 4)) {
    case 0:
        say(d, "b drawn");
        for (size_t i = 0; i < d->n; i++) {
            d->b[i] = uniform(d, -1.0, 1.0);
        }
        break;
    case 1:
        say(d, "b all -1");
        for (size_t i = 0; i < d->n; i++) {
            d->b[i] = -1.0;
        }
        break;
    default:
        say(d, "degenerate solution");
        build_solution(d);
        break;
    }
}

/* Scale rows and columns by D (bounds by 1/D), one factor a block, or b alone. */
static void scale(draw *d, size_t k, double factor)
{
    perp_block *block = &d->set->blocks[k];

    for (unsigned r = 0; r < block->dim; r++) {
        size_t i = block->first + r;

        for (size_t j = 0; j < d->n; j++) {
            *at(d, i, j) *= factor;
        }
        for (size_t j = 0; j < d->n; j++) {
            *at(d, j, i) *= factor;
        }
        d->b[i] *= factor;
    }
    block->lo /= factor;
    block->hi /= factor;
    block->radius /= factor;
}

/* Up to 1e+-150 for A or b, one in fifty: products of two numbers leave the range there. */
static double draw_factor(draw *d)
{
    if (choose(d, 50) == 0) {
        say(d, "to the ends of doubles");
        return pow(10.0, (double)perp_random_integer(&d->g, -150, 150));
    }
    return pow(10.0, (double)perp_random_integer(&d->g, -12, 12));
}

static void draw_scale(draw *d)
{
    double whole = draw_factor(d);
    bool friction = (perp_set_kinds(d->set) & PERP_SET_FRICTION) != 0;

    switch (choose(d, 4)) {
    case 0: /* the bounds of friction rows would need their normals' factor */
        say(d, "rows scaled");
        for (size_t k = 0; k < d->set->count && !friction; k++) {
            scale(d, k, pow(10.0, (double)perp_random_integer(&d->g, -6, 6)));
        }
        break;
    case 1:
        say(d, "the whole scaled");
        for (size_t k = 0; k < d->set->count; k++) {
            scale(d, k, sqrt(whole));
        }
        break;
    case 2:
        say(d, "b scaled");
        for (size_t k = 0; k < d->set->count; k++) {
            perp_block *block = &d->set->blocks[k];

            block->lo *= whole;
            block->hi *= whole;
            block->radius *= whole;
        }
        for (size_t i = 0; i < d->n; i++) {
            d->b[i] *= whole;
        }
        break;
    default:
        break;
    }
}

static perp_problem *finish(draw *d)
{
    double *columns = perp_reals_new(d->n * d->n);
    double *b = perp_reals_new(d->n);
    perp_operator *A = NULL;
    perp_problem *p = NULL;
    bool dense = choose(d, 2) == 0;

    if (!columns || !b) {
        goto done;
    }
    for (size_t i = 0; i < d->n; i++) {
        for (size_t j = 0; j < d->n; j++) {
            columns[i + j * d->n] = *at(d, i, j);
        }
        b[i] = d->b[i];
    }
    if (perp_operator_new_from_dense(&A, d->n, d->n, columns, d->n, PERP_COPY, NULL) !=
        PERP_OK) {
        goto done;
    }
    if (!dense) {
        perp_operator *sparse = NULL;

        if (perp_operator_convert(&sparse, A, PERP_STORAGE_CSR, 1, NULL) != PERP_OK) {
            goto done;
        }
        perp_operator_free(A);
        A = sparse;
    }
    perp_problem_new_take(&p, A, b, d->set,
                          choose(d, 4) ? PERP_LAW_COULOMB : PERP_LAW_ASSOCIATED, NULL);
    A = NULL;
    b = NULL;
    d->set = NULL;
done:
    free(columns);
    free(b);
    perp_operator_free(A);
    perp_set_free(d->set);
    return p;
}

perp_problem *torture_draw(uint64_t seed, size_t index, char *what, bool *solvable)
{
    draw *d = calloc(1, sizeof *d);
    perp_problem *p = NULL;

    if (!d) {
        return NULL;
    }
    d->g = (perp_random){seed ^ (0xd1342543de82ef95u * (index + 1))};
    d->what = what;
    what[0] = '\0';
    if (draw_set(d)) {
        draw_matrix(d);
        draw_right_side(d);
        draw_scale(d);
        p = finish(d);
    }
    *solvable = d->solvable;
    free(d);
    return p;
}
