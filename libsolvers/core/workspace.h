/* SPDX-License-Identifier: Apache-2.0
 * core/workspace.h: the workspace beyond what a solver needs. Private. */
#ifndef PERP_CORE_WORKSPACE_H
#define PERP_CORE_WORKSPACE_H

#include <perp/workspace.h>

/** perp_workspace_alloc of memory that is not zeroed: for arrays that are written whole. */
void *perp_workspace_raw(perp_workspace *ws, size_t count, size_t size);
/** A team of up to `members` threads that lasts as long as the workspace: whoever asks for as
 *  many gets the same. NULL without memory. */
struct thread_team *perp_workspace_team(perp_workspace *ws, size_t members);
/** From here on released memory is kept for later requests. */
void perp_workspace_keep(perp_workspace *ws);
/** A new limit, and the peak begins at what is held. */
void perp_workspace_restart(perp_workspace *ws, size_t limit);

/** Count `bytes` that another library holds for the owner of the workspace (the factors of
 *  SuiteSparse, for example). False, and nothing is counted, when the limit does not allow
 *  them. The caller gives back by perp_workspace_discharge what it has charged. */
bool perp_workspace_charge(perp_workspace *ws, size_t bytes);
void perp_workspace_discharge(perp_workspace *ws, size_t bytes);
/** The current mark of the workspace; perp_workspace_release frees all that was taken since
 *  and forgets a refusal. */
size_t perp_workspace_mark(const perp_workspace *ws);
void perp_workspace_release(perp_workspace *ws, size_t mark);
/** Bytes held now, and the most that were ever held. */
size_t perp_workspace_bytes(const perp_workspace *ws);
size_t perp_workspace_peak(const perp_workspace *ws);

#endif
