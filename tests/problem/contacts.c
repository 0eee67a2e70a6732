/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/contacts.c: contacts as rows, and the LCP of the pyramid. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulated_world.h"
#include "math/vec3.h"
#include "problem/parts.h"
#include "problem/writer.h"

static void open_contacts(stage *s, const golden_case *c)
{
    size_t index = 0;
    const json_t *contact = NULL;

    stage_open_golden(s, c);
    s->scheme.eta = (unsigned)golden_real(c->in, "eta");
    json_array_foreach(json_object_get(c->in, "contacts"), index, contact)
    {
        stage_touch_golden(s, contact);
    }
    stage_formulate(s);
}

/* Rows, matrix, free velocities and the velocities after any solution. */
static void check_contact_lcp(const golden_case *c)
{
    stage s;
    double *J = NULL;
    double *A = NULL;
    size_t n = 0;
    size_t nv = 0;
    perp_result *r = NULL;

    open_contacts(&s, c);
    n = s.system.rows.count;
    nv = 6 * s.world->body_count;
    CU_ASSERT_EQUAL((double)s.system.problem.n, golden_real(c->out, "n"));
    CU_ASSERT_EQUAL((double)n, golden_real(c->out, "nrow"));
    J = test_alloc(n * nv, sizeof *J);
    for (size_t k = 0; k < n; k++) {
        stage_spread(&s, k, J + k * nv);
    }
    golden_agree(c, "J", J, n * nv);
    A = stage_matrix(&s);
    golden_agree(c, "A", A, s.system.problem.n * s.system.problem.n);
    golden_agree(c, "b", s.system.problem.b, s.system.problem.n);
    golden_agree(c, "u_free", s.u_free, nv);
    for (size_t k = 0; k < s.system.problem.n; k++) { /* lo = 0, hi infinite */
        CU_ASSERT_EQUAL(s.system.problem.set->blocks[k].kind, PERP_SET_NONNEG);
    }
    r = stage_solve(&s, "lemke");
    golden_agree(c, "u_plus", s.u_plus, nv);
    CU_ASSERT(r->residual <= 1e-12); /* what was asked for */
    stage_close(&s);
}

TEST(rows_matrix_and_velocities_are_the_golden_ones)
{
    golden_each("contact_lcp", NULL, check_contact_lcp);
}

/* C F: forces F_k at p_k on body j_k, -F_k on i_k, summed body by body. */
static void sum_forces(const stage *s, const double (*F)[3], double *out)
{
    memset(out, 0, 6 * s->world->body_count * sizeof *out);
    for (size_t k = 0; k < s->contacts.count; k++) {
        const perp_contact *c = &s->contacts.at[k];
        const int32_t bodies[2] = {c->i, c->j};

        for (int side = 0; side < 2; side++) {
            const size_t b = (size_t)bodies[side];
            const double sign = side == 0 ? -1.0 : 1.0;
            double arm[3];
            double torque[3];

            vec3_subtract(c->point, perp_body_pose(s->world->start, b), arm);
            vec3_cross(arm, F[k], torque);
            vec3_add(out + 6 * b, sign, F[k], out + 6 * b);
            vec3_add(out + 6 * b + 3, sign, torque, out + 6 * b + 3);
        }
    }
}

/* J^T lambda over all bodies, moving or not. */
static void transposed(const stage *s, const double *lambda, double *out)
{
    const size_t nv = 6 * s->world->body_count;
    double row[64];

    memset(out, 0, nv * sizeof *out);
    for (size_t r = 0; r < s->system.rows.count; r++) {
        stage_spread(s, r, row);
        for (size_t k = 0; k < nv; k++) {
            out[k] += row[k] * lambda[r];
        }
    }
}

TEST(impulses_of_rows_are_forces_summed_over_contacts)
{
    stage s;
    double lambda[64];
    double F[5][3];
    double a[18];
    double b[18];
    perp_random g = {3};
    const size_t eta = 6;

    stage_open_pile(&s, PERP_MODEL_PYRAMID, PERP_STORAGE_CSR);
    for (size_t k = 0; k < 5; k++) {
        const perp_contact *c = &s.contacts.at[k];
        double t1[3];
        double t2[3];
        double d[18];

        perp_tangents(c->normal, t1, t2);
        pyramid_directions(t1, t2, (unsigned)eta, d);
        vec3_set(F[k], 0.0, 0.0, 0.0);
        for (size_t h = 0; h <= eta; h++) { /* f_k n + D_k beta_k */
            double *z = &lambda[k * (eta + 1) + h];

            *z = perp_random_uniform(&g, 0.0, 1.0);
            vec3_add(F[k], *z, h == 0 ? c->normal : d + 3 * (h - 1), F[k]);
        }
    }
    sum_forces(&s, (const double(*)[3])F, a);
    transposed(&s, lambda, b);
    test_agree("J^T lambda", b, a, 18, 1e-13); /* sums of 35 numbers near 1 */
    stage_close(&s);
}

