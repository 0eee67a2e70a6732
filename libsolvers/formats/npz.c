/* SPDX-License-Identifier: Apache-2.0
 * formats/npz.c: frictional contact as NumPy arrays, the way ContactBench stores it:
 *
 *     G (n x n)  the Delassus matrix,   g (n)  the free velocity,   mus (n/3),
 *     lam0 (n)   where to start, may be missing
 *
 * The rows of a contact are (T1, T2, N), normal LAST; reading and writing permute them, since
 * a problem of perp has its normals first. An npz is a zip archive of npy files, stored
 * (numpy.savez) or deflated (savez_compressed); archives are written stored. */
#include <config.h>

#include <zip.h>

#include "npz.h"

enum {
    NPY_MAGIC = 6,
    NPY_DIMENSIONS = 4,
    DEFLATE_LIMIT = 1032, /* how much deflate can shrink at most */
};

/* An archive being read. */
typedef struct npz_archive {
    const char *file; /* for messages */
    size_t size;      /* of the file */
    zip_t *zip;
} npz_archive;

typedef struct npy {
    size_t dims;
    size_t shape[NPY_DIMENSIONS];
    size_t count; /* product of the shape */
    bool by_columns;
    unsigned char *member;     /* the whole file, on the heap */
    const unsigned char *data; /* in it: count little-endian doubles, not aligned */
} npy;

static perp_status npz_open(npz_archive *z, perp_source *from, perp_error *err)
{
    zip_error_t fault;
    zip_source_t *source = NULL;
    perp_status status = perp_source_load(from, err);

    *z = (npz_archive){.file = from->name, .size = from->size};
    if (status != PERP_OK) {
        return status;
    }
    zip_error_init(&fault);
    source = zip_source_buffer_create(from->bytes, from->size, 0, &fault);
    z->zip =
        source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &fault) : NULL;
    if (!z->zip) {
        bool memory = zip_error_code_zip(&fault) == ZIP_ER_MEMORY;

        zip_source_free(source);
        status = perp_fail(err, memory ? PERP_ERR_MEMORY : PERP_ERR_FORMAT,
                           "%s: not a readable zip archive: %s", from->name,
                           zip_error_strerror(&fault));
    }
    zip_error_fini(&fault);
    return status;
}

/* The size of a member: no more than deflate can pack into what is stored of it. */
static perp_status npz_member_size(const npz_archive *z, const char *name,
                                   zip_uint64_t index, size_t *size, perp_error *err)
{
    const zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    zip_stat_t stat;

    if (zip_stat_index(z->zip, index, 0, &stat) != 0 || (stat.valid & needed) != needed) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: member %s: its size is unknown",
                         z->file, name);
    }
    if (stat.comp_size > z->size || stat.size / DEFLATE_LIMIT > stat.comp_size) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: member %s: %llu bytes cannot be packed into %llu", z->file,
                         name, (unsigned long long)stat.size,
                         (unsigned long long)stat.comp_size);
    }
    *size = (size_t)stat.size;
    return PERP_OK;
}

/* Read `size` bytes to the end of the member, where its checksum is compared. */
static bool npz_read_bytes(zip_file_t *f, unsigned char *bytes, size_t size)
{
    size_t have = 0;
    unsigned char more = 0;

    while (have < size) {
        zip_int64_t count = zip_fread(f, bytes + have, size - have);

        if (count <= 0) {
            return false;
        }
        have += (size_t)count;
    }
    return zip_fread(f, &more, 1) == 0;
}

/* The bytes of a member, on the heap; NULL with PERP_OK when it is missing. */
static perp_status npz_member(const npz_archive *z, const char *name,
                              unsigned char **bytes, size_t *size, perp_error *err)
{
    zip_int64_t index = zip_name_locate(z->zip, name, 0);
    zip_file_t *f = NULL;
    perp_status status = PERP_OK;

    *bytes = NULL;
    *size = 0;
    if (index < 0) {
        return PERP_OK;
    }
    status = npz_member_size(z, name, (zip_uint64_t)index, size, err);
    if (status != PERP_OK) {
        return status;
    }
    *bytes = malloc(*size + 1);
    if (!*bytes) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for member %s", z->file,
                         name);
    }
    f = zip_fopen_index(z->zip, (zip_uint64_t)index, 0);
    if (!f || !npz_read_bytes(f, *bytes, *size)) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: member %s is damaged: %s", z->file,
                           name, f ? zip_file_strerror(f) : zip_strerror(z->zip));
        free(*bytes);
        *bytes = NULL;
    }
    if (f) {
        zip_fclose(f);
    }
    return status;
}

