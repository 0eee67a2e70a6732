/* SPDX-License-Identifier: Apache-2.0
 * report/remarks.h: what runs report beside their results: surprises of scenes, and the plugins
 * that they used. */
#ifndef PERP_REPORT_REMARKS_H
#define PERP_REPORT_REMARKS_H

#include "runs.h"

/** "SET, INSTANCE: TEXT", one line for each of the members "warnings" of the records, with the
 *  number of runs that have it: a list of texts. */
json_t *remarks_warnings(const stored_runs *s);
/** "libmine.so: mine, hash 0123456789abcdef, 4 runs", one line for each plugin and hash. */
json_t *remarks_plugins(const stored_runs *s);

/** Append both to summary.txt: nothing where there are none. */
void remarks_summary(FILE *f, const stored_runs *s);

#endif
