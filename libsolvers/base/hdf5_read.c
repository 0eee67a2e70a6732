/* SPDX-License-Identifier: Apache-2.0
 * base/hdf5_read.c: read datasets and attributes of HDF5 files that may come from anywhere.
 *
 * No extent is believed before it is compared with the size of the file (compressed data may
 * be up to 1032 times larger, the limit of deflate). Datasets whose data are in other files,
 * and links to other files, are refused. Integers are read as 64 bits before they are narrowed. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/hdf5.h"
#include "base/number.h"

enum {
    DEFLATE_LIMIT = 1032,
    UNWRITTEN = 65536, /* bytes a dataset may have without being in the file: zeros */
};

/* HDF5 wants to be asked for each link of a path by itself. */
static htri_t link_exists(const perp_h5_file *f, const char *inside)
{
    char part[PERP_H5_PATH];
    size_t length = strlen(inside);
    const hid_t links = perp_h5_links();
    htri_t there = length < sizeof part;

    for (size_t k = 1; there > 0 && k <= length; k++) {
        if (k == length || inside[k] == '/') {
            memcpy(part, inside, k);
            part[k] = '\0';
            there = H5Lexists(f->id, part, links);
        }
    }
    return there > 0 ? H5Oexists_by_name(f->id, inside, links) : there;
}

perp_status perp_h5_exists(const perp_h5_file *f, const char *inside, bool *there)
{
    perp_h5_quiet quiet = perp_h5_silence();
    const htri_t found = link_exists(f, inside);
    perp_status status = perp_h5_left(f, inside);

    *there = found > 0 && status == PERP_OK;
    if (found < 0 && status == PERP_OK) {
        status = perp_h5_fail(f, PERP_ERR_READ, inside,
                              "whether it exists cannot be read: %s", perp_h5_reason());
    }
    perp_h5_restore(quiet);
    return status;
}

perp_status perp_h5_layout(const perp_h5_file *f, const char *inside, hid_t set,
                           H5D_layout_t *layout)
{
    hid_t creation = H5Dget_create_plist(set);
    bool elsewhere = false;

    *layout = creation >= 0 ? H5Pget_layout(creation) : H5D_LAYOUT_ERROR;
    elsewhere = *layout == H5D_VIRTUAL ||
                (*layout == H5D_CONTIGUOUS && H5Pget_external_count(creation) > 0);
    H5Pclose(creation);
    if (*layout == H5D_LAYOUT_ERROR) {
        return perp_h5_fail(f, PERP_ERR_READ, inside, "damaged: %s", perp_h5_reason());
    }
    return elsewhere
               ? perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                              "its data are in another file, expected them in this one")
               : PERP_OK;
}

/* Are the numbers in this file, and can there be so many? */
static perp_status check_extent(const perp_h5_file *f, const char *inside, hid_t set,
                                hsize_t points, size_t size)
{
    H5D_layout_t layout = H5D_LAYOUT_ERROR;
    perp_status status = perp_h5_layout(f, inside, set, &layout);
    hsize_t limit = layout == H5D_CHUNKED ? f->bytes * DEFLATE_LIMIT : f->bytes;
    hsize_t stored = layout == H5D_COMPACT ? H5Dget_storage_size(set) : 0;

    if (status != PERP_OK) {
        return status;
    }
    if (points > (limit + UNWRITTEN) / size) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                            "extent %llu, more than a file of %llu bytes can hold",
                            (unsigned long long)points, (unsigned long long)f->bytes);
    }
    /* HDF5 1.10.8 would read beyond their end. */
    if (layout == H5D_COMPACT && stored < points * size) {
        return perp_h5_fail(f, PERP_ERR_READ, inside, "damaged: %llu bytes of %llu",
                            (unsigned long long)stored,
                            (unsigned long long)(points * size));
    }
    return PERP_OK;
}

/* An open dataset: its handles and its length. HDF5 prints nothing while it is open. */
typedef struct dataset {
    hid_t id, space, type;
    H5T_class_t class;
    size_t count;
    perp_h5_quiet quiet;
} dataset;

static void dataset_close(dataset *d)
{
    if (d->type >= 0) {
        H5Tclose(d->type);
    }
    if (d->space >= 0) {
        H5Sclose(d->space);
    }
    if (d->id >= 0) {
        H5Dclose(d->id);
    }
    perp_h5_restore(d->quiet);
}

