/* SPDX-License-Identifier: Apache-2.0
 * tests/command/families.c: generated problems: those that were stored elsewhere come
 * out bit by bit, built solutions solve, and their rows have the roles that were asked
 * for. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/generate/torture.h"
#include "instances.h"
#include "support.h"

static perp_problem *make(const char *call)
{
    perp_problem *p = NULL;
    perp_error err = {0};

    if (perp_family_make(call, &p, &err) != PERP_OK) {
        test_note("%s: %s", call, err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    OK(perp_problem_check(p, NULL));
    CU_ASSERT_STRING_EQUAL(p->name, call);
    return test_keep(p, test_free_problem);
}

static perp_problem *stored(const char *id)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/solvers/%s.json", test_golden(), id);
    return test_read(path, NULL, NULL);
}

static double furthest(const double *x, const double *y, size_t n)
{
    double most = 0.0;

    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most;
}

/* The same matrix and vector: bit by bit when `tolerance` is 0. A stored scene may keep
 * zeros out, so entries are compared, not storages. */
static void expect_stored(const char *call, const char *id, double tolerance)
{
    perp_problem *p = make(call);
    perp_problem *q = stored(id);
    double most = 0.0;
    double scale = perp_operator_max(q->A);

    CU_ASSERT_EQUAL_FATAL(p->n, q->n);
    CU_ASSERT_EQUAL(perp_problem_kind(p), perp_problem_kind(q));
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->n; j++) {
            most = fmax(most, fabs(perp_operator_entry(p->A, i, j) -
                                   perp_operator_entry(q->A, i, j)));
        }
    }
    if (most > tolerance * scale || furthest(p->b, q->b, p->n) > tolerance * scale) {
        test_note("%s: A differs by %g, b by %g", call, most, furthest(p->b, q->b, p->n));
    }
    CU_ASSERT(most <= tolerance * scale);
    CU_ASSERT(furthest(p->b, q->b, p->n) <= tolerance * scale);
    for (size_t k = 0; k < p->set->count; k++) {
        CU_ASSERT_EQUAL(p->set->blocks[k].mu, q->set->blocks[k].mu);
    }
    if (tolerance == 0.0 && p->solution && q->solution) {
        CU_ASSERT(perp_residual(q, p->solution->z) <= 1e-15); /* whole or exact numbers */
    }
}

TEST(formulas_give_what_is_stored)
{
    expect_stored("murty-lower:n=4", "murty_lower_4", 0.0);
    expect_stored("murty-lower:n=8", "murty_lower_8", 0.0);
    expect_stored("murty-upper:n=4", "murty_upper_4", 0.0);
    expect_stored("murty-upper", "murty_upper_8", 0.0);
    expect_stored("fathi:n=4", "fathi_4", 0.0);
    expect_stored("fathi:n=8", "fathi_8", 0.0);
    expect_stored("csizmadia", "csizmadia_8", 0.0);
    expect_stored("csizmadia-alt", "csizmadia_alt_8", 0.0);
    expect_stored("ahn", "ahn_16", 0.0);
    expect_stored("geiger-kanzow", "geiger_kanzow_16", 0.0);
    expect_stored("kostreva", "kostreva_3", 0.0);
    expect_stored("circulant:a=2", "kostreva_3", 0.0);
    expect_stored("skew2", "skew2_pgs_diverges", 0.0);
    expect_stored("hilbert:n=6", "hilbert_6", 0.0);
    expect_stored("infeasible-zero", "infeasible_zero", 0.0);
    expect_stored("feasible-unsolvable", "feasible_unsolvable", 0.0);
    expect_stored("three-solutions", "three_solutions_2", 0.0);
    expect_stored("copositive-plus", "copositive_plus_2", 0.0);
    expect_stored("skew-rotation", "skew_rotation_2", 0.0);
    expect_stored("lemke-ray", "lemke_ray_but_solvable", 0.0);
    expect_stored("obstacle", "obstacle1d_31", 0.0);
}

TEST(draws_give_what_is_stored)
{
    expect_stored("harker-pang:n=12,seed=7", "harker_pang_hard_7", 0.0);
    expect_stored("harker-pang:n=12,seed=8,easy=on", "harker_pang_easy_8", 0.0);
    expect_stored("integer-spd:n=16,seed=5", "spd_int_5", 0.0);
    expect_stored("integer-psd:n=16,rank=6,seed=6", "psd_int_rank6_6", 0.0);
    expect_stored("degenerate:n=16,seed=9", "spd_degenerate_9", 0.0);
    expect_stored("qp-kkt:seed=40", "qp_kkt_40", 0.0);
    expect_stored("qp-kkt-infeasible:seed=41", "qp_kkt_infeasible_41", 0.0);
}

