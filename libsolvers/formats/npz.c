/* SPDX-License-Identifier: Apache-2.0
 * formats/npz.c: frictional contact as NumPy arrays, the way ContactBench stores it:
 *
 *     G (n x n)  the Delassus matrix,   g (n)  the free velocity,   mus (n/3),
 *     lam0 (n)   where to start, may be missing
 *
 * The rows of a contact are (T1, T2, N), normal LAST; they are turned at the door, so that a
 * problem of perp has its normals first. An npz is a zip archive of npy files; members must
 * be stored, not deflated. */
#include <config.h>

#include "zip.h"

enum { NPY_MAGIC = 6, NPY_DIMENSIONS = 4 };

typedef struct npy {
    size_t dims;
    size_t shape[NPY_DIMENSIONS];
    size_t count; /* product of the shape */
    bool by_columns;
    const unsigned char *data; /* count little-endian doubles, not aligned */
} npy;

static perp_status npy_fail(const perp_zip *zip, const char *name, const char *what,
                            perp_error *err)
{
    return perp_fail(err, PERP_ERR_FORMAT, "%s: %s: %s", zip->file, name, what);
}

/* What follows 'key': in the text of the header, or NULL. */
static const char *npy_value(const char *header, const char *key)
{
    char quoted[32];
    const char *at = NULL;

    snprintf(quoted, sizeof quoted, "'%s':", key);
    at = strstr(header, quoted);
    if (!at) {
        return NULL;
    }
    at += strlen(quoted);
    return at + strspn(at, " ");
}

/* (12, 12) or (4,) or (): the sizes and their product. */
static bool npy_shape(const char *text, npy *array)
{
    array->count = 1;
    array->dims = 0;
    if (!text || *text++ != '(') {
        return false;
    }
    for (text += strspn(text, " "); *text != ')'; text += strspn(text, " ")) {
        size_t size = 0;

        if (array->dims == NPY_DIMENSIONS || *text < '0' || *text > '9') {
            return false;
        }
        for (; *text >= '0' && *text <= '9'; text++) {
            if (!perp_mul(size, 10, &size) ||
                __builtin_add_overflow(size, (size_t)(*text - '0'), &size)) {
                return false;
            }
        }
        array->shape[array->dims++] = size;
        if (!perp_mul(array->count, size, &array->count)) {
            return false;
        }
        text += strspn(text, " ");
        if (*text == ',') {
            text++;
        } else if (*text != ')') {
            return false;
        }
    }
    return true;
}

static perp_status npy_header(const perp_zip *zip, const char *name, const char *header,
                              npy *array, perp_error *err)
{
    const char *descr = npy_value(header, "descr");
    const char *order = npy_value(header, "fortran_order");

    if (!descr || strncmp(descr, "'<f8'", 5) != 0) {
        return perp_fail(
            err, PERP_ERR_FORMAT,
            "%s: %s: numbers are %.8s, expected '<f8', little-endian doubles", zip->file,
            name, descr ? descr : "of no kind");
    }
    if (!order || (strncmp(order, "True", 4) != 0 && strncmp(order, "False", 5) != 0)) {
        return npy_fail(zip, name, "fortran_order is neither True nor False", err);
    }
    array->by_columns = order[0] == 'T';
    if (!npy_shape(npy_value(header, "shape"), array)) {
        return npy_fail(zip, name, "its shape is not a list of at most 4 sizes", err);
    }
    return PERP_OK;
}

/* One array; data stays NULL when there is no such member. */
static perp_status npy_read(const perp_zip *zip, const char *name, npy *array,
                            perp_error *err)
{
    const unsigned char *b = NULL;
    size_t length = 0;
    size_t start = 0;
    size_t head = 0;
    size_t bytes = 0;
    char *header = NULL;
    perp_status status = perp_zip_member(zip, name, &b, &length, err);

    memset(array, 0, sizeof *array);
    if (status != PERP_OK || !b) {
        return status;
    }
    if (length < NPY_MAGIC + 4 || memcmp(b, "\x93NUMPY", NPY_MAGIC) != 0 || b[6] < 1 ||
        b[6] > 3 || (b[6] > 1 && length < NPY_MAGIC + 6)) {
        return npy_fail(zip, name, "it is no NumPy array of version 1 to 3", err);
    }
    start = b[6] == 1 ? NPY_MAGIC + 4 : NPY_MAGIC + 6;
    head = b[8] | (size_t)b[9] << 8;
    if (b[6] > 1) {
        head |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    }
    if (head > length - start) {
        return npy_fail(zip, name, "its header is cut off", err);
    }
    header = strndup((const char *)b + start, head);
    if (!header) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a header", zip->file);
    }
    status = npy_header(zip, name, header, array, err);
    free(header);
    if (status == PERP_OK && (!perp_mul(array->count, sizeof(double), &bytes) ||
                              bytes != length - start - head)) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: %s: it holds %zu bytes, expected %zu doubles", zip->file,
                           name, length - start - head, array->count);
    }
    array->data = b + start + head;
    return status;
}

