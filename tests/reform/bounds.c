/* SPDX-License-Identifier: Apache-2.0
 * tests/reform/bounds.c: bounds as nonnegative rows. */
#include <config.h>

#include "core/solvers.h"
#include "helpers.h"
#include "reform/reforms.h"

/* Sums of some ten products of numbers up to a few: rounding stays below 1e-14 */
static const double rounding = 1e-13;

/* Each kind of row that bounds can make: 9 rows. */
static perp_problem *all_bounds(uint64_t seed)
{
    perp_random g = {seed};
    perp_set *set = test_new_set(9);

    perp_set_add_box(set, -0.25, 0.5);          /* two-sided */
    perp_set_add_box(set, 0.3, 0.3);            /* fixed */
    perp_set_add_friction(set, 0.5, 3);         /* keeps its normal */
    perp_set_add_nonneg(set);                   /* kept */
    perp_set_add_box(set, -INFINITY, 0.2);      /* reflected */
    perp_set_add_box(set, -0.5, INFINITY);      /* shifted */
    perp_set_add_free(set);                     /* kept */
    perp_set_add_box(set, -INFINITY, INFINITY); /* free */
    perp_set_add_box(set, 0.0, 2.0);            /* two-sided */
    return test_problem(test_spd(9, seed), set, PERP_LAW_COULOMB, &g);
}

/* The same without the friction row, small enough to try all active sets. */
static perp_problem *scalar_bounds(uint64_t seed)
{
    perp_problem *p = all_bounds(seed);

    p->set->blocks[2].kind = PERP_SET_NONNEG;
    p->set->blocks[2].hi = INFINITY;
    return p;
}

TEST(each_kind_of_bound_becomes_what_it_should)
{
    static const perp_set_kind kinds[] = {
        PERP_SET_NONNEG, PERP_SET_FRICTION, PERP_SET_NONNEG, PERP_SET_NONNEG,
        PERP_SET_NONNEG, PERP_SET_FREE,     PERP_SET_FREE,   PERP_SET_NONNEG,
        PERP_SET_NONNEG, PERP_SET_NONNEG};
    perp_problem *p = all_bounds(1);
    perp_reform *t = NULL;

    OK(perp_reform_box_to_lcp(&t, p, NULL));
    CU_ASSERT_EQUAL_FATAL(t->to->n, 10); /* 9 - 1 fixed + 2 two-sided */
    for (size_t k = 0; k < 10; k++) {
        CU_ASSERT_EQUAL(t->to->set->blocks[k].kind, kinds[k]);
    }
    CU_ASSERT_EQUAL(t->to->set->blocks[1].normal, 2); /* the fixed row is gone */
    OK(perp_problem_check(t->to, NULL));
    CU_ASSERT(!t->type->changes_physics);
}

TEST(w_of_the_new_rows_follows_the_formulas)
{
    perp_problem *p = all_bounds(2);
    perp_random g = {22};
    perp_reform *t = NULL;
    double zz[10];
    double ww[10];
    double z[9];
    double w[9];

    OK(perp_reform_box_to_lcp(&t, p, NULL));
    for (int i = 0; i < 10; i++) {
        zz[i] = perp_random_uniform(&g, 0.0, 1.0);
    }
    t->type->unmap(t->state, p, zz, z);
    CU_ASSERT_DOUBLE_EQUAL(z[0], zz[0] - 0.25, rounding);
    CU_ASSERT_EQUAL(z[1], 0.3);
    CU_ASSERT_EQUAL(z[2], zz[1]);
    CU_ASSERT_DOUBLE_EQUAL(z[4], 0.2 - zz[3], rounding);
    CU_ASSERT_DOUBLE_EQUAL(z[5], zz[4] - 0.5, rounding);
    CU_ASSERT_EQUAL(z[8], zz[7]);
    test_w(p, z, w);
    test_w(t->to, zz, ww);
    CU_ASSERT_DOUBLE_EQUAL(ww[0], w[0] + zz[8], rounding);
    CU_ASSERT_DOUBLE_EQUAL(ww[1], w[2], rounding);
    CU_ASSERT_DOUBLE_EQUAL(ww[3], -w[4], rounding);
    CU_ASSERT_DOUBLE_EQUAL(ww[6], w[7], rounding);
    CU_ASSERT_DOUBLE_EQUAL(ww[7], w[8] + zz[9], rounding);
    CU_ASSERT_DOUBLE_EQUAL(ww[8], 0.75 - zz[0], rounding); /* hi - lo - x */
    CU_ASSERT_DOUBLE_EQUAL(ww[9], 2.0 - zz[7], rounding);
}

