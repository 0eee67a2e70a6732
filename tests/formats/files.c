/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/files.c: expected messages, and the problem with one block of
 * every kind. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "files.h"

/* A status and a message are those expected. */
static void check_message(bool right, const perp_error *err, perp_status status,
                          const char *words)
{
    if (!right) {
        test_note("%s \"%s\", expected %s \"%s\"", perp_status_text(err->status),
                  err->text, perp_status_text(status), words);
    }
    CU_ASSERT_TRUE(right);
}

void files_refused_as(const char *path, const perp_read_options *opt, perp_status status,
                      const char *words)
{
    perp_problem *p = NULL;
    perp_error err = {0};
    bool right = perp_problem_read(&p, path, opt, NULL, &err) == status && !p &&
                 strstr(err.text, words) && strstr(err.text, path) &&
                 !strchr(err.text, '\n');

    check_message(right, &err, status, words);
}

void files_not_written(const perp_problem *p, const char *path, const char *kind,
                       perp_status status, const char *words)
{
    perp_error err = {0};
    bool right = perp_problem_write(p, path, NULL, kind, &err) == status &&
                 strstr(err.text, words);

    check_message(right, &err, status, words);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

void files_entries_are(const perp_operator *A, size_t rows, size_t cols,
                       const double *by_rows)
{
    CU_ASSERT_EQUAL_FATAL(A->rows, rows);
    CU_ASSERT_EQUAL_FATAL(A->cols, cols);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++) {
            CU_ASSERT_EQUAL(perp_operator_entry(A, i, j), by_rows[i * cols + j]);
        }
    }
}

perp_problem *files_every_set(perp_storage storage, perp_law law)
{
    perp_random g = {17};
    perp_set *set = test_new_set(20);

    perp_set_add_free(set);
    perp_set_add_nonneg(set);
    perp_set_add_nonneg(set);
    perp_set_add_box(set, -1.0 / 3.0, INFINITY);
    perp_set_add_box(set, 0.0, INFINITY); /* reads as NONNEG where only bounds are kept */
    perp_set_add_friction(set, 0.1, 1);
    perp_set_add_cone(set, 3, 0.7);
    perp_set_add_cone(set, 2, 0.3);
    perp_set_add_rolling(set, 0.5, 1e-3);
    perp_set_add_disk(set, 2.5);
    size_t n = set->n;
    double *b = test_reals(n);
    perp_operator *dense = test_new_dense(n, n);
    for (size_t i = 0; i < n; i++) {
        b[i] = perp_random_uniform(&g, -1.0, 1.0);
        for (size_t j = 0; j < n; j++) {
            bool kept = i == j || perp_random_unit(&g) < 0.3;

            dense->x[i + j * dense->ld] = kept ? perp_random_uniform(&g, -1.0, 1.0) : 0.0;
        }
    }
    dense->x[0] = 0.1 + 0.2;              /* needs 17 digits */
    dense->x[1] = -5e-324;                /* the smallest number */
    dense->x[2] = 1.7976931348623157e308; /* the largest */
    perp_operator *A = test_convert(dense, storage, 1);
    perp_problem *p = test_new_problem(A, b, set, law);
    p->name = perp_text_new("every \"set\"");
    p->title = perp_text_new("tab\tand µ, back\\slash");
    p->solution = calloc(1, sizeof *p->solution);
    p->guesses = calloc(1, sizeof *p->guesses);
    CU_ASSERT_TRUE_FATAL(p->solution && p->guesses);
    p->solution->z = perp_reals_new(n);
    p->solution->w = perp_reals_new(n);
    p->guesses[0].z = perp_reals_new(n);
    CU_ASSERT_TRUE_FATAL(p->solution->z && p->solution->w && p->guesses[0].z);
    p->guess_count = 1;
    for (size_t i = 0; i < n; i++) {
        p->solution->z[i] = perp_random_unit(&g);
        p->solution->w[i] = -perp_random_unit(&g);
        p->guesses[0].z[i] = perp_random_unit(&g) * 1e-9;
    }
    return p;
}
