/* SPDX-License-Identifier: Apache-2.0
 * tests/command/krawczyk.c: solutions of friction problems, enclosed. Of the data sets the small
 * ones; make exact-table tries all of them. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "base/base.h"
#include "instances.h"
#include "interop/exact/krawczyk.h"
#include "support.h"

/* A contact of a point of mass 1. */
static perp_problem *one_contact(unsigned dim, double mu, perp_law law, const double *b)
{
    static const double W3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, W2[4] = {1, 0, 0, 1};
    perp_problem *p = test_cones(dim, 1, dim == 3 ? W3 : W2, b, &mu);

    p->law = law;
    return p;
}

/* What a sentence says to be within a distance is within the printed one, too. */
static void distance_is_rounded_up(const exact_proof *proof)
{
    const char *within = strstr(proof->says, " within ");

    if (within && !(strtod(within + strlen(" within "), NULL) >= proof->delta)) {
        test_note("%.17g: %s", proof->delta, proof->says);
        CU_FAIL("a printed distance is below the proved one");
    }
}

static exact_proof prove(const perp_problem *p, const double *z)
{
    exact_proof proof = {0};
    perp_error err = {0};

    if (exact_krawczyk(p, z, 30.0, &proof, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL("a proof ends with an error");
    }
    distance_is_rounded_up(&proof);
    return proof;
}

/* Proved, with all distances at most `within`. */
static void is_proved(const perp_problem *p, const double *z, double within)
{
    exact_proof proof = prove(p, z);

    if (proof.verdict != EXACT_PROVED || !(proof.delta <= within)) {
        test_note("%s: %s", exact_verdict_name(proof.verdict), proof.says);
        CU_FAIL("not proved");
    }
    CU_ASSERT(proof.unique);
    CU_ASSERT_STRING_EQUAL(proof.method, "krawczyk");
    exact_proof_clear(&proof);
}

static void contact_is_proved(unsigned dim, double mu, perp_law law, const double *b,
                              const double *z)
{
    is_proved(one_contact(dim, mu, law, b), z, 1e-15);
}

static void of_both_laws(unsigned dim, double mu, const double *b, const double *z)
{
    contact_is_proved(dim, mu, PERP_LAW_COULOMB, b, z);
    contact_is_proved(dim, mu, PERP_LAW_ASSOCIATED, b, z);
}

/* w = 0: z = -b. */
TEST(a_sticking_contact_is_proved)
{
    of_both_laws(3, 0.5, (double[]){-1, 0.25, 0.125}, (double[]){1, -0.25, -0.125});
    of_both_laws(2, 0.5, (double[]){-1, 0.25}, (double[]){1, -0.25});
}

/* Coulomb: z_N = 1, z_T = -0.5 (3, 4)/5. Associated: z is the projection of -b onto the cone,
 * z_N = (1 + 0.5 * 5)/1.25 = 2.8. */
TEST(a_sliding_contact_is_proved)
{
    contact_is_proved(3, 0.5, PERP_LAW_COULOMB, (double[]){-1, 3, 4},
                      (double[]){1, -0.3, -0.4});
    contact_is_proved(3, 0.5, PERP_LAW_ASSOCIATED, (double[]){-1, 3, 4},
                      (double[]){2.8, -0.84, -1.12});
    contact_is_proved(2, 0.5, PERP_LAW_COULOMB, (double[]){-1, -4}, (double[]){1, 0.5});
    contact_is_proved(2, 0.5, PERP_LAW_ASSOCIATED, (double[]){-1, -5},
                      (double[]){2.8, 1.4});
}

/* Impulses of 2^-1060: the box has a radius below 2^-1074, which is the least distance above 0. */
TEST(impulses_below_the_normal_range_are_proved)
{
    const double z[2] = {0x1p-1060, -0x1p-1062}, b[2] = {-0x1p-1060, 0x1p-1062};

    is_proved(one_contact(2, 0.5, PERP_LAW_COULOMB, b), z, 0x1p-1074);
}

TEST(an_open_contact_is_proved_without_distance)
{
    exact_proof proof =
        prove(one_contact(3, 0.5, PERP_LAW_COULOMB, (double[]){1, 2, 2}), (double[3]){0});

    CU_ASSERT_EQUAL(proof.verdict, EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta, 0.0);
    exact_proof_clear(&proof);
    of_both_laws(3, 0.5, (double[]){4, 3, 4}, (double[3]){0});
    of_both_laws(2, 0.5, (double[]){4, 3}, (double[2]){0});
}

TEST(a_contact_without_friction_is_proved)
{
    of_both_laws(3, 0.0, (double[]){-1, 3, 4}, (double[]){1, 0, 0});
    of_both_laws(2, 0.0, (double[]){-1, 3}, (double[]){1, 0});
    of_both_laws(3, 0.0, (double[]){0, 0, 0}, (double[]){0, 0, 0});
}

/* Sticking with |z_T| = mu z_N; open with w on the boundary of the dual cone; z = w = 0. */
TEST(contacts_on_two_boundaries_are_proved)
{
    of_both_laws(3, 0.5, (double[]){-1, 0.5, 0}, (double[]){1, -0.5, 0});
    of_both_laws(3, 1.25, (double[]){-4, 3, 4}, (double[]){4, -3, -4});
    of_both_laws(2, 0.5, (double[]){-1, 0.5}, (double[]){1, -0.5});
    contact_is_proved(3, 0.5, PERP_LAW_COULOMB, (double[]){0, 3, 4}, (double[3]){0});
    contact_is_proved(2, 0.5, PERP_LAW_COULOMB, (double[]){0, 3}, (double[2]){0});
    contact_is_proved(3, 0.5, PERP_LAW_ASSOCIATED, (double[]){2.5, 3, 4}, (double[3]){0});
    contact_is_proved(2, 0.5, PERP_LAW_ASSOCIATED, (double[]){2.5, 5}, (double[2]){0});
    of_both_laws(2, 0.5, (double[2]){0}, (double[2]){0});
}

/* z = w = 0 for strongly coupled contacts: the slopes of both sides differ so much that the units of
 * velocities have to be changed. */
TEST(coupled_contacts_on_two_boundaries_are_proved)
{
    double A[36] = {0}, mu[3] = {0};

    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            A[12 * i + 2 * j] = i == j ? 1.9 : 1.75;
            A[12 * i + 2 * j + 7] = i == j;
        }
    }
    is_proved(test_cones(2, 3, A, (double[6]){0}, mu), (double[6]){0}, 1e-60);
}

