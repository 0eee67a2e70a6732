/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/warm.c: what a start near the answer is worth on sequences: in the
 * summary, as CSV and TeX, in the page and in a figure of every sequence. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data_files.h"
#include "warm.h"

/* One step as it is stored. */
typedef struct step_record {
    bool solved;
    double iterations, seconds, residual; /* NAN where there is none */
    const char *outcome;
} step_record;

static double real_at(const json_t *steps, const char *key, size_t i)
{
    const json_t *value = json_array_get(json_object_get(steps, key), i);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Step i; of a run without steps (a crash, a limit) one that failed. */
static step_record step_at(const stored_run *run, size_t i)
{
    const json_t *steps = json_object_get(run->json, "steps");
    const char *outcome =
        json_string_value(json_array_get(json_object_get(steps, "outcome"), i));

    return (step_record){
        .solved = json_is_true(json_array_get(json_object_get(steps, "solved"), i)),
        .iterations = real_at(steps, "iterations", i),
        .seconds = real_at(steps, "seconds", i),
        .residual = real_at(steps, "residual", i),
        .outcome = outcome ? outcome : run_ending(run)};
}

/* A solver in one arm, over all sequences of a set at a tolerance. */
typedef struct warm_row {
    const char *label, *arm;
    size_t sequences, steps, failed;
    size_t compared, hurt; /* with cold: steps that both solved, steps that it hurt */
    double iterations, seconds;           /* of those; of the arm cold: of the solved */
    double cold_iterations, cold_seconds; /* of cold on those */
} warm_row;

typedef struct warm_table {
    const char *set;
    double tolerance;
    warm_row *rows;
    size_t count;
} warm_table;

static bool is_here(const stored_run *run, const char *set, double tolerance)
{
    return *run->arm && strcmp(run->set, set) == 0 && run->tolerance == tolerance;
}

/* The run of the same solver on the same sequence in the arm cold, or NULL. */
static const stored_run *cold_of(const stored_runs *s, const stored_run *run)
{
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *other = &s->runs[i];

        if (is_here(other, run->set, run->tolerance) && strcmp(other->arm, "cold") == 0 &&
            strcmp(other->instance, run->instance) == 0 &&
            strcmp(other->solver_label, run->solver_label) == 0) {
            return other;
        }
    }
    return NULL;
}

static void add_run(warm_row *row, const stored_run *run, const stored_run *cold)
{
    row->sequences++;
    row->steps += run->steps;
    for (size_t i = 0; i < run->steps; i++) {
        step_record mine = step_at(run, i);
        step_record base = {.solved = false};

        if (cold) {
            base = step_at(cold, i);
        }
        row->failed += !mine.solved;
        row->hurt += base.solved && (!mine.solved || mine.iterations > base.iterations);
        if (base.solved && mine.solved) {
            row->compared++;
            row->iterations += mine.iterations;
            row->seconds += mine.seconds;
            row->cold_iterations += base.iterations;
            row->cold_seconds += base.seconds;
        }
    }
}

static warm_row *row_of(warm_table *t, const stored_run *run)
{
    warm_row *rows = NULL;

    for (size_t k = 0; k < t->count; k++) {
        if (strcmp(t->rows[k].label, run->solver_label) == 0 &&
            strcmp(t->rows[k].arm, run->arm) == 0) {
            return &t->rows[k];
        }
    }
    rows = realloc(t->rows, (t->count + 1) * sizeof *rows);
    if (!rows) {
        return NULL;
    }
    t->rows = rows;
    rows[t->count] = (warm_row){.label = run->solver_label, .arm = run->arm};
    return &rows[t->count++];
}

/* t->rows is the caller's to free, also on failure. */
static perp_status warm_table_make(warm_table *t, const stored_runs *s, const char *set,
                                   double tolerance, perp_error *err)
{
    *t = (warm_table){.set = set, .tolerance = tolerance};
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *run = &s->runs[i];

        if (is_here(run, set, tolerance)) {
            warm_row *row = row_of(t, run);

            if (!row) {
                return perp_fail(err, PERP_ERR_MEMORY, "no memory for the table of %s",
                                 set);
            }
            add_run(row, run, cold_of(s, run));
        }
    }
    return PERP_OK;
}

/* Call `each` for every set at every tolerance that has sequences. */
static perp_status for_each_warm(const stored_runs *s, void *context,
                                 perp_status (*each)(void *context, const warm_table *t,
                                                     perp_error *err),
                                 perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t i = 0; i < s->sets.count * s->tolerance_count && status == PERP_OK; i++) {
        warm_table t;

        status = warm_table_make(&t, s, s->sets.names[i / s->tolerance_count],
                                 s->tolerances[i % s->tolerance_count], err);
        if (status == PERP_OK && t.count > 0) {
            status = each(context, &t, err);
        }
        free(t.rows);
    }
    return status;
}

static bool is_cold(const warm_row *row)
{
    return strcmp(row->arm, "cold") == 0;
}

