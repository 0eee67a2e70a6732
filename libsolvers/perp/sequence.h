/* SPDX-License-Identifier: Apache-2.0
 * perp/sequence.h: problems in time, and the identity of every contact from one to the next.
 *
 * A sequence is an ordered list of items. Each is a problem with its time t and length h and
 * a key for every block of its set: a contact that lasts keeps its key, so that its impulse
 * may start the next solve. A sequence is in memory (perp_sequence_new) or on disk
 * (perp_sequence_open), where an item is read when it is asked for: ten thousand items need
 * the memory of one. The same calls read both. */
#ifndef PERP_SEQUENCE_H
#define PERP_SEQUENCE_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

/** One item and all it owns (perp_sequence_item_clear). */
typedef struct perp_sequence_item {
    perp_problem *problem; /**< local or global */
    uint64_t *keys;        /**< one per block of problem->set; 0: no identity. malloc */
    double t;              /**< time [s], or the parameter of a parametric sequence */
    double h; /**< length of the time step [s], > 0; impulses are proportional to it */
} perp_sequence_item;

/** Free what the item owns and zero it; a zeroed item is allowed (no-op). */
void perp_sequence_item_clear(perp_sequence_item *item);

/** Problems that follow each other in time, in memory or on disk. */
typedef struct perp_sequence perp_sequence;

/** The members "format" and "version" of the index of a sequence on disk. */
#define PERP_SEQUENCE_FORMAT "perp-sequence"
enum { PERP_SEQUENCE_VERSION = 1 };

/** An empty sequence in memory; the name is copied. */
perp_status perp_sequence_new(perp_sequence **s, const char *name, perp_error *err);
void perp_sequence_free(perp_sequence *s); /* NULL is allowed (no-op) */
/** Append an item to a sequence in memory, which then owns what the item owned; the item is
 *  zeroed, also on failure. keys NULL: no block has an identity. Checks the item and that t does
 *  not decrease. */
perp_status perp_sequence_add(perp_sequence *s, perp_sequence_item *item,
                              perp_error *err);

/** Its name, which belongs to it, and its number of items. */
const char *perp_sequence_name(const perp_sequence *s);
size_t perp_sequence_count(const perp_sequence *s);
/** Item i, checked, read from disk or copied; the caller owns it. */
perp_status perp_sequence_get(const perp_sequence *s, size_t i, perp_sequence_item *item,
                              perp_error *err);
/** Read and check every item, and that t does not decrease. */
perp_status perp_sequence_check(const perp_sequence *s, perp_error *err);

/** A start for `to` from the point z (problem->n) of `from`: a block whose key is in both,
 *  with the same kind and dimension, gets its impulse times to->h / from->h; others 0.
 *  zz: to->problem->n. *matched (may be NULL): number of blocks that got an impulse. */
perp_status perp_sequence_carry(const perp_sequence_item *from, const double *z,
                                const perp_sequence_item *to, double *zz, size_t *matched,
                                perp_error *err);

/** Whether the path is a sequence: an HDF5 file, or a folder of them. Reads the first head. */
bool perp_sequence_detect(const char *path);
/** A sequence on disk: one HDF5 file, or a folder whose files NAME.hdf5 are sequences, read in
 *  the order of their names as one. Only the heads are read; perp_sequence_get reports what is
 *  wrong with an item. */
perp_status perp_sequence_open(perp_sequence **s, const char *path, perp_error *err);
/** Write whole or not at all: as one HDF5 file where the path ends in .hdf5 or .h5, as a folder
 *  of files step_00000.hdf5, … with an index.csv where its name has no extension. A folder that
 *  is there is replaced if all files in it have such names. */
perp_status perp_sequence_write(const perp_sequence *s, const char *path,
                                perp_error *err);

PERP_END_DECLS

#endif
