/* SPDX-License-Identifier: Apache-2.0
 * tests/determined/brackets.c: ranges of drawn problems against linear programs over polyhedral cones
 * inside and around theirs, against lists of all solutions, and laws. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "../reference/simplex.h"
#include "answers.h"

enum { SIDES = 64, MOST_ROWS = 18, EQUATIONS = 6 };

static const double range_err =
    2e-6; /* of the largest force: 1e-6 of the range, and rounding */

/* Rows of blocks at rest (w = 0) that meet few equations J^T z. */
typedef struct drawn {
    size_t n, m;
    double J[MOST_ROWS * EQUATIONS];
    double z[MOST_ROWS];
    perp_set *set;
    perp_problem *p;
} drawn;

static void draw_block(drawn *t, perp_random *g)
{
    size_t first = t->n;
    double pick = perp_random_uniform(g, 0.0, 1.0);
    double *z = t->z + first;

    if (pick < 0.5 && first + 3 <= MOST_ROWS) {
        double mu = perp_random_uniform(g, 0.1, 1.0);
        double angle = perp_random_uniform(g, 0.0, 6.28);
        double part = perp_random_uniform(g, 0.0, 1.1);

        part = part > 1.0 ? 1.0 : part;
        z[0] = perp_random_uniform(g, 0.0, 1.0);
        z[1] = part * mu * z[0] * cos(angle);
        z[2] = part * mu * z[0] * sin(angle);
        OK(perp_set_add_cone(t->set, 3, mu));
    } else if (pick < 0.7) {
        z[0] = perp_random_uniform(g, -0.3, 1.0);
        z[0] = z[0] < 0.0 ? 0.0 : z[0];
        OK(perp_set_add_nonneg(t->set));
    } else if (pick < 0.9) {
        z[0] = perp_random_uniform(g, -0.5, 0.5);
        OK(perp_set_add_box(t->set, -0.5, 0.5));
    } else {
        z[0] = perp_random_uniform(g, -1.0, 1.0);
        OK(perp_set_add_free(t->set));
    }
    t->n = t->set->n;
}

static drawn *draw(uint64_t seed)
{
    perp_random g = {seed};
    drawn *t = test_alloc(1, sizeof *t);
    double W[MOST_ROWS * MOST_ROWS] = {0};
    double b[MOST_ROWS] = {0};
    size_t most = 4 + seed % (MOST_ROWS - 4);

    t->m = 2 + seed % (EQUATIONS - 1);
    OK(perp_set_new(&t->set, MOST_ROWS, NULL));
    while (t->n < most) {
        draw_block(t, &g);
    }
    for (size_t i = 0; i < t->n * t->m;
         i++) { /* small integers: the null space is exact */
        t->J[i] = floor(perp_random_uniform(&g, -2.0, 3.0));
    }
    for (size_t i = 0; i < t->n; i++) {
        for (size_t j = 0; j < t->n; j++) {
            for (size_t a = 0; a < t->m; a++) {
                W[i + j * t->n] += t->J[i * t->m + a] * t->J[j * t->m + a];
            }
        }
    }
    for (size_t i = 0; i < t->n; i++) {
        for (size_t j = 0; j < t->n; j++) {
            b[i] -= W[i + j * t->n] * t->z[j];
        }
    }
    OK(perp_problem_new_dense(&t->p, t->n, W, t->n, b, t->set, PERP_LAW_COULOMB,
                              PERP_COPY, NULL));
    return t;
}

/* The linear program of a drawn problem: x >= 0, z = offset + B x. */
typedef struct linear {
    size_t cols, rows;
    double *B;      /* n x cols */
    double *offset; /* n */
    double *E, *h;  /* rows x cols */
} linear;

/* Columns of one block; cones with SIDES rays of friction mu. */
static void linear_block(linear *l, size_t n, const perp_block *block, double mu)
{
    size_t i = block->first;

    (void)n;
    if (block->kind == PERP_SET_CONE) {
        for (size_t k = 0; k < SIDES; k++, l->cols++) {
            double angle = 2.0 * 3.141592653589793 * (double)k / SIDES;

            l->B[i + l->cols * n] = 1.0;
            l->B[i + 1 + l->cols * n] = mu * cos(angle);
            l->B[i + 2 + l->cols * n] = mu * sin(angle);
        }
        return;
    }
    l->B[i + l->cols++ * n] = 1.0;
    if (block->kind == PERP_SET_FREE) {
        l->B[i + l->cols++ * n] = -1.0;
    } else if (block->kind == PERP_SET_BOX) {
        l->offset[i] = block->lo;
        l->cols++; /* the slack of the upper bound */
        l->rows++;
    }
}

