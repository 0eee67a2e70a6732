/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence_read.c: a sequence in one HDF5 file, read step by step.
 *
 *     /                 attributes format "perp-sequence", version 1, name, count
 *     /steps/0, 1, …    attributes t, h, law ("coulomb", "associated")
 *       keys            uint64[blocks]: identities, 0 for a block without one
 *       set/kind, dim   int32[blocks]: the kind as its bit (1 free, 2 nonneg, 4 box,
 *                       8 friction, 16 cone, 32 rolling, 64 disk), and the rows
 *       set/lo, hi, mu, mu_rolling, radius, normal
 *                       [blocks], each present when a block has such a parameter
 *       b               float64[n]
 *       A               a matrix, n x n; or global/M, H, G and global/f
 *       name, title, description, math_info
 *                       strings; solution/z, w, v and guesses/0/z, … points: all optional
 *       meta            labels and origin (meta_write.c): optional
 *     /perp/meta        texts of the origin that all steps share: optional
 *
 * sequence_matrix.c describes the matrices. The file is open only while a step is read. */
#include <config.h>

#include "base/base.h"
#include "base/unread.h"
#include "meta_hdf5.h"
#include "sequence.h"
#include "sets.h"

/* The arrays of a set as stored in the file. */
typedef struct set_arrays {
    int64_t *kind, *dim, *normal;
    double *parameter[5]; /* lo, hi, mu, mu_rolling, radius; NULL: missing */
} set_arrays;

static perp_status read_arrays(const perp_h5_file *f, const char *group, size_t blocks,
                               set_arrays *a)
{
    static const char *const names[] = {"lo", "hi", "mu", "mu_rolling", "radius"};
    char inside[PERP_H5_PATH];
    bool there = false;
    perp_status status =
        perp_h5_integers(f, perp_h5_join(inside, group, "kind"), blocks, NULL, &a->kind);

    if (status == PERP_OK) {
        status = perp_h5_integers(f, perp_h5_join(inside, group, "dim"), blocks, NULL,
                                  &a->dim);
    }
    if (status == PERP_OK) {
        status = perp_h5_exists(f, perp_h5_join(inside, group, "normal"), &there);
    }
    if (status == PERP_OK && there) {
        status = perp_h5_integers(f, inside, blocks, NULL, &a->normal);
    }
    for (size_t i = 0; i < 5 && status == PERP_OK; i++) {
        status = perp_h5_exists(f, perp_h5_join(inside, group, names[i]), &there);
        if (status == PERP_OK && there) {
            status = perp_h5_reals(f, inside, blocks, NULL, &a->parameter[i]);
        }
    }
    return status;
}

/* Block k: its kind is known, its dimension is that of the kind, no parameter is missing. */
static perp_status read_block(const perp_h5_file *f, const char *group,
                              const set_arrays *a, size_t k, perp_block *block)
{
    static const struct {
        perp_set_kind kind;
        unsigned dim;
        unsigned parameters; /* bits of set_arrays.parameter; 32: normal */
    } kinds[] = {{PERP_SET_FREE, 1, 0},        {PERP_SET_NONNEG, 1, 0},
                 {PERP_SET_BOX, 1, 1 | 2},     {PERP_SET_FRICTION, 1, 4 | 32},
                 {PERP_SET_CONE, 3, 4},        {PERP_SET_CONE, 2, 4},
                 {PERP_SET_ROLLING, 5, 4 | 8}, {PERP_SET_DISK, 2, 16}};
    size_t i = 0;
    double x[5] = {0};
    unsigned there = a->normal && a->normal[k] >= 0 ? 32 : 0;

    while (i < sizeof kinds / sizeof *kinds &&
           (a->kind[k] != (int64_t)kinds[i].kind || a->dim[k] != (int64_t)kinds[i].dim)) {
        i++;
    }
    if (i == sizeof kinds / sizeof *kinds) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, group,
                            "block %zu has kind %lld and %lld row%s, which no set has", k,
                            (long long)a->kind[k], (long long)a->dim[k],
                            perp_plural((size_t)a->dim[k]));
    }
    for (unsigned p = 0; p < 5; p++) {
        there |= a->parameter[p] ? 1u << p : 0;
        x[p] = a->parameter[p] ? a->parameter[p][k] : 0.0;
    }
    if (kinds[i].parameters & ~there) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, group,
                            "block %zu, a %s, lacks a parameter", k,
                            perp_set_kind_name(kinds[i].kind));
    }
    *block = (perp_block){.kind = kinds[i].kind,
                          .dim = kinds[i].dim,
                          .lo = x[0],
                          .hi = x[1],
                          .mu = x[2],
                          .mu_rolling = x[3],
                          .radius = x[4],
                          .normal = there & 32 ? (size_t)a->normal[k] : 0};
    return PERP_OK;
}

