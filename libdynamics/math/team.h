/* SPDX-License-Identifier: Apache-2.0
 * math/team.h: ranges of independent work by several threads. Private.
 *
 * What is written for one number depends on that number alone, so that no bit depends on the
 * threads. */
#ifndef PERP_MATH_TEAM_H
#define PERP_MATH_TEAM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct math_team math_team;

/** *team := one of so many threads, kept where it has as many already; NULL for at most one. False
 *  without memory: *team is NULL. There may be fewer threads where the system provides fewer. */
bool math_team_prepare(math_team **team, size_t threads);
void math_team_free(math_team *team); /* NULL is allowed */
/** Call work(context, first, last) for ranges of at most `grain` numbers that cover 0 .. count - 1:
 *  one range after another by whichever thread is free; all by the caller where team is NULL. */
void math_team_run(math_team *team, size_t count, size_t grain,
                   void (*work)(void *context, size_t first, size_t last), void *context);

#endif
