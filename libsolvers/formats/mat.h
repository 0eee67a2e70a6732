/* SPDX-License-Identifier: Apache-2.0
 * formats/mat.h: the parts of the mat format. Private. */
#ifndef PERP_FORMATS_MAT_H
#define PERP_FORMATS_MAT_H

#include "arrays.h"

/** What the header of a file begins with. */
enum { PERP_MAT_MAGIC = 19 };
extern const char perp_mat_magic[PERP_MAT_MAGIC + 1];

/** Whether the variables of the file follow each other to its end: nothing is cut off. */
bool perp_mat_is_whole(const char *path);

perp_status perp_mat_write(perp_file_out *file, const perp_problem *p, const char *kind,
                           perp_error *err);

#endif
