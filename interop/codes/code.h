/* SPDX-License-Identifier: Apache-2.0
 * codes/code.h: a program that runs another code on one problem.
 *
 * perp starts such a program as docs/exec.md describes. code.c has its main function: it reads
 * the task from the environment and writes the solution file; the program supplies
 * code_version and code_solve. Compiled as C or C++. */
#ifndef PERP_CODES_CODE_H
#define PERP_CODES_CODE_H

#include <perp/perp.h>

PERP_BEGIN_DECLS

/** One problem for another code. */
typedef struct code_task {
    const perp_problem *p;        /* local, or global where the type says so; sealed */
    const char *method;           /* after the colon: "lemke" */
    const char *options;          /* "ranks=2 order=natural", or "" */
    double tolerance, time_limit; /* 0: no limit [s] */
    size_t max_iterations;        /* 0: the code's own default */
    const double *start;          /* n; zeros: none */
    const char *instance;         /* the file that p was read from */
} code_task;

enum { CODE_MESSAGE = 200, CODE_WORDS = 160 };

/** What the code found. */
typedef struct code_answer {
    double *z; /* n; holds the start, becomes the answer: impulses, normal first */
    const char
        *claim;     /* what the code itself says: "solved", "failed", "iteration limit",
                        * "infeasible"; NULL: nothing */
    double seconds; /* of the call alone, by code_seconds(); 0: not taken */
    size_t iterations; /* 0: the code does not say */
    char message[CODE_MESSAGE], reformulation[CODE_WORDS];
} code_answer;

/** How code_solve ended; for the last two `message` says why. */
typedef enum code_end { CODE_ANSWERED, CODE_UNSUITABLE, CODE_FAILED } code_end;

/* Supplied by each program. */

/** "GLPK 5.0". */
void code_version(char *text, size_t length);
code_end code_solve(const code_task *task, code_answer *answer);

/* Supplied by code.c. */

/** Seconds of the monotonic clock. */
double code_seconds(void);
/** The value of an option of the task, "2" of "ranks"; false when it is not there. */
bool code_option(const code_task *task, const char *name, char *value, size_t length);
/** A as n x n numbers, column-major, freed by free(). */
perp_status code_dense(const perp_problem *p, double **A, perp_error *err);
/** Of scalar rows: bounds, the row that bounds a FRICTION row or -1, and its coefficient; each
 *  array has n entries, findex and mu may be NULL. False when p has other rows, and when it
 *  has FRICTION rows where findex is NULL. */
bool code_bounds(const perp_problem *p, double *lo, double *hi, int *findex, double *mu);
/** The end of a program without memory for n rows. */
code_end code_no_memory(code_answer *answer, size_t n);

PERP_END_DECLS

#endif
