/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/capture.c: problems exported from a step, local and global. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/reform.h>

#include "formulated_world.h"
#include "scarce.h"

/* The pile with a ball joint between its moving bodies; the fixed one is driven. */
static void open_joined(stage *s, perp_model model, perp_storage storage)
{
    const double at[3] = {0.1, 0.2, -0.3};
    perp_joint ball = {.name = "neck", .i = 1, .j = 2};

    stage_open_pile(s, model, storage);
    s->world->motion[0] = PERP_MOTION_KINEMATIC;
    s->world->start->u[1] = 0.3;
    s->world->start->u[5] = -0.2;
    ball.type = perp_joint_type_find("spherical");
    OK(perp_joint_attach(&ball, s->world, s->world->start, at, NULL, NULL, NULL));
    OK(perp_world_add_joint(s->world, &ball, NULL, NULL));
    stage_formulate(s);
}

TEST(an_exported_problem_is_the_same_and_outlives_the_step)
{
    const perp_model models[] = {PERP_MODEL_CONE, PERP_MODEL_PYRAMID, PERP_MODEL_BOX};

    for (int k = 0; k < 3; k++) {
        stage s;
        perp_problem *p = NULL;
        double *A = NULL;
        double b[64];
        size_t n = 0;

        open_joined(&s, models[k], PERP_STORAGE_FACTORED);
        n = s.system.problem.n;
        A = stage_matrix(&s);
        memcpy(b, s.system.problem.b, n * sizeof *b);
        OK(perp_system_export(&s.system, s.world, &s.contacts, PERP_STORAGE_BSR, &p,
                              NULL));
        CU_ASSERT_EQUAL(perp_problem_kind(p), perp_problem_kind(&s.system.problem));
        CU_ASSERT_EQUAL(p->set->count, s.system.problem.set->count);
        CU_ASSERT_EQUAL(p->law, s.system.problem.law);
        stage_close(&s);
        OK(perp_problem_check(p, NULL));
        CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_CSR);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) { /* the same products in another order */
                CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(p->A, i, j), A[i * n + j],
                                       1e-14);
            }
        }
        test_agree("b", p->b, b, n, 0.0);
        CU_ASSERT_PTR_NOT_NULL(strstr(p->description, "row 0: spherical neck: "));
        CU_ASSERT_PTR_NOT_NULL(
            strstr(p->description, "row 3: contact body 0/body 1: normal\n"));
        CU_ASSERT_PTR_NOT_NULL(strstr(p->title, perp_model_names[models[k]]));
        perp_problem_free(p);
    }
}

/* The pyramid has rows that are not of that form: its matrix is in rows, as in the step. */
TEST(a_problem_is_exported_in_the_factors_of_its_step)
{
    const perp_model models[] = {PERP_MODEL_CONE, PERP_MODEL_PYRAMID};

    for (int k = 0; k < 2; k++) {
        stage s;
        perp_problem *p = NULL;
        perp_operator *A = NULL;

        open_joined(&s, models[k], PERP_STORAGE_FACTORED);
        OK(perp_operator_copy(&A, s.system.problem.A, NULL));
        OK(perp_system_export(&s.system, s.world, &s.contacts, PERP_STORAGE_FACTORED, &p,
                              NULL));
        stage_close(&s);
        OK(perp_problem_check(p, NULL));
        CU_ASSERT_EQUAL(perp_operator_in_factors(p->A), k == 0);
        CU_ASSERT_TRUE(perp_operator_same(p->A, A));
        perp_problem_free(p);
    }
}

TEST(contacts_alone_are_exported_in_blocks)
{
    stage s;
    perp_problem *p = NULL;

    stage_open_pile(&s, PERP_MODEL_CONE, PERP_STORAGE_DENSE);
    OK(perp_system_export(&s.system, s.world, &s.contacts, PERP_STORAGE_BSR, &p, NULL));
    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_BSR);
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_FC3D);
    perp_problem_free(p);
    stage_close(&s);
}

