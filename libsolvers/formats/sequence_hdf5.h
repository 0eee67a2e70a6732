/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence_hdf5.h: the parts of a sequence in one HDF5 file. Private. */
#ifndef PERP_FORMATS_SEQUENCE_HDF5_H
#define PERP_FORMATS_SEQUENCE_HDF5_H

#include "base/hdf5.h"
#include "sequence_file.h"

/* Attributes that must be there. */
perp_status perp_sequence_attribute_text(const perp_h5_file *f, const char *inside,
                                         const char *name, char *text, size_t length);
perp_status perp_sequence_attribute_size(const perp_h5_file *f, const char *inside,
                                         const char *name, size_t *size);
perp_status perp_sequence_attribute_real(const perp_h5_file *f, const char *inside,
                                         const char *name, double *value);

/** A matrix of this many rows and (but for PERP_H5_ANY) columns, in its storage. */
perp_status perp_sequence_read_matrix(const perp_h5_file *f, const char *group,
                                      size_t rows, size_t cols, perp_operator **A);
perp_status perp_sequence_put_matrix(const perp_h5_file *f, const char *group,
                                     const perp_operator *A);

#endif