static linear linear_of(const drawn *t, double factor)
{
    size_t n = t->n;
    linear l = {.rows = t->m};
    size_t row = t->m;
    size_t most = n * SIDES;

    l.B = test_alloc(n * most, sizeof *l.B);
    l.offset = test_alloc(n, sizeof *l.offset);
    for (size_t k = 0; k < t->set->count; k++) {
        linear_block(&l, n, &t->set->blocks[k], factor * t->set->blocks[k].mu);
    }
    l.E = test_alloc(l.rows * l.cols, sizeof *l.E);
    l.h = test_alloc(l.rows, sizeof *l.h);
    for (size_t a = 0; a < t->m; a++) {
        for (size_t i = 0; i < n; i++) {
            l.h[a] += t->J[i * t->m + a] * (t->z[i] - l.offset[i]);
            for (size_t j = 0; j < l.cols; j++) {
                l.E[a * l.cols + j] += t->J[i * t->m + a] * l.B[i + j * n];
            }
        }
    }
    for (size_t j = 0; j + 1 < l.cols; j++) { /* x_j + slack = hi - lo */
        for (size_t k = 0; k < t->set->count; k++) {
            const perp_block *block = &t->set->blocks[k];

            if (block->kind == PERP_SET_BOX && l.B[block->first + j * n] == 1.0) {
                l.E[row * l.cols + j] = l.E[row * l.cols + j + 1] = 1.0;
                l.h[row++] = block->hi - block->lo;
            }
        }
    }
    return l;
}

/* The least value of sign z_row. */
static double linear_least(const linear *l, size_t n, size_t row, double sign)
{
    double *c = test_alloc(l->cols, sizeof *c);
    double least = 0.0;

    for (size_t j = 0; j < l->cols; j++) {
        c[j] = sign * l->B[row + j * n];
    }
    least = sign * l->offset[row] + simplex_least(l->rows, l->cols, l->E, l->h, c);
    free(c);
    return least;
}

static void linear_free(linear *l)
{
    free(l->B);
    free(l->offset);
    free(l->E);
    free(l->h);
}

static void drawn_free(drawn *t)
{
    perp_problem_free(t->p);
    perp_set_free(t->set);
    free(t);
}

/* a <= b up to `margin`, for infinite values, too; a NaN says that the inner program is empty. */
static bool at_most(double a, double b, double margin)
{
    return a <= b + margin || isnan(a) || isnan(b);
}

TEST(ranges_of_cones_lie_between_those_of_polyhedra_inside_and_around_them)
{
    size_t infinite = 0;
    size_t determined = 0;

    for (uint64_t seed = 1; seed <= 60; seed++) {
        drawn *t = draw(seed);
        linear inner = linear_of(t, 1.0);
        linear outer = linear_of(t, 1.0 / cos(3.141592653589793 / SIDES));
        perp_determined *d = NULL;

        OK(perp_determined_new(&d, t->p, t->z, NULL));
        for (size_t i = 0; i < t->n; i++) {
            perp_interval range;
            double scale = 1.0 + fabs(t->z[i]);
            double in[2], out[2];

            OK(perp_determined_rows(d, 1, &i, &range, NULL));
            for (int s = 0; s < 2; s++) {
                in[s] = linear_least(&inner, t->n, i, s ? -1.0 : 1.0);
                out[s] = linear_least(&outer, t->n, i, s ? -1.0 : 1.0);
            }
            scale += isfinite(range.lo) ? fabs(range.lo) : 0.0;
            scale += isfinite(range.hi) ? fabs(range.hi) : 0.0;
            if (range.kind == PERP_UNRESOLVED ||
                !at_most(out[0], range.lo, range_err * scale) ||
                !at_most(range.lo, in[0], range_err * scale) ||
                !at_most(-in[1], range.hi, range_err * scale) ||
                !at_most(range.hi, -out[1], range_err * scale)) {
                test_note("seed %d row %zu: [%.9g, %.9g] %s; around it [%.9g, %.9g], "
                          "inside [%.9g, %.9g]",
                          (int)seed, i, range.lo, range.hi,
                          perp_determinacy_name(range.kind), out[0], -out[1], in[0],
                          -in[1]);
                CU_FAIL("a range");
            }
            infinite += range.kind == PERP_UNLIMITED;
            determined += range.kind == PERP_DETERMINED;
        }
        perp_determined_free(d);
        linear_free(&inner);
        linear_free(&outer);
        drawn_free(t);
    }
    test_note("%zu infinite, %zu determined", infinite, determined);
    CU_ASSERT(infinite > 50 && determined > 5);
}