/* Sines, cosines, logarithms and sums in another order: some units in the last place of
 * numbers that cancel by a factor of ten at most. */
TEST(scenes_and_grids_give_what_is_stored)
{
    const double tolerance = 1e-14;

    expect_stored("journal-bearing", "journal_bearing_32", tolerance);
    expect_stored("american-put", "american_put_step1_40", 1e-13); /* payoffs near 100 */
    expect_stored("incline:angle=0.3,mu=0.5", "incline_stick", tolerance);
    expect_stored("incline:angle=0.6,mu=0.4", "incline_slip", tolerance);
    expect_stored("table", "table_rest", tolerance);
    expect_stored("table:force-x=90,force-y=40", "table_push_slide", tolerance);
    expect_stored("stack:n=4,ratio=10", "stack_4_ratio_10", tolerance);
    expect_stored("stack:n=6,ratio=0.1", "stack_6_ratio_0.1", tolerance);
    expect_stored("cradle:n=3", "cradle3_simultaneous", tolerance);
    expect_stored("cradle", "cradle5_simultaneous", tolerance);
    expect_stored("arch", "arch8_thick", 1e-13); /* levers cancel to a tenth */
    expect_stored("arch:n=12,thickness=0.09", "arch12_thin", 1e-13);
    expect_stored("wall:nx=2,nz=2", "wall_2x2", tolerance);
    expect_stored("random-cloud:contacts=8,bodies=5,seed=3", "rand_fc_8", tolerance);
    expect_stored("random-cloud:contacts=12,bodies=8,seed=44", "rand_fc_12", tolerance);
}

TEST(every_family_makes_a_problem_and_twice_the_same)
{
    size_t count = 0;
    const perp_family *const *families = perp_families(&count);

    CU_ASSERT(count >= 40);
    for (size_t i = 0; i < count; i++) {
        perp_problem *p = make(families[i]->name);
        perp_problem *q = make(families[i]->name);

        CU_ASSERT_PTR_EQUAL(perp_family_find(families[i]->name), families[i]);
        CU_ASSERT_TRUE(perp_operator_same(p->A, q->A));
        CU_ASSERT_EQUAL(memcmp(p->b, q->b, p->n * sizeof *p->b), 0);
        CU_ASSERT_EQUAL(perp_problem_hash(p), perp_problem_hash(q));
        if (p->solution) {
            double residual = perp_residual(p, p->solution->z);

            /* 1e-13: b was made from z with sums of up to some hundred terms */
            if (!(residual <= 1e-13)) {
                test_note("%s: residual %g", families[i]->name, residual);
            }
            CU_ASSERT(residual <= 1e-13);
        }
    }
}

TEST(another_seed_is_another_problem)
{
    const char *const calls[][2] = {
        {"spd:n=20,seed=1", "spd:n=20,seed=2"},
        {"normal-contacts:seed=1", "normal-contacts:seed=2"},
        {"contacts:seed=1", "contacts:seed=2"},
        {"wall:seed=1", "wall:seed=2"},
    };

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        perp_problem *p = make(calls[i][0]);
        perp_problem *q = make(calls[i][1]);

        CU_ASSERT_NOT_EQUAL(perp_problem_hash(p), perp_problem_hash(q));
    }
}

/* Rows with z > 0, with w > 0, with neither. */
static void expect_shares(const char *call, double active, double degenerate)
{
    perp_problem *p = make(call);
    double rows = (double)p->n;
    size_t z = 0;
    size_t none = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(p->solution);
    for (size_t i = 0; i < p->n; i++) {
        z += p->solution->z[i] > 0.0;
        none += p->solution->z[i] == 0.0 && p->solution->w[i] == 0.0;
    }
    CU_ASSERT(fabs((double)z - active * rows) <= 0.5); /* rounded to whole rows */
    CU_ASSERT(fabs((double)none - degenerate * rows) <= 0.5);
    CU_ASSERT(perp_residual(p, p->solution->z) <= 1e-13);
}

TEST(rows_have_the_roles_that_were_asked_for)
{
    expect_shares("spd:n=100", 0.5, 0.1);
    expect_shares("spd:n=77,active=0.3,degenerate=0.5", 0.3, 0.5);
    expect_shares("spd-sparse:n=2000,active=0.25", 0.25, 0.1);
    expect_shares("normal-contacts:n=120", 0.5, 0.1);
    expect_shares("normal-contacts:n=300,rank=0.2,active=0.9,degenerate=0", 0.9, 0.0);
}