static perp_status read_set(const perp_h5_file *f, const char *step, size_t blocks,
                            perp_set **set)
{
    char group[PERP_H5_PATH];
    set_arrays a = {0};
    perp_status status = read_arrays(f, perp_h5_join(group, step, "set"), blocks, &a);

    if (status == PERP_OK) {
        status = perp_set_new(set, blocks, f->err);
    }
    for (size_t k = 0; k < blocks && status == PERP_OK; k++) {
        perp_block block;

        status = read_block(f, group, &a, k, &block);
        if (status == PERP_OK) {
            perp_set_add_block(*set, &block);
        }
    }
    free(a.kind);
    free(a.dim);
    free(a.normal);
    for (size_t i = 0; i < 5; i++) {
        free(a.parameter[i]);
    }
    return status;
}

static perp_status read_global(const perp_h5_file *f, const char *group, perp_problem *p)
{
    char inside[PERP_H5_PATH];
    size_t n_v = 0;
    bool equalities = false;
    perp_global *g = p->global = calloc(1, sizeof *g);

    if (!g) {
        return perp_h5_fail(f, PERP_ERR_MEMORY, group, "no memory for a global problem");
    }
    TRY(perp_h5_reals(f, perp_h5_join(inside, group, "f"), PERP_H5_ANY, &n_v, &g->f));
    TRY(perp_sequence_read_matrix(f, perp_h5_join(inside, group, "M"), n_v, n_v, &g->M));
    TRY(perp_sequence_read_matrix(f, perp_h5_join(inside, group, "H"), n_v, PERP_H5_ANY,
                                  &g->H));
    TRY(perp_h5_exists(f, perp_h5_join(inside, group, "G"), &equalities));
    if (equalities) {
        TRY(perp_sequence_read_matrix(f, inside, n_v, PERP_H5_ANY, &g->G));
    }
    return PERP_OK;
}

static perp_status read_texts(const perp_h5_file *f, const char *step, perp_problem *p)
{
    static const char *const names[] = {"name", "title", "description", "math_info"};
    char **const fields[] = {&p->name, &p->title, &p->description, &p->math_info};
    perp_status status = PERP_OK;

    for (size_t i = 0; i < 4 && status == PERP_OK; i++) {
        char inside[PERP_H5_PATH];

        status = perp_h5_text(f, perp_h5_join(inside, step, names[i]), fields[i]);
    }
    return status;
}

/* n numbers that may be missing, all finite. */
static perp_status read_optional(const perp_h5_file *f, const char *group,
                                 const char *name, size_t n, double **x)
{
    char inside[PERP_H5_PATH];
    bool there = false;
    perp_status status = perp_h5_exists(f, perp_h5_join(inside, group, name), &there);

    if (!there) {
        return status;
    }
    status = perp_h5_reals(f, inside, n, NULL, x);
    return status == PERP_OK ? perp_h5_check_finite(f, inside, *x, n) : status;
}

