/* SPDX-License-Identifier: Apache-2.0
 * command/results/coordinates.c: the cost and the errors of scenes in maximal and in reduced
 * coordinates. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "coordinates.h"

double scene_value(const json_t *record, const char *path)
{
    const char *dot = strchr(path, '.');
    char head[32];

    if (!dot) {
        return member_number(record, path, NAN);
    }
    snprintf(head, sizeof head, "%.*s", (int)(dot - path), path);
    return member_number(json_object_get(record, head), dot + 1, NAN);
}

static double share_of_solver(const table_column *column, const void *row)
{
    const json_t *record = ((const stored_run *)row)->json;

    (void)column;
    return scene_value(record, "step_seconds.solving") /
           scene_value(record, "step_seconds.total");
}

double scene_energy(const json_t *record)
{
    double error = scene_value(record, "energy.error");

    return error == 0.0 ? 0.0 : error / scene_value(record, "energy.scale");
}

static double relative_energy(const table_column *column, const void *row)
{
    (void)column;
    return scene_energy(((const stored_run *)row)->json);
}

static double iterations_per_step(const table_column *column, const void *row)
{
    const json_t *record = ((const stored_run *)row)->json;

    (void)column;
    return scene_value(record, "iterations") / scene_value(record, "steps_made");
}

/* A number of the record; the key is its path, if that is not the name. */
static double member_of(const table_column *column, const void *row)
{
    return scene_value(((const stored_run *)row)->json,
                       column->key ? column->key : column->name);
}

static void member_text_of(const table_column *column, const void *row, FILE *f)
{
    fputs(member_text(((const stored_run *)row)->json,
                      column->key ? column->key : column->name),
          f);
}

static void failure_text(const table_column *column, const void *row, FILE *f)
{
    (void)column;
    fputs(((const stored_run *)row)->solved ? "" : ((const stored_run *)row)->ending, f);
}

static const table_column columns[] = {
    {TABLE_STRING_AT("set", NULL, stored_run, set)},
    {.name = "scene", .text = member_text_of},
    {TABLE_STRING_AT("instance", "scene", stored_run, instance)},
    {.name = "coordinates", .text = member_text_of},
    {.name = "solver", .key = "solver_label", .text = member_text_of},
    {TABLE_STRING_AT(NULL, "solver", stored_run, label)},
    {.name = "integrator", .text = member_text_of},
    {TABLE_REAL_AT("tolerance", NULL, NULL, stored_run, tolerance)},
    {TABLE_STRING_AT("ending", NULL, stored_run, ending)},
    {.name = "bodies", .real = member_of},
    {.name = "links", .heading = "links", .format = "%.0f", .real = member_of},
    {.name = "joints", .real = member_of},
    {.name = "dof", .heading = "dof", .format = "%.0f", .real = member_of},
    {.name = "closing_joints", .heading = "loops", .format = "%.0f", .real = member_of},
    {.name = "rows_mean", .heading = "rows", .format = "%.1f", .real = member_of},
    {.name = "rows_most", .key = "rows", .real = member_of},
    {.name = "contacts_mean", .heading = "contacts", .format = "%.1f", .real = member_of},
    {.name = "contacts_most", .key = "contacts", .real = member_of},
    {.name = "steps_asked", .real = member_of},
    {.name = "steps_made", .heading = "steps", .format = "%.0f", .real = member_of},
    {.name = "steps_solved", .heading = "solved", .format = "%.0f", .real = member_of},
    {.name = "step_seconds",
     .key = "step_seconds.median",
     .heading = "time per step [s]",
     .format = "%.3g",
     .real = member_of},
    {.name = "step_seconds_least", .key = "step_seconds.least", .real = member_of},
    {.name = "seconds", .key = "step_seconds.total", .real = member_of},
    {.name = "solving",
     .heading = "solver share",
     .format = "%.2f",
     .real = share_of_solver},
    {.name = "drift_length", .heading = "drift [m]", .format = "%.2g", .real = member_of},
    {.name = "drift_length_end", .real = member_of},
    {.name = "drift_angle",
     .heading = "drift [rad]",
     .format = "%.2g",
     .real = member_of},
    {.name = "drift_angle_end", .real = member_of},
    {.name = "energy_error", .key = "energy.error", .real = member_of},
    {.name = "energy_scale", .key = "energy.scale", .real = member_of},
    {.name = "energy_relative",
     .heading = "energy error",
     .format = "%.2g",
     .real = relative_energy},
    {.name = "penetration", .heading = "depth [m]", .format = "%.2g", .real = member_of},
    {.name = "residual", .heading = "residual", .format = "%.1e", .real = member_of},
    {.name = "iterations",
     .heading = "iterations",
     .format = "%.1f",
     .real = iterations_per_step},
    {.heading = "not solved", .text = failure_text, .note = true},
    {TABLE_STRING_AT("reason", NULL, stored_run, reason)},
    TABLE_COLUMN_END,
};

bool run_is_scene(const stored_run *run)
{
    return run && *member_text(run->json, "coordinates");
}

static bool coordinates_applies(const stored_runs *s, const run_table *t)
{
    (void)s;
    for (size_t k = 0; k < t->instances.count * t->labels.count; k++) {
        if (run_is_scene(t->cell[k])) {
            return true;
        }
    }
    return false;
}

#define COORDINATES_LEGEND                                                               \
    "dof: coordinates of the joints as trees, and of free bodies; loops: joints that "   \
    "close them;\nrows, contacts, iterations: means over the steps; time per step: "     \
    "median; solver share: of the\ntime; drift of joints and depth of contacts: "        \
    "largest; energy error: the largest, relative to\nthe most energy that moved. The "  \
    "residual is the one that the run itself measured.\n"

static void coordinates_rows(table *out, const stored_runs *s, const run_table *t)
{
    (void)s;
    for (size_t i = 0; i < t->instances.count * t->labels.count; i++) {
        if (run_is_scene(t->cell[i])) {
            table_row(out, t->cell[i]);
        }
    }
}

const report_section coordinates_section = {
    .csv = "coordinates",
    .tex = "coordinates",
    .title = "Scenes, step by step",
    .subject = "scenes",
    .explained = COORDINATES_LEGEND,
    .legend = "Scenes, step by step.\n" COORDINATES_LEGEND "\n",
    .columns = columns,
    .applies = coordinates_applies,
    .rows = coordinates_rows,
};