/* D from 1 down to 1/condition: the trace falls with the sum of D. b without a known solution
 * is within its bounds. */
TEST(weights_make_a_matrix_badly_conditioned)
{
    perp_problem *p = make("spd:n=30,shift=0,condition=1e8,known=off");
    perp_problem *q = make("spd:n=30,shift=0");
    double traces[2] = {0.0, 0.0};

    CU_ASSERT_PTR_NULL(p->solution);
    CU_ASSERT_PTR_NOT_NULL(q->solution);
    for (size_t i = 0; i < p->n; i++) {
        traces[0] += perp_operator_diagonal(p->A, i);
        traces[1] += perp_operator_diagonal(q->A, i);
        CU_ASSERT(fabs(p->b[i]) < 1.0);
    }
    /* sum of D over n: 1/(n (1 - 1e8^(-1/n))) = 0.072, times the sizes of the columns of B,
     * a third each, which differ by a factor of 2 at most */
    test_note("%g of the trace", traces[0] / traces[1]);
    CU_ASSERT(traces[0] < 0.15 * traces[1]);
    CU_ASSERT(traces[0] > 0.03 * traces[1]);
}

TEST(boxes_have_a_third_at_each_bound)
{
    perp_problem *p = make("boxed:n=99");
    size_t low = 0;
    size_t high = 0;
    size_t inside = 0;

    for (size_t i = 0; i < p->n; i++) {
        const perp_block *k = &p->set->blocks[i];
        double z = p->solution->z[i];

        low += k->kind == PERP_SET_BOX && z == k->lo;
        high += k->kind == PERP_SET_BOX && z == k->hi;
        inside += k->kind == PERP_SET_FREE || (z > k->lo && z < k->hi);
    }
    CU_ASSERT_EQUAL(low, 33);
    CU_ASSERT_EQUAL(high, 33);
    CU_ASSERT_EQUAL(inside, 33);
    CU_ASSERT(perp_set_count(p->set, PERP_SET_FREE) > 5); /* a half of the inner third */
}

/* W is made of few bodies: its rank stays below the share. Counted by Gaussian
 * elimination with complete pivots on the symmetric matrix. */
TEST(rank_of_contacts_stays_below_the_share)
{
    perp_problem *p = make("normal-contacts:n=60,rank=0.5");
    size_t n = p->n;
    double *a = test_alloc(n * n, sizeof *a);
    size_t rank = 0;
    const double tiny =
        1e-10 * perp_operator_max(p->A); /* far above rounding, 60 steps */

    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_CSR);
    for (size_t k = 0; k < n * n; k++) {
        a[k] = perp_operator_entry(p->A, k / n, k % n);
        CU_ASSERT_EQUAL(a[k], perp_operator_entry(p->A, k % n, k / n));
    }
    for (; rank < n; rank++) {
        size_t best = n;

        for (size_t i = 0; i < n; i++) {
            if (a[i * n + i] > (best < n ? a[best * n + best] : tiny)) {
                best = i;
            }
        }
        if (best == n) {
            break;
        }
        for (size_t i = 0; i < n; i++) {
            double factor = i == best ? 0.0 : a[i * n + best] / a[best * n + best];

            for (size_t j = 0; j < n; j++) {
                a[i * n + j] -= factor * a[best * n + j];
            }
        }
        for (size_t j = 0; j < n; j++) {
            a[best * n + j] = 0.0;
            a[j * n + best] = 0.0;
        }
    }
    CU_ASSERT(rank <= 30);
    CU_ASSERT(rank >= 20);
}

TEST(contacts_stick_slide_and_open_in_their_shares)
{
    perp_problem *p = make("contacts:contacts=50");
    size_t modes[4] = {0};

    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_FC3D);
    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_BSR);
    CU_ASSERT_EQUAL(p->A->block_size, 3);
    CU_ASSERT_TRUE(perp_operator_is_symmetric(p->A));
    for (size_t k = 0; k < 50; k++) {
        const double *z = p->solution->z + 3 * k;
        const double *w = p->solution->w + 3 * k;

        modes[w[0] > 0.0 ? 3 : z[0] == 0.0 ? 2 : hypot(w[1], w[2]) > 0.0 ? 1 : 0]++;
    }
    CU_ASSERT_EQUAL(modes[0], 20);
    CU_ASSERT_EQUAL(modes[1], 15);
    CU_ASSERT_EQUAL(modes[2], 5);
    CU_ASSERT_EQUAL(modes[3], 10);
}

/* The point of each kind of torture solves it, but where it is out of the range or the radius of
 * the judge; the kinds without a solution have none stored. */
