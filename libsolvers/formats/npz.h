/* SPDX-License-Identifier: Apache-2.0
 * formats/npz.h: the parts of the npz format. Private. */
#ifndef PERP_FORMATS_NPZ_H
#define PERP_FORMATS_NPZ_H

#include "arrays.h"

/** The member of a part of an array: "A.npy", "A_data.npy"; of the description
 *  "problem.json". */
void perp_npz_member(const char *name, const char *part, char member[48]);

perp_status perp_npz_write(perp_file_out *file, const perp_problem *p, const char *kind,
                           perp_error *err);

#endif
