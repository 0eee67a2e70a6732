/* SPDX-License-Identifier: Apache-2.0
 * codes/petsc_ranks.c: one of several processes that solve the problem of a shared file.
 *
 *     mpiexec -n N perp-petsc-ranks FILE
 *
 * Each process maps the file and touches the pages of its own rows only. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <petscsys.h>

#include "interop/codes/petsc.h"

/* The file in memory, or NULL. */
static void *ranks_map(const char *path)
{
    struct stat info = {0};
    void *bytes = MAP_FAILED;
    int file = open(path, O_RDWR);

    if (file >= 0 && fstat(file, &info) == 0 &&
        (size_t)info.st_size >= sizeof(petsc_head)) {
        bytes =
            mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (file >= 0) {
        close(file);
    }
    if (bytes != MAP_FAILED && petsc_layout(bytes, NULL, NULL) != (size_t)info.st_size) {
        bytes = MAP_FAILED;
    }
    return bytes == MAP_FAILED ? NULL : bytes;
}

/* Asked by AddressSanitizer: modules of Open MPI leak and are unloaded, so that it cannot name them. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}

int main(int argc, char **argv)
{
    int rank = 0;
    void *bytes = argc == 2 ? ranks_map(argv[1]) : NULL;
    petsc_head head;
    petsc_rows rows;

    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing runs on when mpiexec is killed */
    if (!bytes) {
        fprintf(stderr, "perp-petsc-ranks: expected a file written by perp-petsc\n");
        return 2;
    }
    if (!petsc_start()) {
        return 1;
    }
    memcpy(&head, bytes, sizeof head);
    petsc_layout(&head, bytes, &rows);
    petsc_run(&head, &rows);
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Barrier(PETSC_COMM_WORLD);
    if (rank == 0) {
        memcpy(bytes, &head, sizeof head);
    }
    munmap(bytes, petsc_layout(&head, NULL, NULL));
    PetscFinalize();
    return 0;
}
