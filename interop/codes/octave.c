/* SPDX-License-Identifier: Apache-2.0
 * codes/octave.c: runs octave-cli on a MATLAB file of the problem; its functions qp and
 * pqpnonneg solve. It writes one text file: how it ended, seconds, iterations, its version, z. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "interop/codes/code.h"

enum { OCTAVE_PATH = 1024, OCTAVE_FACTS = 6 /* numbers before z */ };

/* Ends as the scripts write them. */
enum { OCTAVE_SOLVED, OCTAVE_LIMIT, OCTAVE_INFEASIBLE, OCTAVE_FAILED };
static const char *const octave_claims[] = {"solved", "iteration limit", "infeasible",
                                            "failed"};

/* What the script begins with, one of the two methods, and its end. */
#define OCTAVE_READ                                                                      \
    "p = load(getenv('PERP_INSTANCE'));\n"                                               \
    "A = full(p.A); b = p.b;\n"                                                          \
    "start = load(getenv('PERP_START')); start = start(:);\n"                            \
    "at = getenv('PERP_SOLUTION');\n"                                                    \
    "bounds = load([at '.bounds']); lo = bounds(:, 1); hi = bounds(:, 2);\n"             \
    "most = str2double(getenv('PERP_MAX_ITERATIONS'));\n"                                \
    "if (most > 0) o = optimset('MaxIter', most); else o = optimset(); end\n"
#define OCTAVE_WRITE                                                                     \
    "if (any(! isfinite(z))) ends = 3; z = start; end\n"                                 \
    "f = fopen([at '.answer'], 'w');\n"                                                  \
    "v = [sscanf(version(), '%d.%d.%d'); 0; 0; 0](1:3);\n"                               \
    "fprintf(f, '%.17g\\n', [ends; t; k; v; z(:)]); fclose(f);\n"

static const char octave_qp[] = OCTAVE_READ
    "t = tic; [z, obj, info] = qp(start, A, b, [], [], lo, hi, o); t = toc(t);\n"
    "ends = 3; k = info.solveiter;\n"
    "if (info.info == 0) ends = 0; elseif (info.info == 3) ends = 1;\n"
    "elseif (info.info == 6) ends = 2; end\n" OCTAVE_WRITE;
static const char octave_lcp[] =
    OCTAVE_READ "t = tic; [z, obj, flag, out] = pqpnonneg(A, b, start, o); t = toc(t);\n"
                "ends = 0; if (flag <= 0) ends = 1; end\n"
                "k = out.iterations;\n" OCTAVE_WRITE;

/* What the script has reported, or "". */
static char octave_version[64];

void code_version(char *text, size_t length)
{
    const char *const argv[] = {OCTAVE, "--version", NULL};
    perp_process child = {0};

    if (*octave_version) {
        snprintf(text, length, "%s", octave_version);
        return;
    }
    snprintf(text, length, "GNU Octave");
    perp_process_clear(&child);
    if (perp_process_start(&child, &(perp_process_orders){.argv = argv, .seconds = 20.0},
                           NULL) == PERP_OK) {
        while (child.pid) {
            perp_process_wait(&child, 1, 1.0);
        }
    }
    if (child.text) {
        snprintf(text, length, "%.*s", (int)strcspn(child.text, "\n"), child.text);
    }
    perp_process_clear(&child);
}

/* Two columns. */
static bool octave_write_bounds(const char *path, const double *lo, const double *hi,
                                size_t n)
{
    FILE *f = fopen(path, "we");

    for (size_t i = 0; f && i < n; i++) {
        fprintf(f, "%.17g %.17g\n", lo[i], hi[i]);
    }
    return f && fclose(f) == 0;
}

/* Run the script; its answer is there when it has ended well. */
static code_end octave_run(const char *script, code_answer *answer)
{
    const char *const argv[] = {OCTAVE,   "--quiet", "--norc", "--no-history",
                                "--eval", script,    NULL};
    perp_process child = {0};
    perp_error err = {0};
    char line[120];
    code_end end = CODE_FAILED;

    perp_process_clear(&child);
    if (perp_process_start(&child, &(perp_process_orders){.argv = argv, .quiet = true},
                           &err) != PERP_OK) {
        snprintf(answer->message, sizeof answer->message, "%.190s", err.text);
        return CODE_UNSUITABLE;
    }
    while (child.pid) {
        perp_process_wait(&child, 1, 1.0);
    }
    end =
        child.end == PERP_PROCESS_EXITED && child.code == 0 ? CODE_ANSWERED : CODE_FAILED;
    perp_process_last_line(&child, line, sizeof line);
    snprintf(answer->message, sizeof answer->message, "octave-cli: %s", line);
    perp_process_clear(&child);
    return end;
}

static code_end octave_read(const char *path, size_t n, code_answer *answer)
{
    double *x = NULL;
    size_t count = 0;
    perp_error err = {0};
    perp_status status = perp_vector_read(&x, &count, path, &err);

    if (status != PERP_OK || count != n + OCTAVE_FACTS) {
        snprintf(answer->message, sizeof answer->message, "the answer of Octave: %.150s",
                 status == PERP_OK ? "a wrong length" : err.text);
        free(x);
        return CODE_FAILED;
    }
    answer->message[0] = '\0';
    answer->claim =
        octave_claims[x[0] >= 0.0 && x[0] < OCTAVE_FAILED ? (int)x[0] : OCTAVE_FAILED];
    answer->seconds = x[1];
    answer->iterations = x[2] > 0.0 ? (size_t)x[2] : 0;
    snprintf(octave_version, sizeof octave_version, "GNU Octave, version %g.%g.%g", x[3],
             x[4], x[5]);
    memcpy(answer->z, x + OCTAVE_FACTS, n * sizeof *x);
    free(x);
    return CODE_ANSWERED;
}

/* Write the bounds, run, read. */
static code_end octave_solve(const code_task *task, code_answer *answer, const double *lo,
                             const double *hi)
{
    const char *script = strcmp(task->method, "lcp") == 0 ? octave_lcp : octave_qp;
    char path[OCTAVE_PATH];
    code_end end = CODE_FAILED;

    snprintf(path, sizeof path, "%s.bounds", getenv("PERP_SOLUTION"));
    if (!octave_write_bounds(path, lo, hi, task->p->n)) {
        snprintf(answer->message, sizeof answer->message, "cannot write the bounds");
        return CODE_FAILED;
    }
    end = octave_run(script, answer);
    snprintf(path, sizeof path, "%s.answer", getenv("PERP_SOLUTION"));
    return end == CODE_ANSWERED ? octave_read(path, task->p->n, answer) : end;
}

code_end code_solve(const code_task *task, code_answer *answer)
{
    double *lo = perp_reals_new(task->p->n), *hi = perp_reals_new(task->p->n);
    code_end end = CODE_UNSUITABLE;

    if (!lo || !hi) {
        end = code_no_memory(answer, task->p->n);
    } else if (!code_bounds(task->p, lo, hi, NULL, NULL)) {
        snprintf(answer->message, sizeof answer->message,
                 "expected rows that are free, nonneg or box");
    } else {
        end = octave_solve(task, answer, lo, hi);
    }
    free(lo);
    free(hi);
    return end;
}