/* Contacts first: row r of the global problem is row order(r) of the step. */
static void check_global(stage *s, size_t joints)
{
    const size_t n = s->system.problem.n;
    perp_problem *p = NULL;
    perp_reform *reform = NULL;
    const perp_problem *local = NULL;
    double *A = stage_matrix(s);

    OK(perp_system_export_global(&s->system, s->world, &s->contacts, &p, NULL));
    CU_ASSERT_EQUAL_FATAL(p->n, n);
    CU_ASSERT_EQUAL(p->global->H->cols, n - joints);
    CU_ASSERT_EQUAL(p->global->M->rows, s->world->dimension == 2 ? 3 : 12);
    OK(perp_problem_check(p, NULL));
    OK(perp_reform_condense(&reform, p, NULL));
    local = reform->to;
    for (size_t i = 0; i < n; i++) {
        const size_t from = i < n - joints ? i + joints : i - (n - joints);

        /* M is inverted twice: digits lost to its condition, below 100 */
        CU_ASSERT_DOUBLE_EQUAL(local->b[i], s->system.problem.b[from], 1e-12);
        for (size_t j = 0; j < n; j++) {
            const size_t to = j < n - joints ? j + joints : j - (n - joints);

            CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(local->A, i, j), A[from * n + to],
                                   1e-12);
        }
    }
    perp_problem_free(p);
}

TEST(a_global_problem_condenses_to_the_local_one)
{
    const perp_model models[] = {PERP_MODEL_CONE, PERP_MODEL_ASSOCIATED, PERP_MODEL_BOX,
                                 PERP_MODEL_FRICTIONLESS};
    stage s;

    for (int k = 0; k < 4; k++) {
        open_joined(&s, models[k], PERP_STORAGE_DENSE);
        check_global(&s, 3);
        stage_close(&s);
        stage_open_pile(&s, models[k], PERP_STORAGE_DENSE);
        check_global(&s, 0);
        stage_close(&s);
    }
    open_joined(&s, PERP_MODEL_CONE, PERP_STORAGE_DENSE); /* joints alone */
    s.contacts.count = 0;
    stage_formulate(&s);
    check_global(&s, 3);
    stage_close(&s);
}

TEST(a_global_problem_of_the_plane_has_three_velocities_a_body)
{
    const double point[3] = {0.0, 0.0, 0.0};
    const double up[3] = {0.0, 1.0, 0.0};
    perp_body disc = {.name = "disc",
                      .mass = 2.0,
                      .r = {0.0, 0.5, 0.0},
                      .v = {1.0, -1.0, 0.0},
                      .w = {0.0, 0.0, 2.0}};
    perp_world *world = test_world(2, 9.81);
    stage s;

    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    disc.inertia[0] = disc.inertia[4] = 0.125;
    disc.inertia[8] = 0.25;
    OK(perp_world_add_body(world, &disc, NULL, NULL));
    stage_open(&s, world);
    stage_touch(&s, 0, 1, point, up, -0.01, 0.25);
    stage_formulate(&s);
    check_global(&s, 0);
    stage_close(&s);
}

static void refused(stage *s, const char *word)
{
    perp_problem *p = NULL;
    perp_error err = {0};

    stage_formulate(s);
    CU_ASSERT_EQUAL(
        perp_system_export_global(&s->system, s->world, &s->contacts, &p, &err),
        PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NULL(p);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, word));
}

TEST(a_problem_without_a_global_form_is_refused)
{
    stage s;
    perp_joint *joint = NULL;

    open_joined(&s, PERP_MODEL_PYRAMID, PERP_STORAGE_DENSE);
    refused(&s, "pyramid");
    s.scheme.model = PERP_MODEL_CONE;
    joint = &s.world->joints[0];
    joint->cfm = 1e-3;
    refused(&s, "soft");
    joint->cfm = 0.0;
    joint->type = perp_joint_type_find("rope");
    joint->length = 0.1;
    joint->anchor_j[0] += 0.05;
    refused(&s, "limits or motors");
    stage_close(&s);
}

