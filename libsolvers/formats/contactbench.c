/* SPDX-License-Identifier: Apache-2.0
 * formats/contactbench.c: frictional contact as NumPy arrays, the way ContactBench stores it:
 *
 *     G (n x n)  the Delassus matrix,   g (n)  the free velocity,   mus (n/3),
 *     lam0 (n)   where to start, may be missing
 *
 * The rows of a contact are (T1, T2, N), normal LAST; reading and writing permute them, since
 * a problem of perp has its normals first. */
#include <config.h>

#include <string.h>

#include "base/base.h"
#include "base/json.h"
#include "contactbench.h"
#include "npy.h"

/* The archive that is read, for messages. */
typedef struct bench_file {
    const char *file;
    const perp_archive *archive;
} bench_file;

/* One array; data is NULL when there is no such member. The caller frees *bytes. */
static perp_status bench_array(const bench_file *z, const char *name, perp_npy *array,
                               unsigned char **bytes, char place[PERP_PLACE_LENGTH],
                               perp_error *err)
{
    size_t length = 0;
    perp_status status = perp_archive_member(z->archive, name, bytes, &length, err);

    memset(array, 0, sizeof *array);
    snprintf(place, PERP_PLACE_LENGTH, "%.100s: %s", z->file, name);
    return status == PERP_OK && *bytes ? perp_npy_parse(array, *bytes, length, place, err)
                                       : status;
}

/* A vector of `count` numbers; *x is NULL when it is missing. */
static perp_status bench_vector(const bench_file *z, const char *name, size_t count,
                                double **x, perp_error *err)
{
    char place[PERP_PLACE_LENGTH];
    perp_npy array;
    unsigned char *bytes = NULL;
    perp_status status = bench_array(z, name, &array, &bytes, place, err);

    *x = NULL;
    if (status == PERP_OK && bytes && array.count != count) {
        status = perp_fail(err, PERP_ERR_DATA, "%s: %s has %zu number%s, expected %zu",
                           z->file, name, array.count, perp_plural(array.count), count);
    }
    if (status == PERP_OK && bytes) {
        *x = perp_reals_new(count);
        status = *x ? perp_npy_reals(&array, false, *x, place, err)
                    : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu numbers",
                                z->file, count);
    }
    free(bytes);
    return status;
}

static perp_status bench_matrix(const bench_file *z, perp_operator **A, size_t *n,
                                perp_error *err)
{
    char place[PERP_PLACE_LENGTH];
    perp_npy G;
    unsigned char *bytes = NULL;
    perp_status status = bench_array(z, "G.npy", &G, &bytes, place, err);

    if (status == PERP_OK && !bytes) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: G.npy is missing, expected G, g, mus and perhaps lam0",
                           z->file);
    }
    if (status == PERP_OK && (G.dims != 2 || G.shape[0] != G.shape[1] ||
                              G.shape[0] % 3 != 0 || G.shape[0] > INT32_MAX)) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "%s: G.npy has %zu dimensions, %zu x %zu, expected a square "
                           "matrix with 3 rows per contact",
                           z->file, G.dims, G.dims > 0 ? G.shape[0] : 0,
                           G.dims > 1 ? G.shape[1] : 0);
    }
    if (status == PERP_OK) {
        *n = G.shape[0];
        status = perp_npy_dense(&G, A, place, err);
    }
    free(bytes);
    return status;
}

static perp_status bench_contacts(const bench_file *z, size_t contacts, perp_set **set,
                                  perp_error *err)
{
    double *mu = NULL;
    perp_status status = bench_vector(z, "mus.npy", contacts, &mu, err);

    if (status == PERP_OK && !mu) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: mus.npy is missing", z->file);
    }
    for (size_t k = 0; status == PERP_OK && k < contacts; k++) {
        if (mu[k] < 0.0) {
            status = perp_fail(err, PERP_ERR_DATA,
                               "%s: mus.npy[%zu] is %g, expected a number >= 0", z->file,
                               k, mu[k]);
        }
    }
    if (status == PERP_OK) {
        status = perp_set_new_cones(set, 3, contacts, mu, err);
    }
    free(mu);
    return status;
}

/* The starting point, if there is one. */
static perp_status bench_guess(const bench_file *z, perp_problem *p, perp_error *err)
{
    double *lam0 = NULL;
    perp_status status = bench_vector(z, "lam0.npy", p->n, &lam0, err);

    if (status == PERP_OK && lam0) {
        p->guesses = calloc(1, sizeof *p->guesses);
        if (!p->guesses) {
            status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", z->file);
        }
    }
    if (status == PERP_OK && lam0) {
        p->guess_count = 1;
        p->guesses[0].z = lam0;
        lam0 = NULL;
    }
    free(lam0);
    return status;
}

static perp_status bench_problem(const bench_file *z, perp_problem *p, perp_error *err)
{
    perp_status status = bench_matrix(z, &p->A, &p->n, err);

    if (status == PERP_OK) {
        status = bench_vector(z, "g.npy", p->n, &p->b, err);
    }
    if (status == PERP_OK && !p->b) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: g.npy is missing", z->file);
    }
    if (status == PERP_OK) {
        status = bench_contacts(z, p->n / 3, &p->set, err);
    }
    if (status == PERP_OK) {
        status = bench_guess(z, p, err);
    }
    if (status == PERP_OK) {
        p->name = perp_path_stem(z->file);
        if (!p->name) {
            status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", z->file);
        }
    }
    return status == PERP_OK ? perp_contacts_normal_first(p, err) : status;
}