TEST(rows_conserve_momentum_about_any_point)
{
    stage s;
    const double o[3] = {0.3, -2.0, 5.0};

    stage_open_pile(&s, PERP_MODEL_BOX, PERP_STORAGE_FACTORED);
    for (size_t r = 0; r < s.system.rows.count; r++) {
        const double *J = s.system.rows.J + 12 * r;
        const perp_contact *c = &s.contacts.at[r / 3];
        double arm[3];
        double t[3];
        double L[3];

        CU_ASSERT(J[0] == -J[6] && J[1] == -J[7] && J[2] == -J[8]);
        vec3_subtract(perp_body_pose(s.world->start, (size_t)c->i), o, arm);
        vec3_cross(arm, J, t);
        vec3_add(t, 1.0, J + 3, L);
        vec3_subtract(perp_body_pose(s.world->start, (size_t)c->j), o, arm);
        vec3_cross(arm, J + 6, t);
        vec3_add(L, 1.0, t, L);
        vec3_add(L, 1.0, J + 9, L);
        CU_ASSERT(vec3_length(L) <= 1e-14); /* a sum of arms up to 6 m, rounded */
    }
    stage_close(&s);
}

/* n.(p_j - p_i) of the material points that meet, fixed to their bodies. */
typedef struct contact_query {
    int32_t i, j;
    double a_i[3], a_j[3], n[3];
} contact_query;

static double distance_along(const perp_world *world, void *context)
{
    const contact_query *m = context;
    double p_i[3];
    double p_j[3];

    perp_body_point(world->start, (size_t)m->i, m->a_i, p_i);
    perp_body_point(world->start, (size_t)m->j, m->a_j, p_j);
    vec3_subtract(p_j, p_i, p_j);
    return vec3_dot(m->n, p_j);
}

TEST(rows_give_the_rate_at_which_points_part)
{
    stage s;

    stage_open_pile(&s, PERP_MODEL_FRICTIONLESS, PERP_STORAGE_FACTORED);
    for (size_t k = 0; k < s.contacts.count; k++) {
        const perp_contact *c = &s.contacts.at[k];
        contact_query m = {.i = c->i, .j = c->j};
        double rate = perp_row_rate(s.system.rows.J + 12 * k,
                                    perp_body_velocity(s.world->start, (size_t)c->i),
                                    perp_body_velocity(s.world->start, (size_t)c->j));
        double J[12];
        double found = 0.0;

        vec3_copy(m.n, c->normal);
        vec3_subtract(c->point, perp_body_pose(s.world->start, (size_t)c->i), m.a_i);
        vec3_subtract(c->point, perp_body_pose(s.world->start, (size_t)c->j), m.a_j);
        perp_quat_rotate_back(perp_body_pose(s.world->start, (size_t)c->i) + 3, m.a_i,
                              m.a_i);
        perp_quat_rotate_back(perp_body_pose(s.world->start, (size_t)c->j) + 3, m.a_j,
                              m.a_j);
        found = test_rate(s.world, distance_along, &m, 1e-5);
        test_agree("rate", &found, &rate, 1, 1e-9); /* h^2 w^3, and eps/h */
        contact_row_of(s.world->start, c, c->normal, J);
        test_agree("J", J, s.system.rows.J + 12 * k, 12, 0.0);
    }
    stage_close(&s);
}

TEST(directions_of_a_pyramid_are_even_and_sum_to_zero)
{
    const double n[3] = {0.6, 0.0, 0.8};
    double t1[3];
    double t2[3];
    double d[3 * 64];

    perp_tangents(n, t1, t2);
    for (unsigned eta = 4; eta <= 64; eta += 2) {
        double sum[3] = {0.0, 0.0, 0.0};

        pyramid_directions(t1, t2, eta, d);
        for (unsigned h = 0; h < eta; h++) {
            const double *opposite = d + 3 * (size_t)((h + eta / 2) % eta);
            const double *own = d + 3 * (size_t)h;

            vec3_add(sum, 1.0, own, sum);
            CU_ASSERT_DOUBLE_EQUAL(vec3_length(own), 1.0, 1e-15);
            CU_ASSERT_DOUBLE_EQUAL(vec3_dot(own, n), 0.0, 1e-15);
            CU_ASSERT_DOUBLE_EQUAL(vec3_dot(own, opposite), -1.0, 1e-15);
        }
        CU_ASSERT(vec3_length(sum) <= 1e-14); /* 64 roundings of 1e-16 */
    }
}

