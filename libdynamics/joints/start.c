/* SPDX-License-Identifier: Apache-2.0
 * joints/start.c: velocities that joints allow.
 *
 *     min (u - u0)^T M (u - u0)/2  subject to  J u = 0:
 *     (J M^-1 J^T) lambda = -J u0,   u = u0 + M^-1 J^T lambda
 *
 * over the rows J of all hard bilateral joints and gears. This is the effect of impulses of the
 * joints only: momentum is conserved, and T never grows without kinematic bodies. By
 * conjugate gradients with the diagonal as preconditioner, whose norm r^T diag^-1 r is an
 * energy, so that metres and radians are comparable; redundant rows are harmless. Memory:
 * 28 reals per row, 12 per body; cost: one pass over the rows per iteration. */
#include <config.h>

#include <stdlib.h>

#include "joints/joints.h"

/* Relative to the kinetic energy: what is below is velocities rounded to nine digits. */
static const double start_small = 1e-18;
/* Relative to the first residual, both energies. */
static const double start_solved = 1e-28;
static const double start_contradiction = 1e-12;

enum { START_ON = 4 }; /* bodies of a row: two of a joint, four of a gear */

typedef struct start_rows {
    size_t count;
    double *J;       /* 6 per body of a row */
    int32_t *body;   /* START_ON per row: -1 where nothing moves, or there is none */
    double *inverse; /* 1/diag(J M^-1 J^T), 0 for a row that moves nothing */
    double *r, *p, *q;
    double *u, *du, *f; /* 6 a body */
    double most;        /* the first r^T diag^-1 r */
} start_rows;

static void start_clear(start_rows *s)
{
    free(s->J);
    free(s->body);
    free(s->inverse);
    free(s->u);
}

static bool start_holds(const perp_joint *joint)
{
    return !joint->type->unilateral && joint_is_hard(joint);
}

static bool start_gear_holds(const perp_gear *gear)
{
    return gear->ratio != 0.0 && gear->cfm == 0.0 && gear->stiffness == 0.0 &&
           gear->damping == 0.0;
}

static bool start_room(start_rows *s, const perp_world *w)
{
    size_t rows = 0;
    const size_t n = 6 * w->body_count;

    for (size_t k = 0; k < w->joint_count; k++) {
        rows += start_holds(&w->joints[k]) ? w->joints[k].type->rows : 0;
        for (size_t c = 0; c < PERP_JOINT_AXES; c++) {
            rows += start_gear_holds(&w->joints[k].axes[c].gear);
        }
    }
    s->J = math_alloc(rows, 6 * START_ON * sizeof *s->J);
    s->body = math_alloc(rows, START_ON * sizeof *s->body);
    s->inverse = math_alloc(4 * rows, sizeof *s->inverse);
    s->u = math_alloc(3 * n, sizeof *s->u);
    if (!s->J || !s->body || !s->inverse || !s->u) {
        return false;
    }
    s->r = s->inverse + rows;
    s->p = s->r + rows;
    s->q = s->p + rows;
    s->du = s->u + n;
    s->f = s->du + n;
    return true;
}

/* y := J v. */
static void start_rates(const start_rows *s, const double *v, double *y)
{
    for (size_t r = 0; r < s->count; r++) {
        y[r] = 0.0;
        for (size_t side = 0; side < START_ON; side++) {
            const int32_t k = s->body[START_ON * r + side];

            for (size_t c = 0; k >= 0 && c < 6; c++) {
                y[r] += s->J[6 * (START_ON * r + side) + c] * v[6 * (size_t)k + c];
            }
        }
    }
}

/* du := M^-1 J^T x. */
static void start_respond(const start_rows *s, const perp_world *w,
                          const perp_state *state, const double *x)
{
    memset(s->f, 0, 6 * w->body_count * sizeof *s->f);
    for (size_t r = 0; r < s->count; r++) {
        for (size_t side = 0; side < START_ON; side++) {
            const int32_t k = s->body[START_ON * r + side];

            for (size_t c = 0; k >= 0 && c < 6; c++) {
                s->f[6 * (size_t)k + c] += s->J[6 * (START_ON * r + side) + c] * x[r];
            }
        }
    }
    perp_world_accelerations(w, state, s->f, s->du);
}

/* 1/(J M^-1 J^T)_rr. */
static double start_inverse(const start_rows *s, const perp_world *w,
                            const perp_state *state, size_t r)
{
    double sum = 0.0;

    for (size_t side = 0; side < START_ON; side++) {
        const double *J = s->J + 6 * (START_ON * r + side);
        const int32_t k = s->body[START_ON * r + side];

        sum += k >= 0 ? world_inverse_square(w, state, (size_t)k, J) : 0.0;
    }
    return sum > 0.0 ? 1.0 / sum : 0.0;
}

