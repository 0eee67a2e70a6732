/* SPDX-License-Identifier: Apache-2.0
 * simulate/summary.c: totals of a run, for a person and as JSON. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <perp/dynamics/reduce.h>

#include "base/base.h"
#include "command/cli/answer.h"
#include "command/cli/machine.h"
#include "command/cli/output.h"
#include "command/cli/plugin.h"
#include "command/simulate/march.h"
#include "command/simulate/run.h"

void sim_summary_start(sim_summary *s, const perp_world *world, const perp_state *state)
{
    memset(s, 0, sizeof *s);
    s->t = state->t;
    sim_momentum_start(&s->momentum, world, state);
    s->kinetic = s->start_kinetic = perp_world_kinetic(world, state);
    s->potential = s->start_potential = perp_world_potential(world, state);
    s->stored = s->start_stored = perp_world_stored(world, state);
}

/* The greatest so far, and the step where it was. */
static void widen(double *most, double *where, double x, double step)
{
    if (x > *most) {
        *most = x;
        *where = step;
    }
}

static double energy(const sim_summary *s)
{
    return s->kinetic + s->potential + s->stored;
}

static double start_energy(const sim_summary *s)
{
    return s->start_kinetic + s->start_potential + s->start_stored;
}

/* The work of all impulses in a step, which no exact solution without motors, springs and
 * restitution makes positive. */
static double impulse_work(const perp_report *r)
{
    double work = 0.0;

    for (size_t k = PERP_LEDGER_JOINTS; k <= PERP_LEDGER_RESIDUAL; k++) {
        work += r->ledger[k];
    }
    return work;
}

/* How deep the contacts are, at the start of the step, that carried something in it. */
static void add_depths(sim_summary *s, const sim_march *m)
{
    const perp_result *result = perp_stepper_result(m->stepper);
    const perp_rows *rows = &perp_stepper_system(m->stepper)->rows;
    const perp_contacts *contacts = perp_stepper_contacts(m->stepper);

    for (size_t k = 0; result && k < rows->block_count; k++) {
        const perp_row_block *block = &rows->blocks[k];

        if (block->role == PERP_ROLE_CONTACT && result->z[block->first] > 0.0) {
            s->depth += fmax(0.0, -contacts->at[block->source].gap);
            s->pressed += 1.0;
        }
    }
}

/* The root mean square of the errors of joints, of the second half of the run. */
static void add_drifts(sim_summary *s, const sim_march *m, const perp_report *r)
{
    const perp_world *w = m->world;
    double lengths = 0.0, angles = 0.0;

    if (2 * r->step <= m->settings->steps || w->joint_count == 0) {
        return;
    }
    for (size_t k = 0; k < w->joint_count; k++) {
        double length = 0.0, angle = 0.0;

        perp_joint_drift(&w->joints[k], w, m->state, &length, &angle);
        lengths += length * length;
        angles += angle * angle;
    }
    sim_trend_add(&s->drift_lengths, r->t, sqrt(lengths / (double)w->joint_count));
    sim_trend_add(&s->drift_angles, r->t, sqrt(angles / (double)w->joint_count));
}

void sim_summary_add(sim_summary *s, const sim_march *m, const perp_report *r)
{
    double step = (double)r->step;

    s->steps = step;
    s->short_dt = m->dt < m->settings->scheme.dt ? m->dt : 0.0;
    s->solved += r->outcome == PERP_SOLVED;
    s->t = r->t;
    s->kinetic = r->kinetic;
    s->potential = r->potential;
    s->stored = r->stored;
    for (size_t k = 0; k < PERP_LEDGER_PARTS; k++) {
        s->ledger[k] += r->ledger[k];
    }
    s->creation += fmax(0.0, impulse_work(r));
    s->excess =
        fmax(s->excess, energy(s) - start_energy(s) - s->ledger[PERP_LEDGER_FORCES] -
                            fmax(0.0, s->ledger[PERP_LEDGER_JOINTS]));
    sim_momentum_add(&s->momentum, m, r);
    if (r->rows > 0) {
        add_depths(s, m);
    }
    add_drifts(s, m, r);
    widen(&s->penetration, &s->penetration_step, r->penetration, step);
    widen(&s->residual, &s->residual_step, r->residual, step);
    s->drift_length = fmax(s->drift_length, r->drift_length);
    s->drift_angle = fmax(s->drift_angle, r->drift_angle);
    s->contacts = fmax(s->contacts, (double)r->contacts);
    s->rows = fmax(s->rows, (double)r->rows);
    s->iterations += (double)r->iterations;
    s->products += r->work.products;
    s->factorizations += r->work.factorizations;
    s->pivots += r->work.pivots;
    s->projections += r->work.projections;
    s->rounds += r->work.rounds;
    s->solve_seconds += r->seconds;
    if (r->outcome != PERP_SOLVED && s->failed_step == 0.0) {
        s->failed_step = step;
        s->failed_outcome = (double)r->outcome;
    }
}

