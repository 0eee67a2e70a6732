/* SPDX-License-Identifier: Apache-2.0
 * report/remarks.c: what runs report beside their results, each remark once, with the number of
 * its runs. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/answer.h"
#include "command/cli/output.h"
#include "command/cli/take.h"
#include "command/results/remarks.h"

/* A small part of the time of a run, and a componentwise residual that is mentioned. */
#define SHORT  0.1
#define HIDDEN 1e-4

/* Counts one more run of a line, which is released. */
static void remarks_count(json_t *counts, char *line)
{
    json_int_t count = json_integer_value(json_object_get(counts, line));

    answer_add(counts, line, json_integer(count + 1));
    free(line);
}

static char *remarks_warning(const stored_run *run, const json_t *warning)
{
    const char *text = json_string_value(warning);

    return take_format("%s, %s: %s", run->set, run->instance, text ? text : "");
}

static char *remarks_plugin(const stored_run *run, const json_t *plugin)
{
    (void)run;
    return take_format("%s: %s, hash %s", member_text(plugin, "file"),
                       member_text(plugin, "solver"), member_text(plugin, "hash"));
}

/* The lines of a counted list; releases the counts. */
static json_t *remarks_lines(json_t *counts)
{
    json_t *list = json_array();
    const char *line = NULL;
    json_t *count = NULL;

    json_object_foreach(counts, line, count)
    {
        const size_t runs = (size_t)json_integer_value(count);

        json_array_append_new(
            list, json_sprintf("%s, %zu run%s", line, runs, perp_plural(runs)));
    }
    json_decref(counts);
    return list;
}

/* The items of a member of all records, in the order of the runs. */
static json_t *remarks_list(const stored_runs *s, const char *member,
                            char *(*line)(const stored_run *run, const json_t *item))
{
    json_t *counts = json_object();

    for (size_t i = 0; i < s->count; i++) {
        const json_t *items = json_object_get(s->runs[i].json, member);

        for (size_t k = 0; k < json_array_size(items); k++) {
            remarks_count(counts, line(&s->runs[i], json_array_get(items, k)));
        }
    }
    return remarks_lines(counts);
}

/* A remark of the runs of a solver of a set: the size of each run that it concerns, NAN of the
 * others, and the words around the largest. */
typedef struct remark {
    double (*size)(const stored_run *run);
    const char *before, *after;
} remark;

/* Per cent of its time, of a run that ended by a limit of iterations, its own or that of the suite,
 * or by the stall rule, after a small part of it. */
static double remarks_short(const stored_run *run)
{
    bool limit = strcmp(run->outcome, "iteration limit") == 0;
    bool stall = strcmp(run->outcome, "stalled") == 0 &&
                 strstr(run->reason, "fell by less than 1 %");

    return !run->solved && (limit || stall) && run->seconds < SHORT * run->limit
               ? 100.0 * run->seconds / run->limit
               : (double)NAN;
}

/* The componentwise residual of a solved run, where the residual does not show it. */
static double remarks_hidden(const stored_run *run)
{
    double local =
        member_number(json_object_get(run->json, "measures"), "residual_local", 0.0);

    return run->solved && local > fmax(HIDDEN, 10.0 * run->tolerance) ? local
                                                                      : (double)NAN;
}

static const remark remarks[] = {
    {remarks_short, "ended at a limit of iterations or by the stall rule after at most ",
     " % of the time limit"},
    {remarks_hidden, "solved with a componentwise residual of up to ",
     ": large forces hide the errors of small ones"},
};

/* "piles, nsgs: 3 of 32 runs solved with a componentwise residual of up to 0.3 …". */
static char *remarks_line(const remark *what, const stored_runs *s, const stored_run *of)
{
    size_t all = 0, count = 0;
    double most = 0.0;

    for (size_t i = 0; i < s->count; i++) {
        const stored_run *run = &s->runs[i];

        if (strcmp(run->set, of->set) == 0 && strcmp(run->label, of->label) == 0) {
            double size = what->size(run);

            count += !isnan(size);
            most = fmax(most, size); /* drops NaN */
            all++;
        }
    }
    return take_format("%s, %s: %zu of %zu run%s %s%.2g%s", of->set, of->label, count,
                       all, perp_plural(all), what->before, most, what->after);
}

/* A line for each solver of a set that has such runs, at the first of them. */
static void remarks_add(json_t *list, const remark *what, const stored_runs *s)
{
    json_t *seen = json_object();

    for (size_t i = 0; i < s->count; i++) {
        const stored_run *run = &s->runs[i];
        char *solver = NULL, *line = NULL;

        if (isnan(what->size(run))) {
            continue;
        }
        solver = take_format("%s\n%s", run->set, run->label);
        if (!json_object_get(seen, solver)) {
            line = remarks_line(what, s, run);
            json_object_set_new(seen, solver, json_true());
            json_array_append_new(list, json_string(line));
        }
        free(solver);
        free(line);
    }
    json_decref(seen);
}

json_t *remarks_warnings(const stored_runs *s)
{
    json_t *list = remarks_list(s, "warnings", remarks_warning);

    for (size_t k = 0; k < sizeof remarks / sizeof *remarks; k++) {
        remarks_add(list, &remarks[k], s);
    }
    return list;
}

json_t *remarks_plugins(const stored_runs *s)
{
    return remarks_list(s, "plugins", remarks_plugin);
}

static void remarks_print(FILE *f, const char *title, json_t *list)
{
    if (json_array_size(list) > 0) {
        fputs(title, f);
    }
    for (size_t k = 0; k < json_array_size(list); k++) {
        output_print(f, OUTPUT_PLAIN, "  %s\n",
                     json_string_value(json_array_get(list, k)));
    }
    if (json_array_size(list) > 0) {
        fputc('\n', f);
    }
    json_decref(list);
}

void remarks_summary(FILE *f, const stored_runs *s)
{
    json_t *plugins = remarks_plugins(s);
    json_t *warnings = remarks_warnings(s);

    remarks_print(f, "Plugins:\n", plugins);
    remarks_print(f, "Warnings of runs:\n", warnings);
}
