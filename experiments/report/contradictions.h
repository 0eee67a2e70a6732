/* SPDX-License-Identifier: Apache-2.0
 * report/contradictions.h: a problem that one run solved and another has shown to have no
 * solution. */
#ifndef PERP_REPORT_CONTRADICTIONS_H
#define PERP_REPORT_CONTRADICTIONS_H

#include "runs.h"

/** A solved run and a certificate of infeasibility, checked, of the same problem: the same hash,
 *  formulation and law. Both runs are of the stored runs, which must outlive it. */
typedef struct contradiction {
    const stored_run *solved, *certified;
    double size; /**< max s_k |z_k| of the solution, or beta_b where that is larger */
    double radius,
        margin;    /**< of the certificate (perp/certificate.h); INFINITY: not stated */
    bool excluded; /**< the certificate excludes this point: an error of perp */
} contradiction;

typedef struct contradictions {
    contradiction *list; /**< errors first, then by run */
    size_t count, errors;
} contradictions;

/** Each solved run with the certificate that excludes it, or else with the one of the largest
 *  radius. Released by contradictions_free. */
perp_status contradictions_find(contradictions *c, const stored_runs *s, perp_error *err);
void contradictions_free(contradictions *c);

/** The sentence, on one line without its end. */
void contradiction_print(FILE *f, const contradiction *x);
/** Append a section to summary.txt; nothing when the list is empty. */
void contradictions_summary(FILE *f, const contradictions *c);
/** Write DIR/tables/contradictions.csv, or remove it when the list is empty. */
perp_status contradictions_csv(const contradictions *c, const char *dir, perp_error *err);
/** PERP_OK without errors, else PERP_ERR_DATA; a line of standard error for each. */
perp_status contradictions_report(const contradictions *c, const char *dir,
                                  perp_error *err);

#endif
