/* SPDX-License-Identifier: Apache-2.0
 * runner/suite.h: a suite: which solvers run on which subjects, and by which rules.
 *
 *     {"name": "quick", "title": "…", "limits": {"seconds": 5, "megabytes": 2048},
 *      "tolerances": [1e-8], "repeats": 3, "seed": 1, "start": "cold", "history": true,
 *      "sets": [{"name": "contact",
 *                "instances": ["../data/a.dat", "../data/b*.dat", "generate:spd:n=100",
 *                              {"file": "x.json", "item": 3},
 *                              {"generate": "spd", "n": [50, 100], "seed": 7},
 *                              "scene:stack:step=3", {"scene": "stack", "step": [1, 9]}],
 *                "friction": "pyramid:4",
 *                "solvers": ["pgs", {"solver": "lemke", "label": "lemke 8",
 *                                    "friction": "pyramid:8",
 *                                    "options": {"relaxation": [1.0, 1.3]}}]}]}
 *
 * An instance "scene:…" is the problem of a step of a scene (simulate/recipe.h).
 *
 * A set may list sequences as well as instances, or instead of them. Each is solved under
 * every warm-start policy (runner/policies.h); the limit of seconds applies to each item:
 *
 *     {"name": "warm", "sequences": ["wall.hdf5", "generate:wall:nx=3,steps=40",
 *      "generate:parametric:steps=20,instance=../data/a.dat"],
 *      "policies": ["cold", "warm"], "noise": 0.01, "solvers": ["nsgs"]}
 *
 * It may list scenes, by name or file. Each is run from its start in every system of
 * coordinates by every integrator; the limit of seconds applies to the whole run:
 *
 *     {"name": "chains", "scenes": ["double-pendulum", "../scenes/bridge.json",
 *      "chain:links=50", {"scene": "chain", "links": [5, 10, 20]}],
 *      "coordinates": ["maximal", "reduced"], "integrators": ["semi-implicit"],
 *      "time": 2, "dt": 0.001, "scheme": {"stabilize": "baumgarte"}, "solvers": ["auto"]}
 *
 * "steps" may replace "time"; "scheme" holds further options of perp simulate. What is left
 * out, the coordinates too, is taken from the scene.
 *
 * "vary" runs a set once for each combination of values (runner/suite_vary.h):
 *
 *     "vary": {"mu": [0.1, 0.3], "ratio": "log 1 1e6 7", "dt": ["10 ms", "5 ms"],
 *              "zip": {"integrator": ["rk4", "explicit"], "scheme.stabilize": ["none", "split"]},
 *              "solver.relaxation": [1, 1.3], "seed": "1..20"}
 *
 * "figures" is for the report (report/orders.h). "quick" holds members that replace those
 * around it where a quick run is asked for.
 *
 * Everything but sets, subjects and solvers has a default; a rule given next to "sets" is the
 * default of all sets. Paths are relative to the folder of the suite. docs/suites.md describes
 * every key. */
#ifndef PERP_RUNNER_SUITE_H
#define PERP_RUNNER_SUITE_H

#include <jansson.h>

#include <perp/perp.h>

#include "base/index.h"
#include "command/campaign/document.h"
#include "command/campaign/policies.h"
#include "command/campaign/suite_columns.h"

enum { SUITE_LABEL = 96, SUITE_TOLERANCES = 8, SUITE_STARTS = 4 };
enum { SUITE_COORDINATES = 2, SUITE_INTEGRATORS = 16 };
/* A mistake in a range or a list multiplies: more than these is an error. */
enum { SUITE_ENTRIES = 10000, SUITE_SOLVERS = 1000, SUITE_RUNS = 1000000 };
enum { SUITE_SETS = 10000 };

typedef struct suite_limits {
    double seconds;   /* of one solve; of all steps of a scene */
    double megabytes; /* of address space of its process */
} suite_limits;

/** The rules by which a set is run. */
typedef struct suite_rules {
    suite_limits limits;
    double tolerance[SUITE_TOLERANCES];
    size_t tolerances;
    const char *start[SUITE_STARTS];
    size_t starts;
    long repeats;
    long seed;
    bool history;
    const char *friction;             /* of the problem as asked; NULL: as given */
    const char *measure;              /* that decides: "residual" or "local" */
    policy_kind policy[POLICY_KINDS]; /* of sequences */
    size_t policies;
    double noise; /* of the policy perturbed */

    /* Of scenes. */
    const char *coordinates[SUITE_COORDINATES];
    size_t coordinate_systems; /* 0: the scene's */
    const char *integrator[SUITE_INTEGRATORS];
    size_t integrators; /* 0: the scene's */
    double dt, time;    /* 0: the scene's */
    long steps;         /* 0: by the time */
    document scheme;    /* an object, or none */
} suite_rules;

