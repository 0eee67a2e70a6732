/* SPDX-License-Identifier: Apache-2.0
 * runner/line.c: the command line of a run. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "experiments/runner/line.h"

static void line_add(run_line *line, const char *word)
{
    line->word[line->count++] = word;
}

/* "--name value"; the value is printed into the line. */
static void line_option(run_line *line, const char *name, const char *value)
{
    char *text = line->text[line->texts++];

    snprintf(text, LINE_TEXT, "--%s=%s", name, value);
    line_add(line, text);
}

static void line_number(run_line *line, const char *name, double x)
{
    char text[32];

    snprintf(text, sizeof text, "%.17g", x);
    line_option(line, name, text);
}

static void line_given(run_line *line, const perp_options *opt)
{
    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        for (const perp_option *o = opt->tables[t]; o && o->name; o++) {
            char text[PERP_OPTION_TEXT_LENGTH + 32];

            if (perp_options_given(opt, o->name)) {
                perp_options_print(opt, o->name, text, sizeof text);
                line_option(line, o->name, text);
            }
        }
    }
}

/* "--name=value" of a number that is given. */
static void line_positive(run_line *line, const char *name, double x)
{
    if (x > 0.0) {
        line_number(line, name, x);
    }
}

static void line_steps(run_line *line, const suite_rules *rules, const char *integrator)
{
    const char *key = NULL;
    json_t *value = NULL;

    line_positive(line, "dt", rules->dt);
    line_positive(line, "time", rules->time);
    line_positive(line, "steps", (double)rules->steps);
    if (integrator) {
        line_option(line, "integrator", integrator);
    }
    json_object_foreach((json_t *)(uintptr_t)rules->scheme.value, key, value)
    {
        document d = document_member(&rules->scheme, key);
        char text[LINE_VALUE];
        perp_error inner = {0};

        if (line->texts < LINE_TEXTS - 1 &&
            document_print(&d, text, sizeof text, &inner) == PERP_OK) {
            line_option(line, key, text);
        }
    }
}

/* "--set=links=50" of each parameter. */
static void line_sets(run_line *line, const char *sets)
{
    while (*sets) {
        size_t length = strcspn(sets, ",");
        char text[LINE_VALUE];

        snprintf(text, sizeof text, "%.*s", (int)length, sets);
        line_option(line, "set", text);
        sets += length + (sets[length] == ',');
    }
}

/* What perp solve and perp simulate have in common. */
static void line_solver(run_line *line, const suite_run *run)
{
    const suite_rules *rules = &run->set->rules;

    line_add(line, "--answer");
    line_option(line, "solver", run->solver->name);
    line_number(line, "tolerance", run->tolerance);
    line_number(line, "time-limit", rules->limits.seconds);
    line_number(line, "seed", (double)rules->seed);
    line_given(line, &run->solver->options);
}

static void line_scene(run_line *line, const suite_run *run)
{
    line_add(line, "simulate");
    line_solver(line, run);
    line_number(line, "within", run->set->rules.limits.seconds);
    line_option(line, "coordinates", run->coordinates);
    line_steps(line, &run->set->rules, run->integrator);
    line_sets(line, run->instance->sets);
}

static void line_instance(run_line *line, const suite_run *run)
{
    const suite_rules *rules = &run->set->rules;
    const perp_read_options *read = &run->instance->read;

    line_add(line, "solve");
    line_solver(line, run);
    line_number(line, "repeat", (double)rules->repeats);
    if (run->instance->sequence) {
        line_add(line, "--sequence");
        line_option(line, "warm-start", run->start);
        line_number(line, "noise", rules->noise);
    } else {
        line_option(line, "start", run->start);
    }
    if (rules->history && !run->instance->sequence) {
        line_add(line, "--history");
    }
    if (rules->formulation) {
        line_option(line, "formulation", rules->formulation);
        line_add(line, "--formulated");
    }
    if (rules->law) {
        line_option(line, "law", rules->law);
    }
    if (read->kind) {
        line_option(line, "kind", read->kind);
    }
    if (read->format) {
        line_option(line, "format", read->format);
    }
    if (read->symmetric_upper) {
        line_add(line, "--symmetric-upper");
    }
    if (read->item) {
        line_number(line, "item", (double)read->item);
    }
}

void line_make(run_line *line, const suite_run *run, const char *executable)
{
    line->count = line->texts = 0;
    line_add(line, executable);
    if (run->instance->scene) {
        line_scene(line, run);
    } else {
        line_instance(line, run);
    }
    line_add(line, "--");
    line_add(line, run->instance->file);
    line_add(line, NULL);
}

void line_make_steps(run_line *line, const suite_rules *rules, const char *integrator)
{
    line->count = line->texts = 0;
    line_steps(line, rules, integrator);
    line_add(line, NULL);
}
