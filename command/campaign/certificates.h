/* SPDX-License-Identifier: Apache-2.0
 * runner/certificates.h: certificates of negative answers, in an answer and in a file.
 *
 * A direction of infeasibility refers to the problem as given. A ray, a singular block and a
 * cycle refer to the reformulated problem that the solver was given; it is made again from the
 * problem as given, the name of the solver and the options that determine it. */
#ifndef PERP_RUNNER_CERTIFICATES_H
#define PERP_RUNNER_CERTIFICATES_H

#include <jansson.h>

#include <perp/perp.h>

typedef struct stored_certificate {
    perp_certificate c;
    double radius,
        margin; /* as stated; 0: not stated, or no certificate of infeasibility */
    char
        seen_by[64]; /* the solver whose problem it refers to; "": the problem as given */
    json_t *view;    /* {"option": "value"} that determine that problem, or NULL */
} stored_certificate;

/** The certificate of a result as an object with "verified" and "says", or JSON null when the
 *  result has no certificate. */
json_t *certificates_json(const perp_problem *p, const perp_options *opt,
                          const perp_result *r);
/** Read such an object; `path` is for messages. Call
 *  certificates_clear even after a failure. */
perp_status certificates_read(stored_certificate *e, const char *path,
                              const json_t *object, perp_error *err);
void certificates_clear(stored_certificate *e);
/** Does it hold for the problem as given? `why` receives a sentence that says why. */
bool certificates_check(const stored_certificate *e, const perp_problem *p, char *why,
                        size_t length);
/** Set "verified" and "says" of the object that e was read from, and "radius" and "margin" to what p
 *  gives. */
void certificates_update(json_t *object, const stored_certificate *e,
                         const perp_problem *p);

#endif
