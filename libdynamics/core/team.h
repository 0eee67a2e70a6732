/* SPDX-License-Identifier: Apache-2.0
 * core/team.h: ranges of independent work by several threads. Private.
 *
 * What is written for one number depends on that number alone, so that no bit depends on the
 * threads. */
#ifndef PERP_CORE_TEAM_H
#define PERP_CORE_TEAM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct core_team core_team;

/** *team := one of so many threads, kept where it has as many already; NULL for at most one. False
 *  without memory: *team is NULL. There may be fewer threads where the system provides fewer. */
bool core_team_prepare(core_team **team, size_t threads);
void core_team_free(core_team *team); /* NULL is allowed */
/** Call work(context, first, last) for ranges of at most `grain` numbers that cover 0 .. count - 1:
 *  one range after another by whichever thread is free; all by the caller where team is NULL. */
void core_team_run(core_team *team, size_t count, size_t grain,
                   void (*work)(void *context, size_t first, size_t last), void *context);

#endif
