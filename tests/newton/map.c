/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/map.c: the equations of Newton's methods, their derivatives against finite
 * differences, and the systems made of them. */
#include <config.h>

#include <math.h>

#include "instances.h"
#include "judge/judge.h"
#include "newton/fischer.h"
#include "newton/map.h"
#include "newton/step.h"
#include "support.h"

enum { N = NEWTON_ROWS_MOST };

/* Central differences of a smooth f are off by h^2 f''' and eps/h; the kinks of these
 * maps are kept away by comparing with both one-sided ones. */
static const double h = 1e-6;
static const double close = 1e-6;

static const newton_steps lengths = {.n = 0.7, .t = 0.4, .m = 0.9};

static newton_steps steps_for(perp_law law)
{
    newton_steps rho = lengths;

    if (law == PERP_LAW_ASSOCIATED) {
        rho.t = rho.m = rho.n;
    }
    return rho;
}

static void value_of(const perp_block *block, perp_law law, newton_radius radius,
                     const double *z, const double *w, double *f)
{
    newton_steps rho = steps_for(law);
    double L[NEWTON_BLOCK_MOST], H[NEWTON_BLOCK_MOST];

    perp_newton_map_block(block, law, radius, &rho, z, w, f, L, H);
}

/* The worst difference between M and the difference quotients by x, which is z or w;
 * points with a kink within h are passed by: there the quotients to both sides differ. */
static double worst_column(const perp_block *block, perp_law law, newton_radius radius,
                           double *z, double *w, double *x, const double *M)
{
    unsigned dim = block->dim;
    double f0[N], right[N], left[N];
    double worst = 0.0;

    value_of(block, law, radius, z, w, f0);
    for (unsigned j = 0; j < dim; j++) {
        double keep = x[j];
        double kink = 0.0;

        x[j] = keep + h;
        value_of(block, law, radius, z, w, right);
        x[j] = keep - h;
        value_of(block, law, radius, z, w, left);
        x[j] = keep;
        for (unsigned i = 0; i < dim; i++) {
            kink = fmax(kink, fabs(right[i] - 2.0 * f0[i] + left[i]) / h);
        }
        for (unsigned i = 0; i < dim && kink < 1e-3; i++) {
            worst = fmax(worst, fabs((right[i] - left[i]) / (2.0 * h) - M[i + j * dim]));
        }
    }
    return worst;
}

static void check_derivatives(const perp_block *block, perp_law law, newton_radius radius)
{
    perp_random g = {block->dim + 10u * (unsigned)law};
    newton_steps rho = steps_for(law);

    for (int turn = 0; turn < 500; turn++) {
        double z[N], w[N], f[N], L[NEWTON_BLOCK_MOST], H[NEWTON_BLOCK_MOST];

        for (unsigned i = 0; i < block->dim; i++) {
            z[i] = perp_random_uniform(&g, i == 0 ? -0.5 : -1.0, 1.0);
            w[i] = perp_random_uniform(&g, -1.0, 1.0);
        }
        perp_newton_map_block(block, law, radius, &rho, z, w, f, L, H);
        double off = fmax(worst_column(block, law, radius, z, w, w, L),
                          worst_column(block, law, radius, z, w, z, H));
        if (!(off <= close)) {
            test_note("%s, turn %d: off by %.2e", perp_set_kind_name(block->kind), turn,
                      off);
            CU_FAIL("a derivative is wrong");
            return;
        }
    }
}

static const perp_block blocks[] = {
    {.kind = PERP_SET_FREE, .dim = 1, .lo = -INFINITY, .hi = INFINITY},
    {.kind = PERP_SET_NONNEG, .dim = 1, .hi = INFINITY},
    {.kind = PERP_SET_BOX, .dim = 1, .lo = -0.3, .hi = 0.4},
    {.kind = PERP_SET_CONE, .dim = 2, .mu = 0.6},
    {.kind = PERP_SET_CONE, .dim = 3, .mu = 0.6},
    {.kind = PERP_SET_CONE, .dim = 3, .mu = 0.0},
    {.kind = PERP_SET_ROLLING, .dim = 5, .mu = 0.6, .mu_rolling = 0.3},
    {.kind = PERP_SET_DISK, .dim = 2, .radius = 0.5},
};

