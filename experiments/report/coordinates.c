/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/coordinates.c: scenes in systems of coordinates. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
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

static double share_of_solver(const json_t *record)
{
    return scene_value(record, "step_seconds.solving") /
           scene_value(record, "step_seconds.total");
}

double scene_energy(const json_t *record)
{
    double error = scene_value(record, "energy.error");

    return error == 0.0 ? 0.0 : error / scene_value(record, "energy.scale");
}

static double iterations_of(const json_t *record)
{
    return scene_value(record, "iterations") / scene_value(record, "steps_made");
}

/* A number of a run: by its path in the record, or by a function. */
typedef struct column {
    const char *name; /* in CSV */
    const char *head; /* in tables; NULL: not there */
    const char *path;
    double (*of)(const json_t *record);
    int width; /* in the summary */
    const char *format;
} column;

static const column columns[] = {
    {"bodies", NULL, "bodies", NULL, 0, "%.0f"},
    {"links", "links", "links", NULL, 6, "%.0f"},
    {"joints", NULL, "joints", NULL, 0, "%.0f"},
    {"dof", "dof", "dof", NULL, 6, "%.0f"},
    {"closing_joints", "loops", "closing_joints", NULL, 6, "%.0f"},
    {"rows_mean", "rows", "rows_mean", NULL, 8, "%.1f"},
    {"rows_most", NULL, "rows", NULL, 0, "%.0f"},
    {"contacts_mean", "contacts", "contacts_mean", NULL, 9, "%.1f"},
    {"contacts_most", NULL, "contacts", NULL, 0, "%.0f"},
    {"steps_asked", NULL, "steps_asked", NULL, 0, "%.0f"},
    {"steps_made", "steps", "steps_made", NULL, 7, "%.0f"},
    {"steps_solved", "solved", "steps_solved", NULL, 7, "%.0f"},
    {"step_seconds", "s a step", "step_seconds.median", NULL, 10, "%.3g"},
    {"step_seconds_least", NULL, "step_seconds.least", NULL, 0, "%.3g"},
    {"seconds", NULL, "step_seconds.total", NULL, 0, "%.3g"},
    {"solving", "solving", NULL, share_of_solver, 8, "%.2f"},
    {"drift_length", "drift [m]", "drift_length", NULL, 10, "%.2g"},
    {"drift_length_end", NULL, "drift_length_end", NULL, 0, "%.2g"},
    {"drift_angle", "[rad]", "drift_angle", NULL, 9, "%.2g"},
    {"drift_angle_end", NULL, "drift_angle_end", NULL, 0, "%.2g"},
    {"energy_error", NULL, "energy.error", NULL, 0, "%.3g"},
    {"energy_scale", NULL, "energy.scale", NULL, 0, "%.3g"},
    {"energy_relative", "energy", NULL, scene_energy, 9, "%.2g"},
    {"penetration", "depth [m]", "penetration", NULL, 10, "%.2g"},
    {"residual", "RES", "residual", NULL, 9, "%.1e"},
    {"iterations", "iterations", NULL, iterations_of, 11, "%.1f"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static double column_of(const column *c, const stored_run *run)
{
    return c->of ? c->of(run->json) : scene_value(run->json, c->path);
}

bool run_is_scene(const stored_run *run)
{
    return run && *member_text(run->json, "coordinates");
}

static bool has_scenes(const run_table *t)
{
    for (size_t k = 0; k < t->instances.count * t->labels.count; k++) {
        if (run_is_scene(t->cell[k])) {
            return true;
        }
    }
    return false;
}

/* Call `each` for every set at every tolerance that has scenes. */
static perp_status for_each_set(const stored_runs *s, void *context,
                                perp_status (*each)(void *context, const run_table *t,
                                                    perp_error *err),
                                perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t i = 0; i < s->sets.count * s->tolerance_count && status == PERP_OK; i++) {
        run_table t;

        status = table_make(&t, s, s->sets.names[i / s->tolerance_count],
                            s->tolerances[i % s->tolerance_count], err);
        if (status == PERP_OK && has_scenes(&t)) {
            status = each(context, &t, err);
        }
        table_free(&t);
    }
    return status;
}

/* A number right-justified, "-" where there is none. */
static void print_padded(FILE *f, const column *c, double x)
{
    char text[32] = "-";

    if (isfinite(x)) {
        snprintf(text, sizeof text, c->format, x);
    }
    fprintf(f, " %*s", c->width, text);
}

static perp_status summarise(void *context, const run_table *t, perp_error *err)
{
    FILE *f = context;

    (void)err;
    fprintf(f, "%s: scenes, RES <= %g\n  %-24s %-28s", t->set, t->tolerance, "scene",
            "solver");
    for (size_t k = 0; k < COLUMNS; k++) {
        if (columns[k].head) {
            fprintf(f, " %*s", columns[k].width, columns[k].head);
        }
    }
    fputc('\n', f);
    for (size_t i = 0; i < t->instances.count * t->labels.count; i++) {
        const stored_run *run = t->cell[i];

        if (!run_is_scene(run)) {
            continue;
        }
        fprintf(f, "  %-24s %-28s", run->instance, run->label);
        for (size_t k = 0; k < COLUMNS; k++) {
            if (columns[k].head) {
                print_padded(f, &columns[k], column_of(&columns[k], run));
            }
        }
        fprintf(f, "%s%s\n", run->solved ? "" : "  ", run->solved ? "" : run_ending(run));
    }
    fputc('\n', f);
    return PERP_OK;
}

static const char what_is_what[] =
    "dof: coordinates of the joints as trees, and of free bodies; loops: joints that "
    "close "
    "them;\nrows, contacts, iterations: mean of the steps; s a step: median; solving: "
    "the "
    "solver's share of\nthe time; drift of joints and depth of contacts: largest; "
    "energy: "
    "largest error, over the most\nenergy that moved. RES is that which the run itself "
    "found.\n";

static bool any_scene(const stored_runs *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (run_is_scene(&s->runs[i])) {
            return true;
        }
    }
    return false;
}

