/* SPDX-License-Identifier: Apache-2.0
 * command/results/section.h: a kind of table that a report has for every set at every
 * tolerance: in the summary, as CSV, as LaTeX and as data of the page. */
#ifndef PERP_REPORT_SECTION_H
#define PERP_REPORT_SECTION_H

#include "runs.h"
#include "table.h"

/** A kind of table: constant data and the functions that make it. */
typedef struct report_section {
    const char *csv;       /**< tables/CSV.csv holds the rows of all tables */
    const char *tex;       /**< tables/TEX_SET_TOLERANCE.tex; "" for SET_TOLERANCE.tex */
    const char *title;     /**< of the captions of LaTeX */
    const char *legend;    /**< before the tables of the summary; NULL: none */
    const char *explained; /**< what the columns are, below the tables of LaTeX */
    double width;          /**< mm that LaTeX may take; 0: the page */
    const table_column *columns;
    /** True when a set at a tolerance has such a table. */
    bool (*applies)(const stored_runs *s, const run_table *t);
    const char
        *subject; /**< what the table as text is of; NULL: the problems of the set */
    /** Print what to add to the line above the table as text; of LaTeX a sentence below it, as plain
     *  text. NULL: nothing. */
    void (*caption)(FILE *f, table_format format, const run_table *t);
    /** Print what stands below the table as text; NULL: nothing. */
    void (*after)(FILE *f, const run_table *t);
    /** Append the rows of a set at a tolerance. */
    void (*rows)(table *out, const stored_runs *s, const run_table *t);
} report_section;

/** The table of a set at a tolerance as text that is not printed; the caller calls table_drop. */
void section_cells(const report_section *section, table *out, const stored_runs *s,
                   const run_table *t);
/** Append the legend and the tables of every set to summary.txt; nothing without tables. */
perp_status section_summary(const report_section *section, FILE *f, const stored_runs *s,
                            perp_error *err);
/** Write the CSV file; nothing without tables. */
perp_status section_csv(const report_section *section, const char *dir,
                        const stored_runs *s, perp_error *err);
/** Write a LaTeX file per set and tolerance. */
perp_status section_tex(const report_section *section, const char *dir,
                        const stored_runs *s, perp_error *err);

#endif