/* The same of scalar rows from the vertices and rays of all solutions. */
TEST(ranges_of_lcps_are_those_of_their_lists_of_solutions)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_random g = {seed};
        double W[64] = {0}, b[8] = {0}, J[24];
        perp_problem *p = NULL;
        perp_solutions *all = NULL;
        perp_determined *d = NULL;

        for (size_t i = 0; i < 24; i++) {
            J[i] = floor(perp_random_uniform(&g, -1.0, 3.0));
        }
        for (size_t i = 0; i < 8; i++) {
            b[i] = -J[3 * i] - J[3 * i + 1];
            for (size_t j = 0; j < 8; j++) {
                for (size_t a = 0; a < 3; a++) {
                    W[i + 8 * j] += J[3 * i + a] * J[3 * j + a];
                }
            }
        }
        p = test_lcp(8, W, b);
        OK(perp_solutions_find(p, &all, NULL));
        CU_ASSERT_FATAL(all->count > 0);
        OK(perp_determined_new(&d, p, all->z, NULL));
        for (size_t i = 0; i < 8; i++) {
            perp_interval range;
            double lo = INFINITY, hi = -INFINITY;

            for (size_t k = 0; k < all->count; k++) {
                lo = fmin(lo, all->z[8 * k + i]);
                hi = fmax(hi, all->z[8 * k + i]);
            }
            for (size_t k = 0; k < all->ray_count; k++) {
                hi = all->ray[8 * k + i] > 1e-9 ? INFINITY : hi;
            }
            OK(perp_determined_rows(d, 1, &i, &range, NULL));
            if (!(fabs(range.lo - lo) <= 1e-5) ||
                !(range.hi == hi || fabs(range.hi - hi) <= 1e-5 * (1.0 + hi))) {
                test_note("seed %d row %zu: [%.9g, %.9g], expected [%.9g, %.9g]",
                          (int)seed, i, range.lo, range.hi, lo, hi);
                CU_FAIL("a range");
            }
        }
        perp_determined_free(d);
        perp_solutions_free(all);
    }
}

/* A proof q: (c - q).(y - z) >= 0 for all points of the cones, and q.d = 0 for A d = 0. */
TEST(a_bound_has_a_row_of_the_row_space_that_proves_it)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        drawn *t = draw(seed);
        perp_determined *d = NULL;
        perp_interval range;
        double proof[2 * MOST_ROWS];
        const size_t row = 0;
        const double one = 1.0;

        OK(perp_determined_new(&d, t->p, t->z, NULL));
        OK(perp_determined_function(d, 1, &row, &one, &range, proof, NULL));
        for (int s = 0; s < 2 && range.kind == PERP_INDETERMINATE; s++) {
            const double *q = proof + (size_t)s * t->n;
            double bound = 0.0, least = 0.0;

            for (size_t i = 0; i < t->n; i++) {
                bound += q[i] * t->z[i];
            }
            for (size_t k = 0; k < t->set->count; k++) {
                const perp_block *block = &t->set->blocks[k];
                size_t i = block->first;
                double sign = s ? -1.0 : 1.0;
                double x = sign * ((i == 0) - q[i]);

                if (block->kind == PERP_SET_CONE) {
                    least = x - block->mu * hypot(q[i + 1], q[i + 2]);
                    CU_ASSERT(least >= -1e-6);
                } else if (block->kind == PERP_SET_NONNEG) {
                    CU_ASSERT(x >= -1e-6);
                } else if (block->kind == PERP_SET_BOX) {
                    bound += sign * fmin(x * block->lo, x * block->hi);
                } else {
                    CU_ASSERT(fabs(x) <= 1e-6);
                }
            }
            CU_ASSERT_DOUBLE_EQUAL(bound, s ? range.hi : range.lo, 1e-5);
        }
        perp_determined_free(d);
    }
}

/* Forces in other units, and rows scaled by them: ranges scale. */
TEST(ranges_do_not_depend_on_units)
{
    drawn *t = draw(7);
    const double unit = 1e-6;
    perp_problem *q = NULL;
    perp_determined *d = NULL, *e = NULL;
    double z[MOST_ROWS];

    OK(perp_problem_copy(&q, t->p, NULL));
    for (size_t k = 0; k < q->set->count; k++) {
        q->set->blocks[k].lo *= q->set->blocks[k].kind == PERP_SET_BOX ? unit : 1.0;
        q->set->blocks[k].hi *= q->set->blocks[k].kind == PERP_SET_BOX ? unit : 1.0;
    }
    for (size_t i = 0; i < t->n; i++) {
        z[i] = unit * t->z[i];
        q->b[i] *= unit;
    }
    OK(perp_problem_seal(q, NULL));
    OK(perp_determined_new(&d, t->p, t->z, NULL));
    OK(perp_determined_new(&e, q, z, NULL));
    for (size_t i = 0; i < t->n; i++) {
        perp_interval a, b;

        OK(perp_determined_rows(d, 1, &i, &a, NULL));
        OK(perp_determined_rows(e, 1, &i, &b, NULL));
        CU_ASSERT_EQUAL(a.kind, b.kind);
        CU_ASSERT(a.lo == b.lo || fabs(unit * a.lo - b.lo) <= 1e-6 * unit);
        CU_ASSERT(a.hi == b.hi || fabs(unit * a.hi - b.hi) <= 1e-6 * unit);
    }
    perp_determined_free(d);
    perp_determined_free(e);
    perp_problem_free(q);
}
