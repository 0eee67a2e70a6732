/* SPDX-License-Identifier: Apache-2.0
 * codes/ranks.c: what the ranks of `mpiexec -n N perp compare` tell each other at the start.
 *
 * Each rank runs this program once (runner/ranks.c). PERP_RANKS of rank 0 is broadcast: "TOKEN EACH
 * …". The ranks of a machine choose EACH processors for each of them. Printed by every rank: the
 * text, then "COUNT PHYSICAL CPU CPU …", COUNT 0 when a machine has too few. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "command/cores/cores.h"

enum { RANKS_TEXT = 1024 };

/* The processors of this rank, agreed with those of the same machine. */
static void ranks_share(perp_cores *mine, const cpu_set_t *allowed, size_t each)
{
    MPI_Comm machine;
    int rank = 0, count = 1;
    cpu_set_t *all = NULL;
    perp_cores *chosen = NULL;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &rank);
    MPI_Comm_size(machine, &count);
    all = calloc((size_t)count, sizeof *all);
    chosen = calloc((size_t)count, sizeof *chosen);
    if (!all || !chosen) {
        fprintf(stderr, "perp-ranks: no memory for %d ranks\n", count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Allgather(allowed, (int)sizeof *allowed, MPI_BYTE, all, (int)sizeof *all,
                  MPI_BYTE, machine);
    if (each > 0 && perp_cores_share(chosen, all, (size_t)count, each, NULL)) {
        *mine = chosen[rank];
    }
    free(all);
    free(chosen);
    MPI_Comm_free(&machine);
}

int main(int argc, char **argv)
{
    const char *given = getenv("PERP_RANKS");
    char text[RANKS_TEXT] = "";
    perp_cores mine = {.count = 0};
    cpu_set_t allowed;
    size_t each = 0;

    perp_cores_allowed(&allowed); /* as mpiexec has bound this rank */
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) {
        fprintf(stderr, "perp-ranks: MPI_Init fails\n");
        return 1;
    }
    snprintf(text, sizeof text, "%s", given ? given : "");
    MPI_Bcast(text, (int)sizeof text, MPI_CHAR, 0, MPI_COMM_WORLD);
    text[sizeof text - 1] = '\0';
    each = (size_t)strtoul(text + strcspn(text, " "), NULL, 10);
    ranks_share(&mine, &allowed, each);
    printf("%s\n%zu %zu", text, mine.count, mine.physical);
    for (size_t k = 0; k < mine.count; k++) {
        printf(" %d", mine.cpu[k]);
    }
    printf("\n");
    MPI_Finalize();
    return fflush(stdout) == 0 ? 0 : 1;
}
