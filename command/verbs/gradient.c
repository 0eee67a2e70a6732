/* SPDX-License-Identifier: Apache-2.0
 * verbs/gradient.c: perp simulate --gradient: how a step of a scene changes with its state and with torques on its
 * joints. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/reduce.h>

#include "base/base.h"
#include "command/cli/answer.h"
#include "command/cli/take.h"
#include "command/simulate/march.h"
#include "command/verbs/gradient.h"
#include "command/verbs/gradient_check.h"
#include "command/verbs/scenes.h"
#include "command/verbs/verbs.h"

/* A state of a scene, the derivative of the step from there, and how it is checked. */
typedef struct gradient_job {
    perp_scene *scene;
    sim_settings settings;
    sim_march march;
    sim_summary summary;
    sim_end end;
    perp_step_gradient *g;
    size_t n;
    char (*name)[64]; /* n: of the coordinates */
    double *D;        /* 2n x 3n by columns */
    double *after;    /* 2n: q+, qd+ */
    bool checked;
    double accept;
    gradient_check check;
} gradient_job;

static const int gradient_never = 0; /* a signal ends the program: nothing is written */

/* The step may be any; only its state is of interest. */
static perp_status gradient_look(void *context, const sim_march *m,
                                 const perp_report *report, perp_error *err)
{
    (void)context;
    (void)m;
    (void)report;
    (void)err;
    return PERP_OK;
}

/* The settings of a derivative: from the start unless told otherwise, solved far below
 * the tolerance of ties, and bodies without joints are trees as well. */
static perp_status gradient_settings(gradient_job *job, const cli_args *args,
                                     perp_error *err)
{
    sim_settings *s = &job->settings;
    bool told = false;
    perp_status status = PERP_OK;

    TRY(sim_settings_read(s, args, job->scene, err));
    TRY(cli_args_number(args, "accept", 1e-5, 0.0, 1.0, &job->accept, err));
    if (s->coordinates != PERP_COORDINATES_REDUCED) {
        return perp_fail(
            err, PERP_ERR_UNSUITABLE,
            "perp simulate --gradient: %s is in maximal coordinates, and derivatives "
            "are those of reduced ones: --coordinates reduced",
            job->scene->name);
    }
    if (s->solver == &perp_sequential_impulses_solver) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "perp simulate --gradient: %s solves no problem exactly, expected one of "
            "perp info solvers",
            s->solver_name);
    }
    for (size_t k = 0; k < args->setting_count; k++) {
        told = told || strcmp(args->setting[k].name, "tolerance") == 0;
    }
    if (!told) {
        status = perp_options_set(&s->opt, "tolerance", "1e-12", err);
    }
    s->reduction.free_bodies = true;
    if (!cli_args_given(args, "time") && !cli_args_given(args, "steps")) {
        s->steps = 0;
    }
    return status;
}

/* The state after the steps asked for. */
static perp_status gradient_run_scene(gradient_job *job, perp_error *err)
{
    job->march.summary = &job->summary;
    job->march.end = &job->end;
    job->march.stop = &gradient_never;
    TRY(sim_march_open(&job->march, job->scene, &job->settings, err));
    TRY(sim_march_run(&job->march, gradient_look, NULL, err));
    if (job->end.early) {
        TRY(perp_fail(err, PERP_ERR_DATA, "perp simulate --gradient: %s", job->end.why));
    }
    return PERP_OK;
}

/* A coordinate is called by the joint that has it, or by its body: "elbow", "box.3". */
static void gradient_names(gradient_job *job)
{
    const perp_world *w = job->scene->world;
    const perp_reduced *r = w->reduced;

    for (size_t k = 0; k < r->tree->count; k++) {
        const size_t dof = r->tree->links[k].mobilizer->dof;
        const char *name = w->name[r->body[k]];

        for (size_t i = 0; i < w->joint_count; i++) {
            name = r->joint_link[i] == (int32_t)k ? w->joints[i].name : name;
        }
        for (size_t i = 0; i < dof; i++) {
            char *to = job->name[r->tree->first[k] + i];

            snprintf(to, sizeof *job->name, dof == 1 ? "%.50s" : "%.50s.%zu", name, i);
        }
    }
}