/* The simulated time, of these steps [s]. */
static double span(const sim_summary *s, const sim_settings *settings)
{
    const double dt = settings->scheme.dt;

    return s->steps * dt - (s->short_dt > 0.0 ? dt - s->short_dt : 0.0);
}

static void row(output_table *t, const char *name, const char *format, ...)
    PERP_PRINTF(3, 4);

static void row(output_table *t, const char *name, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    output_cell(t, "%s", name);
    output_cell(t, "%s", text);
}

static void print_energy(output_table *t, const sim_summary *s)
{
    row(t, "energy", "%.6g J, at the start %.6g J: change %+.3e J", energy(s),
        start_energy(s), energy(s) - start_energy(s));
    for (size_t k = 0; k < PERP_LEDGER_PARTS; k++) {
        if (s->ledger[k] != 0.0) {
            row(t, "", "%+.3e J %s", s->ledger[k], perp_ledger_names[k]);
        }
    }
}

/* The solution path of the last step; a scaling that changes nothing is left out. */
static void print_path(output_table *t, const perp_solution_path *path)
{
    const char *name = "path";

    for (size_t k = 0; k < path->count; k++) {
        if (strcmp(path->step[k], "scaled by powers of two from 2^0 to 2^0") != 0) {
            row(t, name, "%s", path->step[k]);
            name = "";
        }
    }
}

/* What did not occur is left out. */
static void print_largest(output_table *t, const sim_summary *s)
{
    if (s->rows > 0.0) {
        row(t, "contacts", "%.0f at most, %.0f row%s", s->contacts, s->rows,
            perp_plural((size_t)s->rows));
    }
    if (s->unresolved > 0.0) {
        row(t, "unresolved", "%.0f pair%s of shapes, %.0f written as scenes",
            s->unresolved, perp_plural((size_t)s->unresolved), s->unresolved_files);
    }
    if (s->penetration > 0.0) {
        row(t, "penetration", "%s m at most, in step %.0f",
            output_real(OUTPUT_ROOM, s->penetration), s->penetration_step);
    }
    if (s->drift_length > 0.0 || s->drift_angle > 0.0) {
        row(t, "drift", "%s m, %s rad at most", output_real(OUTPUT_ROOM, s->drift_length),
            output_real(OUTPUT_ROOM, s->drift_angle));
    }
}

static void print_solver(output_table *t, const sim_summary *s, const sim_end *end)
{
    const perp_work work = {.products = s->products,
                            .factorizations = s->factorizations,
                            .pivots = s->pivots,
                            .rounds = s->rounds};
    char text[256];

    row(t, "solved", "%.0f of %.0f step%s", s->solved, s->steps,
        perp_plural((size_t)s->steps));
    if (s->failed_step > 0.0) {
        row(t, "", "first failure: step %.0f: %s%s%s", s->failed_step,
            perp_outcome_text((perp_outcome)s->failed_outcome),
            end->reason[0] ? ": " : "", end->reason);
    }
    if (s->residual_step > 0.0) {
        row(t, "residual", "%s at worst, in step %.0f",
            output_real(OUTPUT_ROOM, s->residual), s->residual_step);
    } else {
        row(t, "residual", "0 in every step");
    }
    output_work(text, &work);
    row(t, "work", "%.0f iteration%s%s%s", s->iterations,
        perp_plural((size_t)s->iterations), *text ? ", " : "", text);
    print_path(t, &end->ran);
}

