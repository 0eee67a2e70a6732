/* SPDX-License-Identifier: Apache-2.0
 * step/poisson.c: restitution by Poisson's law: the impulses of compression are returned
 * in part.
 *
 * Compression: the problem without restitution gives impulses z and velocities u_c.
 * Expansion [glocker-pfeiffer-1995], [anitescu-potra-1997]: every contact returns at
 * least e times the normal impulse of its compression,
 *
 *     p_n = e z_n + d_n,    0 <= d_n  _|_  J_n u+ - bias >= 0
 *
 * so u_c + M^-1 J_n^T e z_n is the free velocity of a second problem, with the same A,
 * for the additional impulses d, where joints, limits and motors act once more. The two
 * problems agree with Newton's law for one contact; for several, impulses that passed
 * through a contact at rest are returned as well, unlike with Newton's law.
 *
 * Friction goes on, bounded by mu p_n (step/expansion.c). Without a solver, the same
 * number of sweeps of projected Gauss-Seidel replaces sequential impulses, to which they
 * are equivalent.
 *
 * Both halves are those of an impact, without loads and corrections of positions (step/impact.c),
 * so that only what stops the approach is returned. If a gap closes within the step, compression
 * continues to rest, not only to the speed that closes it: otherwise the part of the approach
 * that is stopped later would not be returned.
 *
 * Only islands are expanded (bodies linked by rows with impulses, through bodies that impulses
 * move, or of one tree in reduced coordinates) in which a contact or a limit was approached
 * faster than the threshold. */
#include <config.h>

#include <math.h>

#include "base/base.h"
#include "step/expansion.h"
#include "step/ledger.h"
#include "step/solve.h"

static int32_t poisson_leader(int32_t *island, int32_t k)
{
    while (island[k] != k) {
        island[k] = island[island[k]]; /* halve the path */
        k = island[k];
    }
    return k;
}

/* The smaller number leads, so that leaders do not depend on the order of rows. */
static void poisson_join(int32_t *island, int32_t a, int32_t b)
{
    if (a < 0 || b < 0) {
        return;
    }
    a = poisson_leader(island, a);
    b = poisson_leader(island, b);
    island[a > b ? a : b] = a > b ? b : a;
}

static void poisson_find_islands(perp_stepper *st, const double *z)
{
    const perp_rows *rows = &st->system.rows;
    const perp_reduced *reduced = st->world->reduced;
    int32_t *island = st->bodies.island;

    for (size_t k = 0; k < st->world->body_count; k++) {
        island[k] = (int32_t)k;
    }
    for (size_t k = 0; reduced && k < reduced->tree->count; k++) {
        const int32_t parent = reduced->tree->links[k].parent;

        poisson_join(island, reduced->body[k], parent < 0 ? -1 : reduced->body[parent]);
    }
    for (size_t r = 0; r < rows->count; r++) {
        if (z[r] != 0.0) {
            const int32_t *body = perp_rows_bodies(rows, r);

            poisson_join(island, body[0], body[1]);
        }
    }
    for (size_t k = 0; k < rows->second_count; k++) {
        const perp_row_second *second = &rows->seconds[k];
        const int32_t *first = perp_rows_bodies(rows, second->row);

        if (z[second->row] != 0.0) {
            poisson_join(island, second->body[0], second->body[1]);
            poisson_join(island, first[first[0] < 0], second->body[second->body[0] < 0]);
        }
    }
}

/* Rows with an impact, and velocities u before it. */
typedef struct impacts {
    const perp_world *world;
    const perp_rows *rows;
    const perp_contacts *contacts;
    const double *u;
} impacts;

static impacts poisson_impacts_of(const perp_stepper *st)
{
    return (impacts){st->world, &st->system.rows, &st->contacts, st->user->u};
}

/* Of a contact or a limit: its restitution and how fast it separated before the step. */
static bool impact_of(const impacts *a, const perp_row_block *block, double *e,
                      double *rate)
{
    int32_t i = -1;
    int32_t j = -1;
    double made[12];

    if (block->role == PERP_ROLE_CONTACT) {
        const perp_contact *c = &a->contacts->at[block->source];

        i = c->i;
        j = c->j;
        *e = c->restitution;
    } else if (block->role == PERP_ROLE_LIMIT && block->side != 0) {
        const perp_joint *joint = &a->world->joints[block->source];

        i = joint->i;
        j = joint->j;
        *e = joint->axes[block->axis].restitution;
    } else {
        return false;
    }
    *rate = perp_row_rate(perp_rows_row(a->rows, block->first, made),
                          a->u + 6 * (size_t)i, a->u + 6 * (size_t)j);
    return true;
}