perp_status coordinates_summary(const stored_runs *s, FILE *f, perp_error *err)
{
    if (!any_scene(s)) {
        return PERP_OK;
    }
    fprintf(f, "Scenes, step by step.\n%s\n", what_is_what);
    return for_each_set(s, f, summarise, err);
}

static perp_status write_csv(const stored_runs *s, const char *dir, perp_error *err)
{
    static const char *const texts[] = {"set",         "scene",        "instance",
                                        "coordinates", "solver_label", "integrator"};
    enum { TEXTS = sizeof texts / sizeof *texts };
    part_file p;
    perp_status status = part_open(&p, err, "%s/tables/coordinates.csv", dir);

    if (status != PERP_OK) {
        return status;
    }
    fputs("set,scene,instance,coordinates,solver,integrator,tolerance,ending", p.f);
    for (size_t k = 0; k < COLUMNS; k++) {
        fprintf(p.f, ",%s", columns[k].name);
    }
    fputs(",reason\n", p.f);
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *run = &s->runs[i];

        if (!run_is_scene(run)) {
            continue;
        }
        for (size_t k = 0; k < TEXTS; k++) {
            print_field(p.f, member_text(run->json, texts[k]));
            fputc(',', p.f);
        }
        fprintf(p.f, "%g,", run->tolerance);
        print_field(p.f, run_ending(run));
        for (size_t k = 0; k < COLUMNS; k++) {
            print_number(p.f, column_of(&columns[k], run));
        }
        fputc(',', p.f);
        print_field(p.f, run->reason);
        fputc('\n', p.f);
    }
    return part_close(&p, err);
}

static void tex_rows(FILE *f, const run_table *t)
{
    for (size_t i = 0; i < t->instances.count * t->labels.count; i++) {
        const stored_run *run = t->cell[i];

        if (!run_is_scene(run)) {
            continue;
        }
        print_tex(f, run->instance);
        fputs(" & ", f);
        print_tex(f, run->label);
        for (size_t k = 0; k < COLUMNS; k++) {
            double x = column_of(&columns[k], run);

            if (columns[k].head && isfinite(x)) {
                fputs(" & ", f);
                fprintf(f, columns[k].format, x);
            } else if (columns[k].head) {
                fputs(" & --", f);
            }
        }
        fputs(" & ", f);
        print_tex(f, run->solved ? "" : run_ending(run));
        fputs(" \\\\\n", f);
    }
}

static perp_status write_tex(void *context, const run_table *t, perp_error *err)
{
    const char *dir = context;
    char name[FILE_NAME];
    part_file p;
    perp_status status = PERP_OK;

    table_file_name(name, "coordinates", t, NULL);
    status = part_open(&p, err, "%s/tables/%s.tex", dir, name);
    if (status != PERP_OK) {
        return status;
    }
    fputs("% needs booktabs\n\\begin{tabular}{ll", p.f);
    for (size_t k = 0; k < COLUMNS; k++) {
        fputs(columns[k].head ? "r" : "", p.f);
    }
    fputs("l}\n\\toprule\nscene & solver", p.f);
    for (size_t k = 0; k < COLUMNS; k++) {
        if (columns[k].head) {
            fprintf(p.f, " & {%s}", columns[k].head);
        }
    }
    fputs(" & not solved \\\\\n\\midrule\n", p.f);
    tex_rows(p.f, t);
    fputs("\\bottomrule\n\\end{tabular}\n", p.f);
    return part_close(&p, err);
}

perp_status coordinates_tables(const stored_runs *s, const char *dir, perp_error *err)
{
    char folder[1024];
    perp_status status = PERP_OK;

    if (!any_scene(s)) {
        return PERP_OK;
    }
    snprintf(folder, sizeof folder, "%s", dir);
    status = write_csv(s, dir, err);
    return status ? status : for_each_set(s, folder, write_tex, err);
}

void coordinates_page(FILE *f, const run_table *t)
{
    if (!has_scenes(t)) {
        return;
    }
    fprintf(f,
            "<h3>Scenes, step by step</h3>\n<p>%s</p>\n<table><thead><tr><th>scene</th>"
            "<th>solver</th>",
            what_is_what);
    for (size_t k = 0; k < COLUMNS; k++) {
        if (columns[k].head) {
            fprintf(f, "<th>%s</th>", columns[k].head);
        }
    }
    fputs("<th>not solved</th></tr></thead><tbody>\n", f);
    for (size_t i = 0; i < t->instances.count * t->labels.count; i++) {
        const stored_run *run = t->cell[i];

        if (!run_is_scene(run)) {
            continue;
        }
        fputs("<tr>", f);
        cell_text(f, run->instance);
        cell_text(f, run->label);
        for (size_t k = 0; k < COLUMNS; k++) {
            if (columns[k].head) {
                cell_number(f, columns[k].format, column_of(&columns[k], run));
            }
        }
        cell_text(f, run->solved ? "" : run_ending(run));
        fputs("</tr>\n", f);
    }
    fputs("</tbody></table>\n", f);
}
