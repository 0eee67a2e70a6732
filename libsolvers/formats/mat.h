/* SPDX-License-Identifier: Apache-2.0
 * formats/mat.h: the parts of the mat format. Private. */
#ifndef PERP_FORMATS_MAT_H
#define PERP_FORMATS_MAT_H

#include "arrays.h"

/** What the header of a file begins with. */
enum { PERP_MAT_MAGIC = 19 };
extern const char perp_mat_magic[PERP_MAT_MAGIC + 1];

/** Refuse a loaded file whose variables do not follow each other to its end, with as many numbers as
 *  their sizes say. */
perp_status perp_mat_check(const perp_source *from, perp_error *err);

perp_status perp_mat_write(perp_file_out *file, const perp_problem *p, const char *kind,
                           perp_error *err);

#endif