static int32_t island_of(const perp_stepper *st, size_t row)
{
    const int32_t *body = perp_rows_bodies(&st->system.rows, row);

    return poisson_leader(st->bodies.island, body[0] < 0 ? body[1] : body[0]);
}

/* rows.z_returned := e z_n of the contacts and limits of islands with an impact; whether there
 * is any. The flags of leaders use bodies.u_pseudo, which is free until positions are
 * corrected. */
static bool poisson_give_back(perp_stepper *st, const double *z)
{
    const impacts a = poisson_impacts_of(st);
    const perp_rows *rows = &st->system.rows;
    double *impact = st->bodies.u_pseudo;
    double *given = st->rows.z_returned;
    double e = 0.0;
    double rate = 0.0;
    bool any = false;

    poisson_find_islands(st, z);
    memset(impact, 0, st->world->body_count * sizeof *impact);
    memset(given, 0, st->system.problem.n * sizeof *given);
    for (size_t k = 0; k < rows->block_count; k++) {
        if (impact_of(&a, &rows->blocks[k], &e, &rate) && rate < -st->scheme.threshold) {
            impact[island_of(st, rows->blocks[k].first)] = 1.0;
        }
    }
    for (size_t k = 0; k < rows->block_count; k++) {
        size_t r = rows->blocks[k].first;

        if (impact_of(&a, &rows->blocks[k], &e, &rate) && z[r] > 0.0 &&
            impact[island_of(st, r)] != 0.0) {
            given[r] = e * z[r];
            any = any || given[r] > 0.0;
        }
    }
    return any;
}

/* What is left of a rate when two cancel to this share is rounding, of products of arms and spins that may be
 * a hundred times as large: it is 0, or a contact that sticks would give a problem of rounding errors. */
static const double rounding = 1e-13;

/* Free velocity of the second problem: rates of u less what the first one called bias,
 * and impulses already there in soft and auxiliary rows. */
static void poisson_expansion_b(perp_stepper *st, const double *u, double *b)
{
    const perp_rows *rows = &st->system.rows;
    const perp_problem *p = &st->system.problem;

    step_rates(rows, st->system.u_free, st->rows.before);
    step_rates(rows, u, st->rows.after);
    for (size_t r = 0; r < rows->count; r++) {
        const double was = p->b[r];
        const double change = st->rows.after[r] - st->rows.before[r];
        const double size =
            fabs(was) + fabs(st->rows.after[r]) + fabs(st->rows.before[r]);

        b[r] = fabs(was + change) <= rounding * size ? 0.0 : was + change;
        b[r] += rows->soft[r] * (st->rows.z_compression[r] + st->rows.z_returned[r]);
    }
    for (size_t r = rows->count; r < p->n; r++) {
        b[r] = perp_operator_row_dot(p->A, r, st->rows.z_returned);
    }
}

/* bodies.u_mid := u_c with the returned impulses. */
static void poisson_give_velocities(perp_stepper *st)
{
    size_t count = 6 * st->world->body_count;
    double *mid = st->bodies.u_mid;

    perp_system_impulses(&st->system, st->rows.z_returned, mid);
    for (size_t k = 0; k < count; k++) {
        mid[k] += st->bodies.u_plus[k];
    }
}

/* Add the impulses of the second half to those of the first. */
static void poisson_use_expansion(perp_stepper *st, perp_report *report)
{
    size_t n = st->system.problem.n;
    double *second = st->expansion->z;
    double *u = st->bodies.u_plus;

    for (size_t r = 0; r < n; r++) {
        second[r] += st->rows.z_returned[r];
        st->result->z[r] += second[r];
        st->result->w[r] = st->expansion->w[r];
    }
    memcpy(st->bodies.u_mid, u, 6 * st->world->body_count * sizeof *u);
    perp_system_velocities(&st->system, st->result->z, u);
    step_account(st, second, st->result->w, true, st->bodies.u_mid, u, report->ledger);
}

perp_status step_expand(perp_stepper *st, perp_report *report, perp_error *err)
{
    step_expansion x;
    perp_status status = PERP_OK;

    if (!poisson_give_back(st, st->result->z)) {
        return PERP_OK;
    }
    poisson_give_velocities(st);
    poisson_expansion_b(st, st->bodies.u_mid, st->rows.b);
    TRY(step_expansion_make(&x, st, err));
    status = step_result(&st->expansion, x.problem.n, err);
    if (status == PERP_OK) {
        const step_task task = {.problem = &x.problem};

        status = step_solve(st, &task, st->expansion, report, err);
    }
    if (status == PERP_OK) {
        step_expansion_fold(&x, st->expansion->z);
        poisson_use_expansion(st, report);
    }
    step_expansion_free(&x);
    return status;
}
