/* SPDX-License-Identifier: Apache-2.0
 * formats/formats.h: what readers and writers of instance files share. Private.
 *
 * A format is one file that ends in one constant perp_format_type, listed once more in
 * PERP_FORMAT_LIST. Readers and writers run in the "C" locale, which the calls of
 * perp/formats.h set; these check the problem too, so that a format checks only what its own
 * safety needs: extents, indices, numbers that are numbers. */
#ifndef PERP_FORMATS_FORMATS_H
#define PERP_FORMATS_FORMATS_H

#include <perp/formats.h>

#include "base/file.h"
#include "core/solvers.h"

/** What a format holds besides the problem. */
enum {
    PERP_HOLDS_LABELS = 1, /**< labels and origin (meta.h); else they go to a side file */
    PERP_HOLDS_TEXTS = 2,  /**< title, description, math_info */
    PERP_HOLDS_ANSWER = 4,
    PERP_HOLDS_START = 8,   /**< the first starting point */
    PERP_HOLDS_STARTS = 24, /**< all of them */
    PERP_HOLDS_ALL = 31,
};

/** A format and its functions. */
typedef struct perp_format_type {
    perp_format format;
    const char *title; /**< of a format that is a folder, in messages: "Matrix Market" */
    const char *part;  /**< and the extension of the files in it: ".mtx" */
    unsigned
        holds; /**< PERP_HOLDS_…; what is not among them is left out when p is written */
    /** How certain the format is that a source is of its kind: 0 not, 1 perhaps, 2 certain, 3
     *  certain though another format claims it too.
     *  Reads at most the first few kilobytes. NULL in a format that is only written, as is
     *  `read`; `format.reads` is false then. */
    int (*detect)(const perp_source *from);
    perp_status (*read)(perp_source *from, const perp_read_options *opt, perp_problem **p,
                        perp_notes *notes, perp_error *err);
    /** PERP_ERR_UNSUITABLE when the format cannot hold p, found before a file is created; NULL
     *  leaves that to `write`. `name` is the path, for messages. */
    perp_status (*suits)(const perp_problem *p, const char *kind, const char *name,
                         perp_error *err);
    /** What the user of a file of p should know; NULL: nothing. */
    void (*remark)(const perp_problem *p, perp_notes *notes);
    /** Write to a file or to memory; the caller commits. PERP_ERR_UNSUITABLE when the format
     *  cannot hold p. A format writes by one of these two functions, or by neither. */
    perp_status (*write)(perp_file_out *out, const perp_problem *p, const char *kind,
                         perp_error *err);
    perp_status (*write_folder)(const char *path, const perp_problem *p, const char *kind,
                                perp_error *err);
    /** Number of cases in a batch; NULL: always 1. */
    perp_status (*count)(perp_source *from, size_t *count, perp_error *err);
} perp_format_type;

#ifdef HAVE_MATIO
#define PERP_FORMAT_MAT(X) X(mat)
#else
#define PERP_FORMAT_MAT(X)
#endif

/** All formats, in the order of lists; of two that are equally certain of a file the first one
 *  reads it. */
#define PERP_FORMAT_LIST(X)                                                              \
    X(sequence) /* before fclib, which claims all HDF5 files */                          \
    X(fclib)                                                                             \
    X(siconos)                                                                           \
    X(matrix_market)                                                                     \
    PERP_FORMAT_MAT(X)                                                                   \
    X(contactbench) /* before npz, which has its extension */                            \
    X(npy)          /* before npz, which has the extension of A.npz */                   \
    X(npz)                                                                               \
    X(csv)                                                                               \
    X(json)                                                                              \
    X(ampl)                                                                              \
    X(ampl_nl)                                                                           \
    X(gams)                                                                              \
    X(mps)                                                                               \
    X(lp)                                                                                \
    X(qps)

#define PERP_FORMAT(name) extern const perp_format_type perp_format_##name;
PERP_FORMAT_LIST(PERP_FORMAT)
#undef PERP_FORMAT

/* What a format cannot hold: PERP_ERR_UNSUITABLE and one line with the option of perp convert,
 * or the formats, that would fit. `name` is the path. */

/** Only blocks of these sets: "a.mod: ampl holds no cones; --friction pyramid:8 writes an
 *  LCP". */
perp_status perp_format_holds(const char *format, perp_set_mask sets,
                              const perp_problem *p, const char *name, perp_error *err);
/** Only problems with A. */
perp_status perp_format_holds_local(const char *format, const perp_problem *p,
                                    const char *name, perp_error *err);
/** `kind` is NULL or the kind of the problem. */
perp_status perp_format_holds_kind(const perp_problem *p, const char *kind,
                                   const char *name, perp_error *err);

/** The format that opt names, or that is most certain of the source: the first of the list
 *  among equals. PERP_ERR_OPTION, PERP_ERR_FORMAT with the existing names;
 *  PERP_ERR_UNSUITABLE for one that is only written, or not read from memory. */
perp_status perp_format_to_read(const perp_format_type **type, const perp_source *from,
                                const perp_read_options *opt, perp_error *err);
/** The format of that name; NULL: by the extension of the path, where a path without one
 *  becomes a folder. */
perp_status perp_format_to_write(const perp_format_type **type, const char *name,
                                 const char *path, perp_error *err);

/** Append a line; `notes` may be NULL. A line that does not fit is dropped. */
void perp_note(perp_notes *notes, const char *format, ...) PERP_PRINTF(2, 3);
/** Permute the rows of every cone from (T1, T2, N) to (N, T1, T2): of A (or the columns of H
 *  of a global problem without G), b and the points. The set stays as it is. */
perp_status perp_contacts_normal_first(perp_problem *p, perp_error *err);
/** Entries above and below the diagonal that are not zero. */
void perp_triplets_sides(const perp_triplets *t, size_t *above, size_t *below);
/** Add each entry off the diagonal once more, transposed and times `factor`. */
void perp_triplets_mirror(perp_triplets *t, double factor);
/** Convert a sparse A to blocks of this size; 1 leaves it as it is. */
perp_status perp_operator_use_blocks(perp_operator **A, size_t block_size,
                                     perp_error *err);

/** NULL when there is no such format. */
const perp_format *perp_format_find(const char *name);
/** Number of cases in a batch file, 1 for others. */
perp_status perp_batch_count(const char *path, const perp_read_options *opt,
                             size_t *count, perp_error *err);

#endif
