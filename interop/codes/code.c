/* SPDX-License-Identifier: Apache-2.0
 * codes/code.c: the main function of a program that runs another code. */
#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "base/json.h"
#include "interop/codes/code.h"

/* Exit statuses of the protocol. */
enum { EXIT_ANSWERED = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_UNSUITABLE = 3 };

/* Asked by AddressSanitizer. The process solves one problem; its end frees what the code and its
 * library still hold. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}

double code_seconds(void)
{
    return perp_clock();
}

bool code_option(const code_task *task, const char *name, char *value, size_t length)
{
    size_t end = strlen(name);

    for (const char *o = task->options; *o;
         o += strcspn(o, " ") + (strchr(o, ' ') != NULL)) {
        if (strncmp(o, name, end) == 0 && o[end] == '=') {
            snprintf(value, length, "%.*s", (int)strcspn(o + end + 1, " "), o + end + 1);
            return true;
        }
    }
    return false;
}

perp_status code_dense(const perp_problem *p, double **A, perp_error *err)
{
    size_t count = 0;
    double *row = NULL;

    *A = NULL;
    if (perp_mul(p->n, p->n, &count)) {
        *A = perp_reals_new(count);
        row = perp_reals_new(p->n);
    }
    if (!*A || !row) {
        free(*A);
        free(row);
        *A = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu x %zu numbers", p->n,
                         p->n);
    }
    for (size_t i = 0; i < p->n; i++) {
        memset(row, 0, p->n * sizeof *row);
        perp_operator_row_add(p->A, i, 1.0, row);
        for (size_t j = 0; j < p->n; j++) {
            (*A)[i + p->n * j] = row[j];
        }
    }
    free(row);
    return PERP_OK;
}

bool code_bounds(const perp_problem *p, double *lo, double *hi, int *findex, double *mu)
{
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *b = &p->set->blocks[k];
        size_t i = b->first;
        bool friction = b->kind == PERP_SET_FRICTION;

        if (b->dim != 1 || (friction && !findex)) {
            return false;
        }
        lo[i] = b->kind == PERP_SET_NONNEG ? 0.0
                : b->kind == PERP_SET_BOX  ? b->lo
                                           : -INFINITY;
        hi[i] = b->kind == PERP_SET_BOX ? b->hi : INFINITY;
        if (findex) {
            findex[i] = friction ? (int)b->normal : -1;
        }
        if (mu) {
            mu[i] = friction ? b->mu : 0.0;
        }
    }
    return true;
}

code_end code_no_memory(code_answer *answer, size_t n)
{
    snprintf(answer->message, sizeof answer->message, "no memory for %zu rows", n);
    return CODE_FAILED;
}

/* A variable of the environment; `fallback` where it is not set. */
static const char *code_variable(const char *name, const char *fallback)
{
    const char *value = getenv(name);

    return value && *value ? value : fallback;
}

static void code_print_text(FILE *f, const char *key, const char *text)
{
    char *valid = text && *text ? perp_text_valid(text, strlen(text)) : NULL;

    if (valid) {
        fprintf(f, ", \"%s\": ", key);
        perp_json_print_text(f, valid);
    }
    free(valid);
}

/* Numbers that are not finite are written as null, which no reader takes for an answer. */
static perp_status code_write(const char *path, const code_task *task,
                              const code_answer *answer, perp_error *err)
{
    char version[CODE_WORDS] = "";
    FILE *f = fopen(path, "we");
    bool whole = true;

    if (!f) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: cannot write: %s", path,
                         strerror(errno));
    }
    code_version(version, sizeof version);
    fputs("{\"z\": ", f);
    perp_json_print_reals(f, answer->z, task->p->n);
    code_print_text(f, "claim", answer->claim);
    if (answer->seconds > 0.0 && isfinite(answer->seconds)) {
        fprintf(f, ", \"seconds\": %.9g", answer->seconds);
    }
    fprintf(f, ", \"iterations\": %zu", answer->iterations);
    code_print_text(f, "message", answer->message);
    code_print_text(f, "version", version);
    code_print_text(f, "reformulation", answer->reformulation);
    fputs("}\n", f);
    whole = !ferror(f);
    whole = fclose(f) == 0 && whole;
    return whole ? PERP_OK
                 : perp_fail(err, PERP_ERR_WRITE, "%s: cannot write: %s", path,
                             strerror(errno));
}

/* The start, zeros where there is none. */
static perp_status code_read_start(size_t n, double **start, perp_error *err)
{
    const char *path = getenv("PERP_START");
    size_t count = 0;
    perp_status status = PERP_OK;

    if (!path || n == 0) {
        *start = perp_reals_new(n);
        return *start ? PERP_OK : perp_fail(err, PERP_ERR_MEMORY, "no memory");
    }
    status = perp_vector_read(start, &count, path, err);
    if (status == PERP_OK && count != n) {
        free(*start);
        *start = NULL;
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: %zu numbers, expected %zu", path,
                           count, n);
    }
    return status;
}

static int code_fail(const perp_error *err, int code)
{
    fprintf(stderr, "%s\n", err->text);
    return code;
}

static int code_run(code_task *task, const char *solution)
{
    code_answer answer = {0};
    perp_error err = {0};
    code_end end = CODE_FAILED;
    double *start = NULL;
    int code = EXIT_FAILED;

    answer.z = perp_reals_new(task->p->n);
    if (!answer.z || code_read_start(task->p->n, &start, &err) != PERP_OK) {
        free(answer.z);
        perp_fail(&err, PERP_ERR_MEMORY, "no memory for %zu rows", task->p->n);
        return code_fail(&err, EXIT_FAILED);
    }
    memcpy(answer.z, start, task->p->n * sizeof *start);
    task->start = start;
    end = code_solve(task, &answer);
    if (end == CODE_ANSWERED) {
        code = code_write(solution, task, &answer, &err) == PERP_OK
                   ? EXIT_ANSWERED
                   : code_fail(&err, EXIT_FAILED);
    } else {
        fprintf(stderr, "%s\n", answer.message);
        code = end == CODE_UNSUITABLE ? EXIT_UNSUITABLE : EXIT_FAILED;
    }
    free(start);
    free(answer.z);
    return code;
}

int main(int argc, char **argv)
{
    const char *instance = getenv("PERP_INSTANCE"), *solution = getenv("PERP_SOLUTION");
    perp_read_options read = {.format = getenv("PERP_FORMAT")};
    perp_problem *p = NULL;
    perp_error err = {0};
    int code = EXIT_USAGE;

    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        char version[CODE_WORDS] = "";

        code_version(version, sizeof version);
        puts(version);
        return EXIT_ANSWERED;
    }
    if (!instance || !solution) {
        fprintf(stderr,
                "usage: %s, started by perp with PERP_INSTANCE and PERP_SOLUTION\n",
                argv[0]);
        return EXIT_USAGE;
    }
    if (perp_problem_read(&p, instance, &read, NULL, &err) != PERP_OK) {
        return code_fail(&err, EXIT_USAGE);
    }
    code = code_run(
        &(code_task){
            .p = p,
            .method = code_variable("PERP_METHOD", ""),
            .options = code_variable("PERP_OPTIONS", ""),
            .tolerance = strtod(code_variable("PERP_TOLERANCE", "1e-8"), NULL),
            .time_limit = strtod(code_variable("PERP_TIME_LIMIT", "0"), NULL),
            .max_iterations =
                (size_t)strtoull(code_variable("PERP_MAX_ITERATIONS", "0"), NULL, 10),
            .instance = instance,
        },
        solution);
    perp_problem_free(p);
    return code;
}
