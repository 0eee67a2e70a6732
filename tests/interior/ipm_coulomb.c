/* SPDX-License-Identifier: Apache-2.0
 * tests/interior/ipm_coulomb.c: the bilinear interior point method on Coulomb's law: on
 * stacks and pyramids of boxes in pairs, next to other rows, warm. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "core/solver_list.h"
#include "core/solvers.h"
#include "instances.h"

/* W = [1 0.9; 0.9 1], mu = 2: a sliding contact gains w_N = 0.4 - 0.8 n, so that b = (0.4, 2) has
 * the solutions 0 and (0.5, -1). Either is an answer. */
TEST(finds_one_of_several_solutions)
{
    const double rows[] = {1, 0.9, 0.9, 1};
    const double b[] = {0.4, 2};
    const double mu[] = {2};
    const double sliding[] = {0.5, -1};
    const double lifting[] = {0, 0};
    perp_problem *p = test_cones(2, 1, rows, b, mu);
    perp_result *r = test_solve(p, "ipm-coulomb", "tolerance=1e-12", NULL);

    test_solved(p, r, 1e-12);
    CU_ASSERT(test_distance(2, r->z, sliding) <= 1e-10 ||
              test_distance(2, r->z, lifting) <= 1e-10); /* condition 20 */
}

TEST(agrees_with_the_golden_contacts_of_one_block)
{
    test_friction_models("ipm-coulomb", "tolerance=1e-12", PERP_LAW_COULOMB);
}

/* Cones of 2 and 3 rows, one without friction, rolling contacts, one without moments, a disk,
 * bounds and a joint around one SPD A. */
static perp_problem *all_kinds(uint64_t seed)
{
    perp_random g = {seed};
    perp_set *set = test_set("cone3:0.3,free,cone2:0.2,cone3:0.0,rolling:0.3:0.1,"
                             "nonneg,disk:0.1,-0.2..0.1,0.3..0.3,rolling:0.2:0.0");

    return test_problem(test_spd(24, seed), set, PERP_LAW_COULOMB, &g);
}

TEST(agrees_with_sweeps_on_rows_of_all_kinds)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        perp_problem *p = all_kinds(seed);
        perp_result *r = test_solve(p, "ipm-coulomb", "tolerance=1e-12", NULL);
        perp_result *path =
            test_solve(p, "ipm-coulomb", "tolerance=1e-9", "crossover=0", NULL);
        perp_result *other = test_solve(p, "nsgs", "tolerance=1e-12", NULL);

        test_solved(p, r, 1e-12);
        test_solved(p, path, 1e-9);
        CU_ASSERT(r->iterations <= 25);
        /* eigenvalues from 1 to 10, small friction: some (1 + L) residuals of each */
        CU_ASSERT(test_distance(p->n, r->z, other->z) <= 1e-10);
        CU_ASSERT(test_distance(p->n, path->z, other->z) <= 1e-7);
    }
}

enum { FEET = 4, BOXES_MOST = 32, CONTACTS_MOST = 256 };

/* Unit boxes with contacts at corners of their faces, in pairs. */
typedef struct boxes {
    perp_pairs pairs;
    double J[36 * CONTACTS_MOST], C[3 * CONTACTS_MOST], b[3 * CONTACTS_MOST];
    int32_t body[6 * CONTACTS_MOST];
    double inverse_mass[BOXES_MOST], inverse_inertia[9 * BOXES_MOST];
    double centre[BOXES_MOST][3], v[6 * BOXES_MOST];
    double gap[CONTACTS_MOST]; /* over dt */
    size_t contacts;
} boxes;

static void boxes_add(boxes *s, double x, double z, double mass)
{
    size_t k = s->pairs.bodies++;

    s->centre[k][0] = x;
    s->centre[k][2] = z;
    s->inverse_mass[k] = 1.0 / mass;
    for (size_t i = 0; i < 3; i++) {
        s->inverse_inertia[9 * k + 4 * i] = 6.0 / mass;
    }
    s->v[6 * k + 2] = -9.81 / 60.0;
}

/* (direction, arm x direction), times sign. */
static void boxes_side(boxes *s, size_t row, size_t side, int32_t body, const double *at,
                       size_t axis, double sign)
{
    double *J = s->J + 12 * row + 6 * side;
    double d[3] = {0};
    double arm[3];

    s->body[2 * row + side] = body;
    if (body < 0) {
        return;
    }
    d[axis] = sign;
    for (size_t i = 0; i < 3; i++) {
        arm[i] = at[i] - s->centre[body][i];
        J[i] = d[i];
    }
    for (size_t i = 0; i < 3; i++) {
        size_t j = (i + 1) % 3;
        size_t k = (i + 2) % 3;

        J[3 + i] = arm[j] * d[k] - arm[k] * d[j];
    }
}