/* Open; the caller calls dataset_close even after a failure. */
static perp_status dataset_open(const perp_h5_file *f, const char *inside, dataset *d)
{
    hssize_t points = 0;
    size_t size = 0;
    bool there = false;
    perp_status status = PERP_OK;

    *d = (dataset){.id = H5I_INVALID_HID,
                   .space = H5I_INVALID_HID,
                   .type = H5I_INVALID_HID,
                   .class = H5T_NO_CLASS,
                   .quiet = perp_h5_silence()};
    status = perp_h5_exists(f, inside, &there);
    if (status != PERP_OK || !there) {
        return status != PERP_OK ? status
                                 : perp_h5_fail(f, PERP_ERR_FORMAT, inside, "missing");
    }
    d->id = H5Dopen2(f->id, inside, H5P_DEFAULT);
    if (d->id < 0) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, inside, "not a dataset, or damaged: %s",
                            perp_h5_reason());
    }
    d->space = H5Dget_space(d->id);
    d->type = H5Dget_type(d->id);
    points = d->space >= 0 ? H5Sget_simple_extent_npoints(d->space) : -1;
    size = d->type >= 0 ? H5Tget_size(d->type) : 0;
    if (points < 0 || size == 0) {
        return perp_h5_fail(f, PERP_ERR_READ, inside, "damaged: %s", perp_h5_reason());
    }
    d->class = H5Tget_class(d->type);
    d->count = (size_t)points;
    return check_extent(f, inside, d->id, (hsize_t)points, size);
}

/* The type of eight bytes that numbers are read as. */
typedef enum number_type {
    NUMBER_INTEGER,
    NUMBER_WORD,
    NUMBER_REAL,
} number_type;

static hid_t native_type(number_type type)
{
    return type == NUMBER_REAL   ? H5T_NATIVE_DOUBLE
           : type == NUMBER_WORD ? H5T_NATIVE_UINT64
                                 : H5T_NATIVE_INT64;
}

/* Integers become reals in place; one that would be rounded is refused. */
static perp_status integers_to_reals(const perp_h5_file *f, const char *inside,
                                     void *values, size_t count)
{
    const int64_t *integer = values;
    double *real = values;

    for (size_t k = 0; k < count; k++) {
        int64_t x = 0;
        double y = 0.0;

        memcpy(&x, integer + k, sizeof x);
        if (!perp_number_holds(x)) {
            return perp_h5_fail(f, PERP_ERR_DATA, inside,
                                "number %zu is %lld, expected an integer that a double "
                                "holds, as all up to 2^53",
                                k, (long long)x);
        }
        y = (double)x;
        memcpy(real + k, &y, sizeof y);
    }
    return PERP_OK;
}

/* All numbers of a dataset. */
static perp_status read_numbers(const perp_h5_file *f, const char *inside,
                                size_t expected, number_type type, size_t *count,
                                void **values)
{
    bool reals = type == NUMBER_REAL;
    dataset d;
    perp_status status = dataset_open(f, inside, &d);
    const bool rounds = reals && d.class == H5T_INTEGER;
    size_t bytes = 0;

    *values = NULL;
    if (status == PERP_OK && d.class != H5T_INTEGER && !(reals && d.class == H5T_FLOAT)) {
        status = perp_h5_fail(f, PERP_ERR_FORMAT, inside, "holds no %s",
                              reals ? "numbers" : "integers");
    }
    if (status == PERP_OK && expected != PERP_H5_ANY && d.count != expected) {
        status = perp_h5_fail(f, PERP_ERR_FORMAT, inside, "extent %zu, expected %zu",
                              d.count, expected);
    }
    if (status == PERP_OK) {
        *values = perp_mul(d.count + 1, sizeof(double), &bytes) ? calloc(1, bytes) : NULL;
        if (!*values) {
            status = perp_h5_fail(f, PERP_ERR_MEMORY, inside, "no memory for %zu numbers",
                                  d.count);
        }
    }
    if (status == PERP_OK && d.count > 0 &&
        H5Dread(d.id, native_type(rounds ? NUMBER_INTEGER : type), H5S_ALL, H5S_ALL,
                H5P_DEFAULT, *values) < 0) {
        status =
            perp_h5_fail(f, PERP_ERR_READ, inside, "cannot read: %s", perp_h5_reason());
    }
    if (status == PERP_OK && rounds) {
        status = integers_to_reals(f, inside, *values, d.count);
    }
    if (status != PERP_OK) {
        free(*values);
        *values = NULL;
    }
    if (count) {
        *count = d.count;
    }
    dataset_close(&d);
    return status;
}

perp_status perp_h5_integers(const perp_h5_file *f, const char *inside, size_t expected,
                             size_t *count, int64_t **values)
{
    void *x = NULL;
    perp_status status = read_numbers(f, inside, expected, NUMBER_INTEGER, count, &x);

    *values = x;
    return status;
}

