/* SPDX-License-Identifier: Apache-2.0
 * simulate/momentum.c: the momentum of a run against all that acted on it.
 *
 *     error = |P(t) - P(0) - sum dt F - sum J^T z|,   the same about the origin
 *
 * F are weights and loads, z the impulses of rows to bodies that impulses cannot move. Their
 * moments are those at the mean of the positions before and after a step.
 * Rows between two bodies that move give as much to one as they take from the other, however
 * badly z is solved, so that the linear error is rounding, or a mistake. The angular one has
 * the error of the integrator as well. The scales are the largest sums over the bodies of
 * m |v| + dt |F| and of |r x m v| + |I w| + dt |r| |F|.
 *
 * Not known: reduced coordinates, whose joints to the ground have no rows; forces that are not
 * between two bodies that move; disabled bodies; Poisson's law, whose second impulses are not
 * in the result; sequential impulses, which have none. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "command/cli/answer.h"
#include "command/simulate/march.h"
#include "command/simulate/momentum.h"

static double length(const double a[3])
{
    return hypot(hypot(a[0], a[1]), a[2]);
}

/* out += r x f */
static void add_moment(const double r[3], const double f[3], double out[3])
{
    out[0] += r[1] * f[2] - r[2] * f[1];
    out[1] += r[2] * f[0] - r[0] * f[2];
    out[2] += r[0] * f[1] - r[1] * f[0];
}

static bool moves(const perp_world *w, int32_t body)
{
    return body >= 0 && w->motion[body] == PERP_MOTION_DYNAMIC;
}

static bool momentum_is_unknown(const perp_world *w, const perp_scheme *scheme)
{
    bool unknown = w->reduced || scheme->restitution == PERP_RESTITUTION_POISSON;

    for (size_t k = 0; k < w->force_count && !unknown; k++) {
        const perp_force *f = &w->forces[k];

        unknown = f->type->bodies != 2 || !moves(w, f->i) || !moves(w, f->j);
    }
    for (size_t k = 0; k < w->body_count && !unknown; k++) {
        unknown = w->disabled[k];
    }
    return unknown;
}

void sim_momentum_start(sim_momentum *x, const perp_world *world, const perp_state *state)
{
    *x = (sim_momentum){0};
    perp_world_momentum(world, state, x->start);
    perp_world_angular_momentum(world, state, x->start + 3);
}

/* The mean of the positions before and after the step. */
static void middle_of(const sim_march *m, size_t body, double r[3])
{
    for (size_t i = 0; i < 3; i++) {
        r[i] = (m->s[7 * body + i] + m->state->s[7 * body + i]) / 2.0;
    }
}

/* What weight and load give to body k in a step. */
static void add_weight(sim_momentum *x, const sim_march *m, size_t k, double scale[2])
{
    const perp_world *w = m->world;
    const double dt = m->dt, *load = m->state->load + 6 * k;
    double force[3], middle[3];

    middle_of(m, k, middle);
    for (size_t i = 0; i < 3; i++) {
        force[i] = dt * (w->mass[k] * w->gravity_scale[k] * w->gravity[i] + load[i]);
        x->given[i] += force[i];
        x->given[3 + i] += dt * load[3 + i];
    }
    add_moment(middle, force, x->given + 3);
    scale[0] += length(force);
    scale[1] += length(force) * length(middle);
}

static void add_scale(const sim_march *m, size_t k, double scale[2])
{
    const double *r = m->state->s + 7 * k, *u = m->state->u + 6 * k;
    double I[9], spin[3], orbit[3] = {0};

    perp_world_inertia(m->world, m->state, k, I);
    for (size_t i = 0; i < 3; i++) {
        spin[i] = I[i] * u[3] + I[3 + i] * u[4] + I[6 + i] * u[5]; /* I is symmetric */
    }
    add_moment(r, u, orbit);
    scale[0] += m->world->mass[k] * length(u);
    scale[1] += m->world->mass[k] * length(orbit) + length(spin);
}

/* What bodies that impulses cannot move give by a row, or a half of one. */
static void add_half(sim_momentum *x, const sim_march *m, const double row[12],
                     const int32_t body[2], double z)
{
    double force[3], middle[3];

    if ((body[0] < 0) == (body[1] < 0)) {
        return;
    }
    const size_t side = body[0] < 0;
    const double *J = row + 6 * side;

    for (size_t i = 0; i < 3; i++) {
        force[i] = z * J[i];
        x->given[i] += force[i];
        x->given[3 + i] += z * J[3 + i];
    }
    middle_of(m, (size_t)body[side], middle);
    add_moment(middle, force, x->given + 3);
}

static void add_row(sim_momentum *x, const sim_march *m, const perp_rows *rows, size_t r,
                    double z)
{
    const perp_row_second *second = perp_rows_second(rows, r);
    double made[12];

    add_half(x, m, perp_rows_row(rows, r, made), perp_rows_bodies(rows, r), z);
    if (second) {
        add_half(x, m, second->J, second->body, z);
    }
}

void sim_momentum_add(sim_momentum *x, const sim_march *m, const perp_report *report)
{
    const perp_result *result = perp_stepper_result(m->stepper);
    const perp_rows *rows = &perp_stepper_system(m->stepper)->rows;
    double scale[2] = {0}, error[6];

    if (momentum_is_unknown(m->world, &m->settings->scheme) ||
        (report->rows > 0 && !result)) {
        x->unknown = 1.0;
    }
    if (x->unknown != 0.0) {
        return;
    }
    for (size_t k = 0; k < m->world->body_count; k++) {
        if (moves(m->world, (int32_t)k)) {
            add_weight(x, m, k, scale);
            add_scale(m, k, scale);
        }
    }
    for (size_t r = 0; r < rows->count && report->rows > 0; r++) {
        add_row(x, m, rows, r, result->z[r]);
    }
    for (size_t i = 0; i < 3; i++) {
        error[i] = report->momentum[i] - x->start[i] - x->given[i];
        error[3 + i] = report->angular_momentum[i] - x->start[3 + i] - x->given[3 + i];
    }
    x->linear = fmax(x->linear, length(error));
    x->angular = fmax(x->angular, length(error + 3));
    x->linear_scale = fmax(x->linear_scale, scale[0]);
    x->angular_scale = fmax(x->angular_scale, scale[1]);
}

static json_t *momentum_part(const sim_momentum *x, double error, double scale,
                             const char *unit)
{
    const bool known = x->unknown == 0.0;

    return json_pack("{s:o, s:o, s:o, s:s}", "error", answer_real(known ? error : NAN),
                     "scale", answer_real(known ? scale : NAN), "relative",
                     answer_real(known && scale > 0.0    ? error / scale
                                 : known && error == 0.0 ? 0.0
                                                         : NAN),
                     "unit", unit);
}

json_t *sim_momentum_json(const sim_momentum *x)
{
    return json_pack("{s:o, s:o}", "linear",
                     momentum_part(x, x->linear, x->linear_scale, "kg m/s"), "angular",
                     momentum_part(x, x->angular, x->angular_scale, "kg m^2/s"));
}
