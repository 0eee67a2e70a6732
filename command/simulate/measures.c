/* SPDX-License-Identifier: Apache-2.0
 * simulate/measures.c: a run as a comparison needs it.
 *
 * Error of energy: |E - E0 - W|, W the work of what gives or takes energy: forces without
 * a potential, as the ledger has it, and impulses, lambda (J u + J u+)/2 per row, u and u+
 * the velocities before and after the step. Hard rows of joints do none: what they take
 * is an error. Springs of joints are in E, so that of theirs only what dampers take
 * counts. (The ledger splits otherwise: there an impulse works from the velocity of free
 * flight, and what a contact at rest takes is what the integrator gave.) */
#include <config.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/reduce.h>

#include "command/cli/answer.h"
#include "command/cli/take.h"
#include "command/simulate/measures.h"

static bool joint_is_passive(const perp_joint *j)
{
    bool passive = !j->type->unilateral && j->damping == 0.0 && j->cfm == 0.0 &&
                   j->angular_damping == 0.0 && j->angular_cfm == 0.0;

    for (unsigned k = 0; k < j->type->axes && passive; k++) {
        const perp_axis *a = &j->axes[k];

        passive = !a->has_lower && !a->has_upper && a->motor == PERP_MOTOR_NONE &&
                  a->damping == 0.0;
    }
    return passive;
}

static bool world_is_conservative(const perp_world *w, const perp_state *state)
{
    for (size_t k = 0; k < w->joint_count; k++) {
        if (!joint_is_passive(&w->joints[k])) {
            return false;
        }
    }
    for (size_t k = 0; k < w->force_count; k++) {
        if (!perp_force_is_conservative(&w->forces[k])) {
            return false;
        }
    }
    for (size_t k = 0; k < w->body_count; k++) {
        bool loaded = false;

        for (size_t i = 0; i < 6; i++) {
            loaded = loaded || state->load[6 * k + i] != 0.0;
        }
        if (loaded || w->motion[k] == PERP_MOTION_KINEMATIC) {
            return false;
        }
    }
    return true;
}

/* Does a tree of a world in reduced coordinates hang on a body that is moved? */
static bool world_hangs_on_moved(const perp_world *w)
{
    const perp_reduced *r = w->reduced;

    for (size_t k = 0; r && k < r->tree->count; k++) {
        if (r->hangs_on[k] >= 0 && w->motion[r->hangs_on[k]] == PERP_MOTION_KINEMATIC) {
            return true;
        }
    }
    return false;
}

static double joints_stored(const perp_world *w, const perp_state *state)
{
    double energy = 0.0;

    for (size_t k = 0; k < w->joint_count; k++) {
        energy +=
            perp_joint_energy(&w->joints[k], w, state, perp_joint_axes_of(state, k));
    }
    return energy;
}

/* Kinetic energy of all bodies after one step of free fall: errors of what rests are compared
 * with it. */
static double free_fall(const sim_march *m)
{
    const double *g = m->world->gravity, dt = m->settings->scheme.dt;
    double mass = 0.0;

    for (size_t k = 0; k < m->world->body_count; k++) {
        mass += m->world->mass[k] * fabs(m->world->gravity_scale[k]);
    }
    return mass * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * dt * dt / 2.0;
}

void sim_measures_open(sim_measures *x, const sim_march *m)
{
    *x = (sim_measures){.conservative = world_is_conservative(m->world, m->state),
                        .unknown = world_hangs_on_moved(m->world),
                        .joints_stored = joints_stored(m->world, m->state)};
    sim_series_start(&x->series, m->world, m->state, m->settings->steps);
    x->seconds = take(m->settings->steps + 1, sizeof *x->seconds);
    x->start = take(3 * m->world->body_count + 1, sizeof *x->start);
    x->fall = free_fall(m);
    for (size_t k = 0; k < m->world->body_count; k++) {
        memcpy(x->start + 3 * k, m->state->s + 7 * k, 3 * sizeof *x->start);
    }
}

void sim_measures_clear(sim_measures *x)
{
    free(x->start);
    free(x->seconds);
    memset(x, 0, sizeof *x);
}

/* A hard joint to a body that is moved lifts what hangs on it. */
static bool joint_works(const perp_joint *j, const perp_world *w)
{
    return j->type->unilateral || w->motion[j->i] == PERP_MOTION_KINEMATIC ||
           w->motion[j->j] == PERP_MOTION_KINEMATIC;
}

