/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_fclib.c: the reader of FCLIB files on any contents.
 *
 * HDF5 itself breaks on damaged containers (1.10.8 reads outside of its buffers), so the
 * container is sound here, and the bytes say what is in it: first the form, then for each
 * dataset in turn its length (255: left out) and its values. */
#include <config.h>

#include <math.h>

#include "base/hdf5.h"
#include "fuzz_files.h"

FUZZ_MALLOC

typedef struct bytes {
    const uint8_t *at, *end;
} bytes;

/* Zeros without end after the last one. */
static uint8_t take(bytes *b)
{
    return b->at < b->end ? *b->at++ : 0;
}

static int32_t take_integer(bytes *b)
{
    int8_t k = (int8_t)take(b);

    return k == INT8_MIN ? INT32_MIN : k == INT8_MAX ? INT32_MAX : k;
}

static double take_real(bytes *b)
{
    static const double odd[] = {NAN,   INFINITY, -INFINITY, -0.0,
                                 1e308, 5e-324,   0.1,       1e-9};
    uint8_t k = take(b);

    return k >= 248 ? odd[k - 248] : (k - 124) / 8.0;
}

enum { LONGEST = 40 };

/* One dataset: 'i' integers, 'r' reals, 't' a text. */
static void put_dataset(perp_h5_file *f, const char *inside, char type, bytes *b)
{
    uint8_t length = take(b);
    size_t n = length % LONGEST;
    int32_t k[LONGEST] = {0};
    double x[LONGEST] = {0};
    char text[LONGEST + 1] = {0};

    if (length == 255) {
        return;
    }
    for (size_t j = 0; j < n; j++) {
        switch (type) {
        case 'i':
            k[j] = take_integer(b);
            break;
        case 'r':
            x[j] = take_real(b);
            break;
        default:
            text[j] = (char)take(b);
        }
    }
    if (type == 'i') {
        (void)perp_h5_write_integers(f, inside, n, k);
    } else if (type == 'r') {
        (void)perp_h5_write_reals(f, inside, n, x);
    } else {
        (void)perp_h5_write_text(f, inside, text);
    }
}

/* The datasets below a group, as "type name" words; a matrix is 'm'. */
static void put_group(perp_h5_file *f, const char *group, const char *const *names,
                      bytes *b)
{
    static const char *const matrix[] = {"im", "in", "inz", "inzmax",
                                         "ip", "ii", "rx",  NULL};
    char inside[PERP_H5_PATH];

    if (take(b) == 255) {
        return;
    }
    if (perp_h5_write_group(f, group) != PERP_OK) {
        f->status = PERP_OK; /* in a group that was left out */
        return;
    }
    for (size_t k = 0; names[k]; k++) {
        perp_h5_join(inside, group, names[k] + 1);
        if (names[k][0] == 'm') {
            put_group(f, inside, matrix, b);
        } else {
            put_dataset(f, inside, names[k][0], b);
        }
    }
}

static void put_file(perp_h5_file *f, bytes *b)
{
    static const char *const roots[] = {"/fclib_local", "/fclib_global",
                                        "/fclib_global_rolling"};
    static const char *const local[] = {"ispacedim", "mW", "mV", "mR", NULL};
    static const char *const global[] = {"ispacedim", "mM", "mH", "mG", NULL};
    static const char *const vectors[] = {"rmu", "rq",    "rs", "rf",
                                          "rw",  "rmu_r", "rb", NULL};
    static const char *const info[] = {"ttitle", "tdescription", "tmath_info", NULL};
    static const char *const point[] = {"rr", "ru", "rl", "rv", NULL};
    static const char *const guesses[] = {"inumber_of_guesses", NULL};
    const char *root = roots[take(b) % 3];
    char inside[PERP_H5_PATH];

    put_group(f, root, root == roots[0] ? local : global, b);
    put_group(f, perp_h5_join(inside, root, "vectors"), vectors, b);
    put_group(f, perp_h5_join(inside, root, "info"), info, b);
    put_group(f, "/solution", point, b);
    put_group(f, "/guesses", guesses, b);
    put_group(f, "/guesses/1", point, b);
}

FUZZ(fclib)
{
    char path[128];
    char again[128];
    bytes b = {data, data + size};
    perp_file_out out;
    perp_h5_file f;

    fuzz_path(path, "fclib.hdf5");
    fuzz_path(again, "fclib-again.hdf5");
    if (perp_file_create(&out, path, NULL) != PERP_OK ||
        perp_h5_create(&f, &out, NULL) != PERP_OK) {
        abort(); /* no memory for the file: not a find */
    }
    put_file(&f, &b);
    if (perp_h5_close(&f) != PERP_OK || perp_file_commit(&out, NULL) != PERP_OK) {
        abort();
    }
    fuzz_round(path, again, "fclib");
    unlink(path);
    unlink(again);
    return 0;
}
