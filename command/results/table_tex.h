/* SPDX-License-Identifier: Apache-2.0
 * report/table_tex.h: a table as LaTeX. */
#ifndef PERP_REPORT_TABLE_TEX_H
#define PERP_REPORT_TABLE_TEX_H

#include "table.h"

/** Widths that a table may take, mm: a column and the text of the class `article` in two columns,
 *  which are narrower than those of journals. It is then as wide as \columnwidth or \textwidth. */
#define TABLE_TEX_COLUMN 80.5
#define TABLE_TEX_WIDE   165.0

/** What the files need of a document. */
#define TABLE_TEX_PACKAGES                                                               \
    "% needs \\usepackage[T1]{fontenc} and "                                             \
    "\\usepackage{array,booktabs,siunitx,threeparttable}\n"

/** Print the cells that a table of LaTeX gathered, as one float or, where they are too wide or
 *  too many, as several with the labels LABEL, LABEL:2, … */
void table_tex(const table *t);

#endif
