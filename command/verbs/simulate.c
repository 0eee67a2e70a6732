/* SPDX-License-Identifier: Apache-2.0
 * verbs/simulate.c: a scene, run by any solver; writes its trajectory,
 * metrics, problems. */
#include <config.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/base.h"
#include "command/cli/plugin.h"
#include "command/cli/replace.h"
#include "command/cli/take.h"
#include "command/simulate/catalogue.h"
#include "command/simulate/folder.h"
#include "command/simulate/measures.h"
#include "command/simulate/robots.h"
#include "command/simulate/run.h"
#include "command/verbs/gradient.h"
#include "command/verbs/run_lines.h"
#include "command/verbs/scenes.h"
#include "command/verbs/verbs.h"
#include "command/view/page.h"

static const cli_option simulate_options[] = {
    SCENE_SET_OPTION,
    ROBOT_OPTIONS,
    SIM_SETTINGS_OPTIONS,
    PLUGIN_OPTION,
    {"output", 'o', "DIR",
     "folder of the run [SCENE.perp in the current folder, or the first of SCENE-2.perp, "
     "SCENE-3.perp ... that does not exist]"},
    {"capture", 0, "WHEN",
     "store the problem of every N-th step, or of steps where a condition holds: "
     "'residual>1e-6', "
     "'failed'"},
    {"write", 0, "FILE", "write the state at the end as a scene; - is standard output"},
    {"view", 0, NULL, "write DIR/view.html, the run as a page: see perp view"},
    {"resume", 0, NULL,
     "continue the run in DIR, with the same bits; without -o the last of SCENE.perp, "
     "SCENE-2.perp ..."},
    {"force", 0, NULL,
     "replace the run in DIR: the new one is made in DIR.new and takes its place at the "
     "end"},
    {"checkpoint", 0, "N",
     "most steps between two checkpoints; two seconds are the most in any case [100]"},
    {"within", 0, "S",
     "end after this time of computing, and keep the steps that were made [any; s]"},
    {"quiet", 'q', NULL, "show no progress and no summary"},
    {"json", 0, NULL, "print the summary as JSON"},
    /* For compare: no folder; JSON on one line, whatever happens. */
    {"answer", 0, NULL, NULL},
    GRADIENT_OPTIONS,
    CLI_OPTION_END,
};

/* SIGINT ends the run without the current step; a second one ends the program. */
static volatile int simulate_stop;

static void simulate_signalled(int number)
{
    if (number == SIGINT || !simulate_stop) {
        simulate_stop = number == SIGINT ? SIM_STOP_INTERRUPTED : SIM_STOP_LATE;
    }
}

/* After so many seconds the run ends within its current step, too. */
static perp_status simulate_within(double seconds, perp_error *err)
{
    const struct sigaction action = {.sa_handler = simulate_signalled,
                                     .sa_flags = SA_RESTART};
    struct itimerval timer = {{0, 0}, {0, 0}};

    if (seconds <= 0.0) {
        return PERP_OK;
    }
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)));
    timer.it_value.tv_usec += timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0;
    if (sigaction(SIGALRM, &action, NULL) != 0 ||
        setitimer(ITIMER_REAL, &timer, NULL) != 0) {
        return perp_fail(err, PERP_ERR_READ, "perp simulate: option --within: %s",
                         strerror(errno));
    }
    return PERP_OK;
}

static perp_status simulate_summary(const cli_args *args, const sim_orders *o,
                                    const sim_summary *summary, const sim_end *end,
                                    perp_error *err)
{
    const char *name = o->scene->name;
    json_t *answer = sim_summary_json(summary, end, o->settings, name, o->dir);
    char path[DATA_PATH];
    perp_status status = PERP_OK;

    snprintf(path, sizeof path, "%s/summary.json", o->dir);
    status = verb_write_json(json_incref(answer), path, err);
    if (status == PERP_OK && cli_args_given(args, "json")) {
        status = output_json(stdout, json_incref(answer), false, err);
    } else if (status == PERP_OK && !o->quiet) {
        sim_summary_print(stdout, summary, end, o);
        if (status == PERP_OK) {
            status = run_lines_print(stdout, o->dir, err);
        }
    }
    json_decref(answer);
    return status;
}

/* The scene as it is now, under the settings of the run. */
static perp_status simulate_write(const sim_orders *o, const char *path, perp_error *err)
{
    perp_scene now = *o->scene;

    now.scheme = o->settings->scheme;
    now.coordinates = o->settings->coordinates;
    now.reduction = o->settings->reduction;
    if (o->settings->solver !=
        &perp_sequential_impulses_solver) { /* a scene recommends no sequential impulses */
        snprintf(now.solver, sizeof now.solver, "%s", o->settings->solver_name);
    }
    return perp_scene_write(&now, NULL, path, err);
}