TEST(a_system_that_was_not_formulated_is_not_exported)
{
    stage s;
    perp_problem *p = NULL;
    perp_error err = {0};

    stage_open(&s, test_random_world(2, 1));
    CU_ASSERT_EQUAL(
        perp_system_export(&s.system, s.world, &s.contacts, PERP_STORAGE_BSR, &p, &err),
        PERP_ERR_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected a formulated problem"));
    CU_ASSERT_EQUAL(perp_system_export_global(&s.system, s.world, &s.contacts, &p, NULL),
                    PERP_ERR_ARGUMENT);
    stage_close(&s);
}

/* The label of contact k, whose block begins at `row` of the step. */
static void is_contact(const perp_label *l, const stage *s, size_t k, size_t row,
                       const char *name)
{
    const perp_contact *c = &s->contacts.at[k];

    CU_ASSERT_EQUAL(l->kind, PERP_LABEL_CONTACT);
    CU_ASSERT_STRING_EQUAL(l->name, name);
    CU_ASSERT_STRING_EQUAL(l->body[0], s->world->name[c->i]);
    CU_ASSERT_STRING_EQUAL(l->body[1], s->world->name[c->j]);
    CU_ASSERT_PTR_NULL(l->joint);
    CU_ASSERT_EQUAL(l->index, k);
    CU_ASSERT_TRUE(l->placed);
    test_agree("point", l->point, c->point, 3, 0.0);
    test_agree("normal", l->normal, c->normal, 3, 0.0);
    CU_ASSERT_EQUAL(l->gap, c->gap);
    CU_ASSERT_EQUAL(l->mu, c->mu);
    for (size_t i = 0; i < s->system.problem.set->count; i++) {
        if (s->system.problem.set->blocks[i].first == row) {
            CU_ASSERT_EQUAL(l->key, s->system.keys[i]);
        }
    }
}

static void is_joint(const perp_label *l, const char *name)
{
    CU_ASSERT_EQUAL(l->kind, PERP_LABEL_JOINT);
    CU_ASSERT_STRING_EQUAL(l->name, name);
    CU_ASSERT_STRING_EQUAL(l->joint, "neck");
    CU_ASSERT_STRING_EQUAL(l->body[0], "body 1");
    CU_ASSERT_STRING_EQUAL(l->body[1], "body 2");
    CU_ASSERT_FALSE(l->placed);
    CU_ASSERT_NOT_EQUAL(l->key, 0);
}

TEST(blocks_of_an_exported_problem_are_labelled)
{
    stage s;
    perp_problem *p = NULL;

    open_joined(&s, PERP_MODEL_CONE, PERP_STORAGE_FACTORED);
    OK(perp_system_export(&s.system, s.world, &s.contacts, PERP_STORAGE_BSR, &p, NULL));
    CU_ASSERT_EQUAL_FATAL(p->labels->count, 3 + s.contacts.count);
    is_joint(&p->labels->at[0], "spherical neck: x");
    is_contact(&p->labels->at[3], &s, 0, 3, "contact body 0/body 1");
    CU_ASSERT_STRING_EQUAL(p->origin->units, "z N s or N m s, w m/s or rad/s");
    CU_ASSERT_EQUAL(strncmp(p->origin->version, "perp ", 5), 0);
    perp_problem_free(p);
    /* contacts first */
    OK(perp_system_export_global(&s.system, s.world, &s.contacts, &p, NULL));
    is_contact(&p->labels->at[1], &s, 1, 6, p->labels->at[1].name);
    is_contact(&p->labels->at[0], &s, 0, 3, "contact body 0/body 1");
    is_joint(&p->labels->at[s.contacts.count + 2], "spherical neck: z");
    perp_problem_free(p);
    stage_close(&s);
}

TEST(each_row_of_a_pyramid_is_labelled)
{
    stage s;
    perp_problem *p = NULL;
    size_t rows = 0;

    open_joined(&s, PERP_MODEL_PYRAMID, PERP_STORAGE_CSR);
    rows = s.system.rows.count;
    OK(perp_system_export(&s.system, s.world, &s.contacts, PERP_STORAGE_BSR, &p, NULL));
    is_contact(&p->labels->at[3], &s, 0, 3, "contact body 0/body 1: normal");
    is_contact(&p->labels->at[4], &s, 0, 4, "contact body 0/body 1: d1");
    CU_ASSERT_EQUAL(p->labels->at[rows].kind, PERP_LABEL_AUXILIARY);
    CU_ASSERT_STRING_EQUAL(p->labels->at[rows].name, "contact body 0/body 1: auxiliary");
    perp_problem_free(p);
    stage_close(&s);
}

static perp_status export_both(void *context, perp_error *err)
{
    stage *s = context;
    perp_problem *p = NULL;
    perp_status status =
        perp_system_export(&s->system, s->world, &s->contacts, PERP_STORAGE_BSR, &p, err);

    perp_problem_free(p);
    if (status == PERP_OK) {
        status = perp_system_export_global(&s->system, s->world, &s->contacts, &p, err);
        perp_problem_free(p);
    }
    return status;
}

TEST(scarce_memory_is_survived)
{
    stage s;

    open_joined(&s, PERP_MODEL_CONE, PERP_STORAGE_FACTORED);
    scarce_everywhere(export_both, &s, "export");
    stage_close(&s);
}