TEST(derivatives_are_those_of_finite_differences)
{
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        check_derivatives(&blocks[i], PERP_LAW_COULOMB, NEWTON_ALART_CURNIER);
        check_derivatives(&blocks[i], PERP_LAW_COULOMB, NEWTON_JEAN_MOREAU);
        check_derivatives(&blocks[i], PERP_LAW_ASSOCIATED, NEWTON_ALART_CURNIER);
    }
}

/* Project a random y on the cone: x = P(y) and w = x - y solve the associated law; taking
 * De Saxce's term from w_n, Coulomb's. */
TEST(the_maps_vanish_at_solutions)
{
    perp_random g = {3};

    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        const perp_block *block = &blocks[k];
        perp_block copy = *block;
        perp_set one = {.n = block->dim, .count = 1, .blocks = &copy};

        for (int turn = 0; turn < 200; turn++) {
            double x[N], w[N], f[N], y[N];

            for (unsigned i = 0; i < block->dim; i++) {
                x[i] = y[i] = perp_random_uniform(&g, -1, 1);
            }
            perp_set_project(&one, 0, x);
            for (unsigned i = 0; i < block->dim; i++) {
                w[i] = x[i] - y[i];
            }
            value_of(block, PERP_LAW_ASSOCIATED, NEWTON_ALART_CURNIER, x, w, f);
            for (unsigned i = 0; i < block->dim; i++) {
                CU_ASSERT_DOUBLE_EQUAL(f[i], 0.0, 1e-14); /* a few roundings of 1 */
            }
            if (block->dim > 2 || block->kind == PERP_SET_CONE) {
                w[0] -= block->mu * hypot(w[1], block->dim > 2 ? w[2] : 0.0);
            }
            if (block->kind == PERP_SET_ROLLING) {
                w[0] -= block->mu_rolling * hypot(w[3], w[4]);
            }
            value_of(block, PERP_LAW_COULOMB, NEWTON_ALART_CURNIER, x, w, f);
            for (unsigned i = 0; i < block->dim; i++) {
                CU_ASSERT_DOUBLE_EQUAL(f[i], 0.0, 1e-14);
            }
        }
    }
}

TEST(a_contact_that_leaves_asks_for_its_impulse_to_vanish)
{
    const double z[] = {0.1, 0.02, -0.03};
    const double w[] = {1.0, 0.5, 0.5};
    double f[N], L[NEWTON_BLOCK_MOST], H[NEWTON_BLOCK_MOST];

    perp_newton_map_block(&blocks[4], PERP_LAW_COULOMB, NEWTON_ALART_CURNIER, &lengths, z,
                          w, f, L, H);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(f[i], z[i]);
        for (int j = 0; j < 3; j++) {
            CU_ASSERT_EQUAL(L[i + 3 * j], 0.0);
            CU_ASSERT_EQUAL(H[i + 3 * j], i == j ? 1.0 : 0.0);
        }
    }
}

/* z_n = 0 and w_n = -1e-17 is a contact at rest that rounding calls closed: within the tie it
 * is open, and the row of its normal is that of the identity. */
TEST(a_grazing_contact_is_open_within_the_tie)
{
    const double z[] = {0.0, 0.0, 0.0}, w[] = {-1e-17, 0.5, 0.0};
    newton_steps rho = lengths;
    double f[N], L[NEWTON_BLOCK_MOST], H[NEWTON_BLOCK_MOST];

    perp_newton_map_block(&blocks[4], PERP_LAW_COULOMB, NEWTON_ALART_CURNIER, &rho, z, w,
                          f, L, H);
    CU_ASSERT_EQUAL(H[0], 0.0);
    CU_ASSERT_EQUAL(L[0], rho.n);
    rho.tie = 1e-15;
    perp_newton_map_block(&blocks[4], PERP_LAW_COULOMB, NEWTON_ALART_CURNIER, &rho, z, w,
                          f, L, H);
    CU_ASSERT_EQUAL(H[0], 1.0);
    CU_ASSERT_EQUAL(L[0], 0.0);
    CU_ASSERT_EQUAL(f[0], 0.0);
}