static double npy_double(const npy *array, size_t k)
{
    const unsigned char *b = array->data + 8 * k;
    uint64_t bits = 0;
    double x = 0.0;

    for (int i = 7; i >= 0; i--) {
        bits = bits << 8 | b[i];
    }
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A vector of `count` finite numbers. */
static perp_status npy_vector(const perp_zip *zip, const char *name, size_t count,
                              double **x, perp_error *err)
{
    npy array;
    perp_status status = npy_read(zip, name, &array, err);

    *x = NULL;
    if (status != PERP_OK || !array.data) {
        return status;
    }
    if (array.count != count) {
        return perp_fail(err, PERP_ERR_DATA, "%s: %s has %zu numbers, expected %zu",
                         zip->file, name, array.count, count);
    }
    *x = perp_reals_new(count);
    if (!*x) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu numbers", zip->file,
                         count);
    }
    for (size_t i = 0; i < count; i++) {
        (*x)[i] = npy_double(&array, i);
        if (!isfinite((*x)[i])) {
            return perp_fail(err, PERP_ERR_DATA,
                             "%s: %s[%zu] is %g, expected a finite number", zip->file,
                             name, i, (*x)[i]);
        }
    }
    return PERP_OK;
}

static perp_status npz_matrix(const perp_zip *zip, perp_operator **A, size_t *n,
                              perp_error *err)
{
    npy G;
    perp_status status = npy_read(zip, "G.npy", &G, err);

    if (status != PERP_OK) {
        return status;
    }
    if (!G.data) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: G.npy is missing, expected G, g, mus and perhaps lam0",
                         zip->file);
    }
    if (G.dims != 2 || G.shape[0] != G.shape[1] || G.shape[0] % 3 != 0 ||
        G.shape[0] > INT32_MAX) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: G.npy has %zu dimensions, %zu x %zu, expected a square "
                         "matrix with 3 rows a contact",
                         zip->file, G.dims, G.dims > 0 ? G.shape[0] : 0,
                         G.dims > 1 ? G.shape[1] : 0);
    }
    *n = G.shape[0];
    status = perp_operator_new_dense(A, *n, *n, err);
    for (size_t k = 0; status == PERP_OK && k < G.count; k++) {
        size_t i = G.by_columns ? k % *n : k / *n;
        size_t j = G.by_columns ? k / *n : k % *n;
        double x = npy_double(&G, k);

        (*A)->x[i + j * (*A)->ld] = x;
        if (!isfinite(x)) {
            status = perp_fail(err, PERP_ERR_DATA,
                               "%s: G.npy[%zu, %zu] is %g, expected a finite number",
                               zip->file, i, j, x);
        }
    }
    return status;
}

static perp_status npz_contacts(const perp_zip *zip, size_t contacts, perp_set **set,
                                perp_error *err)
{
    double *mu = NULL;
    perp_status status = npy_vector(zip, "mus.npy", contacts, &mu, err);

    if (status == PERP_OK && !mu) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: mus.npy is missing", zip->file);
    }
    for (size_t k = 0; status == PERP_OK && k < contacts; k++) {
        if (mu[k] < 0.0) {
            status = perp_fail(err, PERP_ERR_DATA,
                               "%s: mus.npy[%zu] is %g, expected a number >= 0",
                               zip->file, k, mu[k]);
        }
    }
    if (status == PERP_OK) {
        status = perp_set_new_cones(set, 3, contacts, mu, err);
    }
    free(mu);
    return status;
}

static perp_status npz_read_zip(const perp_zip *zip, perp_problem *p, perp_error *err)
{
    double *lam0 = NULL;
    perp_status status = npz_matrix(zip, &p->A, &p->n, err);

    if (status == PERP_OK) {
        status = npy_vector(zip, "g.npy", p->n, &p->b, err);
    }
    if (status == PERP_OK && !p->b) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: g.npy is missing", zip->file);
    }
    if (status == PERP_OK) {
        status = npz_contacts(zip, p->n / 3, &p->set, err);
    }
    if (status == PERP_OK) {
        status = npy_vector(zip, "lam0.npy", p->n, &lam0, err);
    }
    if (status == PERP_OK && lam0) {
        p->guesses = calloc(1, sizeof *p->guesses);
        p->guess_count = p->guesses ? 1 : 0;
    }
    if (p->guess_count > 0) {
        p->guesses[0].z = lam0;
        lam0 = NULL;
    }
    p->name = status == PERP_OK ? perp_path_stem(zip->file) : NULL;
    if (status == PERP_OK && (!p->name || lam0)) {
        status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", zip->file);
    }
    free(lam0);
    return status == PERP_OK ? perp_contacts_normal_first(p, err) : status;
}

