/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/tables.c: summary.txt, the csv files and the tex tables (booktabs). */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "runs.h"
#include "warm.h"

/* Call `each` for every set at every tolerance that has runs, in order. */
static perp_status for_each_table(const stored_runs *s, void *context,
                                  perp_status (*each)(void *context, const run_table *t,
                                                      const solver_statistics *of,
                                                      double shift, perp_error *err),
                                  perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t i = 0; i < s->sets.count * s->tolerance_count && status == PERP_OK; i++) {
        const char *set = s->sets.names[i / s->tolerance_count];
        double tolerance = s->tolerances[i % s->tolerance_count];
        solver_statistics *of = NULL;
        double shift = 0.0;
        run_table t;

        status = table_make(&t, s, set, tolerance, err);
        if (status == PERP_OK && t.instances.count) {
            of = calloc(t.labels.count, sizeof *of);
            if (of) {
                status = statistics_of(&t, of, &shift, err);
                status = status == PERP_OK ? each(context, &t, of, shift, err) : status;
            } else {
                status = perp_fail(err, PERP_ERR_MEMORY, "no memory for statistics");
            }
        }
        free(of);
        table_free(&t);
    }
    return status;
}

static void print_plain(FILE *f, const char *text)
{
    fputs(text, f);
}

/* "3 time limit, 1 crash: signal 11": how the runs of a solver that failed ended. */
static void print_failures(FILE *f, const run_table *t, size_t s,
                           void (*print)(FILE *f, const char *text))
{
    bool first = true;

    for (size_t i = 0; i < t->instances.count; i++) {
        const char *ending = run_ending(table_at(t, i, s));
        size_t count = 0;
        bool seen = strcmp(ending, "solved") == 0;

        for (size_t j = 0; j < i && !seen; j++) {
            seen = strcmp(run_ending(table_at(t, j, s)), ending) == 0;
        }
        for (size_t j = i; j < t->instances.count && !seen; j++) {
            count += strcmp(run_ending(table_at(t, j, s)), ending) == 0;
        }
        if (!seen) {
            fprintf(f, "%s%zu ", first ? "" : ", ", count);
            print(f, ending);
            first = false;
        }
    }
}

static perp_status summarise(void *context, const run_table *t,
                             const solver_statistics *of, double shift, perp_error *err)
{
    FILE *f = context;

    (void)err;
    fprintf(f, "%s: %zu problems, RES <= %g (shift %.2g s)\n", t->set, t->instances.count,
            t->tolerance, shift);
    fprintf(f, "  %-24s %9s %5s %11s %7s %11s  %s\n", "solver", "solved", "won",
            "mean [s]", "ratio", "iterations", "not solved");
    for (size_t s = 0; s < t->labels.count; s++) {
        fprintf(f, "  %-24s %4zu/%-4zu %5zu %11.3g %7.2f ", t->labels.names[s],
                of[s].solved, t->instances.count, of[s].won, of[s].mean, of[s].ratio);
        if (isfinite(of[s].median_iterations)) {
            fprintf(f, "%11.0f  ", of[s].median_iterations);
        } else {
            fprintf(f, "%11s  ", "-");
        }
        print_failures(f, t, s, print_plain);
        fputc('\n', f);
    }
    fputc('\n', f);
    return PERP_OK;
}

perp_status write_summary(const stored_runs *s, const char *dir, perp_error *err)
{
    part_file p;
    perp_status status = part_open(&p, err, "%s/summary.txt", dir);

    if (status != PERP_OK) {
        return status;
    }
    fprintf(p.f,
            "%zu runs. solved: residual at most the tolerance, recomputed from the "
            "instance.\nmean: shifted geometric mean of the seconds, a failure counted "
            "with its time limit;\nratio: to the best mean; iterations: median of the "
            "solved.\n\n",
            s->count);
    status = for_each_table(s, p.f, summarise, err);
    status = status ? status : warm_summary(s, p.f, err);
    return part_end(&p, status ? status : coordinates_summary(s, p.f, err), err);
}

/* Quoted where it must be. */
void print_field(FILE *f, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, f);
        return;
    }
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"') {
            fputc('"', f);
        }
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, f);
    }
    fputc('"', f);
}

void print_number(FILE *f, double x)
{
    if (isfinite(x)) {
        fprintf(f, ",%.9g", x);
    } else {
        fputc(',', f);
    }
}

static perp_status write_runs(const stored_runs *s, const char *dir, perp_error *err)
{
    part_file p;
    perp_status status = part_open(&p, err, "%s/tables/runs.csv", dir);

    if (status != PERP_OK) {
        return status;
    }
    fputs("set,instance,solver,formulation,ending,n,contacts,nonzeros,tolerance,residual,"
          "residual_given,seconds,iterations,products,reason\n",
          p.f);
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *r = &s->runs[i];
        const char *texts[] = {r->set, r->instance, r->label, r->formulation,
                               run_ending(r)};
        const double numbers[] = {r->n,         r->contacts,   r->nonzeros,
                                  r->tolerance, r->residual,   r->residual_given,
                                  r->seconds,   r->iterations, r->products};

        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            fputs(k ? "," : "", p.f);
            print_field(p.f, texts[k]);
        }
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            print_number(p.f, numbers[k]);
        }
        fputc(',', p.f);
        print_field(p.f, r->reason);
        fputc('\n', p.f);
    }
    return part_close(&p, err);
}