size_t sim_joints_with_rows(const perp_world *world)
{
    const perp_reduced *r = world->reduced;
    size_t count = 0;

    for (size_t k = 0; k < world->joint_count; k++) {
        count += !world->joints[k].type->unilateral &&
                 (!r || k >= r->joints || r->joint_link[k] < 0);
    }
    return count;
}

void sim_reduced_text(const perp_world *world, char *text, size_t length)
{
    const perp_articulation *tree = world->reduced->tree;
    const size_t rows = sim_joints_with_rows(world);

    snprintf(text, length, "%zu, of %zu %s; %zu %s", tree->n, tree->count,
             tree->count == 1 ? "link" : "links", rows,
             rows == 1 ? "joint keeps its rows" : "joints keep their rows");
}

void sim_summary_print(FILE *out, const sim_summary *s, const sim_end *end,
                       const sim_orders *orders)
{
    const sim_settings *settings = orders->settings;
    double rate = s->seconds > 0.0 ? span(s, settings) / s->seconds : NAN;
    output_table t;

    output_print(out, OUTPUT_STRONG, "%s", orders->scene->name);
    output_print(out, OUTPUT_PLAIN, ": %s%s\n", settings->solver_name,
                 end->interrupted ? ", interrupted"
                 : end->late      ? ", ended by its time limit"
                                  : "");
    output_table_start(&t, "total|value");
    row(&t, "steps", "%.0f of %zu, to t = %g s", s->steps, settings->steps, s->t);
    if (s->short_dt > 0.0) {
        row(&t, "", "%.6g s each, the last %.6g s: the time is no multiple of dt",
            settings->scheme.dt, s->short_dt);
    }
    if (end->resumed) {
        row(&t, "", "%zu of them were there", end->resumed);
    }
    if (settings->scene->world->reduced) {
        char text[128];

        sim_reduced_text(settings->scene->world, text, sizeof text);
        row(&t, "coordinates", "%s", text);
    }
    print_energy(&t, s);
    print_largest(&t, s);
    print_solver(&t, s, end);
    for (size_t k = 0; k < end->surprises.count; k++) {
        row(&t, k ? "" : "warning", "%s", end->surprises.line[k]);
    }
    row(&t, "time", "%s, solving %s; %.3g times as fast as real time",
        output_seconds(OUTPUT_ROOM, s->seconds),
        output_seconds(OUTPUT_ROOM, s->solve_seconds), rate);
    row(&t, "wrote", "%s: %.0f frame%s%s%s%s%s", orders->dir, s->frames,
        perp_plural((size_t)s->frames), s->captured > 0.0 ? ", captured problems" : "",
        orders->taken ? " (" : "", orders->taken ? orders->taken : "",
        orders->taken ? " exists)" : "");
    output_table_end(&t, out);
}

static json_t *whole(double x)
{
    return json_integer((json_int_t)x);
}

static json_t *ledger_json(const sim_summary *s)
{
    json_t *o = json_object();

    for (size_t k = 0; k < PERP_LEDGER_PARTS; k++) {
        json_object_set_new(o, perp_ledger_names[k], answer_real(s->ledger[k]));
    }
    return o;
}

static json_t *energies_json(const sim_summary *s)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "start",
                     answer_real(start_energy(s)), "end", answer_real(energy(s)),
                     "change", answer_real(energy(s) - start_energy(s)), "kinetic",
                     answer_real(s->kinetic), "potential", answer_real(s->potential),
                     "stored", answer_real(s->stored), "ledger", ledger_json(s),
                     "creation", answer_real(fmax(s->creation, s->excess)), "unit",
                     json_string("J"));
}

