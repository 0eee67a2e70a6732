/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/formulate.c: the problem that rows make: its matrix in every storage,
 * its sets and keys, and what its solutions do. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulated_world.h"
#include "math/vec3.h"
#include "problem/writer.h"
#include "scarce.h"

TEST(every_storage_holds_the_product_of_full_matrices)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR, PERP_STORAGE_FACTORED};

    for (int model = 0; model <= PERP_MODEL_FRICTIONLESS; model++) {
        for (int k = 0; k < 4; k++) {
            stage s;
            double *A = NULL;
            double *W = NULL;
            size_t n = 0;

            stage_open_pile(&s, (perp_model)model, storages[k]);
            n = s.system.rows.count;
            A = stage_matrix(&s);
            W = stage_product(&s);
            for (size_t i = 0; i < n; i++) { /* 24 products of numbers near 1 */
                test_agree("A", A + i * s.system.problem.n, W + i * n, n, 1e-13);
            }
            CU_ASSERT(perp_operator_is_symmetric(s.system.problem.A) ==
                      (model != PERP_MODEL_PYRAMID));
            stage_close(&s);
        }
    }
}

/* Contacts 0 and 3 touch body 1 and the fixed one, contact 2 body 2: the fixed body
 * couples nothing. In blocks of 3: (0,0) (0,1) (0,3) (0,4), 1 with all five,
 * (2,1) (2,2) (2,4), … */
TEST(only_rows_that_share_a_moving_body_are_stored)
{
    stage s;

    stage_open_pile(&s, PERP_MODEL_CONE, PERP_STORAGE_BSR);
    CU_ASSERT_EQUAL(s.system.problem.A->type->storage, PERP_STORAGE_BSR);
    CU_ASSERT_EQUAL(s.system.problem.A->count, 4 + 5 + 3 + 4 + 5);
    CU_ASSERT_EQUAL(perp_operator_entry(s.system.problem.A, 0, 6), 0.0);
    stage_close(&s);
    stage_open_pile(&s, PERP_MODEL_FRICTIONLESS, PERP_STORAGE_BSR); /* edge 1: in rows */
    CU_ASSERT_EQUAL(s.system.problem.A->type->storage, PERP_STORAGE_CSR);
    CU_ASSERT_PTR_NOT_NULL(strstr(s.system.problem.title, "CSR"));
    CU_ASSERT_EQUAL(s.system.problem.A->count, 4 + 5 + 3 + 4 + 5);
    stage_close(&s);
    stage_open_pile(&s, PERP_MODEL_PYRAMID, PERP_STORAGE_FACTORED);
    CU_ASSERT_EQUAL(s.system.problem.A->type->storage, PERP_STORAGE_CSR);
    CU_ASSERT_PTR_NOT_NULL(strstr(s.system.problem.title, "auxiliary"));
    stage_close(&s);
}

/* n_l^T (E/m - [r_l]x I^-1 [r_k]x) n_k of one body that contacts l and k share. */
static double shared(const stage *s, int32_t body, const perp_contact *l,
                     const perp_contact *k)
{
    const double *r = perp_body_pose(s->world->start, (size_t)body);
    double arm[3];
    double a[3];
    double b[3];

    vec3_subtract(k->point, r, arm);
    vec3_cross(arm, k->normal, a); /* [r_k]x n_k */
    mat3_apply(s->world->start->inverse_inertia + 9 * (size_t)body, a, a);
    vec3_subtract(l->point, r, arm);
    vec3_cross(arm, a, b); /* [r_l]x I^-1 [r_k]x n_k */
    return s->world->inverse_mass[body] * vec3_dot(l->normal, k->normal) -
           vec3_dot(l->normal, b);
}

TEST(normal_entries_follow_the_element_formula)
{
    stage s;

    stage_open_pile(&s, PERP_MODEL_FRICTIONLESS, PERP_STORAGE_FACTORED);
    for (size_t a = 0; a < 5; a++) {
        for (size_t b = 0; b < 5; b++) {
            const perp_contact *l = &s.contacts.at[a];
            const perp_contact *k = &s.contacts.at[b];
            double sum = 0.0;
            double found = perp_operator_entry(s.system.problem.A, a, b);

            sum += l->i == k->i ? shared(&s, k->i, l, k) : 0.0;
            sum -= l->i == k->j ? shared(&s, k->j, l, k) : 0.0;
            sum -= l->j == k->i ? shared(&s, k->i, l, k) : 0.0;
            sum += l->j == k->j ? shared(&s, k->j, l, k) : 0.0;
            test_agree("A_lk", &found, &sum, 1, 1e-13); /* a dozen products near 1 */
        }
    }
    stage_close(&s);
}