/* Four contacts between `lower`, or the ground, and the box above, where they overlap. */
static void boxes_touch(boxes *s, int32_t lower, int32_t upper)
{
    const size_t axis[] = {2, 0, 1};
    double x = s->centre[upper][0];
    double low = lower < 0 ? x - 0.5 : fmax(x, s->centre[lower][0]) - 0.5;
    double high = lower < 0 ? x + 0.5 : fmin(x, s->centre[lower][0]) + 0.5;

    for (size_t k = 0; k < FEET; k++) {
        double at[] = {k % 2 ? high : low, k / 2 ? 0.5 : -0.5, s->centre[upper][2] - 0.5};

        for (size_t i = 0; i < 3; i++) {
            boxes_side(s, 3 * s->contacts + i, 0, lower, at, axis[i], -1.0);
            boxes_side(s, 3 * s->contacts + i, 1, upper, at, axis[i], 1.0);
        }
        s->contacts++;
    }
}

/* The problem, whose matrix borrows from s. */
static perp_problem *boxes_problem(boxes *s, double mu, double C)
{
    double mus[CONTACTS_MOST];
    perp_random g = {1};

    for (size_t i = 0; i < 3 * s->contacts; i++) {
        s->b[i] = i % 3 == 0 ? s->gap[i / 3] : 0.0;
        s->C[i] = C;
        mus[i / 3] = mu;
        for (size_t k = 0; k < 12; k++) {
            int32_t body = s->body[2 * i + k / 6];

            s->b[i] += body < 0 ? 0.0 : s->J[12 * i + k] * s->v[6 * (size_t)body + k % 6];
        }
    }
    s->pairs.rows = 3 * s->contacts;
    s->pairs.J = s->J;
    s->pairs.C = s->C;
    s->pairs.body = s->body;
    s->pairs.inverse_mass = s->inverse_mass;
    s->pairs.inverse_inertia = s->inverse_inertia;
    perp_operator *A = test_new_pairs(&s->pairs);
    perp_set *set = test_new_cones(3, s->contacts, mus);
    perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
    memcpy(p->b, s->b, p->n * sizeof *p->b);
    return p;
}

/* Ten boxes, of one mass or alternately of 1 and `ratio`. */
static boxes *stack(double ratio)
{
    boxes *s = test_alloc(1, sizeof *s);

    for (int32_t k = 0; k < 10; k++) {
        boxes_add(s, 0.0, 0.5 + k, k % 2 ? ratio : 1.0);
        boxes_touch(s, k - 1, k);
    }
    return s;
}

/* The impulses below a box carry what stands on it, however they share it: 40 contacts on 10
 * bodies, so that W has rank 60 of 120; C shifts the impulses by some 1e-11. */
TEST(carries_stacks_of_boxes)
{
    const double ratios[] = {1.0, 1e3, 1e6};
    const double C[] = {0.0, 1e-12};

    for (size_t k = 0; k < 6; k++) {
        boxes *s = stack(ratios[k / 2]);
        perp_problem *p = boxes_problem(s, 0.5, C[k % 2] / ratios[k / 2]);
        perp_result *r = test_solve(p, "ipm-coulomb", "tolerance=1e-9", NULL);
        double above = 0.0;

        test_solved(p, r, 1e-9);
        CU_ASSERT(r->iterations <= 40);
        for (size_t box = 10; box-- > 0;) {
            double sum = 0.0;

            above += 9.81 / 60.0 / s->inverse_mass[box];
            for (size_t foot = 0; foot < FEET; foot++) {
                sum += r->z[3 * (FEET * box + foot)];
            }
            /* residual 1e-9 of scaled rows, times the condition of the stack, about 1e2 */
            CU_ASSERT(fabs(sum - above) <= 1e-6 * above);
        }
    }
}

