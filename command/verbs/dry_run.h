/* SPDX-License-Identifier: Apache-2.0
 * verbs/dry_run.h: what perp compare would do. */
#ifndef PERP_VERBS_DRY_RUN_H
#define PERP_VERBS_DRY_RUN_H

#include "command/campaign/suite.h"

/** Print the runs of a suite, counted by set and solver, and how long they may take with
 *  `jobs` at a time: by their limits, and by the runs of `dir` (may be NULL), if it has
 *  any. Makes nothing. */
perp_status dry_run(const suite *s, const char *dir, double jobs, perp_error *err);

#endif
