/* SPDX-License-Identifier: Apache-2.0
 * cli/replace.h: a folder of results that is replaced by a new one (--force).
 *
 * The new results are written to DIR.new. When they are complete, DIR.new takes the name DIR and
 * the old folder is removed. Before that nothing of DIR is changed. */
#ifndef PERP_CLI_REPLACE_H
#define PERP_CLI_REPLACE_H

#include "experiments/cli/data.h"

/** Globs of what killed processes leave in a folder of results. */
#define REPLACE_LEFT "*.tmp-*-*-*", "*.tmp-*-*-*/*", "*/*.tmp-*-*-*", "*/*.tmp-*-*-*/*"

/** What a verb writes into a folder. */
typedef struct replace_kind {
    const char *verb;
    const char *lock; /**< file that a writer locks; "": the folder itself */
    const char *const *
        patterns; /**< globs of paths in the folder, a star within a name; NULL at the end */
} replace_kind;

/** DIR.new in `work`, for a folder that need not exist. */
perp_status replace_name(const char *dir, char work[DATA_PATH], perp_error *err);
/** DIR may be replaced: it does not exist, or holds only what the verb writes, and no process
 *  writes to it. A left DIR.new is removed under the same conditions. */
perp_status replace_start(const char *dir, const replace_kind *kind, perp_error *err);
/** Give DIR.new the name of DIR and remove what DIR was. */
perp_status replace_finish(const char *dir, const replace_kind *kind, perp_error *err);

#endif
