/* SPDX-License-Identifier: Apache-2.0
 * formats/arrays.h: a problem as named arrays, whatever file holds them. Private.
 *
 *     A b                  local: w = A z + b          (read as M q, too, without H)
 *     M H f b [G]          global: M v = H r + G l + f, u = H^T v + b_u
 *     lo hi                one number per row; an infinity means no bound
 *     mu                   one number per contact (cone or rolling cone) or friction row
 *     mu_rolling radius    one number per rolling cone, per disk
 *     findex               one number per row: the normal of a friction row
 *     z w v guess_1 ...    an answer, starting points
 *     description          JSON: kind, law, order, sets, texts; may be missing for the
 *                          plain kinds
 *
 * findex counts rows as the readers of the file do: from 1 with 0 for a row without friction,
 * or from 0 with -1. A container supplies the functions below; the meaning of the arrays is
 * here alone. */
#ifndef PERP_FORMATS_ARRAYS_H
#define PERP_FORMATS_ARRAYS_H

#include "sets.h"

/** No size is required of an array. */
#define PERP_ARRAY_ANY SIZE_MAX

enum { PERP_ARRAY_PLACE = PERP_FILE_PATH_LENGTH + 32 };

/** A container that is read. */
typedef struct perp_arrays_in {
    const char *file; /**< for messages */
    int first_row;    /**< rows in findex count from 1 or from 0 */
    const char *const
        *members; /**< what the description has besides its own members, or NULL */
    bool (*has)(const struct perp_arrays_in *in, const char *name);
    /** How messages call an array: "folder/mu.mtx", "x.mat: mu". */
    void (*place)(const struct perp_arrays_in *in, const char *name,
                  char place[PERP_ARRAY_PLACE]);
    /** rows x cols; `cols` PERP_ARRAY_ANY: as many as the file has, at most `most`. Dense or
     *  CSR, as stored. */
    perp_status (*matrix)(const struct perp_arrays_in *in, const char *name, size_t rows,
                          size_t cols, size_t most, perp_operator **A, perp_error *err);
    /** *n is PERP_ARRAY_ANY or the length that is required; `infinite`: bounds, which may be
     *  infinite. NaN is refused. */
    perp_status (*vector)(const struct perp_arrays_in *in, const char *name,
                          bool infinite, double **x, size_t *n, perp_error *err);
    /** The description; *root NULL: there is none. */
    perp_status (*describe)(const struct perp_arrays_in *in, json_t **root,
                            perp_error *err);
    void *context;
} perp_arrays_in;

/** The problem in a container. */
perp_status perp_arrays_read(const perp_arrays_in *in, const perp_read_options *opt,
                             perp_problem *p, perp_error *err);

/** A container that is written. `what` says in a few words what the array is. */
typedef struct perp_arrays_out {
    const char *file;   /**< for messages */
    const char *format; /**< of the description: "perp-matrix-market" */
    int first_row;
    perp_status (*matrix)(const struct perp_arrays_out *out, const char *name,
                          const perp_operator *A, const char *what, perp_error *err);
    perp_status (*vector)(const struct perp_arrays_out *out, const char *name,
                          const double *x, size_t n, const char *what, perp_error *err);
    /** JSON text of `length` bytes, 0 behind them. */
    perp_status (*describe)(const struct perp_arrays_out *out, const char *text,
                            size_t length, perp_error *err);
    void *context;
} perp_arrays_out;

/** The description of p, then all its arrays. `kind` NULL, or the kind that p must have. */
perp_status perp_arrays_write(const perp_arrays_out *out, const perp_problem *p,
                              const char *kind, perp_error *err);

/** rows x cols is what was asked of perp_arrays_in.matrix; `place` begins the message. */
perp_status perp_arrays_expect_matrix(const char *place, const size_t size[2],
                                      size_t rows, size_t cols, size_t most,
                                      perp_error *err);
/** The length of a vector is *n, or becomes it. */
perp_status perp_arrays_expect_vector(const char *place, size_t length, size_t *n,
                                      perp_error *err);

/** The entries of a dense A without gaps, by columns or by rows, on the heap. `place` is for
 *  messages. */
perp_status perp_arrays_pack(double **x, const perp_operator *A, bool by_columns,
                             const char *place, perp_error *err);

/** The entries of a sparse A by rows, on the heap. */
typedef struct perp_arrays_rows {
    size_t count;     /**< entries */
    int32_t *indptr;  /**< rows + 1: where each row begins */
    int32_t *indices; /**< count: columns from 0 */
    double *data;     /**< count */
} perp_arrays_rows;

perp_status perp_arrays_rows_new(perp_arrays_rows *r, const perp_operator *A,
                                 const char *place, perp_error *err);
void perp_arrays_rows_free(perp_arrays_rows *r);

/** A sparse matrix as others store it. */
typedef enum perp_arrays_layout {
    PERP_ARRAYS_COO, /**< entry k in row[k] and col[k]; equal places are summed */
    PERP_ARRAYS_CSR, /**< row: where each row begins, and the count */
    PERP_ARRAYS_CSC, /**< col: where each column begins, and the count */
} perp_arrays_layout;

typedef struct perp_arrays_sparse {
    perp_arrays_layout layout;
    size_t rows, cols;
    double *row, *col, *data; /**< on the heap, or NULL */
    size_t row_count, col_count, data_count;
} perp_arrays_sparse;

/** The CSR matrix; lengths, indices and values are checked. */
perp_status perp_arrays_sparse_finish(perp_operator **A, const perp_arrays_sparse *s,
                                      const char *place, perp_error *err);
/** rows and cols from two numbers. */
perp_status perp_arrays_sparse_size(perp_arrays_sparse *s, const double *shape,
                                    size_t count, const char *place, perp_error *err);
void perp_arrays_sparse_free(perp_arrays_sparse *s);

/** Where the set comes from; see arrays_set.c. */
typedef struct perp_arrays_sets {
    const perp_arrays_in *in;
    const json_t *sets; /**< of the description, or NULL */
    const char *kind;   /**< or NULL: by the arrays that are there */
    size_t n;
    size_t free; /**< FREE rows at the end: the equalities of a global problem */
} perp_arrays_sets;

/** The arrays with the numbers of a set: all readers and writers use this table. */
enum {
    PERP_ARRAYS_LO,
    PERP_ARRAYS_HI,
    PERP_ARRAYS_MU,
    PERP_ARRAYS_MU_ROLLING,
    PERP_ARRAYS_RADIUS,
    PERP_ARRAYS_FINDEX,
    PERP_ARRAYS_COLUMNS
};
typedef struct perp_arrays_column {
    const char *name;
    unsigned kinds;   /**< the array is there when the set has blocks of these kinds */
    size_t offset;    /**< of the number in perp_block; 0: bounds and normals */
    const char *each; /**< what has a number: "row", or each block of the kinds */
    const char *what; /**< for comments in files */
} perp_arrays_column;
extern const perp_arrays_column perp_arrays_columns[PERP_ARRAYS_COLUMNS];
/** The number of a block, or of each of its rows, in a column. */
double perp_arrays_number(const perp_block *k, int column, int first_row);
perp_status perp_arrays_set(perp_set **set, const perp_arrays_sets *from,
                            perp_error *err);

#endif