TEST(contact_frames_are_right_handed)
{
    stage s;

    stage_open_pile(&s, PERP_MODEL_CONE, PERP_STORAGE_FACTORED);
    for (size_t k = 0; k < s.contacts.count; k++) {
        double made[3][12], cross[3];
        const double *row[3];

        for (size_t i = 0; i < 3; i++) {
            row[i] = perp_rows_row(&s.system.rows, 3 * k + i, made[i]);
        }
        vec3_cross(row[1] + 6, row[2] + 6, cross); /* t1 x t2 */
        test_agree("n", cross, row[0] + 6, 3, 1e-15);
        test_agree("the contact's normal", row[0] + 6, s.contacts.at[k].normal, 3, 0.0);
    }
    stage_close(&s);
}

static double bias_at(const perp_scheme *scheme, double gap, double e, double c_n)
{
    const perp_contact c = {.gap = gap, .restitution = e};
    const rows_target t = rows_contact_target(&c, scheme, c_n);

    /* the parts are exact but for one rounding of their difference */
    CU_ASSERT_DOUBLE_EQUAL(t.bias_position + t.bias_restitution, t.bias, 1e-15);
    return t.bias;
}

/* dt = 1/64 and erp = 1/4: k_cor = 16 exactly. */
TEST(the_bias_corrects_penetration_and_allows_a_gap_to_close)
{
    perp_scheme s;

    perp_scheme_default(&s);
    s.dt = 1.0 / 64.0;
    s.erp = 0.25;
    CU_ASSERT_EQUAL(bias_at(&s, 0.5, 0.0, 0.0), -32.0);     /* -gap/dt */
    CU_ASSERT_EQUAL(bias_at(&s, 0.5, 1.0, -3.0), -32.0);    /* no touch in this step */
    CU_ASSERT_EQUAL(bias_at(&s, 0.03125, 0.5, -3.0), 1.5);  /* touch: the rebound now */
    CU_ASSERT_EQUAL(bias_at(&s, 0.03125, 0.0, -3.0), -2.0); /* nothing to rebound */
    CU_ASSERT_EQUAL(bias_at(&s, 0.0, 0.0, -3.0), 0.0);
    CU_ASSERT_EQUAL(bias_at(&s, -0.5, 0.0, 0.0), 8.0);
    s.slop = 0.25;
    CU_ASSERT_EQUAL(bias_at(&s, -0.5, 0.0, 0.0), 4.0);
    CU_ASSERT_EQUAL(bias_at(&s, -0.125, 0.0, 0.0), 0.0);
    s.max_correction = 1.0;
    CU_ASSERT_EQUAL(bias_at(&s, -0.5, 0.0, 0.0), 1.0);
    for (int k = PERP_STABILIZE_SPLIT; k <= PERP_STABILIZE_NONE; k++) {
        s.stabilize = (perp_stabilize)k;
        CU_ASSERT_EQUAL(bias_at(&s, -0.5, 0.0, 0.0), 0.0);
        CU_ASSERT_EQUAL(bias_at(&s, 0.5, 0.0, 0.0), -32.0);
    }
}

TEST(the_bias_combines_restitution_as_asked)
{
    perp_scheme s;

    perp_scheme_default(&s);
    s.dt = 1.0 / 64.0;
    s.erp = 0.25;
    s.threshold = 0.25;
    CU_ASSERT_EQUAL(bias_at(&s, 0.0, 0.5, -4.0), 2.0);
    CU_ASSERT_EQUAL(bias_at(&s, 0.0, 0.5, -0.25), 0.0);    /* too slow */
    CU_ASSERT_EQUAL(bias_at(&s, 0.0, 0.5, 4.0), 0.0);      /* already parting */
    CU_ASSERT_EQUAL(bias_at(&s, -0.5, 0.5, -4.0), 8.0);    /* max(8, 2) */
    CU_ASSERT_EQUAL(bias_at(&s, -0.0625, 0.5, -4.0), 2.0); /* max(1, 2) */
    s.bias = PERP_BIAS_SUM;
    CU_ASSERT_EQUAL(bias_at(&s, -0.5, 0.5, -4.0), 10.0);
    s.bias = PERP_BIAS_MAX;
    s.restitution = PERP_RESTITUTION_MOREAU;
    CU_ASSERT_EQUAL(bias_at(&s, 0.0, 0.5, -4.0), 2.0);
    CU_ASSERT_EQUAL(bias_at(&s, 0.0, 0.5, 4.0), -2.0); /* c+ + e c- >= 0 */
    CU_ASSERT_EQUAL(bias_at(&s, -0.5, 0.5, 4.0), 8.0); /* the correction holds */
    s.restitution = PERP_RESTITUTION_POISSON;
    CU_ASSERT_EQUAL(bias_at(&s, 0.0, 0.5, -4.0), 0.0);
}