static json_t *settings_json(const sim_settings *settings)
{
    json_t *o = json_object();
    char *text = sim_settings_text(settings), *save = NULL;

    for (char *line = strtok_r(text, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        char *value = strstr(line, " = ");

        if (value && strncmp(line, SIM_SETTINGS_SET, strlen(SIM_SETTINGS_SET)) != 0) {
            *value = '\0';
            json_object_set_new(o, line, json_string(value + 3));
        }
    }
    free(text);
    return o;
}

static json_t *parameters_json(const perp_scene *scene)
{
    json_t *o = json_object();

    for (size_t k = 0; k < scene->parameter_count; k++) {
        json_object_set_new(o, scene->parameters[k].name,
                            answer_real(scene->parameters[k].value));
    }
    return o;
}

/* The notes of the scene, which are printed before the run, and what came up in it. */
static json_t *warnings_json(const perp_scene *scene, const sim_surprises *s)
{
    json_t *list = json_array();

    for (size_t k = 0; k < scene->note_count; k++) {
        json_array_append_new(list, json_string(scene->notes[k]));
    }
    for (size_t k = 0; k < s->count; k++) {
        json_array_append_new(list, json_string(s->line[k]));
    }
    return list;
}

static void summary_add(json_t *o, const char *key, json_t *value)
{
    json_object_set_new(o, key, value);
}

json_t *sim_summary_json(const sim_summary *s, const sim_end *end,
                         const sim_settings *settings, const char *scene, const char *dir)
{
    const perp_work work = {s->products, s->factorizations, 0.0,
                            s->pivots,   s->projections,    s->rounds};
    json_t *o = json_object();
    json_t *failed = json_null();

    if (s->failed_step > 0.0) {
        failed = json_pack("{s:o, s:s, s:s}", "step", whole(s->failed_step), "outcome",
                           perp_outcome_text((perp_outcome)s->failed_outcome), "reason",
                           end->reason);
    }
    summary_add(o, "schema", json_string("perp-simulation/1"));
    summary_add(o, "scene", answer_text(scene));
    summary_add(o, "folder", answer_text(dir));
    if (settings->solver && plugin_is_used(&settings->opt)) {
        summary_add(o, "plugins", plugin_json(&settings->opt));
    }
    summary_add(o, "parameters", parameters_json(settings->scene));
    summary_add(o, "ended",
                json_string(end->interrupted ? "interrupted"
                            : end->early     ? "early"
                            : end->late      ? "time limit"
                                             : "done"));
    summary_add(o, "why", json_string(end->why));
    summary_add(o, "warnings", warnings_json(settings->scene, &end->surprises));
    summary_add(o, "steps", whole(s->steps));
    summary_add(o, "steps_asked", json_integer((json_int_t)settings->steps));
    summary_add(o, "t", answer_real(s->t));
    summary_add(o, "last_dt",
                answer_real(s->short_dt > 0.0 ? s->short_dt : settings->scheme.dt));
    summary_add(o, "solved", whole(s->solved));
    summary_add(o, "first_failure", failed);
    summary_add(o, "energy", energies_json(s));
    summary_add(o, "momentum", sim_momentum_json(&s->momentum));
    summary_add(o, "penetration", answer_real(s->penetration));
    summary_add(o, "penetration_mean",
                answer_real(s->pressed > 0.0 ? s->depth / s->pressed : NAN));
    summary_add(o, "drift_length", answer_real(s->drift_length));
    summary_add(o, "drift_angle", answer_real(s->drift_angle));
    summary_add(o, "drift_length_rate", answer_real(sim_trend_slope(&s->drift_lengths)));
    summary_add(o, "drift_angle_rate", answer_real(sim_trend_slope(&s->drift_angles)));
    summary_add(o, "residual", answer_real(s->residual));
    summary_add(o, "contacts", whole(s->contacts));
    summary_add(o, "rows", whole(s->rows));
    summary_add(o, "unresolved", whole(s->unresolved));
    summary_add(o, "unresolved_files", whole(s->unresolved_files));
    summary_add(o, "iterations", whole(s->iterations));
    summary_add(o, "work", answer_work(&work));
    summary_add(o, "path", answer_path(&end->ran));
    summary_add(o, "frames", whole(s->frames));
    summary_add(o, "captured", whole(s->captured));
    summary_add(o, "seconds", answer_real(s->seconds));
    summary_add(o, "solve_seconds", answer_real(s->solve_seconds));
    summary_add(o, "real_time_factor",
                answer_real(s->seconds > 0.0 ? span(s, settings) / s->seconds : NAN));
    summary_add(o, "settings", settings_json(settings));
    summary_add(o, "machine", machine_json());
    return o;
}
