/* SPDX-License-Identifier: Apache-2.0
 * formats/formats.h: what readers and writers of instance files share. Private.
 *
 * A format is one file that ends in one constant perp_format, listed once more in
 * formats/formats.c. Readers and writers run in the "C" locale, which perp_problem_read and
 * perp_problem_write see to; both check the problem, so that a format checks only what it
 * needs for its own safety: extents, indices, numbers that are numbers. */
#ifndef PERP_FORMATS_FORMATS_H
#define PERP_FORMATS_FORMATS_H

#include <perp/formats.h>

#include "base/file.h"
#include "core/solvers.h"

extern const perp_format perp_format_sequence;
extern const perp_format perp_format_fclib;
extern const perp_format perp_format_siconos;
extern const perp_format perp_format_matrix_market;
extern const perp_format perp_format_golden;
extern const perp_format perp_format_npz;

/** Append a line; `notes` may be NULL. What does not fit is dropped. */
void perp_note(perp_notes *notes, const char *format, ...) PERP_PRINTF(2, 3);
/** Turn the rows of every cone from (T1, T2, N) to (N, T1, T2): of A (or the columns of H of
 *  a global problem without G), b and the points. The set stays as it is. */
perp_status perp_contacts_normal_first(perp_problem *p, perp_error *err);

/** Cases in a perp-golden file: those of a batch, 1 for others. */
perp_status perp_golden_count(const char *path, size_t *count, perp_error *err);

/** Is this the name of a file in a folder of matrix-market? */
bool perp_matrix_market_owns(const char *name);

#endif