static void start_put(start_rows *s, const perp_world *w, const perp_state *state,
                      const perp_joint *joint, const double J[12],
                      const perp_joint *other, const double *J_other)
{
    const size_t r = s->count++;
    double *to = s->J + 6 * START_ON * r;
    int32_t *body = s->body + START_ON * r;

    memcpy(to, J, 12 * sizeof *J);
    body[0] = joint->i;
    body[1] = joint->j;
    body[2] = body[3] = -1;
    if (other) {
        memcpy(to + 12, J_other, 12 * sizeof *J);
        body[2] = other->i;
        body[3] = other->j;
    }
    s->inverse[r] = start_inverse(s, w, state, r);
}

/* The gear of axis k, if it has a hard one. */
static void start_put_gear(start_rows *s, const perp_world *w, const perp_state *state,
                           const perp_joint *joint, unsigned k)
{
    const perp_gear *gear = &joint->axes[k].gear;
    const perp_joint *other = &w->joints[gear->joint];
    perp_row row;
    perp_row row_other;

    if (!start_gear_holds(gear) || !joint_is_enabled(joint, w) ||
        !joint_is_enabled(other, w) || !joint_coordinate(joint, w, state, k, &row) ||
        !joint_coordinate(other, w, state, gear->axis, &row_other)) {
        return;
    }
    for (size_t c = 0; c < 12; c++) {
        row_other.J[c] *= -gear->ratio;
    }
    start_put(s, w, state, joint, row.J, other, row_other.J);
}

static void start_write(start_rows *s, const perp_world *w, const perp_state *state)
{
    for (size_t k = 0; k < w->joint_count; k++) {
        const perp_joint *joint = &w->joints[k];
        perp_row rows[PERP_JOINT_ROWS];
        unsigned count = 0;

        if (start_holds(joint) &&
            (world_moves(w, joint->i) || world_moves(w, joint->j))) {
            count = joint_rows_now(joint, w, state, rows);
        }
        for (unsigned c = 0; c < count; c++) {
            start_put(s, w, state, joint, rows[c].J, NULL, NULL);
        }
        for (unsigned c = 0; c < PERP_JOINT_AXES; c++) {
            start_put_gear(s, w, state, joint, c);
        }
    }
}

static double start_dot(const start_rows *s, const double *weight, const double *x,
                        const double *y)
{
    double sum = 0.0;

    for (size_t r = 0; r < s->count; r++) {
        sum += (weight ? weight[r] : 1.0) * x[r] * y[r];
    }
    return sum;
}

/* s->u from the velocities of the state; what is left of s->most. */
static double start_solve(start_rows *s, const perp_world *w, const perp_state *state)
{
    double left = s->most;

    memset(s->p, 0, s->count * sizeof *s->p);
    for (size_t k = 0; k < 4 * s->count + 100 && left > start_solved * s->most; k++) {
        const double before = left;
        double share = 0.0;

        for (size_t r = 0; r < s->count; r++) {
            s->p[r] = s->inverse[r] * s->r[r] + (k > 0 ? s->q[r] : 0.0);
        }
        start_respond(s, w, state, s->p);
        start_rates(s, s->du, s->q);
        share = start_dot(s, NULL, s->p, s->q);
        if (!(share > 0.0)) {
            break;
        }
        share = before / share;
        for (size_t c = 0; c < 6 * w->body_count; c++) {
            s->u[c] += share * s->du[c];
        }
        for (size_t r = 0; r < s->count; r++) {
            s->r[r] -= share * s->q[r];
        }
        left = start_dot(s, s->inverse, s->r, s->r);
        for (size_t r = 0; r < s->count; r++) {
            s->q[r] = left / before * s->p[r]; /* of the direction that comes next */
        }
    }
    return left;
}

perp_status perp_world_project_velocities(const perp_world *w, perp_state *state,
                                          double energy[2], perp_error *err)
{
    start_rows s = {0};

    energy[0] = energy[1] = perp_world_kinetic(w, state);
    if (w->joint_count == 0) {
        return PERP_OK;
    }
    if (!start_room(&s, w)) {
        start_clear(&s);
        return perp_fail(err, PERP_ERR_MEMORY, "joints: no memory for rows of %zu joints",
                         w->joint_count);
    }
    start_write(&s, w, state);
    memcpy(s.u, state->u, 6 * w->body_count * sizeof *s.u);
    start_rates(&s, s.u, s.r);
    for (size_t r = 0; r < s.count; r++) {
        s.r[r] = -s.r[r];
    }
    s.most = start_dot(&s, s.inverse, s.r, s.r);
    /* joints that contradict each other leave velocities as they are */
    if (s.most > start_small * energy[0] && isfinite(s.most) &&
        start_solve(&s, w, state) <= start_contradiction * s.most) {
        memcpy(state->u, s.u, 6 * w->body_count * sizeof *s.u);
        energy[1] = perp_world_kinetic(w, state);
    }
    start_clear(&s);
    return PERP_OK;
}
