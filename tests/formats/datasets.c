/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/datasets.c: every real file is recognised, holds what the index says of
 * it, and comes back bit for bit; twins agree. The index was computed by an independent
 * reader. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "files.h"

/* A line of index.tsv. */
typedef struct entry {
    char file[120], kind[32], dim[16], contacts[32], matrix[32], nonzeros[16],
        storage[16], mu[32], asymmetry[16];
} entry;

/* One field up to a tab, which may be empty. */
static char *take_field(char *line, char *field, size_t length)
{
    size_t n = strcspn(line, "\t\n");

    CU_ASSERT_TRUE_FATAL(n < length);
    memcpy(field, line, n);
    field[n] = '\0';
    return line + n + (line[n] == '\t');
}

/* Call `visit` on each FCLIB and Siconos file but the rectangular one. */
static size_t each_file(void (*visit)(const entry *e, const char *path))
{
    char path[1024];
    char *line = NULL;
    size_t room = 0;
    size_t count = 0;

    snprintf(path, sizeof path, "%s/index.tsv", test_datasets());
    FILE *f = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    while (getline(&line, &room, f) > 0) {
        entry e;
        char *rest = take_field(line, e.file, sizeof e.file);

        rest = take_field(rest, e.kind, sizeof e.kind);
        rest = take_field(rest, e.dim, sizeof e.dim);
        rest = take_field(rest, e.contacts, sizeof e.contacts);
        rest = take_field(rest, e.matrix, sizeof e.matrix);
        rest = take_field(rest, e.nonzeros, sizeof e.nonzeros);
        rest = take_field(rest, e.storage, sizeof e.storage);
        rest = take_field(rest, e.mu, sizeof e.mu);
        take_field(rest, e.asymmetry, sizeof e.asymmetry);
        if ((strncmp(e.file, "fclib/", 6) == 0 || strncmp(e.file, "siconos-", 8) == 0) &&
            !strstr(e.file, "Rectangular")) {
            snprintf(path, sizeof path, "%s/%s", test_datasets(), e.file);
            visit(&e, path);
            count++;
        }
    }
    free(line);
    fclose(f);
    return count;
}

