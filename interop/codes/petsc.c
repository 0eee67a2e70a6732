/* SPDX-License-Identifier: Apache-2.0
 * codes/petsc.c: PETSc's and TAO's solvers of complementarity problems, in this process or, with
 * the option "ranks", in several that mpiexec starts. CODE_MUMPS: linear systems by MUMPS.
 *
 * tolerance: with the scales s and beta of perp's residual (perp/residual.h), vinewtonrsls ends
 * where |w|_2 of the rows that no bound holds is at most tolerance beta min s. The others end
 * where the norm of the Fischer-Burmeister function is at most (2 - sqrt 2)^2 tolerance beta
 * min(s, 1/s), since of boxes this function is at least (2 - sqrt 2)^2 times the natural map.
 * Then the residual of perp is at most `tolerance`. perp scales the rows by powers of two, so
 * that s hardly varies. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <petscsys.h>

#include "base/file.h"
#include "interop/codes/code.h"
#include "interop/codes/petsc.h"

#ifdef CODE_MUMPS
#include <dmumps_c.h>
#endif

extern char **environ;

static code_end petsc_fail(code_answer *answer, code_end end, const char *text)
{
    snprintf(answer->message, sizeof answer->message, "%s", text);
    return end;
}

static int petsc_linear_of(const code_task *task)
{
#ifdef CODE_MUMPS
    (void)task;
    return PETSC_LINEAR_MUMPS;
#else
    static const char *const names[] = {"auto", "lu", "amg", "ilu"};
    char value[16] = "";

    code_option(task, "linear", value, sizeof value);
    for (int k = 0; k < 4; k++) {
        if (strcmp(value, names[k]) == 0) {
            return k;
        }
    }
    return PETSC_LINEAR_AUTO;
#endif
}

static long petsc_ranks_of(const code_task *task)
{
    char value[16] = "";

    return code_option(task, "ranks", value, sizeof value) ? strtol(value, NULL, 10) : 1;
}

static int petsc_method_of(const char *method)
{
    static const char *const names[] = {"vinewtonrsls", "vinewtonssls", "tao-ssils",
                                        "tao-asils"};

    for (int k = 0; k < 4; k++) {
        if (strcmp(method, names[k]) == 0) {
            return k;
        }
    }
    return -1;
}

/* The tolerance of the 2-norm; negative without memory. */
static double petsc_tolerance(const code_task *task, int method)
{
    const perp_problem *p = task->p;
    bool reduced = method == PETSC_VINEWTONRSLS;
    double *s = perp_reals_new(p->n);
    perp_judge *judge = NULL;
    double beta = -1.0, least = INFINITY;

    if (s && perp_row_scales(p, s, NULL) == PERP_OK &&
        perp_judge_new(&judge, p, NULL) == PERP_OK) {
        beta = perp_judge_beta(judge);
        for (size_t i = 0; i < p->n; i++) {
            least = fmin(least, reduced ? s[i] : fmin(s[i], 1.0 / s[i]));
        }
    }
    perp_judge_free(judge);
    free(s);
    return task->tolerance * beta * least * (reduced ? 1.0 : pow(2.0 - sqrt(2.0), 2.0));
}

/* b, bounds and start of the task. */
static void petsc_fill(const code_task *task, const petsc_rows *rows)
{
    for (size_t i = 0; i < task->p->n; i++) {
        rows->b[i] = task->p->b[i];
        perp_block_bounds(&task->p->set->blocks[i], NULL, &rows->lo[i], &rows->hi[i]);
        rows->z[i] = task->start[i];
    }
}

/* The problem in an array as long as the shared file, NULL on failure. Its pages are those of
 * the file `file`, or of this process alone where `file` is negative. */
static void *petsc_bytes(const code_task *task, const petsc_head *head, int file,
                         petsc_rows *rows)
{
    const perp_arrays A = perp_operator_arrays(task->p->A);
    size_t size = petsc_layout(head, NULL, NULL);
    void *bytes = NULL;

    if (file >= 0 && ftruncate(file, (off_t)size) != 0) {
        return NULL;
    }
    bytes = mmap(NULL, size, PROT_READ | PROT_WRITE,
                 file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, 0);
    if (bytes == MAP_FAILED) {
        return NULL;
    }
    memcpy(bytes, head, sizeof *head);
    petsc_layout(head, bytes, rows);
    memcpy(rows->ptr, A.ptr, (head->n + 1) * sizeof *rows->ptr);
    memcpy(rows->col, A.col, head->nonzeros * sizeof *rows->col);
    memcpy(rows->a, A.x, head->nonzeros * sizeof *rows->a);
    petsc_fill(task, rows);
    return bytes;
}

/* The program of the ranks: beside this one, or one folder up where libtool has put this one
 * into .libs. */
static bool petsc_ranks_program(char *path, size_t length)
{
    ssize_t count = readlink("/proc/self/exe", path, length - 32);
    bool found = false;

    for (int up = 0; count > 0 && up < 2 && !found; up++) {
        char *slash = NULL;

        path[count] = '\0';
        for (int k = 0; k <= up && (slash = strrchr(path, '/')); k++) {
            *slash = '\0';
        }
        strcat(path, "/perp-petsc-ranks");
        found = access(path, X_OK) == 0;
        count = found ? count : readlink("/proc/self/exe", path, length - 32);
    }
    return found;
}