/* A = [2I I; I 2I] and equal contacts: w = 3 z + b. The second pair slides: z_T = -0.5. */
TEST(two_coupled_contacts_are_proved)
{
    double A[36] = {0}, mu[2] = {0.5, 0.5};

    for (size_t i = 0; i < 6; i++) {
        A[7 * i] = 2;
        A[6 * i + (i + 3) % 6] = 1;
    }
    is_proved(test_cones(3, 2, A, (double[]){-3, 0.75, 0, -3, 0.75, 0}, mu),
              (double[]){1, -0.25, 0, 1, -0.25, 0}, 1e-60);
    is_proved(test_cones(3, 2, A, (double[]){-3, 9, 0, -3, 9, 0}, mu),
              (double[]){1, -0.5, 0, 1, -0.5, 0}, 1e-60);
}

/* A slide from z in single precision: the proof finds the solution, and says how far it is. */
TEST(the_distance_is_that_of_the_solution)
{
    double z[3] = {1, (float)-0.3, (float)-0.4};
    exact_proof proof =
        prove(one_contact(3, 0.5, PERP_LAW_COULOMB, (double[]){-1, 3, 4}), z);

    CU_ASSERT_EQUAL_FATAL(proof.verdict, EXACT_PROVED);
    CU_ASSERT(proof.distance[0] < 1e-60);
    CU_ASSERT_DOUBLE_EQUAL(proof.distance[1], fabs(z[1] + 0.3), 1e-16);
    CU_ASSERT_DOUBLE_EQUAL(proof.distance[2], fabs(z[2] + 0.4), 1e-16);
    CU_ASSERT_EQUAL(proof.changes, 0);
    exact_proof_clear(&proof);
}

/* W = [1 1/2; 1/2 1], b = (-1, 2^-20): z_T = -z_N/2, z_N - z_N/4 = 1, w_T = 2^-20. At the given z
 * w = (-2^-11, 2^-20 - 2^-10), and z - w is inside the disk. */
TEST(a_wrong_state_is_changed_and_counted)
{
    double mu = 0.5;
    exact_proof proof =
        prove(test_cones(2, 1, (double[]){1, 0.5, 0.5, 1}, (double[]){-1, 0x1p-20}, &mu),
              (double[]){4.0 / 3.0, -2.0 / 3.0 - 0x1p-10});

    CU_ASSERT_EQUAL_FATAL(proof.verdict, EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.changes, 1);
    CU_ASSERT_DOUBLE_EQUAL(proof.delta, 0x1p-10, 1e-15);
    exact_proof_clear(&proof);
}

/* The only solutions are (4/3, -2/3) and (1, -1/2). The second answer slides to the other side. */
TEST(a_solution_that_is_far_proves_no_answer)
{
    const double given[3][2] = {{0, 0}, {1, 0.5}, {1.005, -0.5}};
    double mu = 0.5;

    for (size_t k = 0; k < 3; k++) {
        double coupling = k == 0 ? 0.5 : 0.0;
        exact_proof proof = prove(test_cones(2, 1, (double[]){1, coupling, coupling, 1},
                                             (double[]){-1, 4}, &mu),
                                  given[k]);

        CU_ASSERT_EQUAL(proof.verdict, EXACT_OPEN);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(proof.says, "too far from this answer to prove it"));
        exact_proof_clear(&proof);
    }
}

