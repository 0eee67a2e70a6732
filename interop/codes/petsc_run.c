/* SPDX-License-Identifier: Apache-2.0
 * codes/petsc_run.c: complementarity problems by SNES and TAO of PETSc, with MUMPS where asked.
 *
 * The method ends by the 2-norm of its own residual: of vinewtonrsls that of w in the rows that
 * are not at a bound that holds them; of the others that of the Fischer-Burmeister function.
 * PETSC_OPTIONS in the environment adds options of PETSc: "-ksp_type fgmres -snes_monitor". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <petscksp.h>
#include <petscsnes.h>
#include <petsctao.h>

#include "interop/codes/petsc.h"

#if defined(PETSC_USE_COMPLEX) || !defined(PETSC_USE_REAL_DOUBLE)
#error "PETSc of real numbers in double precision is needed"
#endif

/* Up to this many rows LU costs less than the set-up of a multigrid. */
enum { PETSC_LU_MOST = 20000 };
enum { PETSC_ITERATIONS = 1000, PETSC_MOST = 10000000 };

/* GAMG of PETSc 3.18 cannot be set up again for a matrix of another size, as vinewtonrsls and
 * tao-asils demand; BoomerAMG of hypre can. */
#ifdef PETSC_HAVE_HYPRE
#define PETSC_MULTIGRID PCHYPRE
#else
#define PETSC_MULTIGRID PCGAMG
#endif

typedef struct petsc_state {
    petsc_head *head;
    const petsc_rows *rows;
    Mat A, J; /* J: what the methods of Fischer and Burmeister overwrite */
    Vec b, x, r, lo, hi;
    PetscInt first, end; /* rows of this process */
} petsc_state;

size_t petsc_layout(const petsc_head *head, void *bytes, petsc_rows *rows)
{
    char *at = (char *)bytes + sizeof *head;
    size_t ptr = (head->n + 1) * sizeof *rows->ptr;
    size_t col = (head->nonzeros * sizeof *rows->col + 7) / 8 * 8;
    size_t a = head->nonzeros * sizeof *rows->a;
    size_t vector = head->n * sizeof *rows->b;

    if (bytes) {
        rows->ptr = (size_t *)(void *)at;
        rows->col = (int32_t *)(void *)(at + ptr);
        rows->a = (double *)(void *)(at + ptr + col);
        rows->b = (double *)(void *)(at + ptr + col + a);
        rows->lo = rows->b + head->n;
        rows->hi = rows->lo + head->n;
        rows->z = (double *)(void *)(at + ptr + col + a + 3 * vector);
    }
    return sizeof *head + ptr + col + a + 4 * vector;
}

/* A by the rows of this process; every diagonal entry is stored. */
static PetscErrorCode petsc_matrix(petsc_state *s)
{
    const petsc_rows *rows = s->rows;
    PetscInt count = s->end - s->first;
    PetscInt *inside = NULL, *outside = NULL;

    PetscFunctionBeginUser;
    PetscCall(PetscCalloc2(count, &inside, count, &outside));
    for (PetscInt i = s->first; i < s->end; i++) {
        bool diagonal = false;

        for (size_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
            bool own = rows->col[k] >= s->first && rows->col[k] < s->end;

            *(own ? &inside[i - s->first] : &outside[i - s->first]) += 1;
            diagonal = diagonal || rows->col[k] == i;
        }
        inside[i - s->first] += !diagonal;
    }
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, count, count, (PetscInt)s->head->n,
                           (PetscInt)s->head->n, 0, inside, 0, outside, &s->A));
    for (PetscInt i = s->first; i < s->end; i++) {
        PetscInt length = (PetscInt)(rows->ptr[i + 1] - rows->ptr[i]);

        PetscCall(MatSetValue(s->A, i, i, 0.0, ADD_VALUES));
        PetscCall(MatSetValues(s->A, 1, &i, length, &rows->col[rows->ptr[i]],
                               &rows->a[rows->ptr[i]], ADD_VALUES));
    }
    PetscCall(MatAssemblyBegin(s->A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(s->A, MAT_FINAL_ASSEMBLY));
    PetscCall(PetscFree2(inside, outside));
    PetscFunctionReturn(0);
}

static PetscErrorCode petsc_vector(const petsc_state *s, const double *from, Vec *to)
{
    PetscScalar *part = NULL;

    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(s->A, to, NULL));
    PetscCall(VecGetArray(*to, &part));
    for (PetscInt i = s->first; i < s->end;
         i++) { /* infinite bounds have a number in PETSc */
        part[i - s->first] = fmin(fmax(from[i], PETSC_NINFINITY), PETSC_INFINITY);
    }
    PetscCall(VecRestoreArray(*to, &part));
    PetscFunctionReturn(0);
}