/* Run mpiexec; 0 when it and all ranks ended well. More ranks than cores are allowed, where one
 * that waits gives way. So is root, which Open MPI refuses otherwise: the program that runs is
 * that of perp. */
static int petsc_mpiexec(long ranks, char *file, char *program)
{
    char mpiexec[] = "mpiexec", option[] = "-n", count[24];
    char *arguments[] = {mpiexec, option, count, program, file, NULL};
    pid_t child = 0;
    int status = 0;

    snprintf(count, sizeof count, "%ld", ranks);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0); /* before version 5 */
    setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 0);
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    if (posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ) != 0) {
        return -1;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return status;
}

/* Several processes. The file lies beside the solution, in the folder of the run, or else among the
 * temporary files; all processes must reach it. */
static code_end petsc_solve_ranks(const code_task *task, petsc_head *head, long ranks,
                                  code_answer *answer)
{
    const char *solution = getenv("PERP_SOLUTION");
    char path[PATH_MAX], program[PATH_MAX];
    petsc_rows rows;
    void *bytes = NULL;
    size_t size = petsc_layout(head, NULL, NULL);
    int file = -1;
    int status = 0;

    if (!petsc_ranks_program(program, sizeof program)) {
        return petsc_fail(answer, CODE_FAILED,
                          "perp-petsc-ranks is not beside perp-petsc");
    }
    snprintf(path, sizeof path, "%s%s-rows-XXXXXX",
             solution ? solution : perp_folder_temporary_parent(),
             solution ? "" : "/perp");
    file = mkstemp(path);
    bytes = file >= 0 ? petsc_bytes(task, head, file, &rows) : NULL;
    if (bytes) {
        status = petsc_mpiexec(ranks, path, program);
        memcpy(head, bytes, sizeof *head);
        memcpy(answer->z, rows.z, task->p->n * sizeof *answer->z);
        munmap(bytes, size);
    }
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    if (!bytes) {
        return petsc_fail(answer, CODE_FAILED,
                          "cannot write the rows beside the solution");
    }
    if (status != 0) {
        return petsc_fail(answer, CODE_FAILED,
                          status == -1 ? "mpiexec cannot be started" : "mpiexec failed");
    }
    return CODE_ANSWERED;
}

static code_end petsc_solve_here(const code_task *task, petsc_head *head,
                                 code_answer *answer)
{
    petsc_rows rows;
    void *bytes = petsc_bytes(task, head, -1, &rows);

    if (!bytes) {
        return code_no_memory(answer, task->p->n);
    }
    if (!petsc_start()) {
        return petsc_fail(answer, CODE_FAILED, "PETSc cannot be initialised");
    }
    petsc_run(head, &rows);
    PetscFinalize();
    memcpy(answer->z, rows.z, task->p->n * sizeof *answer->z);
    munmap(bytes, petsc_layout(head, NULL, NULL));
    return CODE_ANSWERED;
}

void code_version(char *text, size_t length)
{
#ifdef CODE_MUMPS
    snprintf(text, length, "MUMPS %s, PETSc %d.%d.%d", MUMPS_VERSION, PETSC_VERSION_MAJOR,
             PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR);
#else
    snprintf(text, length, "PETSc %d.%d.%d", PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR,
             PETSC_VERSION_SUBMINOR);
#endif
}

code_end code_solve(const code_task *task, code_answer *answer)
{
    const perp_problem *p = task->p;
    int method = petsc_method_of(task->method);
    long ranks = petsc_ranks_of(task);
    petsc_head head = {.n = p->n,
                       .method = method,
                       .linear = petsc_linear_of(task),
                       .max_iterations = task->max_iterations};
    code_end end = CODE_ANSWERED;

    if (method < 0) {
        return petsc_fail(answer, CODE_UNSUITABLE, "unknown method");
    }
    if (!p->A || perp_operator_storage(p->A) != PERP_STORAGE_CSR ||
        p->set->count != p->n) {
        return petsc_fail(answer, CODE_UNSUITABLE,
                          "takes a sparse A with free, nonneg and box rows");
    }
    head.nonzeros = perp_operator_nonzeros(p->A);
    if (p->n >= INT_MAX || head.nonzeros >= INT_MAX) {
        return petsc_fail(answer, CODE_UNSUITABLE, "takes less than 2^31 entries");
    }
    head.symmetric = perp_operator_is_symmetric(p->A);
    head.tolerance = petsc_tolerance(task, method);
    if (head.tolerance < 0.0) {
        return code_no_memory(answer, p->n);
    }
    end = ranks > 1 ? petsc_solve_ranks(task, &head, ranks, answer)
                    : petsc_solve_here(task, &head, answer);
    if (end == CODE_ANSWERED) {
        answer->claim = strcmp(head.claim, "solved") == 0            ? "solved"
                        : strcmp(head.claim, "iteration limit") == 0 ? "iteration limit"
                                                                     : "failed";
        answer->seconds = head.seconds;
        answer->iterations = head.iterations;
        snprintf(answer->message, sizeof answer->message, "%s", head.message);
        end = head.answered ? CODE_ANSWERED : CODE_FAILED;
    }
    return end;
}