TEST(swapping_the_bodies_and_the_normal_changes_nothing)
{
    stage s;
    double u[18];

    stage_open_pile(&s, PERP_MODEL_CONE, PERP_STORAGE_FACTORED);
    stage_solve(&s, "nsgs");
    memcpy(u, s.u_plus, sizeof u);
    for (size_t k = 0; k < s.contacts.count; k += 2) {
        perp_contact *c = &s.contacts.at[k];
        int32_t i = c->i;

        c->i = c->j;
        c->j = i;
        vec3_scale(-1.0, c->normal, c->normal);
    }
    stage_formulate(&s);
    stage_solve(&s, "nsgs");
    test_agree("u_plus", s.u_plus, u, 18, 1e-9); /* two answers, each to 1e-12 of RES */
    stage_close(&s);
}

/* A point mass on fixed ground: W = E/m, b = (c_n, c_t1, 0) before the impulse. */
static void open_point(stage *s, double m, double mu, double c_n, double c_t,
                       perp_storage storage)
{
    const double origin[3] = {0.0, 0.0, 0.0};
    const double up[3] = {0.0, 0.0, 1.0};
    double t1[3];
    double t2[3];
    perp_world *world = test_world(3, 0.0);

    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    test_ball(world, "point", m, 1.0, 0.0, 0.0, 0.0);
    stage_open(s, world);
    perp_tangents(up, t1, t2);
    vec3_scale(c_t, t1, world->start->u + 6);
    vec3_add(world->start->u + 6, c_n, up, world->start->u + 6);
    stage_touch(s, 0, 1, origin, up, 0.0, mu);
    s->scheme.model = PERP_MODEL_PYRAMID;
    s->scheme.eta = 8;
    s->scheme.storage = storage;
    stage_formulate(s);
}

static void check_storage(double c_n, double c_t, const double expected[3],
                          perp_storage storage)
{
    stage s;
    perp_result *r = NULL;
    double J[12];
    double found[3] = {0.0, 0.0, 0.0};

    open_point(&s, 2.0, 0.5, c_n, c_t, storage);
    r = stage_solve(&s, "lemke");
    memcpy(J, s.system.rows.J, sizeof J);
    found[0] = r->z[0];
    found[1] = perp_row_rate(J, s.u_plus, s.u_plus + 6);
    found[2] = perp_row_rate(s.system.rows.J + 12, s.u_plus, s.u_plus + 6);
    test_agree("impulse, c_n, c_t", found, expected, 3, 1e-12); /* one pivot each */
    /* friction, cone and normal conditions: z, w >= 0, z w = 0 */
    for (size_t k = 0; k < s.system.problem.n; k++) {
        CU_ASSERT(r->z[k] >= 0.0 && r->w[k] >= -1e-12 && r->z[k] * r->w[k] <= 1e-12);
    }
    stage_close(&s);
}

static void check_regime(double c_n, double c_t, const double expected[3])
{
    check_storage(c_n, c_t, expected, PERP_STORAGE_CSR);
    check_storage(c_n, c_t, expected, PERP_STORAGE_DENSE);
}

/* m = 2, mu = 1/2. Parting at 3: nothing. Falling at 1: z_n = 2; friction up to 1 changes
 * c_t by up to 1/2: from 2 to 3/2 (slides, aux = 3/2), from 1/4 to 0 (sticks, inside the
 * cone), from 1/2 to 0 (sticks on the cone's edge). */
TEST(a_point_parts_slides_or_sticks_as_worked_by_hand)
{
    check_regime(3.0, 2.0, (const double[]){0.0, 3.0, 2.0});
    check_regime(-1.0, 2.0, (const double[]){2.0, 0.0, 1.5});
    check_regime(-1.0, 0.25, (const double[]){2.0, 0.0, 0.0});
    check_regime(-1.0, 0.5, (const double[]){2.0, 0.0, 0.0});
}

/* n.(velocity of j at p - that of i) without the rows. */
static double normal_velocity(const stage *s, const perp_contact *c, const double *u)
{
    const int32_t body[2] = {c->i, c->j};
    double rate = 0.0;

    for (size_t side = 0; side < 2; side++) {
        const size_t k = (size_t)body[side];
        double arm[3];
        double v[3];

        vec3_subtract(c->point, perp_body_pose(s->world->start, k), arm);
        vec3_cross(u + 6 * k + 3, arm, v);
        vec3_add(v, 1.0, u + 6 * k, v);
        rate += (side > 0 ? 1.0 : -1.0) * vec3_dot(c->normal, v);
    }
    return rate;
}