static PetscErrorCode petsc_create(petsc_state *s)
{
    PetscInt count = PETSC_DECIDE, n = (PetscInt)s->head->n;

    PetscFunctionBeginUser;
    PetscCall(PetscSplitOwnership(PETSC_COMM_WORLD, &count, &n));
    PetscCallMPI(MPI_Scan(&count, &s->end, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD));
    s->first = s->end - count;
    PetscCall(petsc_matrix(s));
    PetscCall(MatDuplicate(s->A, MAT_COPY_VALUES, &s->J));
    PetscCall(petsc_vector(s, s->rows->b, &s->b));
    PetscCall(petsc_vector(s, s->rows->lo, &s->lo));
    PetscCall(petsc_vector(s, s->rows->hi, &s->hi));
    PetscCall(petsc_vector(s, s->rows->z, &s->x));
    PetscCall(VecDuplicate(s->b, &s->r));
    PetscFunctionReturn(0);
}

/* w = A z + b */
static PetscErrorCode petsc_function(petsc_state *s, Vec z, Vec w)
{
    PetscFunctionBeginUser;
    PetscCall(MatMult(s->A, z, w));
    PetscCall(VecAXPY(w, 1.0, s->b));
    PetscFunctionReturn(0);
}

static PetscErrorCode petsc_snes_function(SNES snes, Vec z, Vec w, void *context)
{
    (void)snes;
    return petsc_function(context, z, w);
}

static PetscErrorCode petsc_snes_jacobian(SNES snes, Vec z, Mat J, Mat P, void *context)
{
    const petsc_state *s = context;

    (void)snes, (void)z, (void)P;
    return J == s->A ? 0 : MatCopy(s->A, J, SAME_NONZERO_PATTERN);
}

static PetscErrorCode petsc_tao_function(Tao tao, Vec z, Vec w, void *context)
{
    (void)tao;
    return petsc_function(context, z, w);
}

static PetscErrorCode petsc_tao_jacobian(Tao tao, Vec z, Mat J, Mat P, void *context)
{
    const petsc_state *s = context;

    (void)tao, (void)z, (void)P;
    return MatCopy(s->A, J, SAME_NONZERO_PATTERN);
}

/* The matrices of vinewtonrsls are parts of A; those of the others are not symmetric. */
static PetscErrorCode petsc_linear_solver(const petsc_state *s, KSP ksp)
{
    bool symmetric = s->head->symmetric && s->head->method == PETSC_VINEWTONRSLS;
    int linear = s->head->linear;
    PetscMPIInt ranks = 1;
    PC pc = NULL;

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
    if (linear == PETSC_LINEAR_AUTO) {
        linear = ranks == 1 && s->head->n <= PETSC_LU_MOST ? PETSC_LINEAR_LU
                                                           : PETSC_LINEAR_AMG;
    }
    PetscCall(KSPGetPC(ksp, &pc));
    if (linear == PETSC_LINEAR_LU || linear == PETSC_LINEAR_MUMPS) {
        PetscCall(KSPSetType(ksp, KSPPREONLY));
        PetscCall(PCSetType(pc, PCLU));
        if (linear == PETSC_LINEAR_MUMPS) {
            PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
        }
    } else {
        bool amg = linear == PETSC_LINEAR_AMG;

        PetscCall(KSPSetType(ksp, symmetric && amg ? KSPCG : KSPGMRES));
        PetscCall(PCSetType(pc, amg ? PETSC_MULTIGRID : ranks == 1 ? PCILU : PCBJACOBI));
        PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 1000));
    }
    PetscFunctionReturn(0);
}

static void petsc_claim(petsc_head *head, bool solved, bool limit, const char *reason,
                        double norm)
{
    snprintf(head->claim, sizeof head->claim, "%s",
             solved  ? "solved"
             : limit ? "iteration limit"
                     : "failed");
    snprintf(head->message, sizeof head->message, "%s, norm %.2g, asked for %.2g", reason,
             norm, head->tolerance);
}

static PetscErrorCode petsc_snes(petsc_state *s, PetscInt most)
{
    petsc_head *head = s->head;
    bool reduced = head->method == PETSC_VINEWTONRSLS;
    SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
    PetscInt iterations = 0;
    PetscReal norm = 0.0;
    SNES snes = NULL;
    KSP ksp = NULL;

    PetscFunctionBeginUser;
    PetscCall(SNESCreate(PETSC_COMM_WORLD, &snes));
    PetscCall(SNESSetType(snes, reduced ? SNESVINEWTONRSLS : SNESVINEWTONSSLS));
    PetscCall(SNESSetFunction(snes, s->r, petsc_snes_function, s));
    PetscCall(SNESSetJacobian(snes, reduced ? s->A : s->J, reduced ? s->A : s->J,
                              petsc_snes_jacobian, s));
    PetscCall(SNESVISetVariableBounds(snes, s->lo, s->hi));
    PetscCall(SNESSetTolerances(snes, head->tolerance, 0.0, 0.0, most, 100 * most));
    PetscCall(SNESGetKSP(snes, &ksp));
    PetscCall(petsc_linear_solver(s, ksp));
    PetscCall(SNESSetFromOptions(snes));
    PetscCall(SNESSolve(snes, NULL, s->x));
    PetscCall(SNESGetConvergedReason(snes, &reason));
    PetscCall(SNESGetIterationNumber(snes, &iterations));
    PetscCall(SNESGetFunctionNorm(snes, &norm));
    head->iterations = (uint64_t)iterations;
    petsc_claim(head, reason > 0, reason == SNES_DIVERGED_MAX_IT,
                SNESConvergedReasons[reason], norm);
    PetscCall(SNESDestroy(&snes));
    PetscFunctionReturn(0);
}

