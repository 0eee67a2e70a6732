/* SPDX-License-Identifier: Apache-2.0
 * cli/replace.h: a folder of results that is replaced by a new one (--force).
 *
 * The new results are written to DIR.new. When they are complete, DIR.new takes the name DIR and
 * the old folder is removed. Before that nothing of DIR is changed. Where the file system can
 * exchange two names, DIR is the old folder or the new one at each moment; elsewhere the next start
 * puts the old one back. */
#ifndef PERP_CLI_REPLACE_H
#define PERP_CLI_REPLACE_H

#include "command/cli/data.h"

/** Globs of what killed processes leave in a folder of results. */
#define REPLACE_LEFT "*.tmp-*-*", "*.tmp-*-*/*", "*/*.tmp-*-*", "*/*.tmp-*-*/*"

/** What a verb writes into a folder. */
typedef struct replace_kind {
    const char *verb;
    const char *lock; /**< file that a writer locks; "": the folder itself */
    /** globs of paths in the folder, a star within a name; NULL at the end; without figures/ */
    const char *const *patterns;
} replace_kind;

/** A replacement at work. DIR.new and, at the end, DIR are locked, so that of two processes that
 *  replace one folder the second is refused. */
typedef struct replace {
    const replace_kind *kind;
    char target[DATA_PATH]; /**< DIR behind symbolic links */
    char work[DATA_PATH];   /**< DIR.new */
    char old[DATA_PATH];    /**< DIR.new.old, between two renames */
    int lock, old_lock;     /**< DIR.new and DIR, held open */
} replace;

/** DIR.new in `work`, for a folder that need not exist. */
perp_status replace_name(const char *dir, char work[DATA_PATH], perp_error *err);
/** Make an empty DIR.new and lock it. DIR may be replaced: it does not exist, or holds only what
 *  the verb writes, and no process writes to it. A left DIR.new is emptied under the same
 *  conditions. Call replace_close even after a failure. */
perp_status replace_start(replace *r, const char *dir, const replace_kind *kind,
                          perp_error *err);
/** Give DIR.new the name of DIR and remove what DIR was. Where it cannot be removed, a warning
 *  names it. */
perp_status replace_finish(replace *r, perp_error *err);
/** Release the locks, and remove a DIR.new in which nothing was written. No-op where
 *  replace_start was not called. */
void replace_close(replace *r);

#endif