/* 0 <= z perp c_n + gap/dt >= 0 above, 0 <= z perp c_n + erp gap/dt >= 0 below. */
TEST(frictionless_impulses_and_gaps_are_complementary)
{
    stage s;
    perp_result *r = NULL;
    int above = 0;
    int pushed = 0;

    stage_open_pile(&s, PERP_MODEL_FRICTIONLESS, PERP_STORAGE_DENSE);
    r = stage_solve(&s, "lemke");
    for (size_t k = 0; k < 5; k++) {
        const perp_contact *c = &s.contacts.at[k];
        double share = c->gap > 0.0 ? 1.0 : s.scheme.erp;
        double slack = normal_velocity(&s, c, s.u_plus) + share * c->gap / s.scheme.dt;

        /* speeds of a few m/s, judged to 1e-12; w is J u+ - bias */
        CU_ASSERT(r->z[k] >= 0.0 && slack >= -1e-11);
        CU_ASSERT(fabs(r->z[k] * slack) <= 1e-11);
        CU_ASSERT_DOUBLE_EQUAL(r->w[k], slack, 1e-11);
        above += c->gap > 0.0;
        pushed += r->z[k] > 0.0;
    }
    CU_ASSERT(above > 0 && above < 5 && pushed > 0 && pushed < 5);
    stage_close(&s);
}

TEST(rolling_friction_adds_angular_rows_or_is_refused)
{
    stage s;
    perp_error err = {0};
    double *A = NULL;
    double *W = NULL;

    stage_open_pile(&s, PERP_MODEL_CONE, PERP_STORAGE_BSR);
    s.contacts.at[2].mu_rolling = 0.01;
    stage_formulate(&s);
    CU_ASSERT_EQUAL(s.system.rows.count, 17);
    CU_ASSERT_EQUAL(s.system.problem.set->blocks[2].kind, PERP_SET_ROLLING);
    CU_ASSERT_EQUAL(s.system.problem.A->type->storage, PERP_STORAGE_CSR);
    for (int c = 0; c < 3; c++) { /* r1 turns about t1, without force */
        const double *t1 = s.system.rows.J + 12 * 7;
        const double *r1 = s.system.rows.J + 12 * 9;

        CU_ASSERT(r1[c] == 0.0 && r1[6 + c] == 0.0);
        CU_ASSERT(r1[9 + c] == t1[6 + c] && r1[3 + c] == -t1[6 + c]);
    }
    A = stage_matrix(&s);
    W = stage_product(&s);
    test_agree("A", A, W, 17 * 17, 1e-13);
    perp_result_free(stage_solve(&s, "nsgs"));
    for (size_t k = 0; k < s.contacts.count; k++) {
        s.contacts.at[k].mu_rolling = 0.01;
    }
    stage_formulate(&s);
    CU_ASSERT_EQUAL(s.system.problem.A->type->storage, PERP_STORAGE_BSR);
    s.scheme.model = PERP_MODEL_BOX;
    CU_ASSERT_EQUAL(perp_rows_write(&s.system.rows, s.world, s.world->start, &s.contacts,
                                    &s.scheme, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "rolling friction 0.01"));
    stage_close(&s);
}

TEST(rows_have_names_and_keys)
{
    stage s;
    char name[64];

    stage_open_pile(&s, PERP_MODEL_PYRAMID, PERP_STORAGE_CSR);
    perp_system_name(&s.system, s.world, &s.contacts, 0, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "contact body 0/body 1: normal");
    perp_system_name(&s.system, s.world, &s.contacts, 13, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "contact body 1/body 2: d6");
    perp_system_name(&s.system, s.world, &s.contacts, 36, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "contact body 1/body 2: auxiliary");
    perp_system_name(&s.system, s.world, &s.contacts, 40, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "");
    rows_name(&s.system.rows, s.world, &s.contacts, 34, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "contact body 2/body 1: d6");
    rows_name(&s.system.rows, s.world, &s.contacts, 35, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "");
    for (size_t a = 0; a < s.system.problem.set->count; a++) {
        CU_ASSERT(s.system.keys[a] != 0);
        for (size_t b = 0; b < a; b++) {
            CU_ASSERT(s.system.keys[a] != s.system.keys[b]);
        }
    }
    s.scheme.model = PERP_MODEL_CONE;
    stage_formulate(&s);
    CU_ASSERT_EQUAL(s.system.keys[3], s.contacts.at[3].key);
    perp_system_name(&s.system, s.world, &s.contacts, 14, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "contact body 2/body 1: t2");
    stage_close(&s);
}