TEST(torture_is_solvable_where_it_says_so)
{
    for (const perp_torture_kind *kind = perp_torture_kinds; kind->name; kind++) {
        bool far = strcmp(kind->name, "subnormal") == 0 ||
                   strcmp(kind->name, "near-singular") == 0 ||
                   strcmp(kind->name, "scales") == 0;
        bool nearly = strcmp(kind->name, "near-balance") == 0;

        for (unsigned seed = 1; seed <= 5; seed++) {
            char call[96];
            perp_torture_truth truth = TORTURE_UNKNOWN;

            snprintf(call, sizeof call, "torture:kind=%s,seed=%u", kind->name, seed);
            perp_problem *p = make(call);
            truth = perp_torture_truth_of(kind, p);
            CU_ASSERT_EQUAL(truth == TORTURE_INFEASIBLE, kind->infeasible);
            CU_ASSERT_EQUAL(p->solution == NULL, kind->infeasible || nearly);
            CU_ASSERT_EQUAL(strcmp(kind->name, "associated") == 0 ||
                                (kind->infeasible && p->law == PERP_LAW_ASSOCIATED),
                            p->law == PERP_LAW_ASSOCIATED);
            if (!far && !nearly && truth == TORTURE_UNKNOWN) {
                test_note("%s", call);
            }
            CU_ASSERT(far || nearly || truth != TORTURE_UNKNOWN);
        }
    }
}

TEST(piles_come_as_cones_as_box_friction_and_as_pyramid)
{
    perp_problem *rows = make("friction-cloud:contacts=30,seed=4");
    perp_problem *pyramid = make("pyramid:contacts=30,seed=4,lines=3");

    CU_ASSERT_EQUAL(perp_problem_kind(rows), PERP_KIND_FINDEX);
    CU_ASSERT_EQUAL(rows->n, 90);
    CU_ASSERT_EQUAL(perp_set_count(rows->set, PERP_SET_FRICTION), 60);
    CU_ASSERT_EQUAL(perp_problem_kind(pyramid), PERP_KIND_LCP);
    CU_ASSERT_EQUAL(pyramid->n, 30 * 8);
    CU_ASSERT(perp_residual(rows, rows->solution->z) <= 1e-13);
    CU_ASSERT(perp_residual(pyramid, pyramid->solution->z) <= 1e-13);
}

/* Two orders of the same sums: 12 products per entry. */
TEST(contacts_in_factors_are_those_of_the_matrix)
{
    perp_problem *p = make("contacts:contacts=50,seed=3");
    perp_problem *q = make("contacts:contacts=50,seed=3,form=factors");
    double most = 1e-14 * perp_operator_max(p->A);

    CU_ASSERT_EQUAL_FATAL(p->n, q->n);
    CU_ASSERT(perp_operator_in_factors(q->A));
    for (size_t i = 0; i < p->n * p->n; i++) {
        double a = perp_operator_entry(p->A, i % p->n, i / p->n);

        CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(q->A, i % p->n, i / p->n), a, most);
    }
    CU_ASSERT(furthest(p->b, q->b, p->n) <= 1e-12);
    CU_ASSERT(furthest(p->solution->z, q->solution->z, p->n) == 0.0);
    CU_ASSERT(perp_residual(q, q->solution->z) <= 1e-14);
}

/* Twice as many rows as velocities, and Newton's method alone ends at 1e-3. */
TEST(hyperstatic_contacts_are_solved_by_several_methods)
{
    const char *const names[] = {"nsgs+newton", "apgd-inline", "admm-ncp"};
    perp_problem *p = make("contacts:contacts=200,seed=1,form=factors");

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        perp_result *r = test_solve(p, names[i], NULL);

        if (r->outcome != PERP_SOLVED) {
            test_note("%s: %s", names[i], r->reason);
        }
        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT(perp_residual(p, r->z) <= 1e-8);
    }
}

TEST(the_bearing_and_the_membrane_have_their_shape)
{
    perp_problem *p = make("obstacle-2d:m=5,load=8");
    perp_problem *sides = make("lemke-ray:variant=3");

    CU_ASSERT_EQUAL(p->n, 25);
    CU_ASSERT_EQUAL(p->A->count, 5 * 25 - 4 * 5); /* five points less the sides */
    CU_ASSERT_EQUAL(p->b[12], 8.0 / 36.0);
    CU_ASSERT_EQUAL(p->b[0], 8.0 / 36.0 - 1.0);
    CU_ASSERT_TRUE(perp_operator_is_symmetric(p->A));
    CU_ASSERT_EQUAL(perp_residual(sides, sides->solution->z), 0.0);
}

