/* SPDX-License-Identifier: Apache-2.0
 * step/ledger.c: energy balance of a step.
 *
 * Let u be the velocities before the step, u_free after the free motion, u+ after impulses
 * z, K the kinetic energy, P the potential of gravity, S the energy stored in forces and
 * joints. At the poses before the step the work of impulses is exact,
 *
 *     K(u+) - K(u_free) = sum over rows of z (J u_free + J u+)/2
 *
 * with J u of dynamic bodies only, so that work of a kinematic body belongs to the row
 * that transmits it. In reduced coordinates K includes the rotors of joints; a tree based
 * on a kinematic body has no rows there: the transmitted impulse is M du of the links
 * minus the impulses of rows, and its work counts as joints. A row with w = J u+ - bias +
 * (K_cfm/dt) z is split:
 *
 *     friction row      all of it: friction
 *     normal            z bias_position: stabilization;   z bias_restitution: restitution;
 *                       z w: residual;                the rest: normal
 *     joint, limit      z bias_position: stabilization;   z bias_restitution: restitution;
 *                       z w: residual;                the rest: joints
 *     motor             all of it: joints (z w is what it delivers at full force)
 *     soft row, spring  z w: residual;                the rest: joints
 *
 * Under the associated law z_N w_N = -z_T w_T while sliding: both are friction. In the
 * second half of Poisson's law all work of normal impulses is restitution. The rest of a
 * normal is -z (W z)/2, never positive in sum: inelastic loss.
 *
 *     forces         f d, forces without potential at the start times the displacement d;
 *                    for a spring, only its damping force
 *     joints         and the change of the energy stored in them
 *     stabilization  and the change of K + P + S when positions alone are moved
 *     integrator     K(u_free) - K(u) + K'(u+) - K(u+) + dP + dS_forces - forces,
 *                    K' at the poses after the step: the error of discretisation
 *
 * Under implicit forces u+ - u_free = M*^-1 J^T z (problem/effective.h), and forces change with
 * the velocities: K(u+) - K(u_free) is the work of rows less (u_free + u+).(M* - M)(u+ - u_free)/2,
 * which the forces take up. It joins the integrator's part, where dS is, so that what is left
 * there is what backward Euler damps.
 *
 * A body at rest on the ground under weight f gains K(u_free) = dt^2 f M^-1 f/2 in the
 * free motion (integrator) and loses it to the ground (normal), in every step;
 * the sums are 0. */
#include <config.h>

#include <perp/dynamics/force.h>

#include "step/ledger.h"

#define PERP_TEXT_OF(name, text) text,
const char *const perp_ledger_names[] = {PERP_LEDGER_LIST(PERP_TEXT_OF) NULL};
#undef PERP_TEXT_OF

void step_rates(const perp_rows *rows, const double *u, double *rates)
{
    for (size_t r = 0; r < rows->count; r++) {
        rates[r] = perp_rows_rate(rows, r, u);
    }
}

/* A row whose correction, rebound and residual are told apart;
 * `rest` gets what remains. */
static void ledger_split_row(const perp_rows *rows, size_t r, double z, double w,
                             double work, perp_ledger_part rest, double *ledger)
{
    bool soft = rows->soft[r] > 0.0;
    double stabilize = soft ? 0.0 : z * rows->bias_position[r];
    double rebound = z * rows->bias_restitution[r]; /* a spring has none */

    ledger[PERP_LEDGER_STABILIZATION] += stabilize;
    ledger[PERP_LEDGER_RESTITUTION] += rebound;
    ledger[PERP_LEDGER_RESIDUAL] += z * w;
    ledger[rest] += work - stabilize - rebound - z * w;
}

static void ledger_split_normal(const perp_stepper *st, size_t r, double z, double w,
                                double work, bool expansion, double *ledger)
{
    if (expansion) {
        ledger[PERP_LEDGER_RESTITUTION] += work;
    } else if (st->scheme.model == PERP_MODEL_ASSOCIATED) {
        ledger_split_row(&st->system.rows, r, z, 0.0, work - z * w, PERP_LEDGER_NORMAL,
                         ledger);
        ledger[PERP_LEDGER_FRICTION] += z * w;
    } else {
        ledger_split_row(&st->system.rows, r, z, w, work, PERP_LEDGER_NORMAL, ledger);
    }
}

/* st->bodies.base, of each link: the kinematic body that its tree hangs on, or -1. False
 * where there is none. Parents come before their children. */
static bool ledger_find_bases(const perp_stepper *st)
{
    const perp_world *world = st->world;
    const perp_reduced *r = world->reduced;
    const size_t links = r ? st->state->trees->count : 0;
    int32_t *base = st->bodies.base;
    bool any = false;

    for (size_t k = 0; k < links; k++) {
        const int32_t parent = st->state->trees->links[k].parent;
        const int32_t on = r->hangs_on[k];

        base[k] = parent >= 0                                             ? base[parent]
                  : on >= 0 && world->motion[on] == PERP_MOTION_KINEMATIC ? on
                                                                          : -1;
        any = any || base[k] >= 0;
    }
    return any;
}

