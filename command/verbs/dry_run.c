/* SPDX-License-Identifier: Apache-2.0
 * verbs/dry_run.c: what perp compare would do. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/campaign/subject.h"
#include "command/cli/output.h"
#include "command/cli/plugin.h"
#include "command/cli/take.h"
#include "command/results/runs.h"
#include "command/verbs/dry_run.h"

enum { DRY_SHOWN = 5, DRY_LABEL = 2 * SUITE_LABEL };

/* A set and a solver, and the time of their stored runs. */
typedef struct dry_row {
    const char *set;
    char label[DRY_LABEL];
    size_t runs, there, timed;
    double seconds; /* of the stored runs, together */
} dry_row;

typedef struct dry_state {
    const suite_run *runs;
    size_t count;
    dry_row *rows; /* at most one per run */
    size_t row_count;
    dry_row **row_of; /* of each run */
    json_t *places;   /* numbers of rows by set and label */
    stored_runs stored;
    json_t *keys; /* of the stored runs */
} dry_state;

/* The row of a set and a solver, NULL without one. */
static dry_row *dry_row_find(const dry_state *d, const char *set, const char *label)
{
    const json_t *place = json_object_get(json_object_get(d->places, set), label);

    return place ? &d->rows[json_integer_value(place)] : NULL;
}

/* The same; a new one if there is none. */
static dry_row *dry_row_add(dry_state *d, const suite_run *run)
{
    const char *set = run->set->name;
    json_t *labels = json_object_get(d->places, set);
    dry_row *row = NULL;
    char label[DRY_LABEL];

    run->entry->type->label(run, label, sizeof label);
    row = dry_row_find(d, set, label);
    if (row) {
        return row;
    }
    if (!labels) {
        labels = json_object();
        json_object_set_new(d->places, set, labels);
    }
    json_object_set_new(labels, label, json_integer((json_int_t)d->row_count));
    row = &d->rows[d->row_count++];
    *row = (dry_row){.set = set};
    memcpy(row->label, label, sizeof label);
    return row;
}

/* The runs that are there. Without a journal none is. */
static void dry_read(dry_state *d, const char *dir)
{
    if (!dir || runs_read(&d->stored, dir, NULL) != PERP_OK) {
        return;
    }
    for (size_t i = 0; i < d->stored.count; i++) {
        const stored_run *run = &d->stored.runs[i];
        dry_row *row = dry_row_find(d, run->set, run->label);
        double seconds = member_number(run->json, "wall_seconds", NAN);

        json_object_set(d->keys, member_text(run->json, "key"), run->json);
        if (row && isfinite(seconds)) {
            row->seconds += seconds;
            row->timed++;
        }
    }
}

/* Is the run there, made by the plugins that are loaded now? */
static bool dry_has(const dry_state *d, const suite_run *run)
{
    const perp_options *opt = &run->solver->options;
    const json_t *there = json_object_get(d->keys, run->key);

    return there && (!plugin_is_used(opt) ||
                     plugin_is_same(json_object_get(there, "plugins"), opt));
}

static void dry_count(dry_state *d)
{
    for (size_t i = 0; i < d->count; i++) {
        d->row_of[i] = dry_row_add(d, &d->runs[i]);
        d->row_of[i]->runs++;
    }
}

/* "1 h 20 min", "3.2 s" */
static const char *dry_time(char room[32], double seconds)
{
    if (seconds >= 3600.0) {
        snprintf(room, 32, "%.0f h %.0f min", floor(seconds / 3600.0),
                 floor(fmod(seconds, 3600.0) / 60.0));
        return room;
    }
    if (seconds >= 60.0) {
        snprintf(room, 32, "%.0f min", ceil(seconds / 60.0));
        return room;
    }
    return output_seconds(room, seconds);
}

static void dry_print_rows(const dry_state *d)
{
    output_table t;

    output_table_start(&t, "set|solver|>runs|>there");
    for (size_t k = 0; k < d->row_count; k++) {
        output_cell(&t, "%s", d->rows[k].set);
        output_cell(&t, "%s", d->rows[k].label);
        output_cell(&t, "%zu", d->rows[k].runs);
        output_cell(&t, "%zu", d->rows[k].there);
    }
    output_table_end(&t, stdout);
}

/* The first runs that are not there, and the sums of the limits and the stored times of all
 * of these. */
static void dry_print_runs(dry_state *d, double jobs)
{
    double limit = 0.0, expected = 0.0;
    size_t left = 0, timed = 0;
    bool items = false;

    for (size_t i = 0; i < d->count; i++) {
        const suite_run *run = &d->runs[i];
        const dry_row *row = d->row_of[i];

        if (dry_has(d, run)) {
            continue;
        }
        if (left++ < DRY_SHOWN) {
            output_print(stdout, OUTPUT_PLAIN, "  %s/%s/%s, tolerance %g\n",
                         run->set->name, row->label, run->entry->name, run->tolerance);
        }
        limit += run->set->rules.limits.seconds;
        items = items || run->entry->type == &subject_sequence;
        expected += row->timed ? row->seconds / (double)row->timed : 0.0;
        timed += row->timed > 0;
    }
    if (left > DRY_SHOWN) {
        output_print(stdout, OUTPUT_PLAIN, "  and %zu more\n", left - DRY_SHOWN);
    }
    if (left == 0) {
        output_print(stdout, OUTPUT_PLAIN, "no run to make, %zu there already\n",
                     d->count);
        return;
    }
    output_print(
        stdout, OUTPUT_PLAIN,
        "%zu run%s to make, %zu there already; at most %s by the limits of time%s\n",
        left, left == 1 ? "" : "s", d->count - left, dry_time(OUTPUT_ROOM, limit / jobs),
        items ? ", each item of a sequence apart" : "");
    if (timed) {
        output_print(
            stdout, OUTPUT_PLAIN,
            "about %s for %zu of them, by the stored runs of the same set and solver\n",
            dry_time(OUTPUT_ROOM, expected / jobs), timed);
    }
}

perp_status dry_run(const suite *s, const char *dir, double jobs, perp_error *err)
{
    dry_state d = {.runs = NULL};
    suite_run *runs = NULL;
    perp_status status = suite_plan(s, &runs, &d.count, err);

    d.runs = runs;
    d.rows = take(d.count + 1, sizeof *d.rows);
    d.row_of = take(d.count + 1, sizeof(dry_row *));
    d.places = json_object();
    d.keys = json_object();
    if (status == PERP_OK) {
        dry_count(&d);
        dry_read(&d, dir);
    }
    for (size_t i = 0; status == PERP_OK && i < d.count; i++) {
        d.row_of[i]->there += dry_has(&d, &runs[i]);
    }
    if (status == PERP_OK) {
        dry_print_rows(&d);
    }
    if (status == PERP_OK) {
        dry_print_runs(&d, jobs);
    }
    runs_free(&d.stored);
    json_decref(d.keys);
    json_decref(d.places);
    free(d.row_of);
    free(d.rows);
    free(runs);
    return status;
}