/* mu = 1/2. Sticking: |y| < mu x_n. Slipping: f = z_t - mu z_n, coupled by -mu, as far as the
 * normal is between its bounds; on its upper bound 3 the radius is fixed. */
TEST(friction_rows_follow_their_normal)
{
    double f = 0.0, L = 0.0, H = 0.0, coupling = 0.0;
    perp_set *set = test_set("0.0..3.0,row:0.5:0");

    /* x_n = 2 - 0.5 * 2 = 1, y_t = 0.25 - 0.5 * 0.1 = 0.2 < 0.5 */
    perp_newton_map_friction(set, 1, 0, 0.5, 0.5, (double[]){2, 0.25}, (double[]){2, 0.1},
                             &f, &L, &H, &coupling);
    CU_ASSERT_DOUBLE_EQUAL(f, 0.05, 1e-16);
    CU_ASSERT(L == 0.5 && H == 0.0 && coupling == 0.0);
    /* y_t = -1 - 0.05 < -0.5 */
    perp_newton_map_friction(set, 1, 0, 0.5, 0.5, (double[]){2, -1}, (double[]){2, 0.1},
                             &f, &L, &H, &coupling);
    CU_ASSERT_EQUAL(f, -1.0 + 0.5 * 2.0);
    CU_ASSERT(L == 0.0 && H == 1.0 && coupling == 0.5);
    /* x_n = 3, its upper bound: radius 1.5 */
    perp_newton_map_friction(set, 1, 0, 0.5, 0.5, (double[]){2, 4}, (double[]){-4, 0.1},
                             &f, &L, &H, &coupling);
    CU_ASSERT_EQUAL(f, 4.0 - 1.5);
    CU_ASSERT(L == 0.0 && H == 1.0 && coupling == 0.0);
    /* x_n = 0: an open contact has no friction */
    perp_newton_map_friction(set, 1, 0, 0.5, 0.5, (double[]){0, 4}, (double[]){1, 0}, &f,
                             &L, &H, &coupling);
    CU_ASSERT_EQUAL(f, 4.0);
    CU_ASSERT(L == 0.0 && H == 1.0 && coupling == 0.0);
}

/* D = diag(4, [2 1; 1 2]): 1/4 for the normal, 1/3 for the tangents; 1/(8/3) for all
 * under the associated law. */