/* The velocity of link k if its tree were one rigid body with what it hangs on, which
 * moves by itself; false where that stands still. */
static bool ledger_base_velocity(const perp_stepper *st, size_t k, double V[6])
{
    const perp_state *state = st->at;
    const int32_t base = st->bodies.base[k];
    const double *u = NULL;
    double arm[3];

    if (base < 0) {
        return false;
    }
    u = perp_body_velocity(state, (size_t)base);
    vec3_subtract(perp_body_pose(state, (size_t)st->world->reduced->body[k]),
                  perp_body_pose(state, (size_t)base), arm);
    vec3_cross(u + 3, arm, V);
    vec3_add(V, 1.0, u, V);
    memcpy(V + 3, u + 3, 3 * sizeof *V);
    return true;
}

double step_base_work(const perp_stepper *st, const double *z, const double *u_before,
                      const double *u_after)
{
    const perp_world *world = st->world;
    const perp_state *state = st->at;
    const perp_rows *rows = &st->system.rows;
    double V[6];
    double work = 0.0;

    if (!ledger_find_bases(st)) {
        return 0.0;
    }
    /* what moves the links, less what the rows do */
    for (size_t k = 0; k < state->trees->count; k++) {
        const size_t body = (size_t)world->reduced->body[k];
        double I[9];
        double du[6];
        double dL[3];

        if (ledger_base_velocity(st, k, V)) {
            for (size_t c = 0; c < 6; c++) {
                du[c] = u_after[6 * body + c] - u_before[6 * body + c];
            }
            perp_world_inertia(world, state, body, I);
            mat3_apply(I, du + 3, dL);
            work += world->mass[body] * vec3_dot(V, du) + vec3_dot(V + 3, dL);
        }
    }
    for (size_t e = 0; e < 2 * rows->count; e++) {
        const int32_t body = perp_rows_bodies(rows, e / 2)[e % 2];
        const int32_t link = body < 0 ? -1 : perp_world_link(world, (size_t)body);

        if (link >= 0 && ledger_base_velocity(st, (size_t)link, V)) {
            double made[12];
            const double *J = perp_rows_row(rows, e / 2, made) + 6 * (e % 2);

            work -= z[e / 2] * (vec3_dot(J, V) + vec3_dot(J + 3, V + 3));
        }
    }
    for (size_t e = 0; e < 2 * rows->second_count; e++) {
        const perp_row_second *second = &rows->seconds[e / 2];
        const int32_t body = second->body[e % 2];
        const int32_t link = body < 0 ? -1 : perp_world_link(world, (size_t)body);

        if (link >= 0 && ledger_base_velocity(st, (size_t)link, V)) {
            const double *J = second->J + 6 * (e % 2);

            work -= z[second->row] * (vec3_dot(J, V) + vec3_dot(J + 3, V + 3));
        }
    }
    return work;
}

/* Whether b + bias and w + bias - soft z are J u of dynamic bodies, before and after: no other
 * body moves, and no auxiliary rows are in w. */
static bool ledger_rates_are_known(const perp_stepper *st, bool expansion)
{
    const perp_world *world = st->world;
    bool known = !expansion && !world->reduced && st->scheme.model != PERP_MODEL_PYRAMID;

    for (size_t k = 0; known && k < world->body_count; k++) {
        known = world->motion[k] != PERP_MOTION_KINEMATIC;
    }
    return known;
}

/* J u before and after the impulses, in sum, of row r, where it follows from b and w. */
static inline double known_rates(const perp_stepper *st, size_t r, double z, double w)
{
    const perp_rows *rows = &st->system.rows;

    return st->system.problem.b[r] + w + 2.0 * rows->bias[r] - rows->soft[r] * z;
}

void step_account(perp_stepper *st, const double *z, const double *w, bool expansion,
                  const double *u_before, const double *u_after, double *ledger)
{
    const perp_rows *rows = &st->system.rows;
    const bool known = ledger_rates_are_known(st, expansion);
    const double base = step_base_work(st, z, u_before, u_after);

    if (!known) {
        step_rates(rows, u_before, st->rows.before);
        step_rates(rows, u_after, st->rows.after);
    }
    ledger[PERP_LEDGER_JOINTS] += base;
    st->rows_work += base;
    for (size_t k = 0; k < rows->block_count; k++) {
        const perp_row_block *block = &rows->blocks[k];

        for (size_t r = block->first; r < block->first + block->dim; r++) {
            double rates = known ? known_rates(st, r, z[r], w[r])
                                 : st->rows.before[r] + st->rows.after[r];
            double work = 0.5 * z[r] * rates;

            st->rows_work += work;
            if (block->role == PERP_ROLE_CONTACT && r == block->first) {
                ledger_split_normal(st, r, z[r], w[r], work, expansion, ledger);
            } else if (block->role == PERP_ROLE_CONTACT) {
                ledger[PERP_LEDGER_FRICTION] += work;
            } else if (block->role == PERP_ROLE_MOTOR) {
                ledger[PERP_LEDGER_JOINTS] += work;
            } else {
                ledger_split_row(rows, r, z[r], w[r], work, PERP_LEDGER_JOINTS, ledger);
            }
        }
    }
}

