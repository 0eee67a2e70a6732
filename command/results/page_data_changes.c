/* SPDX-License-Identifier: Apache-2.0
 * report/page_data_changes.c: what has changed between two results, as data of the page. */
#include <config.h>

#include <stdlib.h>

#include "command/cli/answer.h"
#include "command/cli/take.h"
#include "command/results/page_data_parts.h"

enum { CHANGES_DIGITS = 5 };

/* A set of the page, or one that is gone; others were left out by --set. */
static bool changes_have(const stored_runs *s, const against *a, const char *set)
{
    return name_list_find(&s->sets, set) < s->sets.count ||
           name_list_find(&a->now.sets, set) >= a->now.sets.count;
}

/* "commit a, before b; flags c, before d" as sentences; a value in quotes may hold a semicolon. */
static json_t *changes_differences(const against *a)
{
    json_t *list = json_array();
    const char *from = a->differences;
    bool quoted = false;

    for (const char *at = from; *from; at++) {
        quoted = quoted != (*at == '"' && (at == from || at[-1] != '\\'));
        if (*at == '\0' || (*at == ';' && !quoted)) {
            char *text = take_part(from, (size_t)(at - from));

            json_array_append_new(list, answer_text(text));
            free(text);
            from = *at ? at + 1 + (at[1] == ' ') : at;
        }
    }
    if (!a->times) {
        json_array_append_new(
            list, json_string("times of different machines are not compared"));
    }
    return list;
}

/* {ending, seconds, residual}; JSON null without a run. */
static json_t *changes_side(const stored_run *run)
{
    return run ? json_pack("{s:s, s:o, s:o}", "ending", run->ending, "seconds",
                           page_number(run->seconds, CHANGES_DIGITS), "residual",
                           page_number(run->residual_given, CHANGES_DIGITS))
               : json_null();
}

static json_t *changes_row(const against_run *r)
{
    return json_pack("{s:s, s:s, s:s, s:f, s:s, s:o, s:o, s:o, s:o, s:o}", "set", r->set,
                     "instance", r->instance, "solver", r->label, "tolerance",
                     r->tolerance, "word", against_text(r->verdict), "before",
                     changes_side(r->before), "after", changes_side(r->now), "ratio",
                     page_number(r->ratio.value, CHANGES_DIGITS), "ratio_low",
                     page_number(r->ratio.low, CHANGES_DIGITS), "ratio_high",
                     page_number(r->ratio.high, CHANGES_DIGITS));
}

/* All runs that are not the same. */
static json_t *changes_rows(const stored_runs *s, const against *a)
{
    json_t *list = json_array();

    for (size_t k = 0; k < a->count; k++) {
        const against_run *r = &a->runs[k];

        if (r->verdict != AGAINST_SAME && changes_have(s, a, r->set)) {
            json_array_append_new(list, changes_row(r));
        }
    }
    return list;
}

static json_t *changes_solvers(const stored_runs *s, const against *a)
{
    json_t *list = json_array();

    for (size_t k = 0; k < a->solver_count; k++) {
        const against_solver *of = &a->solvers[k];

        if (changes_have(s, a, of->set)) {
            json_array_append_new(
                list,
                json_pack("{s:s, s:s, s:f, s:o, s:o, s:o, s:I, s:s}", "set", of->set,
                          "solver", of->label, "tolerance", of->tolerance, "ratio",
                          page_number(of->ratio.value, CHANGES_DIGITS), "low",
                          page_number(of->ratio.low, CHANGES_DIGITS), "high",
                          page_number(of->ratio.high, CHANGES_DIGITS), "pairs",
                          (json_int_t)of->pairs, "word", against_text(of->verdict)));
        }
    }
    return list;
}

/* {word: runs} of all verdicts, "same" included. */
static json_t *changes_counts(const stored_runs *s, const against *a)
{
    size_t counts[AGAINST_VERDICTS] = {0};
    json_t *o = json_object();

    for (size_t k = 0; k < a->count; k++) {
        counts[a->runs[k].verdict] += changes_have(s, a, a->runs[k].set);
    }
    for (size_t v = 0; v < AGAINST_VERDICTS; v++) {
        answer_add(o, against_text((against_verdict)v),
                   json_integer((json_int_t)counts[v]));
    }
    return o;
}

json_t *page_changes(const stored_runs *s, const against *a)
{
    const char *dirs[2] = {a ? a->before : NULL, a ? a->after : NULL};
    char *names[2] = {NULL, NULL};
    json_t *o = NULL;

    if (!a) {
        return json_null();
    }
    o = json_object();
    for (size_t k = 0; k < 2; k++) {
        names[k] = runs_folder_name(dirs, 2, k);
        answer_add(o, k ? "after" : "before", answer_text(names[k]));
        free(names[k]);
    }
    answer_add(o, "differences", changes_differences(a));
    answer_add(o, "counts", changes_counts(s, a));
    answer_add(o, "rows", changes_rows(s, a));
    answer_add(o, "solvers", changes_solvers(s, a));
    return o;
}