/* The run as a page in its folder. */
static perp_status simulate_view(const sim_orders *o, perp_error *err)
{
    char path[DATA_PATH];
    view_page page = {.options = NULL};
    motion *m = NULL;
    perp_status status = motion_read(&m, o->dir, err);

    page.motions[0] = m;
    snprintf(path, sizeof path, "%s/view.html", o->dir);
    if (status == PERP_OK) {
        status = view_page_write(&page, path, err);
    }
    motion_free(m);
    return status;
}

static perp_status simulate_scene(const cli_args *args, const sim_orders *orders,
                                  int *code, perp_error *err)
{
    sim_orders o = *orders;
    sim_folder folder = {.name = o.scene->name,
                         .output = cli_args_value(args, "output"),
                         .resume = o.resume,
                         .force = cli_args_given(args, "force")};
    sim_settings settings;
    sim_summary summary;
    sim_end *end = take(1, sizeof *end);
    perp_status status = sim_settings_read(&settings, args, o.scene, err);

    o.settings = &settings;
    if (status == PERP_OK) {
        status = simulate_within(o.within, err);
    }
    if (status == PERP_OK) {
        status = sim_folder_open(&folder, err);
    }
    if (status == PERP_OK) {
        o.dir = folder.dir;
        o.held = folder.force;
        status = simulate_run(&o, &summary, end, err);
        sim_folder_close(&folder, status == PERP_OK && !end->interrupted && !end->late,
                         &status, err);
        o.taken = folder.taken;
    }
    if (status == PERP_OK && cli_args_given(args, "write")) {
        status = simulate_write(&o, cli_args_value(args, "write"), err);
    }
    if (status == PERP_OK && cli_args_given(args, "view")) {
        status = simulate_view(&o, err);
    }
    if (status == PERP_OK) {
        status = simulate_summary(args, &o, &summary, end, err);
    }
    if (status == PERP_OK && end->late) {
        fflush(stdout);
        output_print(stderr, OUTPUT_BAD,
                     "perp simulate: the time limit of %g s ended the run after %.0f of "
                     "%zu step%s; they are in %s: continue with --resume -o %s\n",
                     o.within, summary.steps, settings.steps, perp_plural(settings.steps),
                     o.dir, o.dir);
    }
    if (status == PERP_OK && end->early) {
        fflush(stdout);
        output_print(stderr, OUTPUT_BAD,
                     "perp simulate: %s; what was made "
                     "before is in %s\n",
                     end->why, o.dir);
    }
    if (status == PERP_OK) {
        *code = end->interrupted ? CLI_INTERRUPTED
                : end->early || end->late || summary.solved < summary.steps
                    ? CLI_NOT_SOLVED
                    : CLI_DONE;
    }
    free(end);
    return status;
}

/* Run without files, print the measures. */
static perp_status simulate_answer(const cli_args *args, const sim_orders *o, int *code,
                                   perp_error *err)
{
    sim_settings settings;
    sim_summary summary = {0};
    sim_measures measures = {0};
    sim_end *end = take(1, sizeof *end);
    sim_march m = {.summary = &summary, .end = end, .stop = o->stop, .limit = o->within};
    perp_status status = sim_settings_read(&settings, args, o->scene, err);

    if (status == PERP_OK) {
        status = sim_march_open(&m, o->scene, &settings, err);
    }
    if (status == PERP_OK) {
        sim_measures_open(&measures, &m);
    }
    if (status == PERP_OK) {
        status = simulate_within(o->within, err);
    }
    if (status == PERP_OK) {
        status = sim_march_run(&m, sim_measures_observe, &measures, err);
    }
    if (status == PERP_OK) {
        bool whole = !end->early && !end->late && summary.solved == summary.steps;

        status = output_json(stdout, sim_measures_json(&measures, &m), true, err);
        *code = end->interrupted ? CLI_INTERRUPTED : whole ? CLI_DONE : CLI_NOT_SOLVED;
    }
    sim_measures_clear(&measures);
    sim_march_close(&m);
    free(end);
    return status;
}