static perp_status npy_fail(const npz_archive *z, const char *name, const char *what,
                            perp_error *err)
{
    return perp_fail(err, PERP_ERR_FORMAT, "%s: %s: %s", z->file, name, what);
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

static perp_status npy_header(const npz_archive *z, const char *name, const char *header,
                              npy *array, perp_error *err)
{
    const char *descr = npy_value(header, "descr");
    const char *order = npy_value(header, "fortran_order");

    if (!descr || strncmp(descr, "'<f8'", 5) != 0) {
        return perp_fail(
            err, PERP_ERR_FORMAT,
            "%s: %s: numbers are %.8s, expected '<f8', little-endian doubles", z->file,
            name, descr ? descr : "of no kind");
    }
    if (!order || (strncmp(order, "True", 4) != 0 && strncmp(order, "False", 5) != 0)) {
        return npy_fail(z, name, "fortran_order is neither True nor False", err);
    }
    array->by_columns = order[0] == 'T';
    if (!npy_shape(npy_value(header, "shape"), array)) {
        return npy_fail(z, name, "its shape is not a list of at most 4 sizes", err);
    }
    return PERP_OK;
}

/* Find the header and the numbers in a member of `length` bytes. */
static perp_status npy_parse(const npz_archive *z, const char *name, size_t length,
                             npy *array, perp_error *err)
{
    const unsigned char *b = array->member;
    size_t start = 0;
    size_t head = 0;
    size_t bytes = 0;
    char *header = NULL;
    perp_status status = PERP_OK;

    if (length < NPY_MAGIC + 4 || memcmp(b, "\x93NUMPY", NPY_MAGIC) != 0 || b[6] < 1 ||
        b[6] > 3 || (b[6] > 1 && length < NPY_MAGIC + 6)) {
        return npy_fail(z, name, "not a NumPy array of version 1 to 3", err);
    }
    start = b[6] == 1 ? NPY_MAGIC + 4 : NPY_MAGIC + 6;
    head = b[8] | (size_t)b[9] << 8;
    if (b[6] > 1) {
        head |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    }
    if (head > length - start) {
        return npy_fail(z, name, "its header is cut off", err);
    }
    header = strndup((const char *)b + start, head);
    if (!header) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a header", z->file);
    }
    status = npy_header(z, name, header, array, err);
    free(header);
    if (status == PERP_OK && (!perp_mul(array->count, sizeof(double), &bytes) ||
                              bytes != length - start - head)) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: %s: it holds %zu bytes, expected %zu doubles", z->file,
                           name, length - start - head, array->count);
    }
    array->data = b + start + head;
    return status;
}

/* One array; data is NULL when there is no such member. The caller frees array->member. */
static perp_status npy_read(const npz_archive *z, const char *name, npy *array,
                            perp_error *err)
{
    size_t length = 0;
    perp_status status = PERP_OK;

    memset(array, 0, sizeof *array);
    status = npz_member(z, name, &array->member, &length, err);
    if (status == PERP_OK && array->member) {
        status = npy_parse(z, name, length, array, err);
    }
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

/* The numbers of an array, all finite. */
static perp_status npy_reals(const npz_archive *z, const char *name, const npy *array,
                             double **x, perp_error *err)
{
    *x = perp_reals_new(array->count);
    if (!*x) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu numbers", z->file,
                         array->count);
    }
    for (size_t i = 0; i < array->count; i++) {
        (*x)[i] = npy_double(array, i);
        if (!isfinite((*x)[i])) {
            return perp_fail(err, PERP_ERR_DATA,
                             "%s: %s[%zu] is %g, expected a finite number", z->file, name,
                             i, (*x)[i]);
        }
    }
    return PERP_OK;
}