TEST(a_solution_of_one_is_a_solution_of_the_other)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        perp_problem *p = scalar_bounds(seed);
        perp_problem *sparse = test_stored(p, PERP_STORAGE_CSR, 1);
        perp_reform *t = NULL;
        perp_reform *s = NULL;
        perp_reform *lcp = NULL;
        double xx[16];
        double zz[16];
        double z[9];

        OK(perp_reform_box_to_lcp(&t, p, NULL));
        OK(perp_reform_box_to_lcp(&s, sparse, NULL));
        CU_ASSERT_EQUAL(s->to->A->type->storage, PERP_STORAGE_CSR);
        CU_ASSERT_EQUAL(perp_problem_kind(t->to), PERP_KIND_MLCP);
        OK(perp_reform_eliminate_free(&lcp, t->to, NULL, NULL));
        CU_ASSERT_FATAL(helper_enumerate(lcp->to, xx));
        lcp->type->unmap(lcp->state, t->to, xx, zz);
        CU_ASSERT(perp_residual(t->to, zz) <= 1e-9);
        CU_ASSERT(perp_residual(s->to, zz) <= 1e-9);
        t->type->unmap(t->state, p, zz, z);
        CU_ASSERT(perp_residual(p, z) <= 1e-9);
        t->type->map(t->state, p, z, zz);
        CU_ASSERT(perp_residual(t->to, zz) <= 1e-9);
    }
}

/* w_0 = -1 - z_1 with z_0 >= 0, z_1 <= 0 only from above: w_1 = z_0. With y = (1, 0)
 * nothing is proved, since z_1 may fall without end; with z_1 >= -1/2 the row stays
 * negative. */
TEST(certificates_map_back_through_reflections_and_two_sides)
{
    const double rows[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    const double q[3] = {-1.0, 0.0, 0.0};
    perp_problem *p = test_lcp(3, rows, q);
    perp_reform *t = NULL;
    double yy[4] = {1.0, 1e-15, 0.0, 1.0};
    double y[3];

    p->set->blocks[1] = (perp_block){
        .kind = PERP_SET_BOX, .dim = 1, .first = 1, .lo = -0.5, .hi = INFINITY};
    p->set->blocks[2] =
        (perp_block){.kind = PERP_SET_BOX, .dim = 1, .first = 2, .lo = -1.0, .hi = 1.0};
    OK(perp_reform_box_to_lcp(&t, p, NULL));
    yy[2] = 1e-16; /* as rounding may leave on a two-sided row */
    yy[1] = 0.0;
    yy[3] = 0.0;
    CU_ASSERT(perp_certificate_infeasible(t->to, yy));
    t->type->certificate(t->state, p, yy, y);
    CU_ASSERT_EQUAL(y[2], 0.0);
    CU_ASSERT(perp_certificate_infeasible(p, y));

    /* reflected: w_1 = 1 + 0 z must be <= 0 at an upper bound, so y_1 = -1 proves it */
    p->b[0] = 1.0;
    p->b[1] = 1.0;
    p->set->blocks[1].lo = -INFINITY;
    p->set->blocks[1].hi = 0.0;
    memset(p->A->x, 0, p->A->ld * 3 * sizeof(double));
    OK(perp_reform_box_to_lcp(&t, p, NULL));
    yy[0] = yy[2] = yy[3] = 0.0;
    yy[1] = 1.0;
    CU_ASSERT(perp_certificate_infeasible(t->to, yy));
    t->type->certificate(t->state, p, yy, y);
    CU_ASSERT_EQUAL(y[1], -1.0);
    CU_ASSERT(perp_certificate_infeasible(p, y));
}

TEST(friction_on_a_shifted_normal_is_refused_and_on_a_fixed_one_is_a_box)
{
    perp_problem *p = all_bounds(3);
    perp_reform *t = NULL;
    perp_error err = {0};

    p->set->blocks[3] = (perp_block){
        .kind = PERP_SET_BOX, .dim = 1, .first = 3, .lo = 0.5, .hi = INFINITY};
    CU_ASSERT_EQUAL(perp_reform_box_to_lcp(&t, p, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NULL(t);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "friction row 2"));
    p->set->blocks[3].hi = 0.5; /* z_3 = 1/2, so |z_2| <= 1/4 */
    OK(perp_reform_box_to_lcp(&t, p, NULL));
    CU_ASSERT_EQUAL(t->to->n, 7 + 3);
    CU_ASSERT_EQUAL(perp_set_count(t->to->set, PERP_SET_FRICTION), 0);
    CU_ASSERT_EQUAL(t->to->b[8], 0.5); /* hi - lo of the friction row */
}

TEST(cones_keep_their_rows)
{
    perp_random g = {8};
    perp_reform *t = NULL;
    perp_set *set = test_set("1.0..1.0,cone3:0.5,0.0..1.0");
    perp_problem *p = test_problem(test_spd(5, 8), set, PERP_LAW_COULOMB, &g);

    OK(perp_reform_box_to_lcp(&t, p, NULL));
    CU_ASSERT_EQUAL(t->to->n, 5);
    CU_ASSERT_EQUAL(t->to->set->blocks[0].kind, PERP_SET_CONE);
    CU_ASSERT_EQUAL(t->to->set->blocks[0].first, 0);
    OK(perp_problem_check(t->to, NULL));
}

/* The solution of [2 1 0; 1 2 1; 0 1 2] z = (-1, 3, -2), within the bounds. */
static const double inside[3] = {-2.75, 4.5, -3.25};

/* z_i = inside_i / unit_i */
static perp_problem *far_bounds(double far, const double *unit)
{
    static const double A[9] = {2, 1, 0, 1, 2, 1, 0, 1, 2};
    static const double b[3] = {1, -3, 2};
    perp_problem *p = test_lcp(3, A, b);

    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            p->A->x[i * p->A->ld + j] *= unit[i] * unit[j];
        }
        p->b[i] *= unit[i];
        p->set->blocks[i] = (perp_block){.kind = PERP_SET_BOX,
                                         .dim = 1,
                                         .first = i,
                                         .lo = i == 1 ? 0.0 : -far / unit[i],
                                         .hi = far / unit[i]};
    }
    return p;
}