/** The law of friction where it is an approximation, "box" or "pyramid:8"; "natural" for a law of
 *  cones, and where the set has none. */
const char *suite_rules_approximation(const suite_rules *rules);
/** Whether the componentwise residual decides. */
bool suite_rules_local(const suite_rules *rules);

typedef struct suite_solver {
    char label[SUITE_LABEL];            /* with the options that vary */
    char plain[SUITE_LABEL];            /* without them */
    suite_columns columns;              /* these options */
    char name[PERP_SOLVER_NAME_LENGTH]; /* "ds:mpgp" */
    perp_options options;               /* as given, over the defaults */
} suite_solver;

/** An instance, a sequence or a scene (runner/subject.h). */
typedef struct subject_type subject_type;

/** A subject that a set lists. */
typedef struct suite_entry {
    const subject_type *type;
    char name[INSTANCE_NAME];    /* unique in the set, with all that varies */
    char problem[INSTANCE_NAME]; /* the same without it */
    suite_columns columns;       /* parameters that vary */
    char *path;              /* as in the suite, globs resolved: what the record shows */
    char *file;              /* the same from the working folder; a call: the call */
    perp_read_options read;  /* strings belong to the JSON */
    const char *parameters;  /* of a scene: "links=5,…" at the end of path; else "" */
    const char *coordinates; /* of a scene: its own */
} suite_entry;

/** A set at one combination of the values that vary. */
typedef struct suite_set {
    const char *name; /* that of all combinations */
    suite_rules rules;
    suite_columns columns;      /* rules that vary */
    const char *tolerance_name; /* as which the tolerances vary; NULL: they do not */
    suite_entry *entries;
    size_t entry_count, entry_room;
    perp_index by_name, by_problem, by_file; /* of the entries */
    suite_solver *solvers;
    size_t solver_count, solver_room;
} suite_set;

/** As it is, or with every "quick" merged over what is around it (RFC 7386). */
typedef enum suite_size { SUITE_FULL, SUITE_QUICK } suite_size;

typedef struct suite {
    json_t *json; /* the document; strings above live in it */
    char *text;   /* its bytes */
    const char *name, *title, *description;
    const char *asked; /* as which the command line names it; NULL: not known */
    suite_size size;
    char *folder; /* of the file, its '/' included; "" for here */
    json_t *only; /* an array of patterns, NULL: all runs */
    json_t *kept; /* an array: values that were made while reading */
    suite_set *sets;
    size_t set_count, set_room;
} suite;

/** Read and check a suite. The message of a syntax error has line and column, that of another
 *  error the path in the document: "quick.json: sets[1].solvers[0].options.relaxation: …". */
perp_status suite_read(suite **s, const char *path, suite_size size, perp_error *err);
void suite_free(suite *s); /* no-op for NULL */

/** One run of a suite. */
typedef struct suite_run {
    const suite_set *set;
    const suite_entry *entry;
    const suite_solver *solver;
    double tolerance;
    bool exact;         /* it stands for all tolerances of the set, at the tightest */
    const char *start;  /* of an instance; of a sequence: its policy */
    policy_kind policy; /* of a sequence */
    const char *coordinates, *integrator; /* of a scene; integrator NULL: its own */
    size_t place;                         /* among all runs of the suite, from 0 */
    char key[17];                         /* what identifies the run */
} suite_run;

/** Pick runs by "SET/SOLVER/INSTANCE", each part a glob; after several calls, those that any
 *  of them picks. PERP_ERR_OPTION: it picks none. */
perp_status suite_only(suite *s, const char *pattern, perp_error *err);
/** All runs that are picked, entry by entry, each once; the caller frees the array. */
perp_status suite_plan(const suite *s, suite_run **runs, size_t *count, perp_error *err);
/** Is the run picked? */
bool suite_picks(const suite *s, const suite_run *run);
/** What varies and its value in this run, and the units: new references. */
void suite_run_vary(const suite_run *run, json_t **vary, json_t **units);
/** FNV-1a 64 over a text with its end, so that "ab","c" and "a","bc" differ. */
uint64_t suite_hash_text(uint64_t hash, const char *text);

#endif
