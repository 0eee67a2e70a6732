/* SPDX-License-Identifier: Apache-2.0
 * command/results/runs.h: stored runs in memory, and their arrangement as tables. */
#ifndef PERP_REPORT_RUNS_H
#define PERP_REPORT_RUNS_H

#include "base/index.h"
#include <jansson.h>

#include <perp/result.h>

/** One line of runs.jsonl. Strings belong to `json`. */
typedef struct stored_run {
    json_t *json;
    const char *set, *instance, *label, *status, *outcome, *reason, *formulation;
    const char *law; /* of friction: see record_law */
    double n, contacts, nonzeros;
    double tolerance, residual, residual_given; /* as asked, as given; INFINITY: none */
    double seconds, iterations, products;       /* NAN where there is none */
    double limit;                               /* seconds the run was given */
    double place;                               /* in the suite */
    size_t line;                                /* of runs.jsonl, from 1 */
    size_t folder;                              /* of those that were read, from 0 */
    bool solved;
    bool applicable;          /* the solver takes the problem: it is not "unsuitable" */
    const char *problem;      /* the instance without the values that vary: "stack" */
    const char *ending;       /* see run_ending */
    const char *policy;       /* of a sequence: its warm-start policy; else "" */
    const char *solver_label; /* of a sequence: the label without the policy; else "" */
    size_t steps;             /* of a sequence; else 0 */
} stored_run;

/** Distinct names in the order of their first occurrence. Zero it before its first use. */
typedef struct name_list {
    const char **names;
    size_t count, room;
    perp_index index; /* of the names by their hash */
} name_list;

/** Append a name, which is borrowed, unless it is there. */
void name_list_add(name_list *list, const char *name);
/** The number of a name; list->count: it is not there. */
size_t name_list_find(const name_list *list, const char *name);
void name_list_clear(name_list *list); /* frees the memory and zeroes the struct */

typedef struct stored_runs {
    stored_run *runs;
    size_t count, room;
    name_list sets;
    double *tolerances; /* ascending accuracy: 1e-4, 1e-8 */
    size_t tolerance_count, tolerance_room;
    const char
        *against; /* the label of the reference, borrowed; NULL: the best of each table */
    char **folders; /* paths of those that were read */
    size_t folder_count;
} stored_runs;

/** A member of a record: its text, or ""; its number, or `missing`. */
const char *member_text(const json_t *json, const char *key);
double member_number(const json_t *json, const char *key, double missing);

/** Read DIR/runs.jsonl; of two runs with the same key the later one counts. Released by
 *  runs_free. */
perp_status runs_read(stored_runs *s, const char *dir, perp_error *err);
/** Read the runs of several folders. A label that a set has in more than one of them is followed
 *  by the name of the folder: "pgs (before)". */
perp_status runs_read_folders(stored_runs *s, const char *const *dirs, size_t count,
                              perp_error *err);
/** Compare with the solver of that label, in the sets that have it. PERP_ERR_OPTION: none has. */
perp_status runs_compare_with(stored_runs *s, const char *label, perp_error *err);
/** Forget the runs of other sets. PERP_ERR_OPTION names the sets when there is no such. */
perp_status runs_keep_set(stored_runs *s, const char *set, perp_error *err);
void runs_free(stored_runs *s);

/** True when the folder has a runs.jsonl. */
bool runs_are_in(const char *dir);
/** "results/before/" -> "before": what a folder is called in figures; of two folders of the same
 *  name the path as typed. The text belongs to the caller. */
char *runs_folder_name(const char *const *dirs, size_t count, size_t which);

/** How a run ended in a few words: "solved", "iteration limit", "crash: signal 11", …
 *  NULL is a run that was not made. */
const char *run_ending(const stored_run *run);
/** The ending of another code whose claim the judge does not confirm, by up to PERP_MISSED times the
 *  tolerance; beyond it is "false claim". */
#define RUN_MISSED "missed by its norm"
/** Claims of the one and the other kind; of a sequence several. */
void run_claims(const stored_run *run, size_t *missed, size_t *wrong);
/** The residual over the tolerance. */
double run_missed(const stored_run *run);

/** What another code said about a run; NULL for one of perp's own solvers, and for NULL. */
const json_t *run_foreign(const stored_run *run);

/** The runs of one set at one tolerance, as a table of instances times solvers. */
typedef struct run_table {
    const char *set;
    double tolerance;
    const char *against;   /* the label that others are compared with; NULL: the best */
    const name_list *sets; /* all of them; borrowed */
    name_list instances, labels;
    const stored_run **cell; /* cell[i*labels.count + s]; NULL where there is no run */
} run_table;

/** Is the reference that was chosen one of the solvers of the table? */
bool run_table_has_reference(const run_table *t);
void run_table_make(run_table *t, const stored_runs *s, const char *set,
                    double tolerance);
void run_table_free(run_table *t);
/** ", Coulomb's law": the laws of friction of the runs of a table, to be added to what is said of it;
 *  "" without any. */
enum { RUN_LAW_TEXT = 96 };
const char *run_table_law(const run_table *t, char text[RUN_LAW_TEXT]);
/** What the tolerances are of: "residual", or "componentwise residual". */
const char *run_table_measure(const run_table *t);
static inline const stored_run *run_at(const run_table *t, size_t i, size_t s)
{
    return t->cell[i * t->labels.count + s];
}

/** A function of the table of a set at a tolerance. */
typedef perp_status run_table_visit(void *context, const stored_runs *s,
                                    const run_table *t, perp_error *err);
/** Call `visit` for the tables of one set (NULL: of every set), by ascending accuracy,
 *  until it fails. A table may be empty: the tolerance of another set, or sequences that
 *  were run with no policy but oracle and perturbed. */
perp_status runs_visit(const stored_runs *s, const char *set, run_table_visit *visit,
                       void *context, perp_error *err);

/* Parts of the reader, private to runs*.c. */

/** The run of a record, which it owns. */
stored_run run_from(json_t *json);
/** Each run behind `from` that stands for several tolerances becomes one of each. */
void runs_add_tolerances(stored_runs *s, size_t from);

#endif
