/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/unified.c: joints, limits, motors and contacts in one boxed problem. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulated_world.h"

/* The hinge with its limit and motor, then contacts, as the golden file lists them. */
static void put_constraint(stage *s, perp_joint *hinge, const json_t *item)
{
    const char *kind = json_string_value(json_object_get(item, "kind"));
    perp_axis *axis = &hinge->axes[0];

    CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
    if (strcmp(kind, "hinge") == 0) {
        golden_joint(hinge, kind, item, (int32_t)golden_real(item, "i"),
                     (int32_t)golden_real(item, "j"));
    } else if (strcmp(kind, "hinge_limit_lo") == 0) {
        axis->has_lower = true;
        axis->lower = golden_real(item, "lo_limit");
    } else if (strcmp(kind, "hinge_motor") == 0) {
        axis->motor = PERP_MOTOR_VELOCITY;
        axis->target = golden_real(item, "v_desired");
        axis->max_force = golden_real(item, "max_force");
    } else {
        CU_ASSERT_STRING_EQUAL(kind, "contact");
        s->scheme.eta = (unsigned)golden_real(item, "eta");
        stage_touch_golden(s, item);
    }
}

static void open_unified(stage *s, const golden_case *c)
{
    perp_joint hinge;
    size_t index = 0;
    const json_t *item = NULL;

    stage_open_golden(s, c);
    json_array_foreach(json_object_get(c->in, "constraints"), index, item)
    {
        put_constraint(s, &hinge, item);
    }
    hinge.angular_cfm = hinge.cfm; /* one number for all rows */
    OK(perp_world_add_joint(s->world, &hinge, NULL, NULL));
    stage_formulate(s);
}

/* Bounds of all rows, auxiliary ones among them. */
static void bounds(const perp_set *set, double *lo, double *hi)
{
    for (size_t k = 0; k < set->count; k++) {
        perp_block_bounds(&set->blocks[k], NULL, &lo[k], &hi[k]);
    }
}

/* max |z - clamp(z - w, lo, hi)| */
static double natural(const double *z, const double *w, const double *lo,
                      const double *hi, size_t n)
{
    double most = 0.0;

    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs(z[k] - fmin(fmax(z[k] - w[k], lo[k]), hi[k])));
    }
    return most;
}

static void check_solver(stage *s, const golden_case *c, const char *solver)
{
    const size_t n = s->system.problem.n;
    double lo[16];
    double hi[16];
    perp_result *r = stage_solve(s, solver);

    bounds(s->system.problem.set, lo, hi);
    golden_agree(c, "u_plus", s->u_plus, 6 * s->world->body_count);
    if (s->contacts.count == 0) { /* auxiliary rows, and so their w, are not unique */
        golden_agree(c, "w", r->w, n);
    }
    CU_ASSERT(natural(r->z, r->w, lo, hi, n) <= 1e-10); /* RES 1e-12 times speeds */
    for (size_t k = 0; k < s->system.rows.count; k++) { /* w = J u+ - bias + soft z */
        const perp_rows *rows = &s->system.rows;
        double row[64];
        double w = rows->soft[k] * r->z[k] - rows->bias[k];

        stage_spread(s, k, row);
        for (size_t v = 0; v < 6 * s->world->body_count; v++) {
            w += row[v] * s->u_plus[v];
        }
        if (s->system.problem.n == rows->count || rows->contact_blocks == 0 ||
            k < rows->count - 5) { /* friction rows of a pyramid hold aux as well */
            CU_ASSERT_DOUBLE_EQUAL(w, r->w[k], 1e-11);
        }
    }
}

static void check_unified(const golden_case *c)
{
    stage s;
    double J[12 * 18];
    double lo[16];
    double hi[16];
    double *A = NULL;
    size_t n = 0;
    size_t nv = 0;

    open_unified(&s, c);
    n = s.system.problem.n;
    nv = 6 * s.world->body_count;
    CU_ASSERT_EQUAL_FATAL((double)n, golden_real(c->out, "n"));
    CU_ASSERT_EQUAL_FATAL((double)s.system.rows.count, golden_real(c->out, "nrow"));
    for (size_t k = 0; k < s.system.rows.count; k++) {
        stage_spread(&s, k, J + k * nv);
    }
    golden_agree(c, "J", J, s.system.rows.count * nv);
    A = stage_matrix(&s);
    golden_agree(c, "A", A, n * n);
    golden_agree(c, "b", s.system.problem.b, n);
    bounds(s.system.problem.set, lo, hi);
    golden_agree(c, "lo", lo, n);
    golden_agree(c, "hi", hi, n);
    golden_agree(c, "u_free", s.u_free, nv);
    check_solver(&s, c, "lemke");
    if (s.contacts.count == 0) { /* the others want a symmetric matrix */
        check_solver(&s, c, "dantzig");
        check_solver(&s, c, "ipm");
    }
    stage_close(&s);
}

TEST(rows_matrix_bounds_and_velocities_are_the_golden_ones)
{
    golden_each("unified", NULL, check_unified);
}

/* Joint, limit, motor, contact: the order of blocks, their sets and names. */
static void check_blocks(const golden_case *c)
{
    const perp_role roles[] = {PERP_ROLE_JOINT, PERP_ROLE_LIMIT, PERP_ROLE_MOTOR,
                               PERP_ROLE_CONTACT};
    const char *names[] = {"revolute hinge: ", "limit hinge (lower)", "motor hinge",
                           "contact body 0/body 2: normal"};
    stage s;

    open_unified(&s, c);
    CU_ASSERT_EQUAL(s.system.rows.block_count, 3 + s.contacts.count);
    for (size_t k = 0; k < s.system.rows.block_count; k++) {
        const perp_row_block *b = &s.system.rows.blocks[k];
        char name[64];

        CU_ASSERT_EQUAL(b->role, roles[k]);
        perp_system_name(&s.system, s.world, &s.contacts, b->first, name, sizeof name);
        CU_ASSERT_EQUAL(strncmp(name, names[k], strlen(names[k])), 0);
    }
    CU_ASSERT_EQUAL(s.system.problem.set->blocks[0].kind, PERP_SET_FREE);
    CU_ASSERT_EQUAL(s.system.problem.set->blocks[5].kind, PERP_SET_NONNEG);
    CU_ASSERT_EQUAL(s.system.problem.set->blocks[6].kind, PERP_SET_BOX);
    stage_close(&s);
}

TEST(blocks_come_in_the_order_of_the_contract)
{
    golden_each("unified", NULL, check_blocks);
}

/* Softness on the diagonal is there in every storage; the same velocities come out. */
static void check_storages(const golden_case *c)
{
    const perp_storage storages[] = {PERP_STORAGE_CSR, PERP_STORAGE_BSR,
                                     PERP_STORAGE_FACTORED};
    stage s;
    double *A = NULL;

    open_unified(&s, c);
    A = stage_matrix(&s);
    for (int k = 0; k < 3; k++) {
        double *B = NULL;

        s.scheme.storage = storages[k];
        stage_formulate(&s);
        B = stage_matrix(&s);
        /* the same products, summed in another order: entries up to 10 */
        test_agree("A", B, A, s.system.problem.n * s.system.problem.n, 1e-14);
        perp_result_free(stage_solve(&s, "lemke"));
        golden_agree(c, "u_plus", s.u_plus, 6 * s.world->body_count);
    }
    stage_close(&s);
}

TEST(storages_agree_with_joints_and_softness)
{
    golden_each("unified", NULL, check_storages);
}