/* Two contacts at one place: A = [I I; I I]. Each pair with the sum (1, -0.25, 0) is a solution. */
TEST(dependent_contacts_are_proved_without_uniqueness)
{
    double A[36] = {0}, mu[2] = {0.5, 0.5};
    exact_proof proof;

    for (size_t i = 0; i < 6; i++) {
        A[7 * i] = A[6 * i + (i + 3) % 6] = 1;
    }
    proof = prove(test_cones(3, 2, A, (double[]){-1, 0.25, 0, -1, 0.25, 0}, mu),
                  (double[]){0.5, -0.125, 0, 0.5, -0.125, 0});
    if (proof.verdict != EXACT_PROVED) {
        test_note("%s", proof.says);
    }
    CU_ASSERT_EQUAL(proof.verdict, EXACT_PROVED);
    CU_ASSERT_FALSE(proof.unique);
    CU_ASSERT(proof.delta < 1e-60);
    exact_proof_clear(&proof);
    /* the second contact wants another velocity: no point sticks in both */
    proof = prove(
        test_cones(3, 2, A, (double[]){-1, 0.25, 0, -1, 0.25000000000000006, 0}, mu),
        (double[]){0.5, -0.125, 0, 0.5, -0.125, 0});
    CU_ASSERT(proof.verdict != EXACT_PROVED || proof.delta > 1e-3);
    exact_proof_clear(&proof);
}

/* ------------------------------------------------------------ against a solver */

/* |z - x| <= distance for the solution x that a solver finds, up to its own error. */
static void encloses(const perp_problem *p, const double *z, const exact_proof *proof,
                     const double *x, double error)
{
    for (size_t i = 0; i < p->n; i++) {
        if (!(fabs(z[i] - x[i]) <= proof->distance[i] + error) ||
            !(proof->distance[i] <= fabs(z[i] - x[i]) + error)) {
            test_note("row %zu: z is %.17g, found %.17g, distance %g", i, z[i], x[i],
                      proof->distance[i]);
            CU_FAIL("the distance is not that of the solution");
            return;
        }
    }
}

/* A positive definite problem with every kind of set. */
static perp_problem *mixed(perp_law law, perp_random *g)
{
    perp_set *set = test_set("free,nonneg,-0.1..0.2,cone2:0.5,cone3:0.4,rolling:0.3:0.1,"
                             "disk:0.05,row:0.3:1,cone3:0.8,0..0.1");
    perp_operator *A = test_spd(set->n, perp_random_next(g));

    return test_problem(A, set, law, g);
}

TEST(all_kinds_of_sets_are_proved)
{
    size_t proved = 0, tried = 0;
    perp_random g = {19};

    for (size_t k = 0; k < 16; k++) {
        perp_problem *p = mixed(k % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB, &g);
        perp_result *r = test_solve(p, "auto", "tolerance=1e-13", NULL);
        exact_proof proof = prove(p, r->z);

        tried++;
        proved += proof.verdict == EXACT_PROVED && proof.delta < 1e-10;
        if (proof.verdict != EXACT_PROVED) {
            test_note("%zu: %s", k, proof.says);
        }
        exact_proof_clear(&proof);
    }
    CU_ASSERT_EQUAL(proved, tried);
}

/* From a point 1e-3 away nothing nearer than that is proved. */
TEST(a_point_that_is_not_a_solution_is_not_proved_to_be_near)
{
    perp_random g = {7};

    for (size_t k = 0; k < 16; k++) {
        perp_problem *p = mixed(PERP_LAW_ASSOCIATED, &g); /* its solution is unique */
        perp_result *r = test_solve(p, "auto", "tolerance=1e-13", NULL);
        double z[32];
        exact_proof proof;

        for (size_t i = 0; i < p->n; i++) {
            z[i] = r->z[i] + 1e-3 * perp_random_uniform(&g, -1.0, 1.0);
        }
        proof = prove(p, z);
        if (proof.verdict == EXACT_PROVED) {
            encloses(p, z, &proof, r->z, 1e-10);
        }
        exact_proof_clear(&proof);
    }
}

