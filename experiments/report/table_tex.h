/* SPDX-License-Identifier: Apache-2.0
 * report/table_tex.h: a table as LaTeX. */
#ifndef PERP_REPORT_TABLE_TEX_H
#define PERP_REPORT_TABLE_TEX_H

#include "table.h"

/** Widths that a table may take, mm: one column of a journal, and the whole page. */
#define TABLE_TEX_COLUMN 84.0
#define TABLE_TEX_WIDE   174.0

/** What the files need of a document. */
#define TABLE_TEX_PACKAGES                                                               \
    "% needs \\usepackage[T1]{fontenc} and "                                             \
    "\\usepackage{array,booktabs,siunitx,threeparttable}\n"

/** Print the cells that a table of LaTeX gathered, as one float or, where they are too wide or
 *  too many, as several with the labels LABEL, LABEL:2, … */
perp_status table_tex(const table *t, perp_error *err);

#endif