static perp_status read_point(const perp_h5_file *f, const char *group,
                              const perp_problem *p, perp_point *point)
{
    size_t n_v = p->global ? p->global->M->rows : 0;
    perp_status status = read_optional(f, group, "z", p->n, &point->z);

    if (status == PERP_OK) {
        status = read_optional(f, group, "w", p->n, &point->w);
    }
    if (status == PERP_OK && n_v) {
        status = read_optional(f, group, "v", n_v, &point->v);
    }
    return status == PERP_OK && !point->z
               ? perp_h5_fail(f, PERP_ERR_FORMAT, group, "z is missing")
               : status;
}

static perp_status read_points(const perp_h5_file *f, const char *step, perp_problem *p)
{
    char group[PERP_H5_PATH];
    bool there = false;
    perp_status status = perp_h5_exists(f, perp_h5_join(group, step, "solution"), &there);

    if (there) {
        p->solution = calloc(1, sizeof *p->solution);
        status = p->solution ? read_point(f, group, p, p->solution)
                             : perp_h5_fail(f, PERP_ERR_MEMORY, group, "no memory");
    }
    while (status == PERP_OK) {
        char name[40];
        perp_point *guesses = NULL;

        snprintf(name, sizeof name, "guesses/%zu", p->guess_count);
        status = perp_h5_exists(f, perp_h5_join(group, step, name), &there);
        if (!there) {
            break;
        }
        guesses = realloc(p->guesses, (p->guess_count + 1) * sizeof *guesses);
        if (!guesses) {
            return perp_h5_fail(f, PERP_ERR_MEMORY, group, "no memory");
        }
        p->guesses = guesses;
        memset(&guesses[p->guess_count], 0, sizeof *guesses);
        status = read_point(f, group, p, &guesses[p->guess_count++]);
    }
    return status;
}

static perp_status read_law(const perp_h5_file *f, const char *group, perp_law *law)
{
    char word[16] = "";
    perp_status status = perp_sequence_attribute_text(f, group, "law", word, sizeof word);

    *law = word[0] == 'a' ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;
    if (status == PERP_OK && strcmp(word, "coulomb") != 0 &&
        strcmp(word, "associated") != 0) {
        status = perp_h5_fail(f, PERP_ERR_FORMAT, group,
                              "law is \"%s\", expected coulomb or associated", word);
    }
    return status;
}

/* A, or M, H, G and f, or both. */
static perp_status read_matrices(const perp_h5_file *f, const char *group,
                                 perp_problem *p)
{
    char inside[PERP_H5_PATH];
    bool there = false;
    perp_status status = perp_h5_exists(f, perp_h5_join(inside, group, "global"), &there);

    if (there) {
        status = read_global(f, inside, p);
    }
    if (status == PERP_OK) {
        status = perp_h5_exists(f, perp_h5_join(inside, group, "A"), &there);
    }
    if (status == PERP_OK && (!p->global || there)) {
        status = perp_sequence_read_matrix(f, perp_h5_join(inside, group, "A"), p->n,
                                           p->n, &p->A);
    }
    return status;
}

static perp_status read_meta(const perp_h5_file *f, const char *step, perp_problem *p)
{
    char inside[PERP_H5_PATH];
    perp_problem shared = {0};
    perp_status status = perp_meta_h5_read(f, PERP_META_H5, &shared, NULL);

    if (status == PERP_OK) {
        status =
            perp_meta_h5_read(f, perp_h5_join(inside, step, "meta"), p, shared.origin);
    }
    perp_origin_free(shared.origin);
    return status;
}

static perp_status read_problem(const perp_h5_file *f, const char *group,
                                perp_sequence_item *item)
{
    char inside[PERP_H5_PATH];
    size_t blocks = 0;
    perp_problem *p = item->problem;

    TRY(read_law(f, group, &p->law));

    TRY(perp_h5_words(f, perp_h5_join(inside, group, "keys"), PERP_H5_ANY, &blocks,
                      &item->keys));
    TRY(perp_h5_reals(f, perp_h5_join(inside, group, "b"), PERP_H5_ANY, &p->n, &p->b));
    TRY(read_set(f, group, blocks, &p->set));
    TRY(read_matrices(f, group, p));
    TRY(read_texts(f, group, p));
    TRY(read_meta(f, group, p));
    return read_points(f, group, p);
}