static bool block_works(const perp_row_block *block, const perp_rows *rows,
                        const perp_world *w)
{
    return block->role != PERP_ROLE_JOINT || rows->soft[block->first] != 0.0 ||
           joint_works(&w->joints[block->source], w);
}

/* J (u + u+)/2 of row i, of what impulses can move. */
static double mean_rate(const sim_march *m, const perp_rows *rows, size_t i)
{
    double rate = 0.0;

    for (size_t k = 0; k < 2; k++) {
        rate += perp_rows_rate(rows, i, k ? m->state->u : m->u);
    }
    return rate / 2.0;
}

/* Work in the last step; without a result, by sequential impulses, by the ledger. */
static double work_done(const sim_measures *x, const sim_march *m, const perp_report *r)
{
    const perp_result *result = perp_stepper_result(m->stepper);
    const perp_rows *rows = &perp_stepper_system(m->stepper)->rows;
    double work = r->ledger[PERP_LEDGER_FORCES];

    if (r->rows == 0 || !result) {
        return work + r->ledger[PERP_LEDGER_JOINTS] + r->ledger[PERP_LEDGER_NORMAL] +
               r->ledger[PERP_LEDGER_FRICTION] + r->ledger[PERP_LEDGER_RESTITUTION];
    }
    for (size_t k = 0; k < rows->block_count; k++) {
        const perp_row_block *block = &rows->blocks[k];

        if (block_works(block, rows, m->world)) {
            for (size_t i = block->first; i < block->first + block->dim; i++) {
                work += result->z[i] * mean_rate(m, rows, i);
            }
        }
    }
    return work + joints_stored(m->world, m->state) - x->joints_stored;
}

static void add_energy(sim_measures *x, const sim_march *m, const perp_report *r)
{
    const sim_summary *s = m->summary;
    double start = s->start_kinetic + s->start_potential + s->start_stored;
    double change = r->kinetic + r->potential + r->stored - start;
    double moved = fabs(r->potential - s->start_potential) +
                   fabs(r->stored - s->start_stored) + fmax(r->kinetic, s->start_kinetic);

    x->work += work_done(x, m, r);
    x->left = change - x->work;
    x->change = fmax(x->change, fabs(change));
    x->error = fmax(x->error, fabs(x->left));
    x->scale = fmax(x->scale, moved);
    x->conservative = x->conservative && r->contacts == 0;
    x->joints_stored = joints_stored(m->world, m->state);
    if (2 * r->step > m->settings->steps) {
        sim_trend_add(&x->changes, r->t, change);
        sim_trend_add(&x->lefts, r->t, x->left);
    }
}

perp_status sim_measures_observe(void *context, const sim_march *m,
                                 const perp_report *report, perp_error *err)
{
    sim_measures *x = context;

    (void)err;
    x->seconds[x->steps++] = m->seconds;
    x->contacts += (double)report->contacts;
    x->rows += (double)report->rows;
    x->drift_length = report->drift_length;
    x->drift_angle = report->drift_angle;
    if ((size_t)report->outcome < SIM_OUTCOMES) {
        x->outcome[report->outcome]++;
    }
    add_energy(x, m, report);
    sim_series_add(&x->series, report, x->unknown ? NAN : x->work);
    return PERP_OK;
}

/* {"solved": 998, "iteration limit": 2}: only what there was. */
static json_t *outcomes_json(const sim_measures *x)
{
    json_t *o = json_object();

    for (size_t k = 0; k < SIM_OUTCOMES; k++) {
        if (x->outcome[k] > 0) {
            json_object_set_new(o, perp_outcome_text((perp_outcome)k),
                                json_integer((json_int_t)x->outcome[k]));
        }
    }
    return o;
}

static double total_seconds(const sim_measures *x)
{
    double total = 0.0;

    for (size_t k = 0; k < x->steps; k++) {
        total += x->seconds[k];
    }
    return total;
}

/* Times of steps: the median is what other load of the machine moves least. */
static json_t *seconds_json(const sim_measures *x, const sim_summary *s)
{
    double *sorted = take(x->steps + 1, sizeof *sorted);
    double least = NAN, median = NAN, most = NAN;

    if (x->steps > 0) {
        memcpy(sorted, x->seconds, x->steps * sizeof *sorted);
        gsl_sort(sorted, 1, x->steps);
        median = gsl_stats_median_from_sorted_data(sorted, 1, x->steps);
        least = sorted[0];
        most = sorted[x->steps - 1];
    }
    free(sorted);
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "median", answer_real(median), "least",
                     answer_real(least), "most", answer_real(most), "total",
                     answer_real(total_seconds(x)), "solving",
                     answer_real(s->solve_seconds));
}