perp_status perp_h5_words(const perp_h5_file *f, const char *inside, size_t expected,
                          size_t *count, uint64_t **values)
{
    void *x = NULL;
    perp_status status = read_numbers(f, inside, expected, NUMBER_WORD, count, &x);

    *values = x;
    return status;
}

perp_status perp_h5_reals(const perp_h5_file *f, const char *inside, size_t expected,
                          size_t *count, double **values)
{
    void *x = NULL;
    perp_status status = read_numbers(f, inside, expected, NUMBER_REAL, count, &x);

    *values = x;
    return status;
}

perp_status perp_h5_extent(const perp_h5_file *f, const char *inside, size_t extent[2])
{
    hsize_t size[2] = {0, 0};
    dataset d;
    perp_status status = dataset_open(f, inside, &d);

    if (status == PERP_OK && (H5Sget_simple_extent_ndims(d.space) != 2 ||
                              H5Sget_simple_extent_dims(d.space, size, NULL) != 2)) {
        status = perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                              "expected a matrix of two dimensions");
    }
    dataset_close(&d);
    extent[0] = (size_t)size[0];
    extent[1] = (size_t)size[1];
    return status;
}

perp_status perp_h5_integer(const perp_h5_file *f, const char *inside, int64_t *value)
{
    int64_t *values = NULL;
    perp_status status = perp_h5_integers(f, inside, 1, NULL, &values);

    *value = status == PERP_OK ? values[0] : 0;
    free(values);
    return status;
}

perp_status perp_h5_check_finite(const perp_h5_file *f, const char *inside,
                                 const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return perp_h5_fail(f, PERP_ERR_DATA, inside,
                                "number %zu is %g, expected a finite number", i, x[i]);
        }
    }
    return PERP_OK;
}

/* A string of variable length: HDF5 allocates it, and frees it again. */
static char *read_variable_text(const dataset *d)
{
    char *bytes = NULL;
    char *text = NULL;
    hid_t type = H5Tcopy(H5T_C_S1);

    if (type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 &&
        H5Tset_cset(type, H5Tget_cset(d->type)) >= 0 &&
        H5Dread(d->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, (void *)&bytes) >= 0) {
        text = perp_text_valid(bytes ? bytes : "", bytes ? strlen(bytes) : 0);
        H5Dvlen_reclaim(type, d->space, H5P_DEFAULT, (void *)&bytes);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    return text;
}

static char *read_fixed_text(const dataset *d)
{
    size_t length = H5Tget_size(d->type);
    char *bytes = calloc(1, length + 1);
    char *text = NULL;

    if (bytes && H5Dread(d->id, d->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0) {
        while (H5Tget_strpad(d->type) == H5T_STR_SPACEPAD && length > 0 &&
               bytes[length - 1] == ' ') {
            length--;
        }
        text = perp_text_valid(bytes, length);
    }
    free(bytes);
    return text;
}

perp_status perp_h5_text(const perp_h5_file *f, const char *inside, char **text)
{
    dataset d;
    bool there = false;
    perp_status status = perp_h5_exists(f, inside, &there);

    *text = NULL;
    if (!there) {
        return status;
    }
    status = dataset_open(f, inside, &d);
    if (status == PERP_OK && (d.class != H5T_STRING || d.count != 1)) {
        status = perp_h5_fail(f, PERP_ERR_FORMAT, inside, "expected one string");
    }
    if (status == PERP_OK) {
        *text =
            H5Tis_variable_str(d.type) > 0 ? read_variable_text(&d) : read_fixed_text(&d);
        if (!*text) {
            status = perp_h5_fail(f, PERP_ERR_READ, inside, "cannot read: %s",
                                  perp_h5_reason());
        }
    }
    dataset_close(&d);
    return status;
}

enum { TEXT_LIMIT = 4096 }; /* bytes of a text that is believed */

/* An open attribute of one value. HDF5 prints nothing while it is open. */
typedef struct attribute {
    hid_t id, space, type;
    H5T_class_t class;
    perp_h5_quiet quiet;
} attribute;

static void attribute_close(attribute *a)
{
    if (a->type >= 0) {
        H5Tclose(a->type);
    }
    if (a->space >= 0) {
        H5Sclose(a->space);
    }
    if (a->id >= 0) {
        H5Aclose(a->id);
    }
    perp_h5_restore(a->quiet);
}

static perp_status attribute_fail(const perp_h5_file *f, const char *inside,
                                  const char *name)
{
    return perp_h5_fail(f, PERP_ERR_READ, inside, "cannot read the attribute %s: %s",
                        name, perp_h5_reason());
}

/* Open one that holds one value of one of two classes, where it exists: a->id >= 0. The caller calls
 * attribute_close even after a failure. */
static perp_status attribute_open(const perp_h5_file *f, const char *inside,
                                  const char *name, H5T_class_t class, H5T_class_t other,
                                  attribute *a)
{
    hid_t links = H5I_INVALID_HID;
    htri_t there = 0;

    *a = (attribute){.id = H5I_INVALID_HID,
                     .space = H5I_INVALID_HID,
                     .type = H5I_INVALID_HID,
                     .quiet = perp_h5_silence()};
    links = perp_h5_links();
    there = H5Aexists_by_name(f->id, inside, name, links);
    if (there == 0) {
        return perp_h5_left(f, inside);
    }
    a->id = there > 0 ? H5Aopen_by_name(f->id, inside, name, H5P_DEFAULT, links)
                      : H5I_INVALID_HID;
    a->space = a->id >= 0 ? H5Aget_space(a->id) : H5I_INVALID_HID;
    a->type = a->id >= 0 ? H5Aget_type(a->id) : H5I_INVALID_HID;
    if (a->space < 0 || a->type < 0) {
        const perp_status left = perp_h5_left(f, inside);

        return left != PERP_OK ? left : attribute_fail(f, inside, name);
    }
    a->class = H5Tget_class(a->type);
    if ((a->class != class && a->class != other) ||
        H5Sget_simple_extent_npoints(a->space) != 1) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                            "the attribute %s is something else, expected one %s", name,
                            class == H5T_STRING    ? "text"
                            : class == H5T_INTEGER ? "integer"
                                                   : "number");
    }
    return PERP_OK;
}

