/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/runs.h: stored runs in memory, and what is asked of them. */
#ifndef PERP_REPORT_RUNS_H
#define PERP_REPORT_RUNS_H

#include <jansson.h>
#include <stdio.h>

#include <perp/base.h>

#include "base/file.h"
#include "report.h"

/** One line of runs.jsonl. Strings belong to `json`. */
typedef struct stored_run {
    json_t *json;
    const char *set, *instance, *path, *label, *status, *outcome, *reason, *formulation;
    double n, contacts, nonzeros;
    double tolerance, residual, model_residual; /* INFINITY where there is none */
    double seconds, iterations, products;       /* NAN where there is none */
    double limit;                               /* seconds the run was given */
    double place;                               /* in the suite */
    size_t line;                                /* of runs.jsonl, from 1 */
    bool solved;
    const char *arm, *solver_label; /* of a sequence; "" */
    size_t steps;                   /* of a sequence; else 0 */
} stored_run;

/** A list of distinct names or numbers in the order they first came. */
typedef struct name_list {
    const char **names;
    size_t count;
} name_list;

typedef struct stored_runs {
    stored_run *runs;
    size_t count;
    name_list sets;
    double *tolerances; /* ascending accuracy: 1e-4, 1e-8 */
    size_t tolerance_count;
} stored_runs;

/** A member of a record: its text, or ""; its number, or what stands for one. */
const char *member_text(const json_t *json, const char *key);
double member_number(const json_t *json, const char *key, double missing);

/** Read DIR/runs.jsonl; of two runs with one key the later holds. Freed by runs_free. */
perp_status runs_read(stored_runs *s, const char *dir, perp_error *err);
void runs_free(stored_runs *s);

/** The runs of one set at one tolerance, as a table of instances times solvers. */
typedef struct run_table {
    const char *set;
    double tolerance;
    const name_list *sets; /* all of them; borrowed */
    name_list instances, labels;
    const stored_run **cell; /* cell[i*labels.count + s]; NULL where nothing ran */
} run_table;

perp_status table_make(run_table *t, const stored_runs *s, const char *set,
                       double tolerance, perp_error *err);
void table_free(run_table *t);
static inline const stored_run *table_at(const run_table *t, size_t i, size_t s)
{
    return t->cell[i * t->labels.count + s];
}

/** How a run ended in one word or two: "solved", "iteration limit", "crash: signal 11", … */
const char *run_ending(const stored_run *run);

/** Statistics of one solver in a table; times in seconds. */
typedef struct solver_statistics {
    size_t runs, solved, model_solved, won;
    double mean;  /* shifted geometric mean, failures at their limit */
    double ratio; /* of it to the best solver's */
    double median_iterations, worst_residual;
} solver_statistics;

/** Statistics of every solver (labels.count of them); `shift` out: 10 x the least median. */
perp_status statistics_of(const run_table *t, solver_statistics *out, double *shift,
                          perp_error *err);

/** Cost of a run in a profile: its time, floored at the clock's microsecond; INFINITY for a
 *  failure. */
double run_cost(const stored_run *run);

/** log10 y = intercept + slope log10 x by least squares; false with fewer than 3 points or
 *  fewer than 2 distinct x. */
bool slope_of(const double *x, const double *y, size_t count, double *intercept,
              double *slope, double *error);

/* Parts of report_make; each writes its files whole or not at all. */
perp_status write_tables(const stored_runs *s, const char *dir, perp_error *err);
perp_status write_summary(const stored_runs *s, const char *dir, perp_error *err);
perp_status write_figures(const stored_runs *s, const char *dir,
                          const report_style *style, perp_error *err);
perp_status write_page(const stored_runs *s, const char *dir, perp_error *err);

/** Text of a CSV field, of a TeX and of an HTML one. */
void print_field(FILE *f, const char *text);
void print_tex(FILE *f, const char *text);
void print_html(FILE *f, const char *text);
/** ",1.5", or "," of what is not finite: a further field of a line of CSV. */
void print_number(FILE *f, double x);
/** A cell of an HTML table; a number that is not finite is a dash. */
void cell_text(FILE *f, const char *text);
void cell_number(FILE *f, const char *format, double x);

/** A name that is safe in a file name: letters, digits, . _ - stay, others become _. */
void safe_name(const char *name, char *out, size_t length);
/** Name of the file of a set at a tolerance, and of one of its instances (or NULL), without an
 *  ending: "profile_contact_1e-08". No two have the same, whatever letters are not safe. */
enum { FILE_NAME = 240 };
void table_file_name(char out[FILE_NAME], const char *kind, const run_table *t,
                     const char *instance);

/** A file that is renamed to its path when it is whole. */
typedef struct part_file {
    FILE *f; /* write here */
    perp_file_out out;
} part_file;
perp_status part_open(part_file *p, perp_error *err, const char *format, ...)
    PERP_PRINTF(3, 4);
perp_status part_close(part_file *p, perp_error *err);
/** part_close, or remove the file when `status` is a failure. */
perp_status part_end(part_file *p, perp_status status, perp_error *err);
/** DIR/name made if it is not there. */
perp_status make_folder(const char *dir, const char *name, perp_error *err);

#endif