TEST(steps_are_the_inverse_stiffness_of_each_part)
{
    const double D[] = {4, 0, 0, 0, 2, 1, 0, 1, 2};
    newton_steps rho = perp_newton_map_steps(&blocks[4], PERP_LAW_COULOMB, D, 0.0, 1.0);

    CU_ASSERT_DOUBLE_EQUAL(rho.n, 0.25, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(rho.t, 1.0 / 3.0, 1e-15);
    rho = perp_newton_map_steps(&blocks[4], PERP_LAW_COULOMB, D, 1.0, 1.0);
    CU_ASSERT_DOUBLE_EQUAL(rho.n, 0.2, 1e-15);
    rho = perp_newton_map_steps(&blocks[4], PERP_LAW_ASSOCIATED, D, 0.0, 1.0);
    CU_ASSERT_DOUBLE_EQUAL(rho.n, 0.375, 1e-15);
    CU_ASSERT_EQUAL(rho.n, rho.t);
    rho = perp_newton_map_steps(&blocks[1], PERP_LAW_COULOMB, (double[]){-1.0}, 0.0, 2.0);
    CU_ASSERT_EQUAL(rho.n, 0.5); /* a negative diagonal is no stiffness */
}

static double fischer_at(double lambda, const perp_block *block, double z, double w)
{
    return perp_newton_fischer_row(lambda, block, z, w).phi;
}

TEST(derivatives_of_fischer_and_burmeister_are_right)
{
    const perp_block upper = {.kind = PERP_SET_BOX, .dim = 1, .lo = -INFINITY, .hi = 0.2};
    const perp_block *rows[] = {&blocks[0], &blocks[1], &blocks[2], &upper};
    perp_random g = {8};

    for (size_t k = 0; k < 4; k++) {
        for (int turn = 0; turn < 1000; turn++) {
            double lambda = turn % 2 ? 0.95 : 1.0;
            double z = perp_random_uniform(&g, -1, 1);
            double w = perp_random_uniform(&g, -1, 1);
            newton_fischer f = perp_newton_fischer_row(lambda, rows[k], z, w);
            double by_z = (fischer_at(lambda, rows[k], z + h, w) -
                           fischer_at(lambda, rows[k], z - h, w)) /
                          (2.0 * h);
            double by_w = (fischer_at(lambda, rows[k], z, w + h) -
                           fischer_at(lambda, rows[k], z, w - h)) /
                          (2.0 * h);

            /* the penalty has a kink on the axes: 0.05 h of slope is then lost */
            CU_ASSERT_DOUBLE_EQUAL(f.a, by_z, 0.051);
            CU_ASSERT_DOUBLE_EQUAL(f.b, by_w, 0.051);
            if (lambda == 1.0) { /* curvature 1/|(a, b)|, h^2 of it */
                CU_ASSERT_DOUBLE_EQUAL(f.a, by_z, 1e-4);
                CU_ASSERT_DOUBLE_EQUAL(f.b, by_w, 1e-4);
            }
            CU_ASSERT(f.a >= 0.0 && f.b >= 0.0 && f.a + f.b > 0.0);
        }
    }
}

TEST(fischer_and_burmeister_vanish_exactly_on_the_corner)
{
    CU_ASSERT_EQUAL(perp_newton_fischer_pair(0.95, 0.0, 3.0).phi, 0.0);
    CU_ASSERT_EQUAL(perp_newton_fischer_pair(0.95, 2.0, 0.0).phi, 0.0);
    CU_ASSERT_EQUAL(perp_newton_fischer_pair(0.95, 0.0, 0.0).phi, 0.0);
    CU_ASSERT(perp_newton_fischer_pair(0.95, 1e-200, 1e-200).phi >
              0.0); /* no cancellation */
    CU_ASSERT(perp_newton_fischer_pair(0.95, -1e-9, 1.0).phi < 0.0);
    CU_ASSERT(perp_newton_fischer_pair(0.95, 1.0, -1e-9).phi < 0.0);
    CU_ASSERT_EQUAL(fischer_at(0.95, &blocks[2], 0.4, -5.0), 0.0); /* at hi, w < 0 */
    CU_ASSERT_EQUAL(fischer_at(0.95, &blocks[2], -0.3, 5.0), 0.0); /* at lo, w > 0 */
    CU_ASSERT_EQUAL(fischer_at(0.95, &blocks[2], 0.1, 0.0), 0.0);
    CU_ASSERT(fischer_at(0.95, &blocks[2], 0.4, 1.0) != 0.0);
}

/* A cone, a row at its corner and a free row with random derivatives. */
static perp_problem *small_problem(void)
{
    perp_random g = {12};
    perp_set *set = test_set("cone3:0.5,nonneg,free");

    return test_problem(test_spd(5, 77), set, PERP_LAW_COULOMB, &g);
}

static void fill_system(newton_system *s)
{
    perp_random g = {5};

    for (size_t i = 0; i < 11; i++) { /* 9 + 1 + 1 entries of the blocks */
        s->L[i] = perp_random_uniform(&g, -1, 1);
        s->H[i] = perp_random_uniform(&g, -1, 1);
    }
    s->L[9] = 0.0;
    s->H[9] = 2.0;
    for (size_t i = 0; i < 5; i++) {
        s->f[i] = perp_random_uniform(&g, -1, 1);
    }
}

TEST(steps_solve_the_system_in_every_storage)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR};

    for (size_t k = 0; k < 2; k++) {
        perp_problem *p = small_problem();
        newton_system s = {0};
        double y[5];
        bool done = false;

        test_store(p, storages[k], 1);
        perp_result *r = test_new_result(5);
        perp_workspace *ws = test_new_workspace(0);
        OK(perp_newton_system_setup(&s, p, false, ws, NULL));
        fill_system(&s);
        OK(perp_newton_solve(&s, 0.0, false, r, &done, NULL));
        CU_ASSERT(done);
        CU_ASSERT_EQUAL(s.kept, 4); /* the corner has left */
        CU_ASSERT_EQUAL(s.d[3], -s.f[3] / 2.0);
        perp_newton_apply(&s, s.d, y);
        for (int i = 0; i < 5; i++) { /* condition about 100 */
            CU_ASSERT_DOUBLE_EQUAL(y[i], -s.f[i], 1e-12);
        }
        perp_newton_system_close(&s);
    }
}