static perp_status gradient_make(gradient_job *job, const cli_args *args, perp_error *err)
{
    const sim_settings *s = &job->settings;
    perp_state *state = job->scene->world->start;
    const char *ties = cli_args_value(args, "ties");
    perp_sensitivity_options how = {.least_norm = cli_args_given(args, "least-norm")};

    how.ties = ties && strcmp(ties, "free") == 0 ? PERP_TIES_FREE : PERP_TIES_OPEN;
    TRY(perp_step_gradient_new(&job->g, job->scene->world, state, &s->scheme, s->solver,
                               &s->opt, &how, err));
    job->n = state->trees->n;
    job->D = take(6 * job->n * job->n, sizeof *job->D);
    job->after = take(2 * job->n, sizeof *job->after);
    job->name = take(job->n, sizeof *job->name);
    gradient_names(job);
    perp_step_gradient_after(job->g, job->after, job->after + job->n);
    return perp_step_gradient_matrix(job->g, job->D, err);
}

static perp_status gradient_compare(gradient_job *job, perp_error *err)
{
    job->checked = true;
    job->check = (gradient_check){.world = job->scene->world,
                                  .state = job->scene->world->start,
                                  .settings = &job->settings,
                                  .gradient = job->g,
                                  .matrix = job->D};
    return gradient_check_run(&job->check, err);
}

static bool gradient_good(const gradient_job *job)
{
    return !job->checked || job->check.worst <= job->accept;
}

static const char *const state_names[PERP_ACTIVE_STATES] = {"open", "free", "sliding",
                                                            "tied"};

static size_t gradient_count(const gradient_job *job, size_t state)
{
    const perp_sensitivity *z = perp_step_gradient_solution(job->g);

    return z ? perp_sensitivity_count(z, (perp_active)state) : 0;
}

static json_t *gradient_names_json(const gradient_job *job)
{
    json_t *array = json_array();

    for (size_t k = 0; k < job->n; k++) {
        json_array_append_new(array, answer_text(job->name[k]));
    }
    return array;
}