TEST(bounds_out_of_reach_are_open_in_any_units)
{
    static const double units[2][3] = {{1, 1, 1}, {1e-3, 1e4, 1e-6}};

    for (size_t k = 0; k < 2; k++) {
        perp_reform *t = NULL;

        OK(perp_reform_open(&t, far_bounds(1e9, units[k]), NULL));
        CU_ASSERT_PTR_NULL(t);
        OK(perp_reform_open(&t, far_bounds(1e12, units[k]), NULL));
        CU_ASSERT_PTR_NOT_NULL_FATAL(t);
        CU_ASSERT_EQUAL(t->to->set->blocks[0].lo, -INFINITY);
        CU_ASSERT_EQUAL(t->to->set->blocks[1].lo, 0.0);
        CU_ASSERT_EQUAL(t->to->set->blocks[2].hi, INFINITY);
        CU_ASSERT_PTR_NULL(t->type->certificate);
    }
}

/* z must be at 1e12 or more. */
TEST(a_bound_that_must_be_reached_is_in_reach)
{
    static const double unit[3] = {1, 1, 1};
    perp_problem *p = far_bounds(1e12, unit);
    perp_reform *t = NULL;

    p->set->blocks[1].lo = 1e12;
    p->set->blocks[1].hi = 2e12;
    OK(perp_reform_open(&t, p, NULL));
    CU_ASSERT_PTR_NULL(t);
}

static perp_outcome solve_by(const char *name, const perp_problem *p, double *z)
{
    perp_result *r = test_new_result(p->n);

    OK(perp_solve(perp_solver_find(name), p, NULL, r, NULL));
    memcpy(z, r->z, p->n * sizeof *z);
    return r->outcome;
}

TEST(far_bounds_cost_no_digits)
{
    static const char *const solvers[] = {"lemke", "keller", "murty", "dantzig", "fb",
                                          "ipm",   "auto",   "pgs",   "admm"};
    static const double far[] = {1e9, 1e12, 1e20, 1e300};
    static const double unit[3] = {1, 1, 1};

    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
            double z[3] = {0};

            CU_ASSERT_EQUAL(solve_by(solvers[s], far_bounds(far[k], unit), z),
                            PERP_SOLVED);
            for (size_t i = 0; i < 3; i++) {
                CU_ASSERT_DOUBLE_EQUAL(z[i], inside[i], 1e-6);
            }
        }
    }
}

/* Evidence of a negative answer is of the problem with all bounds, which is solved last. */
TEST(evidence_is_of_the_problem_with_all_bounds)
{
    static const double M[1] = {-9.703988954197872e-12}, q[1] = {-1.1947061185696446e-06};
    perp_problem *p = test_lcp(1, M, q), *view = NULL;

    p->set->blocks[0] = (perp_block){.kind = PERP_SET_BOX,
                                     .dim = 1,
                                     .lo = -37424.90228004283,
                                     .hi = 278802.86373679515};
    perp_result *r = test_new_result(1);
    OK(perp_solve(perp_solver_find("minmap"), p, NULL, r, NULL));
    CU_ASSERT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_CYCLE);
    OK(perp_solver_view(perp_solver_find("minmap"), p, NULL, &view, NULL));
    CU_ASSERT(perp_certificate_check(&r->certificate, view, NULL, 0));
    perp_problem_free(view);
}

/* w_0 = -1 for all z: the solution is the bound, and open bounds have none. */
TEST(an_answer_at_a_far_bound_is_found)
{
    static const char *const solvers[] = {"lemke", "keller", "fb", "auto"};
    const double zero[1] = {0}, b[1] = {-1};
    perp_problem *p = test_lcp(1, zero, b);

    p->set->blocks[0] = (perp_block){.kind = PERP_SET_BOX, .dim = 1, .hi = 1e12};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        double z[1] = {0};

        CU_ASSERT_EQUAL(solve_by(solvers[s], p, z), PERP_SOLVED);
        CU_ASSERT_EQUAL(z[0], 1e12);
    }
}
