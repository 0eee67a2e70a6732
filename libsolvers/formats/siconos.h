/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos.h: the parts of the Siconos text format. Private. */
#ifndef PERP_FORMATS_SICONOS_H
#define PERP_FORMATS_SICONOS_H

#include "formats.h"
#include "scan.h"

/** The kinds of problems in files; their names are those of --kind. */
typedef enum siconos_kind {
    SICONOS_KIND_ANY, /* not known */
    SICONOS_KIND_LCP,
    SICONOS_KIND_RELAY,
    SICONOS_KIND_MLCP,
    SICONOS_KIND_FC2D,
    SICONOS_KIND_FC3D,
    SICONOS_KIND_GFC2D,
    SICONOS_KIND_GFC3D,
    SICONOS_KIND_ROLLING, /* local or global */
    SICONOS_KIND_GMP,
    SICONOS_KIND_SOCLCP,
    SICONOS_KIND_COUNT,
} siconos_kind;

/** The kind of a name, or SICONOS_KIND_ANY. */
siconos_kind perp_siconos_kind_find(const char *name);
const char *perp_siconos_kind_name(siconos_kind kind);

/** A file being read as one family of kinds. */
typedef struct siconos_reading {
    perp_scan scan;
    siconos_kind kind; /* asked for, or SICONOS_KIND_ANY */
    siconos_kind hint; /* suggested by the path */
    perp_problem *p;   /* being filled */
    perp_notes notes;
} siconos_reading;

perp_status perp_siconos_read_lcp(siconos_reading *r);     /* and relay */
perp_status perp_siconos_read_contact(siconos_reading *r); /* local, global, rolling */
perp_status perp_siconos_read_mlcp(siconos_reading *r);
perp_status perp_siconos_read_generic(siconos_reading *r);
perp_status perp_siconos_read_soclcp(siconos_reading *r);
/** mu or mu_r of the contacts: not negative; on the heap. */
perp_status perp_siconos_read_friction(siconos_reading *r, const char *name,
                                       size_t contacts, double **mu);

/** How the rows of a matrix are cut into blocks: block k ends before row ends[k]. */
typedef struct siconos_cut {
    size_t count;
    size_t *ends; /* count; on the heap */
} siconos_cut;

/** Any size will do; as many columns as rows. */
#define SICONOS_ANY    SIZE_MAX
#define SICONOS_SQUARE (SIZE_MAX - 1)

/** A matrix of the file. Block storage becomes BSR when all blocks are square of this size,
 *  else CSR; block size 1 asks for CSR. `cut`, if not NULL, receives the block rows and asks for block
 *  storage; the caller frees cut->ends. */
perp_status perp_siconos_read_matrix(perp_scan *s, const char *name, size_t rows,
                                     size_t cols, size_t block_size, perp_operator **A,
                                     siconos_cut *cut, perp_notes *notes);
/** Storage 2 of a matrix, after its sizes. */
perp_status perp_siconos_read_sparse(perp_scan *s, const char *name, size_t rows,
                                     size_t cols, perp_operator **A, perp_notes *notes);

/** Write a matrix: dense as dense; else in blocks, cut by rows and columns. */
perp_status perp_siconos_write_dense(FILE *f, const perp_operator *A, perp_error *err);
perp_status perp_siconos_write_blocks(FILE *f, const perp_operator *A,
                                      const siconos_cut *rows, const siconos_cut *cols,
                                      perp_error *err);
void perp_siconos_print_reals(FILE *f, const double *x, size_t n);
/** n rows in pieces of `block_size`; free with free(cut->ends). */
perp_status perp_siconos_cut_evenly(siconos_cut *cut, size_t n, size_t block_size,
                                    perp_error *err);

/** The kind that p is written as: the named one, or for NULL the one that holds p.
 *  PERP_ERR_OPTION: no such kind. PERP_ERR_UNSUITABLE: it does not hold p; the message names
 *  the kind or the reformulation that fits. */
perp_status perp_siconos_choose(siconos_kind *kind, const perp_problem *p,
                                const char *path, const char *name, perp_error *err);
perp_status perp_siconos_write(perp_file_out *out, const perp_problem *p,
                               const char *kind, perp_error *err);

#endif