static perp_status summary_rows(void *context, const run_table *t,
                                const solver_statistics *of, double shift,
                                perp_error *err)
{
    FILE *f = context;

    (void)err;
    for (size_t s = 0; s < t->labels.count; s++) {
        print_field(f, t->set);
        fprintf(f, ",%g,", t->tolerance);
        print_field(f, t->labels.names[s]);
        fprintf(f, ",%zu,%zu,%zu,%zu", t->instances.count, of[s].solved,
                of[s].model_solved, of[s].won);
        print_number(f, of[s].mean);
        print_number(f, of[s].ratio);
        print_number(f, of[s].median_iterations);
        print_number(f, of[s].worst_residual);
        print_number(f, shift);
        fputc('\n', f);
    }
    return PERP_OK;
}

static perp_status write_summary_csv(const stored_runs *s, const char *dir,
                                     perp_error *err)
{
    part_file p;
    perp_status status = part_open(&p, err, "%s/tables/summary.csv", dir);

    if (status != PERP_OK) {
        return status;
    }
    fputs("set,tolerance,solver,problems,solved,model_solved,won,mean_seconds,ratio,"
          "median_iterations,worst_residual,shift_seconds\n",
          p.f);
    return part_end(&p, for_each_table(s, p.f, summary_rows, err), err);
}

void print_tex(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '\\') {
            fputs("\\textbackslash{}", f);
        } else if (strchr("^~", *text)) {
            fprintf(f, "\\%c{}", *text);
        } else {
            fprintf(f, strchr("_&%#${}", *text) ? "\\%c" : "%c", *text);
        }
    }
}

static perp_status write_tex(void *context, const run_table *t,
                             const solver_statistics *of, double shift, perp_error *err)
{
    const char *dir = context;
    char name[FILE_NAME];
    part_file p;
    perp_status status = PERP_OK;

    table_file_name(name, "", t, NULL);
    status = part_open(&p, err, "%s/tables/%s.tex", dir, name);
    if (status != PERP_OK) {
        return status;
    }
    fprintf(p.f,
            "%% needs booktabs; shift of the mean: %.3g s\n"
            "\\begin{tabular}{lrrrrrl}\n\\toprule\nsolver & solved & won & mean [s] & "
            "ratio & iterations & not solved \\\\\n\\midrule\n",
            shift);
    for (size_t s = 0; s < t->labels.count; s++) {
        print_tex(p.f, t->labels.names[s]);
        fprintf(p.f, " & %zu/%zu & %zu & %.3g & %.2f & ", of[s].solved,
                t->instances.count, of[s].won, of[s].mean, of[s].ratio);
        if (isfinite(of[s].median_iterations)) {
            fprintf(p.f, "%.0f", of[s].median_iterations);
        } else {
            fputs("--", p.f);
        }
        fputs(" & ", p.f);
        print_failures(p.f, t, s, print_tex);
        fputs(" \\\\\n", p.f);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", p.f);
    return part_close(&p, err);
}

/* The failures by themselves, with the sentence that says why. */
static perp_status write_failures(const stored_runs *s, const char *dir, perp_error *err)
{
    part_file p;
    perp_status status = part_open(&p, err, "%s/tables/failures.csv", dir);

    if (status != PERP_OK) {
        return status;
    }
    fputs("set,tolerance,instance,solver,ending,residual,reason\n", p.f);
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *r = &s->runs[i];

        if (r->solved) {
            continue;
        }
        print_field(p.f, r->set);
        fprintf(p.f, ",%g,", r->tolerance);
        print_field(p.f, r->instance);
        fputc(',', p.f);
        print_field(p.f, r->label);
        fputc(',', p.f);
        print_field(p.f, run_ending(r));
        print_number(p.f, r->residual_given);
        fputc(',', p.f);
        print_field(p.f, r->reason);
        fputc('\n', p.f);
    }
    return part_close(&p, err);
}

perp_status write_tables(const stored_runs *s, const char *dir, perp_error *err)
{
    char folder[1024];
    perp_status status = make_folder(dir, "tables", err);

    snprintf(folder, sizeof folder, "%s", dir);
    status = status == PERP_OK ? write_runs(s, dir, err) : status;
    status = status == PERP_OK ? write_summary_csv(s, dir, err) : status;
    status = status == PERP_OK ? write_failures(s, dir, err) : status;
    status = status == PERP_OK ? for_each_table(s, folder, write_tex, err) : status;
    status = status == PERP_OK ? warm_tables(s, dir, err) : status;
    return status == PERP_OK ? coordinates_tables(s, dir, err) : status;
}
