/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/files.h: what the tests of file formats share: files made for a test,
 * problems that must come back as they were, expected messages. */
#ifndef PERP_TEST_FILES_H
#define PERP_TEST_FILES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

/* A file with these bytes. */
static inline void files_put(const char *path, const char *bytes, size_t length)
{
    FILE *f = fopen(path, "wb");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, length, f), length);
    CU_ASSERT_EQUAL(fclose(f), 0);
}

static inline void files_put_text(const char *path, const char *text)
{
    files_put(path, text, strlen(text));
}

/* All bytes of a file. */
static inline char *files_get(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL_FATAL(fseek(f, 0, SEEK_END), 0);
    long end = ftell(f);
    rewind(f);
    char *bytes = test_alloc((size_t)end + 1, 1);
    *length = fread(bytes, 1, (size_t)end, f);
    CU_ASSERT_EQUAL(*length, (size_t)end);
    fclose(f);
    return bytes;
}

/* Reading fails, and the message has these words. */
static inline void files_refused(const char *path, const char *format, const char *words)
{
    perp_read_options opt = {.format = format};
    perp_problem *p = NULL;
    perp_error err = {0};
    perp_status status = perp_problem_read(&p, path, &opt, NULL, &err);
    bool right =
        status != PERP_OK && status == err.status && !p && strstr(err.text, words);

    if (!right) {
        test_note("status %s, message \"%s\", expected \"%s\"", perp_status_text(status),
                  err.text, words);
    }
    if (!right || strchr(err.text, '\n')) { /* one line */
        CU_FAIL("not refused as expected");
    }
}

static inline bool files_same_reals(const double *a, const double *b, size_t n)
{
    return a == b || (a && b && memcmp(a, b, n * sizeof *a) == 0);
}

static inline bool files_same_operator(const perp_operator *A, const perp_operator *B)
{
    return A == B || (A && B && perp_operator_same(A, B));
}

static inline bool files_same_set(const perp_set *a, const perp_set *b)
{
    bool same = a->n == b->n && a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++) {
        const perp_block *x = &a->blocks[i];
        const perp_block *y = &b->blocks[i];

        same = x->kind == y->kind && x->dim == y->dim && x->first == y->first &&
               x->lo == y->lo && x->hi == y->hi && x->mu == y->mu &&
               x->mu_rolling == y->mu_rolling && x->radius == y->radius &&
               x->normal == y->normal;
    }
    return same;
}

/* Every bit that defines the problem, and its points. */
static inline bool files_same_problem(const perp_problem *p, const perp_problem *q)
{
    bool same = p->n == q->n && p->law == q->law && files_same_set(p->set, q->set) &&
                files_same_operator(p->A, q->A) && files_same_reals(p->b, q->b, p->n) &&
                !p->global == !q->global && !p->solution == !q->solution &&
                p->guess_count == q->guess_count;

    if (same && p->global) {
        same = files_same_operator(p->global->M, q->global->M) &&
               files_same_operator(p->global->H, q->global->H) &&
               files_same_operator(p->global->G, q->global->G) &&
               files_same_reals(p->global->f, q->global->f, p->global->M->rows);
    }
    if (same && p->solution) {
        same = files_same_reals(p->solution->z, q->solution->z, p->n) &&
               files_same_reals(p->solution->w, q->solution->w, p->n);
    }
    for (size_t i = 0; same && i < p->guess_count; i++) {
        same = files_same_reals(p->guesses[i].z, q->guesses[i].z, p->n);
    }
    return same;
}

/* Writes p, reads it back, compares, and writes once more: the same bytes. A path of a
 * folder format is compared by its reading only. */
static inline void files_come_back(const perp_problem *p, const char *path,
                                   const char *format, bool folder)
{
    perp_read_options opt = {.format = format};
    perp_problem *q = NULL;
    perp_error err = {0};
    bool same = false;

    if (perp_problem_write(p, path, format, NULL, &err) == PERP_OK &&
        perp_problem_read(&q, path, &opt, NULL, &err) == PERP_OK) {
        same = files_same_problem(p, q);
    }
    if (!same) {
        test_note("%s: %s", path, err.text[0] ? err.text : "not the same problem");
    }
    CU_ASSERT_TRUE(same);
    if (same && !folder) {
        size_t first = 0;
        size_t second = 0;
        char *before = files_get(path, &first);

        OK(perp_problem_write(q, path, format, NULL, NULL));
        char *after = files_get(path, &second);
        CU_ASSERT_EQUAL(first, second);
        CU_ASSERT_TRUE(first == second && memcmp(before, after, first) == 0);
        free(before);
        free(after);
    }
}

/* Reading fails with this status, and the message is one line that has these words and
 * the name of the file. */
void files_refused_as(const char *path, const perp_read_options *opt, perp_status status,
                      const char *words);
/* Writing as that kind fails so, and leaves nothing behind. */
void files_not_written(const perp_problem *p, const char *path, const char *kind,
                       perp_status status, const char *words);
/* A has these entries, given by rows. */
void files_entries_are(const perp_operator *A, size_t rows, size_t cols,
                       const double *by_rows);

/* A problem with every kind of block, in the given storage (edge 1: dense or CSR):
 * FREE, NONNEG, BOX twice, FRICTION, CONE of 3 and 2, ROLLING, DISK, a guess and a
 * solution; texts that need care. 17 rows. */
perp_problem *files_every_set(perp_storage storage, perp_law law);

#endif