/* A vector of `count` numbers; *x is NULL when it is missing. */
static perp_status npz_vector(const npz_archive *z, const char *name, size_t count,
                              double **x, perp_error *err)
{
    npy array;
    perp_status status = npy_read(z, name, &array, err);

    *x = NULL;
    if (status == PERP_OK && array.data && array.count != count) {
        status = perp_fail(err, PERP_ERR_DATA, "%s: %s has %zu numbers, expected %zu",
                           z->file, name, array.count, count);
    }
    if (status == PERP_OK && array.data) {
        status = npy_reals(z, name, &array, x, err);
    }
    free(array.member);
    return status;
}

/* The numbers of G into a dense matrix. */
static perp_status npz_fill_matrix(const npz_archive *z, const npy *G, perp_operator **A,
                                   perp_error *err)
{
    size_t n = G->shape[0];
    perp_status status = perp_operator_new_dense(A, n, n, err);

    for (size_t k = 0; status == PERP_OK && k < G->count; k++) {
        size_t i = G->by_columns ? k % n : k / n;
        size_t j = G->by_columns ? k / n : k % n;
        double x = npy_double(G, k);

        (*A)->x[i + j * (*A)->ld] = x;
        if (!isfinite(x)) {
            status = perp_fail(err, PERP_ERR_DATA,
                               "%s: G.npy[%zu, %zu] is %g, expected a finite number",
                               z->file, i, j, x);
        }
    }
    return status;
}

static perp_status npz_matrix(const npz_archive *z, perp_operator **A, size_t *n,
                              perp_error *err)
{
    npy G;
    perp_status status = npy_read(z, "G.npy", &G, err);

    if (status == PERP_OK && !G.data) {
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
        status = npz_fill_matrix(z, &G, A, err);
    }
    free(G.member);
    return status;
}

static perp_status npz_contacts(const npz_archive *z, size_t contacts, perp_set **set,
                                perp_error *err)
{
    double *mu = NULL;
    perp_status status = npz_vector(z, "mus.npy", contacts, &mu, err);

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
static perp_status npz_guess(const npz_archive *z, perp_problem *p, perp_error *err)
{
    double *lam0 = NULL;
    perp_status status = npz_vector(z, "lam0.npy", p->n, &lam0, err);

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

static perp_status npz_problem(const npz_archive *z, perp_problem *p, perp_error *err)
{
    perp_status status = npz_matrix(z, &p->A, &p->n, err);

    if (status == PERP_OK) {
        status = npz_vector(z, "g.npy", p->n, &p->b, err);
    }
    if (status == PERP_OK && !p->b) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: g.npy is missing", z->file);
    }
    if (status == PERP_OK) {
        status = npz_contacts(z, p->n / 3, &p->set, err);
    }
    if (status == PERP_OK) {
        status = npz_guess(z, p, err);
    }
    if (status == PERP_OK) {
        p->name = perp_path_stem(z->file);
        if (!p->name) {
            status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", z->file);
        }
    }
    return status == PERP_OK ? perp_contacts_normal_first(p, err) : status;
}

static perp_status npz_read(perp_source *from, const perp_read_options *opt,
                            perp_problem **p, perp_notes *notes, perp_error *err)
{
    npz_archive z = {0};
    perp_status status = npz_open(&z, from, err);

    (void)opt;
    if (status == PERP_OK) {
        status = perp_problem_new(p, err);
    }
    if (status == PERP_OK) {
        status = npz_problem(&z, *p, err);
    }
    if (status == PERP_OK) {
        perp_note(notes, "%s: the normals were last in each contact, now they are first",
                  from->name);
    }
    if (z.zip) {
        zip_discard(z.zip);
    }
    return status;
}

static int npz_detect(const perp_source *from)
{
    char start[5];

    if (perp_source_peek(from, start, 4) < 4 || memcmp(start, "PK\x03\x04", 4) != 0) {
        return 0;
    }
    return perp_path_ends(from->name, ".npz") ? 2 : 1;
}

const perp_format_type perp_format_npz = {
    .format = {.name = "npz",
               .summary = "NumPy arrays G, g, mus, lam0 of ContactBench, normal last in "
                          "the file",
               .extension = ".npz",
               .writes = true,
               .memory = true},
    .detect = npz_detect,
    .read = npz_read,
    .write = perp_npz_write,
};
