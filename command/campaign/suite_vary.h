/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_vary.h: "vary" of a suite or a set: what varies, and all combinations of it.
 * Private to the reader of suites and the types of subjects.
 *
 * A name is
 *
 *     mu, ratio, …        a parameter of those entries of the set that have it
 *     dt, seed, …         a rule of the set, for the subjects it concerns
 *     scheme.stabilize    an option of perp simulate
 *     solver.relaxation   an option of those solvers of the set that have it
 *
 * A name that is a rule and a parameter ("seed") is both. The set is read once for each
 * combination: entries take their parameters by suite_vary_call, solvers their options by
 * suite_vary_option. Nothing differs for a subject or a solver that has nothing of that name;
 * the planner makes its runs once. */
#ifndef PERP_RUNNER_SUITE_VARY_H
#define PERP_RUNNER_SUITE_VARY_H

#include "command/campaign/suite_entries.h"
#include "command/campaign/suite_values.h"

enum { VARY_AXES = 16, VARY_OFFERED = 240 };

/** Something that varies. */
typedef struct vary_axis {
    const char *name;
    document list;  /**< what was given for it */
    json_t *values; /**< an array */
    bool listed;    /**< the values are items of the list */
    size_t digit;   /**< of the odometer; those of a "zip" share one */
    bool used;      /**< something has it */
} vary_axis;

struct suite_vary {
    vary_axis axis[VARY_AXES];
    size_t count;
    suite_odometer odometer;
    char offered[VARY_OFFERED]; /**< parameters of the entries, for messages */
};

/** Read "vary"; nothing varies where d has no value. Cleared by suite_vary_clear in any
 *  case. */
perp_status suite_vary_read(suite_vary *v, const document *d, perp_error *err);
void suite_vary_clear(suite_vary *v);

/** The present value of an axis. */
document suite_vary_value(const suite_vary *v, const vary_axis *axis);
/** May it be a parameter of an entry? */
bool suite_vary_is_parameter(const vary_axis *axis);
/** Replace the rules of the set by those of the present combination. `kept` takes the values
 *  that were made. */
perp_status suite_vary_rules(suite_vary *v, suite_set *set, json_t *kept,
                             perp_error *err);
/** A call with the parameters of the present combination that it takes: into `made`, and with
 *  `columns` into made_columns, which the caller clears in any case. */
perp_status suite_vary_call(const suite_reader *r, const document *d, const char *call,
                            const suite_columns *columns, char made[],
                            suite_columns *made_columns, perp_error *err);
/** Fail with a message about an entry, at the varied value that it names, if any. */
perp_status suite_vary_fail(const suite_reader *r, const document *d, const char *message,
                            perp_error *err);
/** The next option that varies and that opt has, with its present value; *k is 0 at first.
 *  NULL behind the last. */
const char *suite_vary_option(suite_vary *v, const perp_options *opt, size_t *k,
                              document *value);
/** Names of the rules that may vary, "dt|time|…"; at most `length` bytes. */
void suite_vary_names(char *text, size_t length);
/** Does the text call a generator or a scene, so that it takes parameters? */
bool suite_is_call(const suite_reader *r, const char *text);
/** Mark what concerns the subjects of a set, given as it stands in the suite. */
void suite_vary_concern(suite_vary *v, const document *set);
/** Fail unless something has every name; the set is shown in the message. */
perp_status suite_vary_check(const suite_vary *v, const document *set, perp_error *err);

#endif