perp_status perp_sequence_file_read(const char *path, size_t i, perp_sequence_item *item,
                                    perp_error *err)
{
    const perp_source from = {.name = path};
    char group[PERP_H5_PATH];
    perp_h5_file f = {0};
    bool there = false;
    perp_status status = perp_h5_open(&f, &from, err);

    snprintf(group, sizeof group, "/steps/%zu", i);
    if (status == PERP_OK) {
        status = perp_h5_exists(&f, group, &there);
    }
    if (status == PERP_OK && !there) {
        status = perp_h5_fail(&f, PERP_ERR_FORMAT, group, "missing");
    }
    if (status == PERP_OK) {
        status = perp_sequence_attribute_real(&f, group, "t", &item->t);
    }
    if (status == PERP_OK) {
        status = perp_sequence_attribute_real(&f, group, "h", &item->h);
    }
    if (status == PERP_OK) {
        status = perp_problem_new(&item->problem, err);
    }
    if (status == PERP_OK) {
        status = read_problem(&f, group, item);
    }
    perp_h5_close(&f);
    return status;
}

/* Version and count; the name may be missing. */
static perp_status read_head(const perp_h5_file *f, char name[SEQUENCE_NAME],
                             size_t *count)
{
    char format[32] = "";
    size_t version = 0;
    bool there = false;
    perp_status status = PERP_OK;

    TRY(perp_h5_attribute_text(f, "/", "format", format, sizeof format, &there));
    if (strcmp(format, SEQUENCE_FORMAT) != 0) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, "/",
                            "not a sequence: the attribute format is \"%s\", expected "
                            "\"" SEQUENCE_FORMAT "\"",
                            format);
    }
    status = perp_sequence_attribute_size(f, "/", "version", &version);
    if (status == PERP_OK && version != SEQUENCE_VERSION) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, "/", "version is %zu, expected %d",
                            version, SEQUENCE_VERSION);
    }
    if (status == PERP_OK) {
        status = perp_h5_attribute_text(f, "/", "name", name, SEQUENCE_NAME, &there);
    }
    if (status == PERP_OK) {
        status = perp_sequence_attribute_size(f, "/", "count", count);
    }
    /* A group takes more than a byte. */
    return status == PERP_OK && *count > f->bytes
               ? perp_h5_fail(f, PERP_ERR_FORMAT, "/",
                              "count is %zu, more than a file of %llu bytes can hold",
                              *count, (unsigned long long)f->bytes)
               : status;
}

perp_status perp_sequence_file_head(const char *path, char name[SEQUENCE_NAME],
                                    size_t *count, perp_error *err)
{
    const perp_source from = {.name = path};
    perp_h5_file f = {0};
    perp_status status = perp_h5_open(&f, &from, err);

    *count = 0;
    if (status == PERP_OK) {
        status = read_head(&f, name, count);
    }
    perp_h5_close(&f);
    return status;
}

bool perp_sequence_file_detect(const char *path)
{
    const perp_source from = {.name = path};
    char format[32] = "";
    perp_h5_file f = {0};
    perp_error err = {0};
    bool there = false;

    /* Most files are something else: HDF5 is called only where its signature is found. */
    if (!perp_h5_detect(&from)) {
        return false;
    }
    if (perp_h5_open(&f, &from, &err) != PERP_OK ||
        perp_h5_attribute_text(&f, "/", "format", format, sizeof format, &there) !=
            PERP_OK) {
        perp_unread_say(err.text);
    }
    perp_h5_close(&f);
    return strcmp(format, SEQUENCE_FORMAT) == 0;
}