/* Share saved of what cold needed, in per cent; NAN where there is nothing to compare. */
static double saved(double mine, double cold)
{
    return cold > 0.0 ? 100.0 * (1.0 - mine / cold) : NAN;
}

/* " 21.6 %", "-" of NAN. */
static const char *percent(char text[16], double x)
{
    snprintf(text, 16, isfinite(x) ? "%.1f %%" : "-", x);
    return text;
}

static perp_status summarise(void *context, const warm_table *t, perp_error *err)
{
    FILE *f = context;

    (void)err;
    fprintf(f, "%s: warm starts, RES <= %g\n", t->set, t->tolerance);
    fprintf(f, "  %-20s %-9s %5s %6s %10s %10s %8s %10s %8s %5s\n", "solver", "arm",
            "steps", "failed", "iterations", "of cold", "saved", "time [s]", "saved",
            "hurt");
    for (size_t k = 0; k < t->count; k++) {
        const warm_row *r = &t->rows[k];
        char iterations[16], seconds[16];

        fprintf(f, "  %-20s %-9s %5zu %6zu %10.0f ", r->label, r->arm, r->steps,
                r->failed, r->iterations);
        if (is_cold(r)) {
            fprintf(f, "%10s %8s %10.3g\n", "", "", r->seconds);
            continue;
        }
        fprintf(f, "%10.0f %8s %10.3g %8s %5zu\n", r->cold_iterations,
                percent(iterations, saved(r->iterations, r->cold_iterations)), r->seconds,
                percent(seconds, saved(r->seconds, r->cold_seconds)), r->hurt);
    }
    fputc('\n', f);
    return PERP_OK;
}

static bool has_sequences(const stored_runs *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (*s->runs[i].arm) {
            return true;
        }
    }
    return false;
}

perp_status warm_summary(const stored_runs *s, FILE *f, perp_error *err)
{
    if (!has_sequences(s)) {
        return PERP_OK;
    }
    fputs("Sequences, step by step against the cold start of the same solver: iterations "
          "and time\nover the steps that both solved; hurt: steps that took more "
          "iterations than cold, or\nfailed where cold solved.\n\n",
          f);
    return for_each_warm(s, f, summarise, err);
}

static perp_status csv_rows(void *context, const warm_table *t, perp_error *err)
{
    FILE *f = context;

    (void)err;
    for (size_t k = 0; k < t->count; k++) {
        const warm_row *r = &t->rows[k];

        print_field(f, t->set);
        fprintf(f, ",%g,", t->tolerance);
        print_field(f, r->label);
        fprintf(f, ",%s,%zu,%zu,%zu,%zu", r->arm, r->sequences, r->steps, r->failed,
                r->compared);
        print_number(f, r->iterations);
        print_number(f, r->cold_iterations);
        print_number(f, saved(r->iterations, r->cold_iterations));
        print_number(f, r->seconds);
        print_number(f, r->cold_seconds);
        print_number(f, saved(r->seconds, r->cold_seconds));
        fprintf(f, ",%zu\n", r->hurt);
    }
    return PERP_OK;
}

static perp_status write_csv(const stored_runs *s, const char *dir, perp_error *err)
{
    part_file p;
    perp_status status = part_open(&p, err, "%s/tables/warm.csv", dir);

    if (status != PERP_OK) {
        return status;
    }
    fputs("set,tolerance,solver,arm,sequences,steps,failed,compared,iterations,"
          "cold_iterations,iterations_saved_percent,seconds,cold_seconds,"
          "seconds_saved_percent,hurt\n",
          p.f);
    return part_end(&p, for_each_warm(s, p.f, csv_rows, err), err);
}

/* Every step of every run. */
static perp_status write_steps(const stored_runs *s, const char *dir, perp_error *err)
{
    part_file p;
    perp_status status = part_open(&p, err, "%s/tables/steps.csv", dir);

    if (status != PERP_OK) {
        return status;
    }
    fputs("set,tolerance,sequence,solver,arm,step,ending,iterations,seconds,residual\n",
          p.f);
    for (size_t k = 0; k < s->count; k++) {
        const stored_run *run = &s->runs[k];

        for (size_t i = 0; i < run->steps; i++) {
            step_record step = step_at(run, i);

            print_field(p.f, run->set);
            fprintf(p.f, ",%g,", run->tolerance);
            print_field(p.f, run->instance);
            fputc(',', p.f);
            print_field(p.f, run->solver_label);
            fprintf(p.f, ",%s,%zu,", run->arm, i);
            print_field(p.f, step.solved ? "solved" : step.outcome);
            print_number(p.f, step.iterations);
            print_number(p.f, step.seconds);
            print_number(p.f, step.residual);
            fputc('\n', p.f);
        }
    }
    return part_close(&p, err);
}

/* What write_tex needs: the folder, and the runs for the name of the file. */
typedef struct tex_folder {
    const char *dir;
    const stored_runs *runs;
} tex_folder;