/* Of what moved; nothing of nothing is nothing. */
static double share(double x, double scale)
{
    return scale > 0.0 ? x / scale : x == 0.0 ? 0.0 : NAN;
}

/* Added to the energies of the summary. */
static void add_energy_json(json_t *energy, const sim_measures *x)
{
    const bool all = x->conservative; /* no work: what the ledger calls so is an error */
    const double known = x->unknown ? NAN : 1.0;
    const double error = known * (all ? x->change : x->error);
    const double last = known * (all ? x->left + x->work : x->left);
    json_t *more =
        json_pack("{s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "conservative", all, "error",
                  answer_real(error), "scale", answer_real(x->scale), "work",
                  answer_real(known * x->work), "relative",
                  answer_real(share(error, fmax(x->scale, x->fall))), "drift",
                  answer_real(share(last, fmax(x->scale, x->fall))), "rate",
                  answer_real(known * sim_trend_slope(all ? &x->changes : &x->lefts)));

    json_object_update(energy, more);
    json_decref(more);
}

static double mean(double sum, const sim_measures *x)
{
    return x->steps > 0 ? sum / (double)x->steps : NAN;
}

/* Positions and orientations (w >= 0) of the first bodies that move. */
static json_t *final_json(const sim_march *m)
{
    json_t *o = json_array();
    size_t bodies = 0;

    for (size_t k = 0; k < m->world->body_count && bodies < SIM_FINAL; k++) {
        const double *s = m->state->s + 7 * k;

        if (m->world->motion[k] != PERP_MOTION_DYNAMIC) {
            continue;
        }
        bodies++;
        for (size_t i = 0; i < 7; i++) {
            json_array_append_new(o, answer_real(i >= 3 && s[3] < 0.0 ? -s[i] : s[i]));
        }
    }
    return o;
}

/* How far the body that moved farthest is from where it was. */
static double moved(const sim_measures *x, const sim_march *m)
{
    double most = 0.0;

    for (size_t k = 0; k < m->world->body_count; k++) {
        const double *s = m->state->s + 7 * k, *s0 = x->start + 3 * k;

        most = fmax(most, hypot(hypot(s[0] - s0[0], s[1] - s0[1]), s[2] - s0[2]));
    }
    return most;
}

/* The end of the run, and the mean cost of its steps. */
static void add_end_json(json_t *o, const sim_measures *x, const sim_march *m)
{
    answer_add(o, "iterations_mean", answer_real(mean(m->summary->iterations, x)));
    answer_add(o, "products_mean", answer_real(mean(m->summary->products, x)));
    answer_add(o, "moved", answer_real(moved(x, m)));
    answer_add(o, "final", final_json(m));
    answer_add(o, "final_unit", json_string("m, then 1: x y z qw qx qy qz per body"));
}

json_t *sim_measures_json(const sim_measures *x, const sim_march *m)
{
    static const char *const files[] = {"folder",   "frames",
                                        "captured", "unresolved_files",
                                        "machine",  "real_time_factor"};
    const sim_summary *s = m->summary;
    bool all = s->failed_step == 0.0;
    const perp_outcome outcome = all ? PERP_SOLVED : (perp_outcome)s->failed_outcome;
    json_t *o = sim_summary_json(s, m->end, m->settings, m->settings->scene->name, "");
    json_t *more = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema",
        "perp-answer/1", "status", perp_status_text(PERP_OK), "outcome",
        perp_outcome_text(outcome), "reason",
        m->end->early ? m->end->why : m->end->reason, "outcomes", outcomes_json(x),
        "seconds", answer_real(total_seconds(x)), "step_seconds", seconds_json(x, s),
        "contacts_mean", answer_real(mean(x->contacts, x)), "rows_mean",
        answer_real(mean(x->rows, x)), "drift_length_end", answer_real(x->drift_length),
        "drift_angle_end", answer_real(x->drift_angle), "series",
        sim_series_json(&x->series, x->conservative, fmax(x->scale, x->fall)));

    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        json_object_del(o, files[k]); /* of a run with a folder */
    }
    add_energy_json(json_object_get(o, "energy"), x);
    json_object_update(o, more);
    add_end_json(o, x, m);
    json_decref(more);
    return o;
}
