/* SPDX-License-Identifier: Apache-2.0
 * paper/paper.h: what a paper takes from stored results: numbers, figures, and a lock that says
 * from which problems, machines and versions they came.
 *
 * A paper is a JSON file beside its LaTeX; docs/paper.md describes it:
 *
 *     {"results": "results",
 *      "studies": [{"name": "energy", "suite": "energy", "page": "column"}],
 *      "numbers": [{"name": "drift-verlet", "study": "energy", "value": "energy.change",
 *                   "where": "integrator=verlet", "statistic": "median", "digits": 2}]}
 *
 * Runs of the study NAME are in FROM/NAME, as perp compare left them. The results are
 * numbers.tex, numbers.csv, captions.tex, lock.json, and a folder per study with its figures as
 * PDF and their points as CSV. */
#ifndef PERP_PAPER_H
#define PERP_PAPER_H

#include <stdio.h>

#include "command/campaign/document.h"
#include "command/results/orders.h"
#include "command/results/runs.h"

typedef struct paper_study {
    const char *name, *suite;
    const char *page;     /**< of its figures, as in figures/draw.h */
    stored_runs runs;     /**< zero until they are read */
    figure_orders orders; /**< of its suite */
} paper_study;

/** A number of the text. */
typedef struct paper_number {
    const char *name;
    const char *study;     /**< NULL: of perp itself: statistic "listed" */
    const char *value;     /**< a field of a run (report/fields.h); a list of perp info */
    const char *where;     /**< only runs that fulfil it; "" : all */
    const char *statistic; /**< a statistic of numbers.c */
    const char *against;   /**< of the statistic slope: the field on the other axis */
    const char *over; /**< name of an earlier number by which it is divided; NULL: none */
    long digits;      /**< significant ones in the text */
    double scale;     /**< factor before printing: 100 for percents */
    double tolerance; /**< relative difference from the locked value that is none */
    bool time;        /**< measured by a clock: its tolerance is that of times */
    double result;    /**< after paper_compute */
} paper_number;

typedef struct paper {
    json_t *json; /**< the file; texts above live in it */
    const char *path;
    char *folder;        /**< of the file, its '/' included; "" : here */
    const char *results; /**< folder of the results, from the file */
    json_t *(*list)(
        const char *what); /**< the entries of a list of perp info; set by the caller */
    double times;          /**< factor by which times may differ from the locked ones */
    double curves;         /**< relative difference of curves that is none */
    paper_study *studies;
    size_t study_count;
    paper_number *numbers;
    size_t number_count;
} paper;

/** Read and check the file; `path` must outlive it. */
perp_status paper_read(paper **p, const char *path, perp_error *err);
void paper_free(paper *p); /**< no-op for NULL */

/** Read the runs of every study from the folder `from`, and compute the numbers. A study
 *  without runs, a number of no run, a result that is not finite: an error that names it. */
perp_status paper_compute(paper *p, const char *from, perp_error *err);
/** Write numbers.tex, numbers.csv, lock.json and the figures into `folder`, which is made. */
perp_status paper_write(const paper *p, const char *folder, perp_error *err);
/** Compare results in `fresh` with locked ones in `locked`: numbers, curves, problems. Prints
 *  one line for each difference beyond its tolerance, and a last line with the counts;
 *  *differences is their number. */
perp_status paper_check(const paper *p, const char *fresh, const char *locked, FILE *out,
                        size_t *differences, perp_error *err);

/** Parts of these, one file each. */
perp_status paper_numbers_compute(paper *p, perp_error *err);
perp_status paper_numbers_write(const paper *p, const char *folder, perp_error *err);
perp_status paper_lock_write(const paper *p, const char *folder, perp_error *err);

/** The names of the statistics, "median|mean|…". */
extern const char paper_statistics[];

#endif