double step_kinetic(const perp_world *world, const perp_state *state, double *u)
{
    perp_state at = *state; /* at the same poses */

    at.u = u;
    return perp_world_kinetic(world, &at);
}

void step_energies(const perp_world *world, const perp_state *state, step_energy *e)
{
    e->kinetic = perp_world_kinetic(world, state);
    e->potential = perp_world_potential(world, state);
    e->joints = 0.0;
    e->forces = 0.0;
    for (size_t k = 0; k < world->joint_count; k++) {
        e->joints += perp_joint_energy(&world->joints[k], world, state,
                                       perp_joint_axes_of(state, k));
    }
    for (size_t k = 0; k < world->force_count; k++) {
        const perp_force *force = &world->forces[k];

        if (force->type->energy) {
            e->forces += force->type->energy(force, world, state);
        }
    }
}

double step_total(const step_energy *e)
{
    return e->kinetic + e->potential + e->joints + e->forces;
}

/* f += sign times what forces with a potential, or those without, do at velocities u. */
static void ledger_add_forces(const perp_world *world, const perp_state *state, double *u,
                              bool potential, double sign, double *f)
{
    perp_state at = *state;
    size_t count = 6 * world->body_count;

    at.u = u;
    for (size_t k = 0; k < count; k++) {
        f[k] *= sign;
    }
    for (size_t k = 0; k < world->force_count; k++) {
        if ((world->forces[k].type->energy != NULL) == potential) {
            world->forces[k].type->apply(&world->forces[k], world, &at, f);
        }
    }
    for (size_t k = 0; k < count; k++) {
        f[k] *= sign;
    }
}

/* Forces without potential at the present state, to bodies.load. */
static void ledger_loads(perp_stepper *st)
{
    const perp_world *world = st->world;
    const perp_state *state = st->state;
    double *f = st->bodies.load;

    memcpy(f, state->load, 6 * world->body_count * sizeof *f);
    if (world->force_count > 0) {
        ledger_add_forces(world, state, state->u, false, 1.0, f);
        /* for a spring, only its damping force */
        ledger_add_forces(world, state, state->u, true, 1.0, f);
        ledger_add_forces(world, state, st->bodies.zeros, true, -1.0, f);
    }
}

/* Their work from the poses before the step to the present ones. */
static double ledger_load_work(const perp_stepper *st)
{
    const perp_world *world = st->world;
    const perp_state *state = st->state;
    double work = 0.0;

    for (size_t k = 0; k < world->body_count; k++) {
        const double *from = st->user->s + 7 * k;
        const double *to = state->s + 7 * k;
        const double *f = st->bodies.load + 6 * k;
        double way[3];
        double turn[3];
        double back[4];
        double q[4];

        if (world->motion[k] != PERP_MOTION_DYNAMIC) {
            continue;
        }
        vec3_subtract(to, from, way);
        work += vec3_dot(f, way);
        if (f[3] != 0.0 || f[4] != 0.0 || f[5] != 0.0) {
            perp_quat_conjugate(from + 3, back);
            perp_quat_multiply(to + 3, back, q);
            perp_quat_log(q, turn);
            work += vec3_dot(f + 3, turn);
        }
    }
    return work;
}

void step_ledger_open(perp_stepper *st, step_balance *balance)
{
    balance->impulses = st->motion.mass || st->at != st->state
                            ? st->rows_work
                            : step_kinetic(st->world, st->state, st->bodies.u_plus) -
                                  step_kinetic(st->world, st->state, st->motion.u);
    step_energies(st->world, st->state, &balance->start);
    ledger_loads(st);
}

void step_ledger_close(const perp_stepper *st, const step_balance *balance,
                       step_energy *end, double *ledger)
{
    const step_energy *start = &balance->start;

    step_energies(st->world, st->state, end);
    ledger[PERP_LEDGER_FORCES] = ledger_load_work(st);
    ledger[PERP_LEDGER_JOINTS] += end->joints - start->joints;
    ledger[PERP_LEDGER_INTEGRATOR] =
        ((end->kinetic - start->kinetic) - balance->impulses) +
        (end->potential - start->potential) + (end->forces - start->forces) -
        ledger[PERP_LEDGER_FORCES];
}
