/* SPDX-License-Identifier: Apache-2.0
 * perp/sequence.h: problems in time, and who is who from one to the next.
 *
 * A sequence is an ordered list of steps. Each is a problem with its time t and length h and
 * a key for every block of its set: a contact that lasts keeps its key, so that its impulse
 * may start the next solve. A sequence is in memory (perp_sequence_new) or on disk
 * (perp_sequence_open), where a step is read when it is asked for: ten thousand steps need
 * the memory of one. Both are read by the same calls. */
#ifndef PERP_SEQUENCE_H
#define PERP_SEQUENCE_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

/** One step and all it owns (perp_sequence_item_clear). */
typedef struct perp_sequence_item {
    perp_problem *problem; /**< local or global */
    uint64_t *keys;        /**< one a block of problem->set; 0: has no identity. malloc */
    double t;              /**< when [s], or the parameter of a parametric sequence */
    double h;              /**< how long [s], > 0; impulses grow with it */
} perp_sequence_item;

/** Free what the step owns and zero it; harmless on a zeroed one. */
void perp_sequence_item_clear(perp_sequence_item *step);
/** The problem's own check; t finite, h finite and > 0; no key twice but 0. */
perp_status perp_sequence_item_check(const perp_sequence_item *step, perp_error *err);

typedef struct perp_sequence perp_sequence;

/** The members "format" and "version" of the index of a sequence on disk. */
#define PERP_SEQUENCE_FORMAT "perp-sequence"
enum { PERP_SEQUENCE_VERSION = 1 };

/** An empty sequence in memory; the name is copied. */
perp_status perp_sequence_new(perp_sequence **s, const char *name, perp_error *err);
void perp_sequence_free(perp_sequence *s); /* takes NULL */
/** Append a step to a sequence in memory; takes over what it owns and zeroes it, also on
 *  failure. keys NULL: no block has an identity. Checks the step and that t does not fall. */
perp_status perp_sequence_add(perp_sequence *s, perp_sequence_item *step,
                              perp_error *err);

const char *perp_sequence_name(const perp_sequence *s);
size_t perp_sequence_count(const perp_sequence *s);
/** Step i as the caller's own, checked: read from disk, or copied. */
perp_status perp_sequence_get(const perp_sequence *s, size_t i, perp_sequence_item *step,
                              perp_error *err);
/** Read and check every step, and that t does not fall. */
perp_status perp_sequence_check(const perp_sequence *s, perp_error *err);

/** A start for `to` from the point z (problem->n) of `from`: a block whose key is in both,
 *  with the same kind and dimension, gets its impulse times to->h / from->h; others 0.
 *  zz: to->problem->n. *matched (may be NULL): blocks that got theirs. */
perp_status perp_sequence_carry(const perp_sequence_item *from, const double *z,
                                const perp_sequence_item *to, double *zz, size_t *matched,
                                perp_error *err);

/** Is there a sequence at this path, file or folder? Reads its head only. */
bool perp_sequence_detect(const char *path);
/** A sequence on disk: one HDF5 file, or a folder with sequence.json. Only its index is
 *  read; perp_sequence_get finds what is wrong with a step. */
perp_status perp_sequence_open(perp_sequence **s, const char *path, perp_error *err);
/** Write as one HDF5 file when the path ends in .hdf5 or .h5, else as a folder with a file
 *  a step in the instance format `format` (NULL: perp-golden, matrix-market for global
 *  problems). Whole or not at all. */
perp_status perp_sequence_write(const perp_sequence *s, const char *path,
                                const char *format, perp_error *err);

PERP_END_DECLS

#endif