static perp_status write_tex(void *context, const warm_table *t, perp_error *err)
{
    const tex_folder *to = context;
    const run_table named = {
        .set = t->set, .tolerance = t->tolerance, .sets = &to->runs->sets};
    char name[FILE_NAME];
    part_file p;
    perp_status status = PERP_OK;

    table_file_name(name, "warm", &named, NULL);
    status = part_open(&p, err, "%s/tables/%s.tex", to->dir, name);
    if (status != PERP_OK) {
        return status;
    }
    fputs("% needs booktabs\n\\begin{tabular}{llrrrrrrrr}\n\\toprule\nsolver & arm & "
          "steps & "
          "failed & iterations & of cold & saved [\\%] & time [s] & saved [\\%] & hurt "
          "\\\\\n\\midrule\n",
          p.f);
    for (size_t k = 0; k < t->count; k++) {
        const warm_row *r = &t->rows[k];

        print_tex(p.f, r->label);
        fprintf(p.f, " & %s & %zu & %zu & %.0f & ", r->arm, r->steps, r->failed,
                r->iterations);
        if (is_cold(r)) {
            fprintf(p.f, "& & %.3g & & \\\\\n", r->seconds);
        } else {
            double fewer = saved(r->iterations, r->cold_iterations);
            double faster = saved(r->seconds, r->cold_seconds);

            fprintf(p.f, isfinite(fewer) ? "%.0f & %.1f & " : "%.0f & -- & ",
                    r->cold_iterations, fewer);
            fprintf(p.f, isfinite(faster) ? "%.3g & %.1f & " : "%.3g & -- & ", r->seconds,
                    faster);
            fprintf(p.f, "%zu \\\\\n", r->hurt);
        }
    }
    fputs("\\bottomrule\n\\end{tabular}\n", p.f);
    return part_close(&p, err);
}

perp_status warm_tables(const stored_runs *s, const char *dir, perp_error *err)
{
    tex_folder to = {dir, s};
    perp_status status = PERP_OK;

    if (!has_sequences(s)) {
        return PERP_OK;
    }
    status = write_csv(s, dir, err);
    status = status == PERP_OK ? write_steps(s, dir, err) : status;
    return status == PERP_OK ? for_each_warm(s, &to, write_tex, err) : status;
}

perp_status warm_page(FILE *f, const stored_runs *s, const run_table *of, perp_error *err)
{
    warm_table t;
    perp_status status = warm_table_make(&t, s, of->set, of->tolerance, err);

    if (status == PERP_OK && t.count > 0) {
        fputs("<h3>Warm starts</h3>\n<p>Step by step against the cold start of the same "
              "solver, over the steps that both solved; hurt: steps that took more "
              "iterations than cold, or failed where cold solved.</p>\n"
              "<table><thead><tr><th>solver</th><th>arm</th><th>sequences</th>"
              "<th>steps</th><th>failed</th><th>iterations</th><th>of cold</th>"
              "<th>saved [%]</th><th>time [s]</th><th>saved [%]</th><th>hurt</th></tr>"
              "</thead><tbody>\n",
              f);
    }
    for (size_t k = 0; k < t.count && status == PERP_OK; k++) {
        const warm_row *r = &t.rows[k];
        double nothing = is_cold(r) ? NAN : 0.0;

        fputs("<tr><td>", f);
        print_html(f, r->label);
        fputs("</td><td>", f);
        print_html(f, r->arm);
        fputs("</td>", f);
        cell_number(f, "%.0f", (double)r->sequences);
        cell_number(f, "%.0f", (double)r->steps);
        cell_number(f, "%.0f", (double)r->failed);
        cell_number(f, "%.0f", r->iterations);
        cell_number(f, "%.0f", r->cold_iterations + nothing);
        cell_number(f, "%.1f", saved(r->iterations, r->cold_iterations) + nothing);
        cell_number(f, "%.3g", r->seconds);
        cell_number(f, "%.1f", saved(r->seconds, r->cold_seconds) + nothing);
        cell_number(f, "%.0f", (double)r->hurt + nothing);
        fputs("</tr>\n", f);
    }
    if (status == PERP_OK && t.count > 0) {
        fputs("</tbody></table>\n", f);
    }
    free(t.rows);
    return status;
}

size_t warm_points(const stored_run *run)
{
    size_t count = 0;

    for (size_t i = 0; run && i < run->steps; i++) {
        count += isfinite(step_at(run, i).iterations);
    }
    return count;
}

void warm_block(FILE *f, const stored_run *run, const char *label)
{
    bool any = false;

    if (warm_points(run) == 0) {
        return;
    }
    print_label(f, label, "");
    fputc('\n', f);
    for (size_t i = 0; i < run->steps; i++) {
        double iterations = step_at(run, i).iterations;

        if (isfinite(iterations)) {
            fprintf(f, "%zu %.9g\n", i, iterations);
        }
    }
    fputs("\n\n\"failed\"\n", f);
    for (size_t i = 0; i < run->steps; i++) {
        step_record step = step_at(run, i);

        if (!step.solved && isfinite(step.iterations)) {
            fprintf(f, "%zu %.9g\n", i, step.iterations);
            any = true;
        }
    }
    fputs(any ? "\n\n" : "NaN NaN\n\n\n", f);
}
