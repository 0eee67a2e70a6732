/* SPDX-License-Identifier: Apache-2.0
 * math/team.h: ranges of independent work by several threads. Private.
 *
 * The data written for one number depend on that number only, so that no bit depends on
 * the threads. */
#ifndef PERP_MATH_TEAM_H
#define PERP_MATH_TEAM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct math_team math_team;

/** *team := a team of this many threads, unchanged if it has as many already; NULL for at
 *  most one. Returns false if there is no memory; *team is then NULL. There may be fewer
 *  threads if the system provides fewer. */
bool math_team_prepare(math_team **team, size_t threads);
void math_team_free(math_team *team); /* NULL is allowed */
/** Call work(context, first, last) for ranges of at most `grain` numbers that cover 0 .. count - 1:
 *  the next range is taken by any idle thread; the caller does all work if team is
 *  NULL. */
void math_team_run(math_team *team, size_t count, size_t grain,
                   void (*work)(void *context, size_t first, size_t last), void *context);

#endif