/* A world without rows makes a problem of none. */
TEST(no_contacts_make_an_empty_problem)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR, PERP_STORAGE_FACTORED};

    for (int k = 0; k < 4; k++) {
        stage s;

        stage_open_pile(&s, PERP_MODEL_CONE, PERP_STORAGE_CSR);
        s.contacts.count = 0;
        s.scheme.storage = storages[k];
        stage_formulate(&s);
        CU_ASSERT_EQUAL(s.system.problem.n, 0);
        perp_system_velocities(&s.system, NULL, s.u_plus);
        test_agree("u", s.u_plus, s.u_free, 18, 0.0);
        stage_close(&s);
    }
}

static perp_status write_and_formulate(void *context, perp_error *err)
{
    stage *s = context;
    perp_status status = PERP_OK;

    perp_system_clear(&s->system);
    status = perp_rows_write(&s->system.rows, s->world, s->world->start, &s->contacts,
                             &s->scheme, err);
    if (status == PERP_OK) {
        status = perp_system_formulate(&s->system, s->world, s->world->start, s->u_free,
                                       &s->contacts, &s->scheme, err);
    }
    return status;
}

TEST(scarce_memory_is_survived)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR, PERP_STORAGE_FACTORED};

    for (int k = 0; k < 4; k++) {
        stage s;

        stage_open_pile(&s, PERP_MODEL_CONE, storages[k]);
        s.contacts.at[3].mu_rolling = 0.1;
        scarce_everywhere(write_and_formulate, &s, "formulate");
        stage_close(&s);
    }
}

/* Without corrections and gaps: c_n+ + e c_n- is complementary to the impulse where the
 * law applies, c_n+ itself elsewhere. */
static void check_restitution(perp_restitution law)
{
    const double e = 0.5;
    size_t parted = 0;
    perp_result *r = NULL;
    stage s;

    stage_open_pile(&s, PERP_MODEL_FRICTIONLESS, PERP_STORAGE_DENSE);
    s.scheme.stabilize = PERP_STABILIZE_NONE;
    s.scheme.restitution = law;
    s.scheme.threshold = 0.0;
    for (size_t k = 0; k < s.contacts.count; k++) {
        s.contacts.at[k].restitution = e;
        s.contacts.at[k].gap = 0.0;
    }
    stage_formulate(&s);
    r = stage_solve(&s, "lemke");
    for (size_t k = 0; k < s.contacts.count; k++) {
        const perp_contact *c = &s.contacts.at[k];
        const double *J = s.system.rows.J + 12 * k;
        double before =
            perp_row_rate(J, s.world->start->u + 6 * c->i, s.world->start->u + 6 * c->j);
        double after = perp_row_rate(J, s.u_plus + 6 * c->i, s.u_plus + 6 * c->j);
        bool applies = law == PERP_RESTITUTION_MOREAU ||
                       (law == PERP_RESTITUTION_NEWTON && before < 0.0);
        double sum = after + (applies ? e * before : 0.0);

        parted += before > 0.0;
        /* speeds of a few m/s to RES 1e-12 */
        CU_ASSERT(sum >= -1e-11 && fabs(sum * r->z[k]) <= 1e-11);
    }
    CU_ASSERT(parted > 0 && parted < s.contacts.count); /* both kinds were there */
    stage_close(&s);
}

TEST(solutions_obey_the_law_of_restitution_asked_for)
{
    check_restitution(PERP_RESTITUTION_NEWTON);
    check_restitution(PERP_RESTITUTION_MOREAU);
    check_restitution(PERP_RESTITUTION_POISSON); /* its first phase: none */
}

/* A step with as many rows as the one before takes no memory for them. */
TEST(writing_rows_again_allocates_nothing)
{
    stage s;
    bool failed = false;

    stage_open_pile(&s, PERP_MODEL_CONE, PERP_STORAGE_FACTORED);
    scarce_begin(0);
    OK(perp_rows_write(&s.system.rows, s.world, s.world->start, &s.contacts, &s.scheme,
                       NULL));
    failed = scarce_end();
    CU_ASSERT_FALSE(failed);
    stage_close(&s);
}
