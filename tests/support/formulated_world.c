/* SPDX-License-Identifier: Apache-2.0
 * tests/support/formulated_world.c: a world, contacts placed by hand, and the problem they make. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulated_world.h"
#include "math/vec3.h"

enum { stage_contacts = 64 };

void stage_open(stage *s, perp_world *world)
{
    memset(s, 0, sizeof *s);
    s->world = world;
    perp_scheme_default(&s->scheme);
    s->u_free = calloc(6 * world->body_count + 1, sizeof(double));
    s->u_plus = calloc(6 * world->body_count + 1, sizeof(double));
    s->contacts.at = calloc(stage_contacts, sizeof *s->contacts.at);
    s->contacts.room = stage_contacts;
    CU_ASSERT_FATAL(s->u_free && s->u_plus && s->contacts.at);
}

void stage_close(stage *s)
{
    perp_system_clear(&s->system);
    free(s->contacts.at);
    free(s->u_free);
    free(s->u_plus);
}

perp_contact *stage_touch(stage *s, int32_t i, int32_t j, const double point[3],
                          const double normal[3], double gap, double mu)
{
    perp_contact *c = &s->contacts.at[s->contacts.count++];

    CU_ASSERT_FATAL(s->contacts.count <= stage_contacts);
    memset(c, 0, sizeof *c);
    c->i = i;
    c->j = j;
    memcpy(c->point, point, sizeof c->point);
    memcpy(c->normal, normal, sizeof c->normal);
    c->gap = gap;
    c->mu = mu;
    c->key = s->contacts.count;
    return c;
}

void stage_open_golden(stage *s, const golden_case *c)
{
    perp_world *world = test_world(3, 0.0);
    size_t index = 0;
    const json_t *body = NULL;

    json_array_foreach(json_object_get(c->in, "bodies"), index, body)
    {
        char name[32];

        snprintf(name, sizeof name, "body %zu", index);
        golden_body(world, name, body);
    }
    golden_reals(c->in, "gravity", 3, world->gravity);
    stage_open(s, world);
    s->scheme.dt = golden_real(c->in, "dt");
    s->scheme.erp = golden_real(c->in, "k_cor") * s->scheme.dt;
    s->scheme.model = PERP_MODEL_PYRAMID;
    s->scheme.storage = PERP_STORAGE_DENSE;
}

void stage_touch_golden(stage *s, const json_t *contact)
{
    double point[3];
    double normal[3];

    golden_reals(contact, "point", 3, point);
    golden_reals(contact, "normal", 3, normal);
    stage_touch(s, (int32_t)golden_real(contact, "i"), (int32_t)golden_real(contact, "j"),
                point, normal, golden_real(contact, "gap"), golden_real(contact, "mu"));
}

void stage_formulate_at(stage *s, const double *u_free)
{
    perp_error err = {0};
    perp_status status = perp_rows_write(&s->system.rows, s->world, s->world->start,
                                         &s->contacts, &s->scheme, &err);

    if (status == PERP_OK) {
        status = perp_system_formulate(&s->system, s->world, s->world->start, u_free,
                                       &s->contacts, &s->scheme, &err);
    }
    if (status != PERP_OK) {
        test_note("%s", err.text);
    }
    OK(status);
    OK(perp_problem_check(&s->system.problem, NULL));
}

void stage_formulate(stage *s)
{
    const size_t n = 6 * s->world->body_count;

    perp_world_forces(s->world, s->world->start, true, s->u_free);
    perp_world_accelerations(s->world, s->world->start, s->u_free, s->u_free);
    for (size_t k = 0; k < n; k++) {
        s->u_free[k] = s->world->start->u[k] + s->scheme.dt * s->u_free[k];
    }
    stage_formulate_at(s, s->u_free);
}

perp_result *stage_solve(stage *s, const char *solver)
{
    perp_result *r = test_solve(&s->system.problem, solver, "tolerance=1e-12", NULL);

    if (r->outcome != PERP_SOLVED) {
        test_note("%s: RES %.3g", solver, r->residual);
    }
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    perp_system_velocities(&s->system, r->z, s->u_plus);
    return r;
}

void stage_spread(const stage *s, size_t r, double *row)
{
    const perp_rows *rows = &s->system.rows;
    const perp_row_block *b = rows->blocks;
    size_t body[2];
    double made[12];
    const double *J = perp_rows_row(rows, r, made);

    while (r >= b->first + b->dim) {
        b++;
    }
    if (b->role == PERP_ROLE_CONTACT) {
        body[0] = (size_t)s->contacts.at[b->source].i;
        body[1] = (size_t)s->contacts.at[b->source].j;
    } else {
        body[0] = (size_t)s->world->joints[b->source].i;
        body[1] = (size_t)s->world->joints[b->source].j;
    }
    memset(row, 0, 6 * s->world->body_count * sizeof *row);
    for (size_t side = 0; side < 2; side++) {
        memcpy(row + 6 * body[side], J + 6 * side, 6 * sizeof *row);
    }
}

double *stage_product(const stage *s)
{
    const size_t n = s->system.rows.count;
    const size_t nv = 6 * s->world->body_count;
    double *J = test_alloc(n * nv + 1, sizeof *J);
    double *G = test_alloc(n * nv + 1, sizeof *G);
    double *A = test_alloc(n * n + 1, sizeof *A);

    CU_ASSERT_FATAL(J && G && A);
    for (size_t r = 0; r < n; r++) {
        stage_spread(s, r, J + r * nv);
        perp_world_accelerations(s->world, s->world->start, J + r * nv, G + r * nv);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k < nv; k++) {
                A[i * n + j] += J[i * nv + k] * G[j * nv + k];
            }
        }
    }
    return A;
}

double *stage_matrix(const stage *s)
{
    const size_t n = s->system.problem.n;
    double *A = test_alloc(n * n + 1, sizeof *A);

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            A[i * n + j] = perp_operator_entry(s->system.problem.A, i, j);
        }
    }
    return A;
}

perp_contact *stage_touch_somewhere(stage *s, perp_random *g, int32_t i, int32_t j,
                                    double gap, double mu)
{
    double n[3];
    double p[3];

    for (int c = 0; c < 3; c++) {
        n[c] = perp_random_uniform(g, -1.0, 1.0);
        p[c] = perp_random_uniform(g, -1.0, 1.0);
    }
    if (s->world->dimension == 2) {
        n[2] = p[2] = 0.0;
    }
    vec3_normalize(n);
    return stage_touch(s, i, j, p, n, gap, mu);
}

void stage_open_pile(stage *s, perp_model model, perp_storage storage)
{
    const int32_t pairs[5][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 1}, {2, 1}};
    perp_random g = {11};
    perp_world *world = test_random_world(3, 5);

    world->motion[0] = PERP_MOTION_STATIC;
    world->inverse_mass[0] = 0.0;
    memset(world->start->u, 0, 6 * sizeof *world->start->u);
    perp_world_refresh(world, world->start);
    stage_open(s, world);
    world->gravity[2] = -9.81;
    for (int k = 0; k < 5; k++) {
        stage_touch_somewhere(s, &g, pairs[k][0], pairs[k][1],
                              k == 1 ? 0.002 : -0.001 * k, 0.1 + 0.2 * k);
    }
    s->scheme.model = model;
    s->scheme.storage = storage;
    s->scheme.eta = 6;
    stage_formulate(s);
}