/* One number of eight bytes. */
static perp_status attribute_number(const perp_h5_file *f, const char *inside,
                                    const char *name, H5T_class_t class, void *value,
                                    bool *there)
{
    attribute a;
    perp_status status = attribute_open(f, inside, name, class, H5T_INTEGER, &a);

    *there = status == PERP_OK && a.id >= 0;
    if (*there &&
        H5Aread(a.id, class == H5T_INTEGER ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
                value) < 0) {
        status = attribute_fail(f, inside, name);
        *there = false;
    }
    attribute_close(&a);
    return status;
}

perp_status perp_h5_attribute(const perp_h5_file *f, const char *inside, const char *name,
                              int64_t *value, bool *there)
{
    return attribute_number(f, inside, name, H5T_INTEGER, value, there);
}

perp_status perp_h5_attribute_real(const perp_h5_file *f, const char *inside,
                                   const char *name, double *value, bool *there)
{
    return attribute_number(f, inside, name, H5T_FLOAT, value, there);
}

/* As h5py writes them; HDF5 allocates, and frees again. */
static bool read_variable(const attribute *a, char bytes[TEXT_LIMIT + 1])
{
    char *text = NULL;
    hid_t type = H5Tcopy(H5T_C_S1);
    bool good = type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 &&
                H5Tset_cset(type, H5Tget_cset(a->type)) >= 0 &&
                H5Aread(a->id, type, (void *)&text) >= 0;

    if (good) {
        snprintf(bytes, TEXT_LIMIT + 1, "%s", text ? text : "");
        H5Dvlen_reclaim(type, a->space, H5P_DEFAULT, (void *)&text);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    return good;
}

perp_status perp_h5_attribute_text(const perp_h5_file *f, const char *inside,
                                   const char *name, char *text, size_t length,
                                   bool *there)
{
    char bytes[TEXT_LIMIT + 1] = "";
    char *valid = NULL;
    attribute a;
    perp_status status = attribute_open(f, inside, name, H5T_STRING, H5T_STRING, &a);

    text[0] = '\0';
    *there = status == PERP_OK && a.id >= 0;
    if (*there && H5Tis_variable_str(a.type) <= 0 && H5Tget_size(a.type) > TEXT_LIMIT) {
        status = perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                              "the attribute %s has %zu bytes, expected %d at most", name,
                              H5Tget_size(a.type), TEXT_LIMIT);
    } else if (*there &&
               !(H5Tis_variable_str(a.type) > 0 ? read_variable(&a, bytes)
                                                : H5Aread(a.id, a.type, bytes) >= 0)) {
        status = attribute_fail(f, inside, name);
    }
    attribute_close(&a);
    if (*there && status == PERP_OK) {
        valid = perp_text_valid(bytes, strlen(bytes));
        status = valid ? PERP_OK
                       : perp_h5_fail(f, PERP_ERR_MEMORY, inside,
                                      "no memory for the attribute %s", name);
        snprintf(text, length, "%s", valid ? valid : "");
    }
    free(valid);
    *there = *there && status == PERP_OK;
    return status;
}
