/* SPDX-License-Identifier: Apache-2.0
 * runner/ranks.h: a campaign on the processes that mpiexec has started, on one machine or many.
 *
 *     mpiexec -n N perp compare SUITE -o DIR
 *
 * MPI is used once, at the start, by a program of its own (codes/ranks.c): rank 0 broadcasts where
 * it listens, and the ranks of a machine agree on their processors. After that each rank is
 * a worker (runner/worker.h) that rank 0 reaches over TCP. mpiexec ends all ranks when one dies;
 * the workers of ranks 1 to N-1 are therefore children that their rank leaves behind
 * when it ends, and mpiexec waits for their output to close. */
#ifndef PERP_RUNNER_RANKS_H
#define PERP_RUNNER_RANKS_H

#include "command/campaign/suite.h"
#include "command/cores/cores.h"

enum { RANKS_TOKEN = 33 };

typedef struct ranks {
    int rank, count;         /* count 1: not started by mpiexec, or alone */
    char token[RANKS_TOKEN]; /* what workers must know to be admitted */
    int listener;            /* of rank 0, or -1 */
    perp_cores cores;        /* chosen for the worker of this rank; count 0: none */
} ranks;

/** Read the environment; starts nothing. */
void ranks_find(ranks *r);
/** Rank 0: listen, and invite the others; `each`: processors per worker, 0: not pinned.
 *  No-op with one rank. */
perp_status ranks_invite(ranks *r, size_t each, perp_error *err);
/** Another rank: be a worker for this suite, or report `failure` to rank 0 when it could not be
 *  read (s is NULL). Returns on failure only; else the process ends here. */
perp_status ranks_serve(ranks *r, const suite *s, const char *executable,
                        const perp_error *failure, perp_error *err);
/** Notice within a minute that the machine at the other end is gone. */
void ranks_keep_alive(int file);
void ranks_close(ranks *r);

#endif