/* Six rows of boxes, 21 in all, on gaps of 0.05. All move, and some contacts have a gap. */
static boxes *pyramid(uint64_t seed, double speed, double gap)
{
    enum { ROWS = 6 };
    boxes *s = test_alloc(1, sizeof *s);
    perp_random g = {seed};
    int32_t below = 0;

    for (int row = 0; row < ROWS; row++) {
        int32_t first = (int32_t)s->pairs.bodies;

        for (int k = 0; k < ROWS - row; k++) {
            boxes_add(s, 1.05 * (k + 0.5 * row), 0.5 + row, 1.0);
            boxes_touch(s, row == 0 ? -1 : below + k, first + k);
            if (row > 0) {
                boxes_touch(s, below + k + 1, first + k);
            }
        }
        below = first;
    }
    for (size_t i = 0; i < 6 * s->pairs.bodies; i++) {
        s->v[i] += perp_random_uniform(&g, -speed, speed);
    }
    for (size_t i = 0; i < s->contacts; i++) {
        s->gap[i] = perp_random_uniform(&g, 0.0, gap);
    }
    return s;
}

/* Contacts that nearly all carry: the path folds on these. Steps towards a smaller m end there at
 * residuals of 1e-3 to 1e-5, and prox-newton fails from these points. Along the arc most are
 * solved; those that are not end with a sentence. */
TEST(follows_the_path_around_its_folds)
{
    size_t folds = 0;

    for (uint64_t seed = 1; seed <= 4; seed++) {
        boxes *s = pyramid(seed, 0.003, 0.0003);
        perp_problem *p = boxes_problem(s, 0.5, 0.0);
        perp_result *r = test_solve(p, "ipm-coulomb", NULL);

        test_note("seed %llu: %zu steps", (unsigned long long)seed, r->iterations);
        folds += r->outcome == PERP_SOLVED && r->iterations > 45;
        if (r->outcome == PERP_SOLVED) {
            test_solved(p, r, 1e-8);
        } else {
            CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
            CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "the path ends at mu"));
        }
    }
    CU_ASSERT(folds >= 3);
}

/* The same steps in velocities as on W, up to rounding, and W never formed on the path. */
TEST(works_on_pairs_as_on_the_matrix)
{
    boxes *s = stack(2.0);
    perp_problem *p = boxes_problem(s, 0.3, 0.0);
    static const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                            PERP_STORAGE_BSR, PERP_STORAGE_FACTORED};
    perp_result *r = test_solve(p, "ipm-coulomb", "crossover=0", "tolerance=1e-5", NULL);

    test_solved(p, r, 1e-5);
    CU_ASSERT_FALSE(test_ran(r, "multiplied out"));
    for (size_t k = 0; k < 4; k++) {
        perp_problem *q =
            test_stored(p, storages[k], storages[k] == PERP_STORAGE_BSR ? 3 : 1);
        perp_result *other =
            test_solve(q, "ipm-coulomb", "crossover=0", "tolerance=1e-5", NULL);

        test_solved(q, other, 1e-5);
        CU_ASSERT_EQUAL(other->iterations, r->iterations);
        CU_ASSERT(test_distance(p->n, r->w, other->w) <= 1e-4); /* 10 residuals */
    }
}

TEST(starts_warm)
{
    perp_problem *p = test_golden_problem("wall_2x2");
    perp_result *cold = test_solve(p, "ipm-coulomb", "tolerance=1e-10", NULL);
    double *z = test_reals(p->n);

    for (size_t i = 0; i < p->n; i++) {
        z[i] = cold->z[i] * (1.0 + 1e-3 * (double)(i % 3));
    }
    perp_result *warm = test_solve_from(p, z, "ipm-coulomb", "tolerance=1e-10", NULL);
    test_solved(p, warm, 1e-10);
    CU_ASSERT(warm->iterations < cold->iterations);
    for (size_t i = 0; i < p->n; i++) {
        z[i] = 1e3 * (double)(i % 7) - 2e3; /* nowhere near: still solved */
    }
    warm = test_solve_from(p, z, "ipm-coulomb", "tolerance=1e-10", NULL);
    test_solved(p, warm, 1e-10);
}

TEST(reports_when_memory_is_short)
{
    perp_problem *p = test_golden_problem("rand_fc_8");
    boxes *s = stack(1.0);
    perp_problem *q = boxes_problem(s, 0.5, 0.0);
    perp_options opt;

    perp_options_init(&opt, &perp_solver_ipm_coulomb, NULL, NULL);
    CU_ASSERT(test_memory_needed(p, &perp_solver_ipm_coulomb, &opt, "ipm-coulomb") > 1);
    CU_ASSERT(test_memory_needed(q, &perp_solver_ipm_coulomb, &opt, "ipm-coulomb") > 1);
}
