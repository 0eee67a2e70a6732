/* SPDX-License-Identifier: Apache-2.0
 * codes/petsc.h: a mixed complementarity problem whose rows are spread over MPI processes.
 *
 *     lo <= z <= hi,  w = A z + b:  w >= 0 at lo, w <= 0 at hi, w = 0 between
 *
 * One process solves it in place. Several are started by mpiexec; they share one file with the
 * problem, of which each reads its rows, and to which each writes its part of z. */
#ifndef PERP_CODES_PETSC_H
#define PERP_CODES_PETSC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How the linear systems are solved. */
typedef enum petsc_linear {
    PETSC_LINEAR_AUTO,  /**< LU by one process up to 20000 rows, else AMG */
    PETSC_LINEAR_LU,    /**< PETSc's own LU, one process */
    PETSC_LINEAR_AMG,   /**< algebraic multigrid with CG or GMRES */
    PETSC_LINEAR_ILU,   /**< GMRES with ILU(0) of the block of each process */
    PETSC_LINEAR_MUMPS, /**< LU by MUMPS, distributed */
} petsc_linear;

typedef enum petsc_method {
    PETSC_VINEWTONRSLS, /**< active set, reduced space */
    PETSC_VINEWTONSSLS, /**< semismooth Newton, Fischer-Burmeister */
    PETSC_TAO_SSILS,    /**< the same of TAO, infeasible line search */
    PETSC_TAO_ASILS,    /**< active set on Fischer-Burmeister, infeasible line search */
} petsc_method;

/** What to do, at the beginning of the shared file. */
typedef struct petsc_head {
    uint64_t n, nonzeros;
    uint64_t max_iterations; /**< 0: 1000 */
    double tolerance;        /**< of the 2-norm of the residual of the method */
    int32_t method, linear;
    int32_t symmetric; /**< A is symmetric */
    /* What came of it. */
    int32_t answered;
    uint64_t iterations;
    double seconds;
    char claim[24], message[160];
} petsc_head;

/** The problem. Arrays of all rows; a process reads those of its rows alone. */
typedef struct petsc_rows {
    size_t *ptr;  /**< n + 1, CSR */
    int32_t *col; /**< nonzeros, ascending in a row */
    double *a;    /**< nonzeros */
    double *b, *lo, *hi;
    double *z; /**< n: the start, then the answer */
} petsc_rows;

/** The size of the shared file, and the arrays in it; `bytes` NULL: the size alone. */
size_t petsc_layout(const petsc_head *head, void *bytes, petsc_rows *rows);
/** Initialise PETSc: options are those of PETSC_OPTIONS alone, and signals end the process. False
 *  when that failed. */
bool petsc_start(void);
/** Solve with all processes of MPI; PETSc is initialised. Fills what came of it in `head`, on
 *  each process, and z of the own rows. */
void petsc_run(petsc_head *head, const petsc_rows *rows);

#endif
