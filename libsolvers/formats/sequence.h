/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence.h: the parts of a sequence on disk. Private. */
#ifndef PERP_FORMATS_SEQUENCE_H
#define PERP_FORMATS_SEQUENCE_H

#include "base/hdf5.h"
#include "core/sequence_type.h"
#include "formats.h"

/** The format as the file names it, and its version. */
#define SEQUENCE_FORMAT "perp-sequence"
enum { SEQUENCE_VERSION = 1, SEQUENCE_NAME = 256 };

/** Whether this HDF5 file is a sequence. */
bool perp_sequence_file_detect(const char *path);
/** Its name and the number of its items. */
perp_status perp_sequence_file_head(const char *path, char name[SEQUENCE_NAME],
                                    size_t *count, perp_error *err);
/** Item i, unchecked, into a zeroed `item`; what was read stays there on failure. */
perp_status perp_sequence_file_read(const char *path, size_t i, perp_sequence_item *item,
                                    perp_error *err);

/** Write `count` items from `first` on as one HDF5 file. */
perp_status perp_sequence_file_write(const perp_sequence *s, size_t first, size_t count,
                                     const char *path, perp_error *err);
/** Write every item as a file of a folder. */
perp_status perp_sequence_folder_write(const perp_sequence *s, const char *path,
                                       perp_error *err);

/* Attributes that are required. */
perp_status perp_sequence_attribute_text(const perp_h5_file *f, const char *inside,
                                         const char *name, char *text, size_t length);
perp_status perp_sequence_attribute_size(const perp_h5_file *f, const char *inside,
                                         const char *name, size_t *size);
perp_status perp_sequence_attribute_real(const perp_h5_file *f, const char *inside,
                                         const char *name, double *value);

/** A matrix of this many rows and (but for PERP_H5_ANY) columns, in its storage. */
perp_status perp_sequence_read_matrix(const perp_h5_file *f, const char *group,
                                      size_t rows, size_t cols, perp_operator **A);
void perp_sequence_write_matrix(perp_h5_file *f, const char *group,
                                const perp_operator *A);

#endif
