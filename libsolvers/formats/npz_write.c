/* SPDX-License-Identifier: Apache-2.0
 * formats/npz_write.c: frictional contact written as NumPy arrays, stored in a zip archive.
 * The archive is made in memory; the same problem gives the same bytes. */
#include <config.h>

#include <zip.h>

#include "npz.h"

/* An npy of version 1.0, with a header after which the data start at a multiple of 64. */
enum { NPY_HEADER = 128 };

/* The row of perp, normal first, that stands in row i of the file, normal last. */
static size_t row_of(size_t i)
{
    return i / 3 * 3 + (i % 3 + 1) % 3;
}

/* An npy file of little-endian doubles, rows x cols by rows, on the heap. */
static unsigned char *npy_bytes(const double *x, size_t rows, size_t cols, size_t *size)
{
    char shape[64];
    char text[NPY_HEADER];
    size_t count = rows * cols;
    unsigned char *bytes = malloc(NPY_HEADER + 8 * count);

    if (!bytes) {
        return NULL;
    }
    if (cols == 1) {
        snprintf(shape, sizeof shape, "(%zu,)", rows);
    } else {
        snprintf(shape, sizeof shape, "(%zu, %zu)", rows, cols);
    }
    snprintf(text, sizeof text, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }",
             shape);
    memset(bytes, ' ', NPY_HEADER);
    memcpy(bytes, "\x93NUMPY\x01", 7);
    bytes[7] = 0;
    bytes[8] = NPY_HEADER - 10;
    bytes[9] = 0;
    memcpy(bytes + 10, text, strlen(text));
    bytes[NPY_HEADER - 1] = '\n';
    for (size_t k = 0; k < count; k++) {
        uint64_t bits = 0;

        memcpy(&bits, &x[k], sizeof bits);
        for (size_t i = 0; i < 8; i++) {
            bytes[NPY_HEADER + 8 * k + i] = (unsigned char)(bits >> 8 * i & 0xff);
        }
    }
    *size = NPY_HEADER + 8 * count;
    return bytes;
}

/* Add an array, stored, with the time 1980-01-01 00:00: the same arrays give the same bytes. */
static bool npz_add(zip_t *zip, const char *name, const double *x, size_t rows,
                    size_t cols)
{
    enum { FIRST_DAY = 1 << 5 | 1 };
    size_t size = 0;
    unsigned char *bytes = npy_bytes(x, rows, cols, &size);
    zip_source_t *source = bytes ? zip_source_buffer(zip, bytes, size, 1) : NULL;
    zip_int64_t index = -1;

    if (!source) {
        free(bytes);
        return false;
    }
    index = zip_file_add(zip, name, source, 0);
    if (index < 0) {
        zip_source_free(source);
        return false;
    }
    return zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0 &&
           zip_file_set_dostime(zip, (zip_uint64_t)index, 0, FIRST_DAY, 0) == 0;
}

/* A vector of rows in the order of the file. */
static bool npz_add_rows(zip_t *zip, const char *name, const double *x, size_t n,
                         double *scratch)
{
    for (size_t i = 0; i < n; i++) {
        scratch[i] = x[row_of(i)];
    }
    return npz_add(zip, name, scratch, n, 1);
}

static bool npz_add_problem(zip_t *zip, const perp_problem *p)
{
    size_t n = p->n;
    size_t count = 0;
    double *x = perp_mul(n, n, &count) ? perp_reals_new(count) : NULL;
    bool good = x != NULL;

    for (size_t k = 0; good && k < count; k++) {
        x[k] = perp_operator_entry(p->A, row_of(k / n), row_of(k % n));
    }
    good =
        good && npz_add(zip, "G.npy", x, n, n) && npz_add_rows(zip, "g.npy", p->b, n, x);
    for (size_t k = 0; good && k < n / 3; k++) {
        x[k] = p->set->blocks[k].mu;
    }
    good = good && npz_add(zip, "mus.npy", x, n / 3, 1);
    if (good && p->guess_count > 0) {
        good = npz_add_rows(zip, "lam0.npy", p->guesses[0].z, n, x);
    }
    free(x);
    return good;
}

/* The bytes of a finished archive. */
static bool npz_copy(zip_source_t *archive, FILE *f)
{
    char bytes[4096];
    zip_int64_t count = 0;

    if (zip_source_open(archive) != 0) {
        return false;
    }
    while ((count = zip_source_read(archive, bytes, sizeof bytes)) > 0) {
        fwrite(bytes, 1, (size_t)count, f); /* the caller asks for write errors */
    }
    zip_source_close(archive);
    return count == 0;
}

static bool npz_write_archive(FILE *f, const perp_problem *p)
{
    zip_error_t fault;
    zip_source_t *archive = NULL;
    zip_t *zip = NULL;
    bool good = false;

    zip_error_init(&fault);
    archive = zip_source_buffer_create(NULL, 0, 0, &fault);
    if (archive) {
        zip_source_keep(archive); /* for reading it after the archive was closed */
        zip = zip_open_from_source(archive, ZIP_TRUNCATE, &fault);
        if (!zip) {
            zip_source_free(archive);
        }
    }
    zip_error_fini(&fault);
    if (zip) {
        good = npz_add_problem(zip, p) && zip_close(zip) == 0;
        if (!good) {
            zip_discard(zip);
        }
    }
    good = good && npz_copy(archive, f);
    zip_source_free(archive);
    return good;
}

perp_status perp_npz_write(perp_file_out *out, const perp_problem *p, const char *kind,
                           perp_error *err)
{
    perp_kind found = perp_problem_kind(p);

    if (kind && strcmp(kind, "fc3d") != 0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: kind is \"%s\", but npz holds \"fc3d\" only", out->path,
                         kind);
    }
    if (p->global || !p->A || found != PERP_KIND_FC3D || p->law != PERP_LAW_COULOMB) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: npz holds local 3D contacts with Coulomb's law, not %s%s%s",
                         out->path, p->global ? "global " : "", perp_kind_name(found),
                         p->law == PERP_LAW_COULOMB ? "" : " with the associated law");
    }
    return npz_write_archive(out->f, p)
               ? PERP_OK
               : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for the archive",
                           out->path);
}
