/* SPDX-License-Identifier: Apache-2.0
 * formats/npz.h: arrays of NumPy and SciPy, in one archive or in a folder. Private. */
#ifndef PERP_FORMATS_NPZ_H
#define PERP_FORMATS_NPZ_H

#include "archive.h"
#include "arrays.h"

/** Where arrays are read: an archive or, where it is NULL, the folder `file`. */
typedef struct perp_npz_in {
    const char *file; /**< for messages, and the path of the folder */
    const perp_archive *archive;
} perp_npz_in;

perp_status perp_npz_arrays_read(const perp_npz_in *z, const perp_read_options *opt,
                                 perp_problem *p, perp_error *err);

/** The member of a part of an array: "A.npy", "A_data.npy"; of the description
 *  "problem.json". */
void perp_npz_member(const char *name, const char *part, char member[48]);

perp_status perp_npz_write(perp_file_out *file, const perp_problem *p, const char *kind,
                           perp_error *err);
/** The arrays of a sparse A into an archive, as members `name`_data, ... */
perp_status perp_npz_write_sparse(perp_archive *archive, const char *name,
                                  const perp_operator *A, const char *place,
                                  perp_error *err);

#endif