static int simulate_run_verb(const cli_args *args, perp_error *err)
{
    const struct sigaction action = {.sa_handler = simulate_signalled,
                                     .sa_flags = SA_RESETHAND};
    sim_orders orders = {
        .resume = cli_args_given(args, "resume"),
        .quiet = cli_args_given(args, "quiet"),
        .capture = cli_args_value(args, "capture"),
        .stop = &simulate_stop,
    };
    const bool answer = cli_args_given(args, "answer");
    double checkpoint = 0.0;
    char path[DATA_PATH];
    char *text = NULL, *place = NULL, *robot = NULL;
    int code = CLI_BAD_INPUT;

    if (cli_args_given(args, "gradient")) {
        return cli_args_refuse(args,
                               "output|capture|write|view|resume|force|checkpoint|within",
                               "does not go with --gradient", err) == PERP_OK
                   ? gradient_run(args, err)
                   : CLI_BAD_INPUT;
    }
    if (cli_args_refuse(args, "ties|least-norm|check|accept", "is for --gradient", err) !=
        PERP_OK) {
        return code;
    }
    if (cli_args_whole(args, "checkpoint", 100.0, 1.0, 1e9, &checkpoint, err) !=
        PERP_OK) {
        return code;
    }
    if (cli_args_quantity(args, "within", "s", 0.0, 0.0, 1e8, &orders.within, err) !=
        PERP_OK) {
        return code;
    }
    orders.checkpoint = (size_t)checkpoint;
    if (scene_open(args, args->word[0], &orders.scene, &text, err) == PERP_OK) {
        place = scene_find("", args->word[0], path, NULL) == PERP_OK
                    ? robot_place(path, text)
                    : NULL;
        robot = robot_words(args);
        orders.text = text;
        orders.place = place;
        orders.robot = robot && *robot ? robot : NULL;
        sigaction(SIGINT, &action, NULL);
        if (answer) {
            simulate_answer(args, &orders, &code, err);
        } else {
            simulate_scene(args, &orders, &code, err);
        }
    }
    if (answer && code == CLI_BAD_INPUT) {
        verb_print_failure(err);
    }
    perp_scene_free(orders.scene);
    free(text);
    free(place);
    free(robot);
    return code;
}

const cli_verb verb_simulate = {
    .name = "simulate",
    .summary = "run a scene by any solver: trajectory, metrics, problems",
    .usage = "SCENE [--set NAME=VALUE] [--solver NAME] [-o DIR]",
    .more = "SCENE is a file, of a scene or of a robot (URDF), or one of perp info "
            "scenes; perp info SCENE prints its parameters, for --set count=2000 "
            "--set 'radius=2 cm'. DIR gets trajectory.h5, metrics.csv, summary.json "
            "and, with --view, view.html, with --capture a sequence of problems in "
            "capture/. Exit status: 0 all steps solved; 1 not all, a time limit, or a "
            "state that is not finite ended the run; 2 bad usage or input; 130 "
            "interrupted.\n"
            "The parameters of a robot are where its joints start. WHEN of --capture "
            "is N, each N-th step, or a condition of numbers, step, t, failed, the "
            "names of perp info metrics, + - * / %, < <= > >= == !=, && || ! and "
            "parentheses. The summary lists as warnings bodies inside others and open "
            "joints at the start, spins of more than 0.5 rad per step, and a solver "
            "that solved no step.\n"
            "Each 100 steps (--checkpoint) or two seconds is a checkpoint: a run that "
            "was killed loses no more, and goes on with --resume and the same "
            "settings; with a longer --time so does one that ended. SIGINT ends a "
            "run; the current step is not made. --force removes a run that is there "
            "only after the new one has ended; a new run that is interrupted, killed "
            "or late (--within) stays in DIR.new, and DIR as it was. A folder with a "
            "file that is not of perp simulate is not replaced.\n"
            "--gradient: the scene is run for --time or --steps, by default not at "
            "all; of the step from there d(q+, qd+)/d(q, qd, tau) is printed: reduced "
            "coordinates, their rates, forces or torques on them. Scenes in maximal "
            "coordinates need --coordinates reduced; bodies without joints have "
            "coordinates then, too. The problem is solved to 1e-12 unless --tolerance "
            "says otherwise. Where contacts just touch, or just slide, one of two "
            "derivatives is printed, see --ties; --check compares both with "
            "differences. Exit status: 0 done; 1 differences disagree; 2 bad usage or "
            "input, or a step without a derivative.\n",
    .words = "SCENE|FILE",
    .usual =
        "set|solver|time|steps|dt|friction|integrator|coordinates|output|view|capture|"
        "write|resume|force|json",
    .options = simulate_options,
    .least = 1,
    .most = 1,
    .settings = true,
    .solver = true,
    .numbers = true,
    .run = simulate_run_verb,
};
