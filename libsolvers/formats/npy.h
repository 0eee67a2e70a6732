/* SPDX-License-Identifier: Apache-2.0
 * formats/npy.h: one NumPy array in bytes, as in a file NAME.npy. Private. */
#ifndef PERP_FORMATS_NPY_H
#define PERP_FORMATS_NPY_H

#include "formats.h"

enum { PERP_NPY_DIMENSIONS = 4 };

/** The types of numbers that are read, as NumPy spells them; > in place of < where the bytes
 *  of a file are in the order of big-endian machines. */
#define PERP_NPY_LIST(X)                                                                 \
    X(PERP_NPY_REAL, "<f8", 8)                                                           \
    X(PERP_NPY_SINGLE, "<f4", 4)                                                         \
    X(PERP_NPY_HALF, "<f2", 2)                                                           \
    X(PERP_NPY_LONG, "<i8", 8)                                                           \
    X(PERP_NPY_INT, "<i4", 4)                                                            \
    X(PERP_NPY_SHORT, "<i2", 2)                                                          \
    X(PERP_NPY_BYTE, "|i1", 1)                                                           \
    X(PERP_NPY_ULONG, "<u8", 8)                                                          \
    X(PERP_NPY_UINT, "<u4", 4)                                                           \
    X(PERP_NPY_USHORT, "<u2", 2)                                                         \
    X(PERP_NPY_UBYTE, "|u1", 1)                                                          \
    X(PERP_NPY_BOOL, "|b1", 1)                                                           \
    X(PERP_NPY_TEXT, "|S3", 3)

typedef enum perp_npy_type {
#define PERP_ENUM(name, text, size) name,
    PERP_NPY_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_npy_type;

typedef struct perp_npy {
    perp_npy_type type;
    bool big_endian;
    size_t dims;
    size_t shape[PERP_NPY_DIMENSIONS];
    size_t count; /**< product of the shape */
    bool by_columns;
    const unsigned char *data; /**< in the bytes: count numbers, not aligned */
} perp_npy;

/** Find the header and the numbers in `length` bytes, which the array borrows. `place` begins
 *  each message: "x.npz: A.npy". */
perp_status perp_npy_parse(perp_npy *array, const unsigned char *bytes, size_t length,
                           const char *place, perp_error *err);
/** Number k in the order of the file. */
double perp_npy_real(const perp_npy *array, size_t k);
/** Numbers [k], finite or, where `infinite`, not NaN, into x. */
perp_status perp_npy_reals(const perp_npy *array, bool infinite, double *x,
                           const char *place, perp_error *err);
/** rows x cols numbers as a dense matrix; an array of one dimension is one column. */
perp_status perp_npy_dense(const perp_npy *array, perp_operator **A, const char *place,
                           perp_error *err);

/** The bytes of an array, by rows, on the heap; `numbers` of the type, in the byte order of the
 *  machine; dims 0: one number, 1: shape[0], 2: a matrix. NULL: no memory. */
unsigned char *perp_npy_bytes(perp_npy_type type, const void *numbers, size_t dims,
                              const size_t *shape, size_t *size);

#endif