/* Rows of one of the six blocks. */
static json_t *gradient_block(const gradient_job *job, size_t above, size_t before)
{
    const size_t n = job->n;
    json_t *rows = json_array();

    for (size_t i = 0; i < n; i++) {
        json_t *row = json_array();

        for (size_t k = 0; k < n; k++) {
            json_array_append_new(
                row, answer_real(job->D[2 * n * (before * n + k) + above * n + i]));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *gradient_json(const gradient_job *job)
{
    const perp_system *system = perp_step_gradient_system(job->g);
    json_t *active = json_object();
    json_t *check =
        job->checked ? json_pack("{s:o, s:f, s:b, s:s, s:I, s:I}", "worst",
                                 answer_real(job->check.worst), "accept", job->accept,
                                 "good", (int)gradient_good(job), "at", job->check.where,
                                 "directions", (json_int_t)job->check.directions, "kinks",
                                 (json_int_t)job->check.kinks)
                     : json_null();

    for (size_t k = 0; k < PERP_ACTIVE_STATES; k++) {
        answer_add(active, state_names[k],
                   json_integer((json_int_t)gradient_count(job, k)));
    }
    return json_pack(
        "{s:s, s:I, s:o, s:f, s:s, s:o, s:I, s:o, s:o, s:o, s:{s:o, s:o, "
        "s:o, s:o, s:o, s:o}, s:o}",
        "scene", job->scene->name, "step", (json_int_t)job->march.step, "t",
        answer_real(job->scene->world->start->t), "dt", job->settings.scheme.dt, "solver",
        job->settings.solver_name, "coordinates", gradient_names_json(job), "rows",
        (json_int_t)system->rows.count, "active", active, "q",
        answer_vector(job->after, job->n), "qd",
        answer_vector(job->after + job->n, job->n), "derivative", "q_q",
        gradient_block(job, 0, 0), "q_qd", gradient_block(job, 0, 1), "q_tau",
        gradient_block(job, 0, 2), "qd_q", gradient_block(job, 1, 0), "qd_qd",
        gradient_block(job, 1, 1), "qd_tau", gradient_block(job, 1, 2), "check", check);
}

/* One of the six blocks as a table. */
static void gradient_table(const gradient_job *job, size_t above, size_t before)
{
    static const char *const of[] = {"q+", "qd+"}, *const by[] = {"q", "qd", "tau"};
    const size_t n = job->n, room = 66 * (n + 1) + 32;
    char *heads = take(1, room);
    size_t used = 0;
    output_table t;

    used = (size_t)snprintf(heads, room, "d %s / d %s", of[above], by[before]);
    for (size_t k = 0; k < n; k++) {
        used += (size_t)snprintf(heads + used, room - used, "|>%s", job->name[k]);
    }
    putchar('\n');
    output_table_start(&t, heads);
    for (size_t i = 0; i < n; i++) {
        output_cell(&t, "%s", job->name[i]);
        for (size_t k = 0; k < n; k++) {
            output_cell(&t, "%.6g", job->D[2 * n * (before * n + k) + above * n + i]);
        }
    }
    free(heads);
    output_table_end(&t, stdout);
}

static void gradient_print(const gradient_job *job)
{
    const perp_system *system = perp_step_gradient_system(job->g);

    output_print(stdout, OUTPUT_STRONG, "%s", job->scene->name);
    output_print(stdout, OUTPUT_PLAIN,
                 ": the step from t = %g s, dt = %g s, %zu coordinate%s, %zu row%s",
                 job->scene->world->start->t, job->settings.scheme.dt, job->n,
                 perp_plural(job->n), system->rows.count,
                 perp_plural(system->rows.count));
    for (size_t k = 0; k < PERP_ACTIVE_STATES && system->rows.count > 0; k++) {
        output_print(stdout, OUTPUT_PLAIN, "%s %zu %s", k > 0 ? "," : ":",
                     gradient_count(job, k), state_names[k]);
    }
    putchar('\n');
    for (size_t block = 0; block < 6; block++) {
        gradient_table(job, block / 3, block % 3);
    }
    if (job->checked) {
        putchar('\n');
        output_print(stdout, gradient_good(job) ? OUTPUT_GOOD : OUTPUT_BAD, "%s",
                     gradient_good(job) ? "differences agree" : "differences disagree");
        output_print(stdout, OUTPUT_PLAIN,
                     ": worst relative error %s of %zu direction%s, %zu with a kink: %s "
                     "(accepted %g)\n",
                     output_real(OUTPUT_ROOM, job->check.worst), job->check.directions,
                     perp_plural(job->check.directions), job->check.kinks,
                     job->check.where, job->accept);
    }
}

int gradient_run(const cli_args *args, perp_error *err)
{
    gradient_job *job = take(1, sizeof *job);
    perp_status status = scene_open(args, args->word[0], &job->scene, NULL, err);
    int code = CLI_BAD_INPUT;

    if (status == PERP_OK) {
        status = gradient_settings(job, args, err);
    }
    if (status == PERP_OK) {
        status = gradient_run_scene(job, err);
    }
    if (status == PERP_OK) {
        status = gradient_make(job, args, err);
    }
    if (status == PERP_OK && cli_args_given(args, "check")) {
        status = gradient_compare(job, err);
    }
    if (status == PERP_OK && cli_args_given(args, "json")) {
        status = output_json(stdout, gradient_json(job), false, err);
    } else if (status == PERP_OK) {
        gradient_print(job);
    }
    if (status == PERP_OK) {
        code = gradient_good(job) ? CLI_DONE : CLI_NOT_SOLVED;
    }
    perp_step_gradient_free(job->g);
    sim_march_close(&job->march);
    free(job->D);
    free(job->after);
    free(job->name);
    perp_scene_free(job->scene);
    free(job);
    return code;
}