static perp_problem *read_path(const char *path, bool symmetric_upper, perp_notes *notes)
{
    perp_read_options opt = {.symmetric_upper = symmetric_upper};
    perp_problem *p = NULL;
    perp_error err = {0};

    if (perp_problem_read(&p, path, &opt, notes, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    return p;
}

static perp_problem *read_dataset(const char *file)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", test_datasets(), file);
    return read_path(path, false, NULL);
}

/* A claim about a file; a failure names the file. */
static void claim(const entry *e, const char *what, bool holds)
{
    if (!holds) {
        test_note("%s: %s", e->file, what);
    }
    CU_ASSERT_TRUE(holds);
}

static void count_nonzero(void *context, size_t j, double a)
{
    (void)j;
    *(size_t *)context += a != 0.0;
}

static size_t nonzeros(const perp_operator *A)
{
    size_t count = 0;

    for (size_t i = 0; i < A->rows; i++) {
        perp_operator_row_visit(A, i, count_nonzero, &count);
    }
    return count;
}

/* Is the problem of the kind the index names? */
static bool kind_fits(const entry *e, const perp_problem *p)
{
    perp_kind kind = perp_problem_kind(p);
    perp_kind cones = strcmp(e->dim, "2") == 0   ? PERP_KIND_FC2D
                      : strcmp(e->dim, "3") == 0 ? PERP_KIND_FC3D
                                                 : PERP_KIND_ROLLING;

    if (strcmp(e->kind, "lcp") == 0) {
        return kind == PERP_KIND_LCP;
    }
    if (strcmp(e->kind, "mlcp") == 0) {
        return kind == PERP_KIND_MLCP;
    }
    if (strcmp(e->kind, "relay") == 0) {
        return kind == PERP_KIND_BLCP;
    }
    if (strcmp(e->kind, "gmp") == 0) { /* a generic problem may hold any of these */
        return kind == PERP_KIND_MLCP || kind == PERP_KIND_MIXED;
    }
    return kind == cones;
}

static bool global_fits(const entry *e, const perp_problem *p)
{
    bool global = strncmp(e->kind, "gfc", 3) == 0 || strstr(e->kind, "global");

    return !p->global == !global;
}

static bool mu_fits(const entry *e, const perp_problem *p)
{
    double low = 0.0;
    double high = 0.0;
    double least = INFINITY;
    double most = -INFINITY;

    if (sscanf(e->mu, "%lf..%lf", &low, &high) != 2) {
        return true;
    }
    for (size_t k = 0; k < p->set->count; k++) {
        least = fmin(least, p->set->blocks[k].mu);
        most = fmax(most, p->set->blocks[k].mu);
    }
    return fabs(least - low) <= 1e-15 && fabs(most - high) <= 1e-15; /* of 0.7: 1e-16 */
}

static void check_file(const entry *e, const char *path)
{
    perp_problem *p = read_path(path, false, NULL);
    const perp_operator *A = p->global ? p->global->M : p->A;
    size_t rows = 0;
    size_t cols = 0;
    size_t contacts = 0;
    char asymmetry[16];

    claim(e, "kind", kind_fits(e, p));
    claim(e, "local or global", global_fits(e, p));
    claim(e, "size",
          sscanf(e->matrix, "%zux%zu", &rows, &cols) == 2 && A->rows == rows &&
              A->cols == cols);
    claim(e, "nonzeros", nonzeros(A) == strtoul(e->nonzeros, NULL, 10));
    snprintf(asymmetry, sizeof asymmetry, "%.1e", perp_operator_asymmetry(A));
    claim(e, "asymmetry", strcmp(asymmetry, e->asymmetry) == 0);
    claim(e, "mu", mu_fits(e, p));
    if (sscanf(e->contacts, "%zu", &contacts) == 1) {
        claim(e, "contacts", perp_problem_contacts(p) == contacts);
    }
    claim(e, "storage",
          strcmp(e->storage, "dense") == 0 ? A->type->storage == PERP_STORAGE_DENSE
                                           : A->type->storage != PERP_STORAGE_DENSE);
}

TEST(every_file_is_what_the_index_says_without_a_hint)
{
    CU_ASSERT_EQUAL(each_file(check_file), 53);
}

typedef struct comparison {
    const perp_operator *other;
    size_t row;
    bool same;
} comparison;

static void compare_entry(void *context, size_t j, double a)
{
    comparison *c = context;
    double b = perp_operator_entry(c->other, c->row, j);

    c->same = c->same && memcmp(&a, &b, sizeof a) == 0;
}

/* Every entry stored in A has the same bits in B. */
static bool same_entries(const perp_operator *A, const perp_operator *B)
{
    comparison c = {.other = B, .same = A->rows == B->rows && A->cols == B->cols};

    for (c.row = 0; c.same && c.row < A->rows; c.row++) {
        perp_operator_row_visit(A, c.row, compare_entry, &c);
    }
    return c.same;
}

/* Bit for bit; only sparse text becomes blocks of the size of a contact, where the
 * entries have the same bits and the next reading the same storage. */
static void check_return(const entry *e, const char *path)
{
    bool fclib = strncmp(e->file, "fclib/", 6) == 0;
    perp_problem *p = read_path(path, false, NULL);
    perp_problem *q = NULL;
    const char *copy = test_scratch(fclib ? "copy.hdf5" : "copy.dat");
    perp_error err = {0};

    if (p->A && p->A->type->storage == PERP_STORAGE_CSR && strstr(e->kind, "fc") &&
        !fclib) {
        OK(perp_problem_write(p, copy, NULL, NULL, &err));
        q = read_path(copy, false, NULL);
        claim(e, "the same entries", same_entries(p->A, q->A));
        claim(e, "the same problem", perp_problem_hash(p) == perp_problem_hash(q));
        p = q;
    }
    files_come_back(p, copy, fclib ? "fclib" : "siconos", false);
    if (!fclib && strcmp(e->kind, "gmp") == 0) {
        OK(perp_problem_write(p, copy, NULL, "gmp", &err));
        q = read_path(copy, false, NULL);
        claim(e, "the same as gmp", files_same_problem(p, q));
    }
    unlink(copy);
}

TEST(every_file_comes_back_bit_for_bit)
{
    each_file(check_return);
}

static void check_texts(const char *a, const char *b)
{
    CU_ASSERT_TRUE((!a && !b) || (a && b && strcmp(a, b) == 0));
}

TEST(texts_and_velocities_come_back_too)
{
    perp_problem *p = read_dataset("fclib/Box_Stacks-i0122-82-5.hdf5");
    const char *copy = test_scratch("texts.hdf5");

    OK(perp_problem_write(p, copy, NULL, NULL, NULL));
    perp_problem *q = read_path(copy, false, NULL);
    check_texts(p->title, q->title);
    check_texts(p->description, q->description);
    check_texts(p->math_info, q->math_info);
    CU_ASSERT_STRING_EQUAL(p->title, "Box_stacks");
    CU_ASSERT_STRING_EQUAL(p->math_info, ""); /* empty, not missing */
    CU_ASSERT_STRING_EQUAL(p->name, "Box_Stacks-i0122-82-5");
    CU_ASSERT_TRUE_FATAL(p->solution && q->solution && p->guess_count == 1);
    CU_ASSERT_TRUE(files_same_reals(p->solution->v, q->solution->v, 450));
    CU_ASSERT_TRUE(files_same_reals(p->guesses[0].w, q->guesses[0].w, 246));
    CU_ASSERT_EQUAL(p->global->H->rows, 450); /* n x m: the transpose of a Jacobian */
    CU_ASSERT_EQUAL(p->global->H->cols, 246);
    unlink(copy);
}

/* 1284 entries are stored where nzmax says 1968. */
TEST(nzmax_may_exceed_what_is_stored)
{
    perp_problem *p = read_dataset("fclib/Box_Stacks-i0122-82-5.hdf5");

    CU_ASSERT_EQUAL(p->global->H->count, 1284);
}

TEST(half_a_matrix_is_noted_and_mirrored_on_request)
{
    char path[1024];
    perp_notes notes = {0};

    snprintf(path, sizeof path, "%s/fclib/CubeH8.hdf5", test_datasets());
    perp_problem *p = read_path(path, false, &notes);
    CU_ASSERT_EQUAL(p->global->M->count, 3168);
    CU_ASSERT_EQUAL_FATAL(notes.count, 1);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(notes.line[0], "M is upper triangular and not diagonal"));
    p = read_path(path, true, &notes);
    CU_ASSERT_EQUAL(p->global->M->count, 6174);
    CU_ASSERT_EQUAL(perp_operator_asymmetry(p->global->M), 0.0);
    CU_ASSERT_EQUAL(notes.count, 0);
    /* A matrix that is whole cannot be mirrored. */
    snprintf(path, sizeof path, "%s/fclib/Chute-ndof-768-nc-4-3.hdf5", test_datasets());
    p = read_path(path, false, &notes);
    CU_ASSERT_EQUAL(notes.count, 0);
}