TEST(a_contact_may_have_an_erp_of_its_own)
{
    const perp_contact c = {.gap = -0.5, .erp = 0.5};
    perp_scheme s;

    perp_scheme_default(&s);
    s.dt = 1.0 / 64.0;
    CU_ASSERT_EQUAL(rows_contact_target(&c, &s, 0.0).bias, 16.0);
}

/* A disc on a line: n = (0, 1), t = e_z x n = (-1, 0). J_t u of w about z at the arm (0,
 * -r) is -(v_x + w r). */
TEST(the_plane_has_one_tangent)
{
    const double point[3] = {0.0, 0.0, 0.0};
    const double up[3] = {0.0, 1.0, 0.0};
    const perp_model models[] = {PERP_MODEL_CONE, PERP_MODEL_BOX, PERP_MODEL_PYRAMID};
    double v[3] = {0.0, 0.0, 0.0};

    for (int k = 0; k < 3; k++) {
        perp_body disc = {.name = "disc", .mass = 2.0, .r = {0.0, 0.5, 0.0}};
        perp_world *world = test_world(2, 9.81);
        stage s;

        test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
        vec3_set(disc.v, 3.0, 0.0, 0.0);
        disc.inertia[0] = disc.inertia[4] = 0.25;
        disc.inertia[8] = perp_inertia_disc(2.0, 0.5);
        OK(perp_world_add_body(world, &disc, NULL, NULL));
        stage_open(&s, world);
        stage_touch(&s, 0, 1, point, up, 0.0, 0.25);
        s.scheme.model = models[k];
        stage_formulate(&s);
        CU_ASSERT_EQUAL(s.system.rows.count, models[k] == PERP_MODEL_PYRAMID ? 3 : 2);
        CU_ASSERT_EQUAL(s.system.rows.J[12 + 6], -1.0);
        CU_ASSERT_EQUAL(s.system.rows.J[12 + 11], -0.5);
        CU_ASSERT_EQUAL(s.system.rows.J[12 + 9], 0.0);
        perp_result_free(stage_solve(&s, k == 2 ? "lemke" : "nsgs"));
        v[k] = s.u_plus[6];
        /* slides: v_x = 3 - mu g dt */
        CU_ASSERT_DOUBLE_EQUAL(v[k], 3.0 - 0.25 * 9.81 / 60.0, 1e-12);
        stage_close(&s);
    }
}

TEST(impossible_contacts_are_refused)
{
    stage s;
    perp_error err = {0};

    stage_open_pile(&s, PERP_MODEL_CONE, PERP_STORAGE_CSR);
    s.contacts.at[1].j = 1;
    CU_ASSERT_EQUAL(perp_rows_write(&s.system.rows, s.world, s.world->start, &s.contacts,
                                    &s.scheme, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "contact 1 is between bodies 1 and 1"));
    s.contacts.at[1].j = 7;
    CU_ASSERT_EQUAL(perp_rows_write(&s.system.rows, s.world, s.world->start, &s.contacts,
                                    &s.scheme, NULL),
                    PERP_ERR_DATA);
    s.contacts.at[1].j = 2;
    s.contacts.at[1].cfm = -1.0;
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_rows_write(&s.system.rows, s.world, s.world->start, &s.contacts,
                                    &s.scheme, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "rows: cfm of contact 1 is -1, expected a number >= 0 "
                           "[(m/s)/N]");
    s.contacts.at[1].cfm = 0.0;
    s.scheme.dt = -1.0;
    CU_ASSERT_EQUAL(perp_rows_write(&s.system.rows, s.world, s.world->start, &s.contacts,
                                    &s.scheme, NULL),
                    PERP_ERR_OPTION);
    stage_close(&s);
}