static PetscErrorCode petsc_tao(petsc_state *s, PetscInt most)
{
    petsc_head *head = s->head;
    TaoConvergedReason reason = TAO_CONTINUE_ITERATING;
    PetscInt iterations = 0;
    PetscReal norm = 0.0;
    Tao tao = NULL;
    KSP ksp = NULL;

    PetscFunctionBeginUser;
    PetscCall(TaoCreate(PETSC_COMM_WORLD, &tao));
    PetscCall(TaoSetType(tao, head->method == PETSC_TAO_SSILS ? TAOSSILS : TAOASILS));
    PetscCall(TaoSetSolution(tao, s->x));
    PetscCall(TaoSetVariableBounds(tao, s->lo, s->hi));
    PetscCall(TaoSetConstraintsRoutine(tao, s->r, petsc_tao_function, s));
    PetscCall(TaoSetJacobianRoutine(tao, s->J, s->J, petsc_tao_jacobian, s));
    /* The function that these methods report is the norm itself. */
    PetscCall(TaoSetFunctionLowerBound(tao, head->tolerance));
    PetscCall(TaoSetTolerances(tao, 0.0, 0.0, 0.0));
    PetscCall(TaoSetMaximumIterations(tao, most));
    PetscCall(TaoSetMaximumFunctionEvaluations(tao, 100 * most));
    PetscCall(TaoGetKSP(tao, &ksp));
    PetscCall(petsc_linear_solver(s, ksp));
    PetscCall(TaoSetFromOptions(tao));
    PetscCall(TaoSolve(tao));
    PetscCall(TaoGetSolutionStatus(tao, &iterations, &norm, NULL, NULL, NULL, &reason));
    head->iterations = (uint64_t)iterations;
    petsc_claim(head, reason > 0, reason == TAO_DIVERGED_MAXITS,
                TaoConvergedReasons[reason], norm);
    PetscCall(TaoDestroy(&tao));
    PetscFunctionReturn(0);
}

static PetscErrorCode petsc_destroy(petsc_state *s)
{
    PetscFunctionBeginUser;
    PetscCall(MatDestroy(&s->A));
    PetscCall(MatDestroy(&s->J));
    for (Vec *const *v = (Vec *const[]){&s->b, &s->x, &s->r, &s->lo, &s->hi, NULL}; *v;
         v++) {
        PetscCall(VecDestroy(*v));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode petsc_solve(petsc_state *s)
{
    petsc_head *head = s->head;
    PetscInt most = !head->max_iterations               ? PETSC_ITERATIONS
                    : head->max_iterations > PETSC_MOST ? PETSC_MOST
                                                        : (PetscInt)head->max_iterations;
    const PetscScalar *part = NULL;
    PetscLogDouble start = 0.0, end = 0.0;

    PetscFunctionBeginUser;
    PetscCall(petsc_create(s));
    PetscCall(PetscBarrier((PetscObject)s->A));
    PetscCall(PetscTime(&start));
    if (head->method == PETSC_VINEWTONRSLS || head->method == PETSC_VINEWTONSSLS) {
        PetscCall(petsc_snes(s, most));
    } else {
        PetscCall(petsc_tao(s, most));
    }
    PetscCall(PetscBarrier((PetscObject)s->A));
    PetscCall(PetscTime(&end));
    head->seconds = end - start;
    PetscCall(VecGetArrayRead(s->x, &part));
    if (s->end > s->first) { /* a process may have no rows */
        memcpy(&s->rows->z[s->first], part,
               (size_t)(s->end - s->first) * sizeof *s->rows->z);
    }
    PetscCall(VecRestoreArrayRead(s->x, &part));
    PetscCall(petsc_destroy(s));
    PetscFunctionReturn(0);
}

bool petsc_start(void)
{
    char name[] = "perp-petsc", no_file[] = "-skip_petscrc",
         no_signal[] = "-no_signal_handler";
    char *arguments[] = {name, no_file, no_signal, NULL};
    char **argv = arguments;
    int argc = 3;

    return PetscInitialize(&argc, &argv, NULL, NULL) == 0;
}

void petsc_run(petsc_head *head, const petsc_rows *rows)
{
    petsc_state s = {.head = head, .rows = rows};
    PetscErrorCode error = petsc_solve(&s);

    head->answered = error == 0;
    if (error) {
        snprintf(head->claim, sizeof head->claim, "failed");
        snprintf(head->message, sizeof head->message, "PETSc error %d", (int)error);
    }
}
