/* SPDX-License-Identifier: Apache-2.0
 * linear/block_dissect.c: nested dissection of the graph of blocks by METIS
 * [karypis-kumar-1998], where perp was built with it.
 *
 * METIS draws its cuts from rand(), which it seeds. One call at a time holds a lock, so that the
 * order depends on the graph alone, and glibc's state of rand() is put back behind it; a thread
 * that calls rand() in the meantime draws other numbers and changes the order. METIS catches
 * SIGABRT and SIGTERM while it runs. */
#include <config.h>

#include "base/system.h"
#include "block_order.h"

#ifdef HAVE_METIS
#include <metis.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t dissect_lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct dissect_graph {
    idx_t *ptr;  /* blocks + 1 */
    idx_t *next; /* both triangles without the diagonal */
    idx_t *order, *step;
} dissect_graph;

static perp_status dissect_alloc(dissect_graph *g, const perp_block_matrix *S,
                                 perp_workspace *ws, perp_error *err)
{
    size_t n = S->blocks;

    g->ptr = perp_workspace_alloc(ws, n + 1, sizeof *g->ptr);
    g->next = perp_workspace_alloc(ws, 2 * (S->ptr[n] - n), sizeof *g->next);
    g->order = perp_workspace_alloc(ws, n, sizeof *g->order);
    g->step = perp_workspace_alloc(ws, n, sizeof *g->step);
    return perp_workspace_status(ws, err);
}

static void dissect_fill(dissect_graph *g, const perp_block_matrix *S)
{
    idx_t *at = g->step; /* not in use yet */

    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < S->blocks; i++) {
            for (size_t e = S->ptr[i]; e + 1 < S->ptr[i + 1]; e++) {
                int32_t j = S->col[e];

                if (pass == 0) {
                    g->ptr[i + 1]++;
                    g->ptr[j + 1]++;
                } else {
                    g->next[at[i]++] = j;
                    g->next[at[j]++] = (idx_t)i;
                }
            }
        }
        for (size_t i = 0; pass == 0 && i < S->blocks; i++) {
            at[i] = g->ptr[i];
            g->ptr[i + 1] += g->ptr[i];
        }
    }
}

static int dissect_run(dissect_graph *g, size_t blocks)
{
    idx_t n = (idx_t)blocks;
    char state[128]; /* as long as that of a program that never asked */
    char *before = NULL;
    int status = METIS_OK;

    pthread_mutex_lock(&dissect_lock);
    before = perp_random_replace(state, sizeof state);
    status = METIS_NodeND(&n, g->ptr, g->next, NULL, NULL, g->order, g->step);
    perp_random_restore(before);
    pthread_mutex_unlock(&dissect_lock);
    return status;
}

perp_status perp_block_dissect(const perp_block_matrix *S, int32_t *order,
                               perp_workspace *ws, bool *done, perp_error *err)
{
    dissect_graph g = {0};
    perp_status status = dissect_alloc(&g, S, ws, err);
    int result = METIS_OK;

    *done = false;
    if (status != PERP_OK) {
        return status;
    }
    dissect_fill(&g, S);
    result = dissect_run(&g, S->blocks);
    if (result != METIS_OK) {
        return result == METIS_ERROR_MEMORY
                   ? perp_fail(err, PERP_ERR_MEMORY, "no memory to dissect %zu blocks",
                               S->blocks)
                   : perp_fail(err, PERP_ERR_LIBRARY, "METIS failed with status %d",
                               result);
    }
    for (size_t k = 0; k < S->blocks; k++) {
        order[k] = (int32_t)g.order[k];
    }
    *done = true;
    return PERP_OK;
}
#else
perp_status perp_block_dissect(const perp_block_matrix *S, int32_t *order,
                               perp_workspace *ws, bool *done, perp_error *err)
{
    (void)S;
    (void)order;
    (void)ws;
    (void)err;
    *done = false;
    return PERP_OK;
}
#endif