/* x.(J y) = (J^T x).y; and the least squares step without damping is Newton's, with
 * damping a direction of descent. */
TEST(least_squares_steps_lead_down)
{
    const double damping[] = {0.0, 1e-2, 1.0};
    perp_problem *p = small_problem();
    newton_system s = {0};
    double x[5] = {1, -2, 3, 0.5, -1}, y[5] = {0.3, 1, 2, -1, 4}, Jy[5], Jx[5];
    double one = 0.0, two = 0.0;
    perp_result *r = test_new_result(5);
    perp_workspace *ws = test_new_workspace(0);

    OK(perp_newton_system_setup(&s, p, false, ws, NULL));
    fill_system(&s);
    perp_newton_apply(&s, y, Jy);
    perp_newton_apply_transposed(&s, x, Jx);
    for (int i = 0; i < 5; i++) {
        one += x[i] * Jy[i];
        two += Jx[i] * y[i];
    }
    CU_ASSERT_DOUBLE_EQUAL(one, two, 1e-13);
    for (size_t k = 0; k < 3; k++) {
        double slope = 0.0;

        CU_ASSERT(perp_newton_levenberg(&s, damping[k], r));
        perp_newton_apply(&s, s.d, Jy);
        for (int i = 0; i < 5; i++) {
            slope += s.f[i] * Jy[i];
            if (damping[k] == 0.0) { /* 1e-10 of the gradient, times the condition */
                CU_ASSERT_DOUBLE_EQUAL(Jy[i], -s.f[i], 1e-6);
            }
        }
        CU_ASSERT(slope < 0.0);
    }
    perp_newton_system_close(&s);
}

/* x = P(y) and w = x - y solve the block, and D is the derivative of P but at kinks. */
TEST(the_projection_solves_its_block)
{
    enum { KINDS = sizeof blocks / sizeof *blocks };
    perp_random g = {81};

    for (size_t i = 0; i < 2000; i++) {
        const perp_block *block = &blocks[i % KINDS];
        perp_law law = i / KINDS % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;
        double D[NEWTON_BLOCK_MOST], other[NEWTON_BLOCK_MOST];
        double x[N], y[N], w[N], right[N], left[N];

        for (unsigned j = 0; j < block->dim; j++) {
            y[j] = perp_random_uniform(&g, -1.0, 1.0);
        }
        perp_newton_map_project(block, law, y, x, D);
        for (unsigned j = 0; j < block->dim; j++) {
            w[j] = x[j] - y[j];
        }
        CU_ASSERT(perp_natural_map(block, law, 1.0, x, w) <= 1e-15);
        for (unsigned j = 0; j < block->dim; j++) {
            double kept = y[j];

            y[j] = kept + h;
            perp_newton_map_project(block, law, y, right, other);
            y[j] = kept - h;
            perp_newton_map_project(block, law, y, left, other);
            y[j] = kept;
            for (unsigned k = 0; k < block->dim; k++) {
                double slope = (right[k] - left[k]) / (2.0 * h);
                bool kink = fabs(right[k] - 2.0 * x[k] + left[k]) > 1e-3 * h;

                CU_ASSERT(kink || fabs(slope - D[k + j * block->dim]) <= close);
            }
        }
    }
}
