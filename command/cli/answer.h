/* SPDX-License-Identifier: Apache-2.0
 * cli/answer.h: parts of a result as JSON. Each returns a new reference; numbers that are NaN
 * or infinite become null. */
#ifndef PERP_CLI_ANSWER_H
#define PERP_CLI_ANSWER_H

#include <jansson.h>

#include <perp/perp.h>

/** Set a member and take over the reference; null for a NULL. No-op without an object. */
void answer_add(json_t *object, const char *key, json_t *value);
/** A member, or JSON null; `object` may be NULL. */
json_t *answer_copy(const json_t *object, const char *key);
/** A text; a byte that is not UTF-8 becomes "\xff" (perp_text_utf8). JSON null for NULL and "". */
json_t *answer_text(const char *text);
/** A path by perp_text_utf8: two different ones differ. */
json_t *answer_file(const char *path);
json_t *answer_real(double x);
json_t *answer_vector(const double *x, size_t n);
/** All options by name, each in its own type. */
json_t *answer_options(const perp_options *opt);
/** All measures by the names of the fields; spreads as {max, p50, p90, p99}. */
json_t *answer_measures(const perp_measures *m);
json_t *answer_work(const perp_work *work);
/** [[iteration, seconds, products, residual], …] */
json_t *answer_history(const perp_result *r);
/** ["scaled by …", "lemke: …"] */
json_t *answer_path(const perp_solution_path *path);
/** What another code says about its run; JSON null where none has run. */
json_t *answer_foreign(const perp_foreign *foreign);
/** "0123456789abcdef" */
json_t *answer_hash(uint64_t hash);

#endif