TEST(an_infeasible_program_has_its_certificate)
{
    for (int seed = 0; seed < 20; seed++) {
        char call[64];
        double y[11] = {0};

        snprintf(call, sizeof call, "qp-kkt-infeasible:seed=%d", seed);
        perp_problem *p = make(call);
        y[10] = 1.0;
        CU_ASSERT_TRUE(perp_certificate_infeasible(p, y));
    }
}

TEST(says_what_is_wrong_with_a_call)
{
    static const struct {
        const char *call, *words;
    } cases[] = {
        {"spdd", "unknown family \"spdd\", the nearest is \"spd\""},
        {"", "unknown family \"\""},
        {"spd:n", "spd: found \"n\", expected name=value"},
        {"spd:=3", "spd: found \"=3\", expected name=value"},
        {"spd:size=3", "spd: unknown option \"size\", expected one of: n, seed"},
        {"spd:n=0", "option \"n\" is 0"},
        {"spd:n=ten", "ten"},
        {"spd:active=2", "option \"active\" is 2"},
        {"empty:n=3", "empty: unknown option \"n\""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        perp_problem *p = NULL;
        perp_error err = {0};
        perp_status status = perp_family_make(cases[i].call, &p, &err);

        if (!strstr(err.text, cases[i].words)) {
            test_note("%s: \"%s\"", cases[i].call, err.text);
        }
        CU_ASSERT_EQUAL(status, PERP_ERR_OPTION);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, cases[i].words));
        CU_ASSERT_PTR_NULL(p);
    }
}

static perp_result *solved(const perp_problem *p, const char *solver)
{
    const perp_solver_type *type = NULL;
    perp_options opt;

    OK(perp_solver_parse(solver, &type, &opt, NULL));
    perp_result *r = test_new_result(p->n);
    OK(perp_solve(type, p, &opt, r, NULL));
    if (r->outcome != PERP_SOLVED) {
        test_note("%s: %s", p->name, r->reason);
    }
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    return r;
}

/* What a player pays in an equilibrium, 1 over the sum of the other's z: q = -1. */
static double paid(const perp_result *r, size_t from, size_t to)
{
    double sum = 0.0;

    for (size_t i = from; i < to; i++) {
        sum += r->z[i];
    }
    return 1.0 / sum;
}

TEST(games_have_equilibria_and_zero_sum_games_a_value)
{
    static const char *const kinds[] = {"general", "zero-sum", "degenerate", "known"};

    for (int seed = 1; seed <= 40; seed++) {
        const int m = 2 + (seed * 37) % 60, n = seed % 4 == 3 ? m : 2 + (seed * 53) % 60;
        char call[96];

        snprintf(call, sizeof call, "game:m=%d,n=%d,seed=%d,kind=%s", m, n, seed,
                 kinds[seed % 4]);
        perp_problem *p = make(call);
        perp_result *r = solved(p, "auto");
        perp_result *again = solved(p, "lemke rule=lemke-howson");
        if (seed % 4 == 1) { /* both players' costs add up to 3; the value is unique */
            CU_ASSERT_DOUBLE_EQUAL(paid(r, 0, (size_t)m) + paid(r, (size_t)m, p->n), 3.0,
                                   1e-9);
            CU_ASSERT_DOUBLE_EQUAL(paid(r, 0, (size_t)m), paid(again, 0, (size_t)m),
                                   1e-9);
        }
        if (seed % 4 == 3) {
            CU_ASSERT(p->solution && perp_residual(p, p->solution->z) == 0.0);
        }
    }
}

/* Strong duality: what the shipments cost is what the prices of demand bring, less those of capacity. */
TEST(shipments_cost_what_the_prices_are_worth)
{
    const size_t plants = 4, markets = 6, routes = 24;
    perp_problem *p = make("transport:plants=4,markets=6,seed=3,spare=0.05");
    perp_result *r = solved(p, "auto");
    double cost = 0.0, worth = 0.0;

    for (size_t x = 0; x < routes; x++) {
        cost += p->b[x] * r->z[x];
    }
    for (size_t i = 0; i < plants; i++) {
        worth -= p->b[routes + i] * r->z[routes + i];
    }
    for (size_t j = 0; j < markets; j++) {
        const size_t v = routes + plants + j;
        double shipped = 0.0;

        worth -= p->b[v] * r->z[v];
        for (size_t i = 0; i < plants; i++) {
            shipped += r->z[i * markets + j];
        }
        CU_ASSERT_DOUBLE_EQUAL(shipped, -p->b[v], 1e-9);
    }
    CU_ASSERT_DOUBLE_EQUAL(cost, worth, 1e-9);
}