static perp_status npz_read(const char *path, const perp_read_options *opt,
                            perp_problem **p, perp_notes *notes, perp_error *err)
{
    perp_zip zip;
    perp_status status = perp_zip_open(&zip, path, err);

    (void)opt;
    *p = NULL;
    if (status == PERP_OK) {
        status = perp_problem_new(p, err);
    }
    if (status == PERP_OK) {
        status = npz_read_zip(&zip, *p, err);
    }
    if (status == PERP_OK) {
        perp_note(notes, "%s: the normals were last in each contact, now they are first",
                  path);
    } else {
        perp_problem_free(*p);
        *p = NULL;
    }
    perp_zip_close(&zip);
    return status;
}

/* The row of perp, normal first, that stands in row i of the file, normal last. */
static size_t row_of(size_t i)
{
    return i - i % 3 + (i + 1) % 3;
}

/* An npy of version 1.0, header padded so that the data start at a multiple of 64. */
static bool npy_write(perp_zip_out *zip, const char *name, const double *x, size_t rows,
                      size_t cols)
{
    enum { HEAD = 128 };
    char shape[64];
    char text[HEAD + 1];
    unsigned char head[HEAD];
    size_t count = rows * cols;
    unsigned char *body = malloc(8 * count + 1);
    bool good = false;

    if (!body) {
        return false;
    }
    if (cols == 1) {
        snprintf(shape, sizeof shape, "(%zu,)", rows);
    } else {
        snprintf(shape, sizeof shape, "(%zu, %zu)", rows, cols);
    }
    snprintf(text, sizeof text, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }",
             shape);
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01", 7);
    head[7] = 0;
    head[8] = HEAD - 10;
    head[9] = 0;
    memcpy(head + 10, text, strlen(text));
    head[HEAD - 1] = '\n';
    for (size_t k = 0; k < count; k++) {
        uint64_t bits = 0;

        memcpy(&bits, &x[k], sizeof bits);
        for (int i = 0; i < 8; i++) {
            body[8 * k + (size_t)i] = (unsigned char)(bits >> 8 * i & 0xff);
        }
    }
    good = perp_zip_add(zip, name, head, HEAD, body, 8 * count);
    free(body);
    return good;
}

/* A vector of rows, turned. */
static bool npz_put_rows(perp_zip_out *zip, const char *name, const double *x, size_t n,
                         double *scratch)
{
    for (size_t i = 0; i < n; i++) {
        scratch[i] = x[row_of(i)];
    }
    return npy_write(zip, name, scratch, n, 1);
}

static perp_status npz_put(FILE *f, const char *path, const perp_problem *p,
                           perp_error *err)
{
    perp_zip_out zip = {.f = f};
    size_t n = p->n;
    size_t count = 0;
    double *x = perp_mul(n, n, &count) ? perp_reals_new(count) : NULL;
    bool good = x != NULL;

    for (size_t k = 0; good && k < count; k++) {
        x[k] = perp_operator_entry(p->A, row_of(k / n), row_of(k % n));
    }
    good = good && npy_write(&zip, "G.npy", x, n, n) &&
           npz_put_rows(&zip, "g.npy", p->b, n, x);
    for (size_t k = 0; good && k < n / 3; k++) {
        x[k] = p->set->blocks[k].mu;
    }
    good = good && npy_write(&zip, "mus.npy", x, n / 3, 1);
    if (good && p->guess_count > 0) {
        good = npz_put_rows(&zip, "lam0.npy", p->guesses[0].z, n, x);
    }
    free(x);
    perp_zip_finish(&zip);
    if (!good) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "%s: no memory, or beyond the 4 GiB of a zip archive", path);
    }
    return PERP_OK;
}

static perp_status npz_write(const char *path, const perp_problem *p, const char *kind,
                             perp_error *err)
{
    perp_file_out out;
    perp_kind found = perp_problem_kind(p);
    perp_status status = PERP_OK;

    if (kind && strcmp(kind, "fc3d") != 0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: kind is \"%s\", but npz holds \"fc3d\" only", path, kind);
    }
    if (p->global || !p->A || found != PERP_KIND_FC3D || p->law != PERP_LAW_COULOMB) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: npz holds local 3D contacts with Coulomb's law, not %s%s%s",
                         path, p->global ? "global " : "", perp_kind_name(found),
                         p->law == PERP_LAW_COULOMB ? "" : " with the associated law");
    }
    status = perp_file_begin(&out, path, err);
    if (status != PERP_OK) {
        return status;
    }
    status = npz_put(out.f, path, p, err);
    if (status != PERP_OK) {
        perp_file_abandon(&out);
        return status;
    }
    return perp_file_commit(&out, err);
}

static int npz_detect(const char *path)
{
    char start[5];

    if (perp_file_peek(path, start, 4) < 4 || memcmp(start, "PK\x03\x04", 4) != 0) {
        return 0;
    }
    return perp_path_ends(path, ".npz") ? 2 : 1;
}

const perp_format perp_format_npz = {
    .name = "npz",
    .summary = "NumPy arrays G, g, mus, lam0 of ContactBench, normal last in the file",
    .extension = ".npz",
    .writes = true,
    .detect = npz_detect,
    .read = npz_read,
    .write = npz_write,
};