bool perp_contactbench_is(const perp_archive *archive)
{
    return perp_archive_has(archive, "mus.npy");
}

perp_status perp_contactbench_read(const perp_archive *archive, const char *file,
                                   perp_problem *p, perp_notes *notes, perp_error *err)
{
    const bench_file z = {.file = file, .archive = archive};
    perp_status status = bench_problem(&z, p, err);

    if (status == PERP_OK) {
        perp_note(notes, "%s: the normals were last in each contact, now they are first",
                  file);
    }
    return status;
}

static perp_status bench_read(perp_source *from, const perp_read_options *opt,
                              perp_problem **p, perp_notes *notes, perp_error *err)
{
    perp_archive *archive = NULL;
    perp_status status = perp_archive_open(&archive, from, err);

    (void)opt;
    if (status == PERP_OK) {
        status = perp_problem_new(p, err);
    }
    if (status == PERP_OK) {
        status = perp_contactbench_read(archive, from->name, *p, notes, err);
    }
    perp_archive_free(archive);
    return status;
}

/* By its name; an archive of another name is opened once, by the reader of npz, which knows
 * these arrays. */
static int bench_detect(const perp_source *from)
{
    char start[5];

    return perp_path_ends(from->name, ".contactbench.npz") &&
                   perp_source_peek(from, start, 4) == 4 &&
                   memcmp(start, "PK\x03\x04", 4) == 0
               ? 2
               : 0;
}

/* The row of perp (normal first) that corresponds to row i of the file (normal last). */
static size_t row_of(size_t i)
{
    return i / 3 * 3 + (i % 3 + 1) % 3;
}

/* A matrix; a vector has cols 0. */
static perp_status bench_add(perp_archive *z, const char *name, const double *x,
                             size_t rows, size_t cols, perp_error *err)
{
    const size_t shape[2] = {rows, cols};
    size_t size = 0;
    unsigned char *bytes =
        perp_npy_bytes(PERP_NPY_REAL, x, cols > 0 ? 2 : 1, shape, &size);

    return perp_archive_add(z, name, bytes, size, err);
}

/* A vector of rows in the order of the file. */
static perp_status bench_add_rows(perp_archive *z, const char *name, const double *x,
                                  size_t n, double *scratch, perp_error *err)
{
    for (size_t i = 0; i < n; i++) {
        scratch[i] = x[row_of(i)];
    }
    return bench_add(z, name, scratch, n, 0, err);
}

static perp_status bench_add_problem(perp_archive *z, const perp_problem *p, double *x,
                                     perp_error *err)
{
    const size_t n = p->n;
    perp_status status = PERP_OK;

    for (size_t k = 0; k < n * n; k++) {
        x[k] = perp_operator_entry(p->A, row_of(k / n), row_of(k % n));
    }
    status = bench_add(z, "G.npy", x, n, n, err);
    if (status == PERP_OK) {
        status = bench_add_rows(z, "g.npy", p->b, n, x, err);
    }
    for (size_t k = 0; k < n / 3; k++) {
        x[k] = p->set->blocks[k].mu;
    }
    if (status == PERP_OK) {
        status = bench_add(z, "mus.npy", x, n / 3, 0, err);
    }
    return status == PERP_OK && p->guess_count > 0
               ? bench_add_rows(z, "lam0.npy", p->guesses[0].z, n, x, err)
               : status;
}

/* What the format cannot hold, and what would help. */
static perp_status bench_holds(const perp_problem *p, const char *kind, const char *path,
                               perp_error *err)
{
    const perp_kind found = perp_problem_kind(p);

    if (kind && strcmp(kind, "fc3d") != 0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: kind is \"%s\", but contactbench holds \"fc3d\" only", path,
                         kind);
    }
    if (p->global || !p->A) {
        return perp_fail(
            err, PERP_ERR_UNSUITABLE,
            "%s: contactbench holds no global problem; --condense writes its "
            "local form",
            path);
    }
    if (found != PERP_KIND_FC3D) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: contactbench holds 3D contacts, not %s; npz holds any "
                         "problem",
                         path, perp_kind_name(found));
    }
    if (p->law != PERP_LAW_COULOMB) {
        return perp_fail(
            err, PERP_ERR_UNSUITABLE,
            "%s: contactbench holds no associated law; --friction coulomb writes "
            "Coulomb's",
            path);
    }
    return PERP_OK;
}

static perp_status bench_write(perp_file_out *out, const perp_problem *p,
                               const char *kind, perp_error *err)
{
    perp_archive *z = NULL;
    double *x = NULL;
    size_t count = 0;
    perp_status status = PERP_OK;

    TRY(bench_holds(p, kind, out->path, err));
    status = perp_archive_new(&z, out->path, err);
    if (status == PERP_OK) {
        x = perp_mul(p->n, p->n, &count) ? perp_reals_new(count) : NULL;
        status = x ? bench_add_problem(z, p, x, err)
                   : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for the archive",
                               out->path);
    }
    if (status == PERP_OK) {
        status = perp_archive_write(z, out->f, err);
    }
    free(x);
    perp_archive_free(z);
    return status;
}

const perp_format_type perp_format_contactbench = {
    .format = {.name = "contactbench",
               .summary = "NumPy arrays G, g, mus, lam0 of ContactBench, normal last in "
                          "the file",
               .extension = ".contactbench.npz",
               .reads = true,
               .writes = true,
               .memory = true},
    .holds = PERP_HOLDS_START, /* lam0 */
    .detect = bench_detect,
    .read = bench_read,
    .write = bench_write,
};
