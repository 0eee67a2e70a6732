/* SPDX-License-Identifier: Apache-2.0
 * report/contradictions.h: a problem that one run solved and another has shown to have no
 * solution. */
#ifndef PERP_REPORT_CONTRADICTIONS_H
#define PERP_REPORT_CONTRADICTIONS_H

#include "command/campaign/contradiction.h"
#include "runs.h"

/** A solved run and a certificate of infeasibility, checked, of the same problem: the same hash,
 *  formulation and law. Both runs are of the stored runs, which must outlive it. */
typedef struct contradiction_runs {
    const stored_run *solved, *certified;
    contradiction x; /**< bounds that the certificate does not state are INFINITY */
    contradiction_kind kind;
} contradiction_runs;

typedef struct contradictions {
    contradiction_runs *list; /**< errors first, then by run */
    size_t count, errors;
} contradictions;

/** Each solved run with the certificate that excludes it, or else with the one of the largest
 *  radius. Released by contradictions_free. */
void contradictions_find(contradictions *c, const stored_runs *s);
void contradictions_free(contradictions *c);

/** Append a section to summary.txt; nothing when the list is empty. */
void contradictions_summary(FILE *f, const contradictions *c);
/** Write DIR/tables/contradictions.csv, or remove it when the list is empty. */
perp_status contradictions_csv(const contradictions *c, const char *dir, perp_error *err);
/** PERP_OK without errors, else PERP_ERR_DATA; a line of standard error for each. */
perp_status contradictions_report(const contradictions *c, const char *dir,
                                  perp_error *err);

#endif
