/* SPDX-License-Identifier: Apache-2.0
 * runner/line.c: the command line of a run. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "command/campaign/line.h"
#include "command/cli/plugin.h"

void line_start(run_line *line)
{
    line->count = line->texts = 0;
}

void line_add(run_line *line, const char *word)
{
    line->word[line->count++] = word;
}

void line_add_text(run_line *line, const char *name, const char *value)
{
    char *text = line->text[line->texts++];

    snprintf(text, LINE_TEXT, "--%s=%s", name, value);
    line_add(line, text);
}

void line_add_number(run_line *line, const char *name, double x)
{
    char text[32];

    snprintf(text, sizeof text, "%.17g", x);
    line_add_text(line, name, text);
}

static void line_add_given_text(run_line *line, const char *name, const char *value)
{
    if (value) {
        line_add_text(line, name, value);
    }
}

static void line_add_given_number(run_line *line, const char *name, double x)
{
    if (x > 0.0) {
        line_add_number(line, name, x);
    }
}

static void line_add_options(run_line *line, const perp_options *opt)
{
    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        for (const perp_option *o = opt->tables[t]; o && o->name; o++) {
            char text[PERP_OPTION_TEXT_LENGTH + 32];

            if (perp_options_given(opt, o->name)) {
                perp_options_print(opt, o->name, text, sizeof text);
                line_add_text(line, o->name, text);
            }
        }
    }
}

void line_add_solver(run_line *line, const suite_run *run)
{
    const suite_rules *rules = &run->set->rules;

    line_add(line, "--answer");
    line_add(line, "--solver"); /* a command may be longer than a text */
    line_add(line, run->solver->name);
    for (size_t k = 0; plugin_is_used(&run->solver->options) && plugin_file(k); k++) {
        line_add(line, "--plugin"); /* all of them: a chain may name solvers of any */
        line_add(line, plugin_file(k));
    }
    line_add_number(line, "tolerance", run->tolerance);
    line_add_number(line, "time-limit", rules->limits.seconds);
    line_add_number(line, "seed", (double)rules->seed);
    line_add_options(line, &run->solver->options);
}

void line_add_solve(run_line *line, const suite_run *run)
{
    const suite_rules *rules = &run->set->rules;
    const perp_read_options *read = &run->entry->read;

    line_add_solver(line, run);
    if (!perp_options_given(&run->solver->options, "end-by")) {
        line_add_text(line, "end-by", "limits");
    }
    line_add_number(line, "repeat", (double)rules->repeats);
    line_add_given_text(line, "friction", rules->friction);
    if (rules->friction) {
        line_add(line, "--formulated");
    }
    line_add_given_text(line, "kind", read->kind);
    line_add_given_text(line, "format", read->format);
    line_add_given_number(line, "item", (double)read->item);
    if (read->symmetric_upper) {
        line_add(line, "--symmetric-upper");
    }
}

void line_add_steps(run_line *line, const suite_rules *rules, const char *integrator)
{
    const char *key = NULL;
    json_t *value = NULL;

    line_add_given_number(line, "dt", rules->dt);
    line_add_given_number(line, "time", rules->time);
    line_add_given_number(line, "steps", (double)rules->steps);
    line_add_given_text(line, "integrator", integrator);
    json_object_foreach((json_t *)(uintptr_t)rules->scheme.value, key, value)
    {
        document d = document_member(&rules->scheme, key);
        char text[LINE_VALUE];
        perp_error inner = {0};

        if (line->texts < LINE_TEXTS - 1 &&
            document_print(&d, text, sizeof text, &inner) == PERP_OK) {
            line_add_text(line, key, text);
        }
    }
}

void line_add_parameters(run_line *line, const char *parameters)
{
    while (*parameters) {
        size_t length = strcspn(parameters, ",");
        char text[LINE_VALUE];

        snprintf(text, sizeof text, "%.*s", (int)length, parameters);
        line_add_text(line, "set", text);
        parameters += length + (parameters[length] == ',');
    }
}

void line_make_steps(run_line *line, const suite_rules *rules, const char *integrator)
{
    line_start(line);
    line_add_steps(line, rules, integrator);
    line_add(line, NULL);
}
