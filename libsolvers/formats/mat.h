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

/** UTF-8 of `count` units of UTF-16, as MATLAB and Octave write a text, on the heap; NULL: no memory. */
char *perp_mat_utf8(const uint16_t *unit, size_t count, size_t *length);
/** The problem of a file of version 7.3. */
perp_status perp_mat73_read(const perp_source *from, const perp_read_options *opt,
                            perp_problem *p, perp_error *err);

perp_status perp_mat_write(perp_file_out *file, const perp_problem *p, const char *kind,
                           perp_error *err);

#endif