/* F(x) - F(m) = S (x - m) for some S within the slopes, for every x of the box around m. */
static void slopes_enclose(krawczyk_map *map, perp_random *g)
{
    slong n = map->n, rows[32];
    arb_ptr m = _arb_vec_init(n), F = _arb_vec_init(n), box = _arb_vec_init(n);
    arb_mat_t S, dx;

    arb_mat_init(S, n, n), arb_mat_init(dx, n, 1);
    krawczyk_map_at(map, map->x);
    _arb_vec_set(m, map->x, n), _arb_vec_set(F, map->F, n), _arb_vec_set(box, m, n);
    for (slong i = 0; i < n; i++) {
        rows[i] = i;
        mag_set_d(arb_radref(box + i), 0x1p-12);
        arb_set_d(arb_mat_entry(dx, i, 0), perp_random_uniform(g, -0x1p-12, 0x1p-12));
        arb_add(map->x + i, m + i, arb_mat_entry(dx, i, 0), 512);
    }
    krawczyk_map_at(map, box);
    krawczyk_map_slopes(map, n, rows, rows, S);
    arb_mat_mul(dx, S, dx, map->prec);
    krawczyk_map_at(map, map->x);
    for (slong i = 0; i < n; i++) {
        arb_sub(F + i, map->F + i, F + i, map->prec);
        CU_ASSERT(arb_overlaps(F + i, arb_mat_entry(dx, i, 0)));
    }
    arb_mat_clear(S), arb_mat_clear(dx);
    _arb_vec_clear(m, n), _arb_vec_clear(F, n), _arb_vec_clear(box, n);
}

TEST(slopes_over_a_box_enclose_all_differences)
{
    perp_random g = {11};

    for (size_t k = 0; k < 40; k++) {
        perp_problem *p = mixed(k % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB, &g);
        double z[32];
        krawczyk_map map;

        for (size_t i = 0; i < p->n; i++) {
            z[i] = perp_random_uniform(&g, -0.5, 0.5);
        }
        OK(krawczyk_map_init(&map, p, z, 128, NULL));
        slopes_enclose(&map, &g);
        krawczyk_map_clear(&map);
    }
}

/* --------------------------------------------------------------- golden, datasets */

static size_t proved_count;

static void prove_golden(const char *id, perp_law law)
{
    perp_problem *p = test_golden_problem(id);
    exact_proof proof;

    p->law = law;
    perp_result *r = test_solve(p, "auto", "tolerance=1e-12", NULL);
    proof = prove(p, r->z);
    test_note("%s: n = %zu, %s, %g: %s", id, p->n, exact_verdict_name(proof.verdict),
              proof.delta, proof.says);
    proved_count += proof.verdict == EXACT_PROVED;
    CU_ASSERT(proof.verdict != EXACT_REFUTED);
    exact_proof_clear(&proof);
}

TEST(golden_contacts_are_proved_unless_dependent)
{
    size_t count = 0;

    proved_count = 0;
    for (size_t k = 0; test_golden_contacts[k]; k++, count++) {
        prove_golden(test_golden_contacts[k], PERP_LAW_COULOMB);
    }
    test_note("%zu of %zu", proved_count, count);
    CU_ASSERT(proved_count >= 1);
}

static void prove_dataset(const char *name)
{
    const unsigned cones =
        PERP_SET_CONE | PERP_SET_ROLLING | PERP_SET_FRICTION | PERP_SET_DISK;
    perp_problem *p = test_dataset(name);
    perp_reform *condensed = NULL;
    exact_proof proof = {0};

    if (p->global && !p->A) {
        OK(perp_reform_condense(&condensed, p, NULL));
        p = condensed->to;
    }
    if ((perp_set_kinds(p->set) & cones) != 0 && p->n < 100) {
        proof = prove(p, test_solve(p, "auto", "tolerance=1e-12", NULL)->z);
        proved_count += proof.verdict == EXACT_PROVED;
        exact_proof_clear(&proof);
    }
}

TEST(instances_of_the_datasets_are_proved)
{
    proved_count = 0;
    test_each_dataset(prove_dataset);
    CU_ASSERT(proved_count >= 16);
}

/* ------------------------------------------------------------------------ refusals */

TEST(points_that_are_not_numbers_are_left_open)
{
    exact_proof proof = prove(one_contact(3, 0.5, PERP_LAW_COULOMB, (double[]){-1, 3, 4}),
                              (double[]){1, NAN, 0});

    CU_ASSERT_EQUAL(proof.verdict, EXACT_OPEN);
    CU_ASSERT_STRING_EQUAL(proof.says, "row 1 is nan");
    exact_proof_clear(&proof);
}

TEST(the_time_ends_a_proof_that_takes_longer)
{
    perp_random g = {3};
    perp_problem *p = mixed(PERP_LAW_COULOMB, &g);
    double z[32] = {0};
    exact_proof proof = {0};

    OK(exact_krawczyk(p, z, 0.0, &proof, NULL));
    CU_ASSERT_EQUAL(proof.verdict, EXACT_OPEN);
    CU_ASSERT_PTR_NOT_NULL(strstr(proof.says, "more than the time of 0 s"));
    exact_proof_clear(&proof);
}
