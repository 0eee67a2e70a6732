/* SPDX-License-Identifier: Apache-2.0
 * runner/subject.h: what a run solves: an instance, a sequence or a scene.
 *
 * Each is one constant subject_type at the end of its own file; subjects[] lists them. The
 * reader of suites, the planner, the runner and the record call these functions and know
 * nothing else about the kinds of subject. */
#ifndef PERP_RUNNER_SUBJECT_H
#define PERP_RUNNER_SUBJECT_H

#include <jansson.h>

#include <perp/judge.h>

#include "command/campaign/line.h"
#include "command/campaign/suite.h"
#include "command/campaign/suite_entries.h"

/** A subject that is open while its runs are made. */
typedef struct subject {
    const subject_type *type;
    perp_error err;   /**< why it could not be opened */
    size_t steps;     /**< of a sequence: its items; else 1; 0: it could not be opened */
    uint64_t hash;    /**< of the problem, of all items, of the text of the scene */
    size_t n;         /**< rows; of a sequence: the most of any item; of a scene: 0 */
    size_t nonzeros;  /**< likewise */
    size_t contacts;  /**< likewise */
    const char *kind; /**< of a sequence: of its last item */
    const char *law;  /**< likewise: "coulomb", "associated", "none"; of a scene also
                       *   "pyramid", "box"; NULL: it could not be opened */

    instance *in;            /**< of an instance */
    perp_judge *judge;       /**< of in->problem */
    perp_sequence *sequence; /**< of a sequence */
    json_t *facts;           /**< of a scene: members of its records */
} subject;

/** What the judgement of an answer found. */
typedef struct subject_verdict {
    char status[64]; /**< "ok", "time limit", "unsuitable", "error", … */
    char message[PERP_ERROR_LENGTH]; /**< what to add to it, or "" */
    bool judged;                     /**< the answer holds what is judged */
    bool solved;                     /**< at the tolerance asked for */
    double residual;                 /**< the largest of all steps */
    json_t *measures;                /**< of an instance; else NULL */
    json_t *blocks; /**< of an instance: its residual by blocks; else NULL */
    json_t *steps;  /**< of a sequence: arrays by item; else NULL */
} subject_verdict;

struct subject_type {
    const char *name; /**< "sequence" */
    const char *list; /**< the member of a set that lists them: "sequences" */
    bool one_answer;  /**< its answer is one point, which is judged at any tolerance */

    /** Read one item of that list and add what it names to the set. */
    perp_status (*read)(const suite_reader *r, const document *d, perp_error *err);
    /** Parameters that a call takes, as {name: unit}, a new reference; NULL: it takes none. */
    json_t *(*parameters)(const suite_reader *r, const char *call);
    /** In how many variants the rules of the set run it: starts, policies, coordinates times
     *  integrators. */
    size_t (*variants)(const suite_rules *rules);
    /** Set the members of a run that the k-th of these decides. */
    void (*vary)(suite_run *run, size_t k);
    /** Mix into the key of a run what else identifies it. */
    uint64_t (*identify)(uint64_t hash, const suite_run *run);
    /** What tables and figures call the solver in this run. */
    void (*label)(const suite_run *run, char *text, size_t length);
    /** The words of the command that makes the run, from the verb to the last option. */
    void (*command)(run_line *line, const suite_run *run);

    /** Open the subject of a run. PERP_OK also when it cannot be opened: s->err then says
     *  why. */
    perp_status (*open)(subject *s, const suite_run *run, perp_error *err);
    /** How many solves, each with the limit of time, the run may make before it is killed. */
    double (*solves)(const subject *s, const suite_run *run);
    /** Judge what the process of a run answered. */
    void (*judge)(subject_verdict *v, const subject *s, const suite_run *run,
                  const json_t *answer);
    /** Add the members that only records of this type have. `answer` may be NULL. */
    void (*record)(json_t *record, const subject *s, const suite_run *run,
                   const json_t *answer);
    /** The line that reports a judged run: "solved, 3.1e-09, 120 iterations, 1.2 ms". */
    void (*summarize)(const subject_verdict *v, const suite_run *run,
                      const json_t *answer, char *text, size_t length);
};

extern const subject_type subject_instance, subject_sequence, subject_scene;
/** All of them, ended by NULL; the first is what a set must have when it has no other. */
extern const subject_type *const subjects[];

/** Parameters of a scene "chain:links=50", found from `folder` on, with their units. */
json_t *subject_scene_parameters(const char *folder, const char *call);

/** Open, by its type. The subject is closed by subject_close in any case. */
perp_status subject_open(subject *s, const suite_run *run, perp_error *err);
void subject_close(subject *s); /**< no-op when it is zero */
/** The command line of a run by this program. */
void subject_command(run_line *line, const suite_run *run, const char *executable);

/** The measure of a point that decides: that of the rules of its set. */
double subject_residual(const suite_run *run, const perp_measures *m);
/** summarize of a subject whose answer is that of perp solve. */
void subject_summarize_solve(const subject_verdict *v, const suite_run *run,
                             const json_t *answer, char *text, size_t length);
/** The point of n numbers in an answer of perp solve, on the heap, not a number where there
 *  is none; NULL: it has another length. */
void subject_point(double **point, const json_t *z, size_t n);

#endif
