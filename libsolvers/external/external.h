/* SPDX-License-Identifier: Apache-2.0
 * external/external.h: solvers that are other codes, each in a child process. Private.
 *
 * A code is one file, CODE.c, which ends in one constant perp_code_CODE, and one line of
 * PERP_EXTERNAL_LIST. Its program is in interop/codes. */
#ifndef PERP_EXTERNAL_PRIVATE_H
#define PERP_EXTERNAL_PRIVATE_H

#include <perp/external.h>

#include "base/process.h"
#include "core/solvers.h"

/** The codes in the order of the lists: X(name) for the constant perp_code_name. */
#define PERP_EXTERNAL_LIST(X)                                                            \
    /* Siconos */                                                                        \
    X(siconos)                                                                           \
                                                                                         \
    /* engines of rigid bodies */                                                        \
    X(ode)                                                                               \
    X(bullet)                                                                            \
    X(dart)                                                                              \
                                                                                         \
    /* sparse and distributed linear algebra */                                          \
    X(petsc)                                                                             \
    X(mumps)                                                                             \
                                                                                         \
    /* optimisation */                                                                   \
    X(glpk)                                                                              \
                                                                                         \
    /* environments */                                                                   \
    X(octave)                                                                            \
                                                                                         \
    /* any program */                                                                    \
    X(exec)

#define PERP_EXTERNAL_DECLARE(name) extern const perp_code perp_code_##name;
PERP_EXTERNAL_LIST(PERP_EXTERNAL_DECLARE)
#undef PERP_EXTERNAL_DECLARE

/** What the type of another code has besides its name, summary, algorithm, reference, sets,
 *  laws, storages, demands and options. */
#define PERP_EXTERNAL_TYPE                                                               \
    PERP_EXTERNAL_CALLS, .flags = PERP_FLAGS(USES_START, SCALES_WITH_ROWS)
/** The same without flags. */
#define PERP_EXTERNAL_CALLS                                                              \
    .family = "external", .state_size = sizeof(perp_external_run),                       \
    .setup = perp_external_setup, .iterate = perp_external_iterate,                      \
    .close = perp_external_close

/** The options that every solver of another code has: a type without others has
 *  .options = perp_external_options, a table of others begins with PERP_EXTERNAL_OPTIONS. */
#define PERP_EXTERNAL_OPTIONS                                                            \
    PERP_SWITCH("keep", 0,                                                               \
                "keep the folder with the instance and the solution; the path of the "   \
                "solution says where it is"),                                            \
        PERP_REAL_OPEN("tolerance-factor", 1.0, 0.0, 1e6,                                \
                       "the code is asked for this factor times the tolerance: its "     \
                       "errors are in another norm")
extern const perp_option perp_external_options[];

enum { PERP_EXTERNAL_PATH = 1024 };

/** A run of a program. */
typedef struct perp_external_run {
    const perp_problem *p;
    const perp_options *opt;
    const perp_solver_type *type;
    const perp_code *code;
    const char *method; /* after the colon: "milp"; of exec: the command */
    const char *format;
    const perp_foreign *foreign; /* of the result */
    bool keep;
    char folder[PERP_EXTERNAL_PATH]; /* its own; "": there is none */
    char program[PERP_EXTERNAL_PATH];
    perp_process child;
} perp_external_run;

perp_status perp_external_setup(void *state, const perp_problem *p,
                                const perp_options *opt, perp_workspace *ws,
                                perp_result *r, perp_error *err);
perp_status perp_external_iterate(void *state, perp_result *r, perp_error *err);
void perp_external_close(void *state);

/** The type of that whole name ("glpk:milp") with its code, or NULL; `code` may be NULL. */
const perp_solver_type *perp_external_find(const char *name, const perp_code **code);

/** A new folder for the run with the instance and the start. */
perp_status perp_external_write(perp_external_run *s, const double *start,
                                perp_error *err);
/** The path of a file in the folder of the run. */
void perp_external_path(const perp_external_run *s, const char *file, char *path,
                        size_t length);
/** Seconds that are left to the program; 0: no limit. */
double perp_external_seconds(const perp_external_run *s);
/** The environment of the program: that of this process and the variables of the protocol; on
 *  the heap, to be freed by perp_external_environment_free. NULL without memory. */
char **perp_external_environment(const perp_external_run *s);
void perp_external_environment_free(char **environment);

/** What a solution file holds besides z. */
typedef struct perp_external_answer {
    char claim[PERP_FOREIGN_WORD], version[PERP_FOREIGN_WORD];
    char message[PERP_FOREIGN_TEXT], reformulation[PERP_FOREIGN_TEXT];
    double seconds; /* 0: not stated */
    size_t iterations;
} perp_external_answer;

/** Read a solution of n rows; z is written when all is well. What the file says besides z is in
 *  `answer` as far as it could be read, even after a failure. */
perp_status perp_external_read(const char *path, size_t n, double *z,
                               perp_external_answer *answer, perp_error *err);

#endif