/* The description of this file starts with the byte 0xA8. */
TEST(a_byte_that_is_not_utf8_is_marked)
{
    perp_problem *p = read_dataset("fclib/CubeH8.hdf5");

    CU_ASSERT_PTR_NOT_NULL_FATAL(p->description);
    CU_ASSERT_EQUAL(strncmp(p->description, "\\xa8Rewriting in hdf5", 21), 0);
}

TEST(the_rectangular_mlcp_is_refused_with_a_reason)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/siconos-mlcp/Rectangular_mlcp.dat", test_datasets());
    files_refused(path, NULL, "M is 3 x 2: with 3 equations for 2 unknowns");
}

static void check_twins(const char *one, const char *other)
{
    perp_problem *p = read_dataset(one);
    perp_problem *q = read_dataset(other);

    CU_ASSERT_TRUE(same_entries(p->A, q->A) && same_entries(q->A, p->A));
    CU_ASSERT_TRUE(files_same_reals(p->b, q->b, p->n));
    CU_ASSERT_TRUE(files_same_set(p->set, q->set));
}

TEST(twins_dense_and_in_blocks_agree)
{
    check_twins("siconos-lcp/lcp_deudeu.dat", "siconos-lcp/lcp_deudeu_block.dat");
    check_twins("siconos-lcp/lcp_ortiz.dat", "siconos-lcp/lcp_ortiz_block.dat");
}

/* From text to HDF5 and back, and the other way: the same entries, b and sets. */
static void check_crossing(const char *file)
{
    perp_problem *p = read_dataset(file);
    bool text = strncmp(file, "siconos", 7) == 0;
    const char *there = test_scratch(text ? "there.hdf5" : "there.dat");
    const char *back = test_scratch(text ? "back.dat" : "back.hdf5");
    const perp_operator *A = p->global ? p->global->M : p->A;

    OK(perp_problem_write(p, there, NULL, NULL, NULL));
    perp_problem *q = read_path(there, false, NULL);
    OK(perp_problem_write(q, back, NULL, NULL, NULL));
    perp_problem *r = read_path(back, false, NULL);
    CU_ASSERT_TRUE(same_entries(A, q->global ? q->global->M : q->A));
    CU_ASSERT_TRUE(same_entries(A, r->global ? r->global->M : r->A));
    CU_ASSERT_TRUE(files_same_reals(p->b, r->b, p->n));
    CU_ASSERT_TRUE(files_same_set(p->set, q->set) && files_same_set(p->set, r->set));
    if (p->global) {
        CU_ASSERT_TRUE_FATAL(q->global && r->global);
        CU_ASSERT_TRUE(same_entries(p->global->H, q->global->H));
        CU_ASSERT_TRUE(files_same_reals(p->global->f, r->global->f, p->global->M->rows));
    }
    unlink(there);
    unlink(back);
}

TEST(problems_cross_between_text_and_hdf5)
{
    check_crossing("siconos-fc3d/Capsules-i100-1090.dat");
    check_crossing("siconos-fc3d/Rover1040.dat");
    check_crossing("siconos-fc2d/FrictionContactProblem00394.dat");
    check_crossing("siconos-gfc3d/GFC3D_TwoRods1.dat");
    check_crossing("fclib/local_problem_test.hdf5");
    check_crossing("fclib/Chute-ndof-768-nc-4-3.hdf5");
}
