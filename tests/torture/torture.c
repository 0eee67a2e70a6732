/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/torture.c: every solver on thousands of small hard problems.
 *
 *     torture COUNT [SEED [SOLVER]...]     without arguments: a test of 300, speaks TAP
 *
 * Each run happens in a worker process, so that a signal is counted and not the end. Wrong is
 * a run that ends as «solved» with a residual above the tolerance, judged here by formulas
 * written down anew; with a number that is not finite; with an «infeasible» whose certificate
 * fails or whose problem has a solution built in; with another «no» whose evidence fails; by a
 * signal, or not within a minute. Exit status 1 if there was one. */
#include <config.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "draw.h"

enum {
    WORKERS = 2,
    SOLVERS_MOST = 64,
    PATIENCE = 60,
    OUTCOMES = 16,
    LINES_MOST = 40,
    TEST_COUNT = 300
};

static const double tolerance = 1e-8;

/* What a worker has done, shared with its parent. */
typedef struct progress {
    size_t instance, solver; /* at work */
    bool done;
    size_t runs, wrong, unsuitable;
    size_t outcomes[SOLVERS_MOST][OUTCOMES];
    size_t wrongs[SOLVERS_MOST];
} progress;

typedef struct torture {
    size_t count;
    uint64_t seed;
    const char *names[SOLVERS_MOST];
    size_t solvers;
} torture;

/* |x - P(x)| of a cone with K's projection as textbooks write it. */
static void project(const perp_block *k, const long double *z, long double *x)
{
    long double t = 0.0L;
    long double mu = k->mu;

    if (k->kind == PERP_SET_DISK) {
        t = hypotl(x[0], x[1]);
        for (unsigned i = 0; t > k->radius && i < 2; i++) {
            x[i] *= k->radius / t;
        }
        return;
    }
    if (k->kind == PERP_SET_CONE) {
        t = k->dim == 3 ? hypotl(x[1], x[2]) : fabsl(x[1]);
        if (x[0] >= 0.0L && t <= mu * x[0]) {
            return;
        }
        if (mu * t <= -x[0]) {
            memset(x, 0, k->dim * sizeof *x);
            return;
        }
        x[0] = (x[0] + mu * t) / (1.0L + mu * mu);
        for (unsigned i = 1; i < k->dim; i++) {
            x[i] *= mu * x[0] / t;
        }
        return;
    }
    {
        long double lo = k->kind == PERP_SET_NONNEG     ? 0.0L
                         : k->kind == PERP_SET_BOX      ? (long double)k->lo
                         : k->kind == PERP_SET_FRICTION ? -mu * fmaxl(z[k->normal], 0.0L)
                                                        : -INFINITY;
        long double hi = k->kind == PERP_SET_BOX        ? (long double)k->hi
                         : k->kind == PERP_SET_FRICTION ? mu * fmaxl(z[k->normal], 0.0L)
                                                        : INFINITY;

        x[0] = fmaxl(lo, fminl(x[0], hi));
    }
}

/* d of a block: the diagonal, or its mean over a contact, or the largest entry of the row. */
static long double block_scale(const perp_problem *p, const perp_block *k)
{
    long double d = 0.0L;

    for (unsigned i = 0; i < k->dim; i++) {
        d += perp_operator_entry(p->A, k->first + i, k->first + i);
    }
    d /= k->dim;
    if (k->dim == 1) {
        long double most = perp_operator_row_max(p->A, k->first);

        d = d > 1e-14L * most ? d : most;
    }
    return d > 0.0L ? d : 1.0L;
}

/* RES by its definition; rolling cones are left to the library (a negative number). Its w is
 * exact, the judge's is not: what rounding of w in double explains is added to *rounding. */
static long double residual(const perp_problem *p, const double *point,
                            long double *rounding)
{
    long double z[64], w[64], size[64];
    long double e = 0.0L;
    long double beta_b = 0.0L;
    long double beta_z = 0.0L;

    if (p->n > 64 || (perp_set_kinds(p->set) & PERP_SET_ROLLING)) {
        return -1.0L;
    }
    for (size_t i = 0; i < p->n; i++) {
        z[i] = point[i];
    }
    for (size_t i = 0; i < p->n; i++) {
        w[i] = p->b[i];
        size[i] = fabsl(w[i]);
        for (size_t j = 0; j < p->n; j++) {
            w[i] += perp_operator_entry(p->A, i, j) * z[j];
            size[i] += fabsl(perp_operator_entry(p->A, i, j) * z[j]);
        }
    }
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        size_t f = block->first;
        long double d = block_scale(p, block);
        long double s = sqrtl(d);
        long double x[5], norm = 0.0L, norm_b = 0.0L, norm_z = 0.0L;
        long double shift = 0.0L;

        for (unsigned i = 1; block->kind == PERP_SET_CONE && i < block->dim; i++) {
            shift = hypotl(shift, w[f + i]);
        }
        shift *= p->law == PERP_LAW_COULOMB ? block->mu : 0.0L;
        for (unsigned i = 0; i < block->dim; i++) {
            x[i] = z[f + i] - (w[f + i] + (i == 0 ? shift : 0.0L)) / d;
        }
        project(block, z, x);
        for (unsigned i = 0; i < block->dim; i++) {
            norm = hypotl(norm, z[f + i] - x[i]);
            norm_b = hypotl(norm_b, p->b[f + i]);
            norm_z = hypotl(norm_z, z[f + i]);
            *rounding =
                fmaxl(*rounding, 16.0L * 0x1p-52L * size[f + i] * (1.0L + block->mu) / s);
        }
        e = fmaxl(e, s * norm);
        beta_b = fmaxl(beta_b, norm_b / s);
        beta_z = fmaxl(beta_z, s * norm_z);
    }
    beta_b = beta_b > 0.0L ? beta_b : 1.0L;
    beta_z = fmaxl(beta_z, beta_b);
    *rounding /= beta_b;
    return fmaxl(0.0L, e - fminl(10.0L * 0x1p-52L * beta_z, 1e-3L * beta_b)) / beta_b;
}

static bool is_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

/* What is wrong with an answer, or NULL. */
static const char *fault(const perp_problem *p, const perp_result *r, const char *name,
                         const perp_options *opt, bool solvable)
{
    perp_problem *seen = NULL;
    bool holds = true;
    long double rounding = 0.0L;

    if (!is_finite(r->z, p->n) || !is_finite(r->w, p->n)) {
        return "not finite";
    }
    if (r->outcome == PERP_SOLVED &&
        residual(p, r->z, &rounding) > tolerance + rounding) {
        return "solved above the tolerance";
    }
    if (r->outcome == PERP_RUNNING || !r->reason[0]) {
        return "no outcome or no reason";
    }
    if (r->outcome == PERP_INFEASIBLE &&
        (r->certificate.kind != PERP_CERTIFICATE_INFEASIBLE ||
         !perp_certificate_infeasible(p, r->certificate.y))) {
        return "infeasible without a certificate";
    }
    if (r->outcome == PERP_INFEASIBLE && solvable) {
        return "infeasible, and yet a solution is known";
    }
    if (r->certificate.kind != PERP_CERTIFICATE_NONE &&
        r->certificate.kind != PERP_CERTIFICATE_INFEASIBLE) {
        const perp_solver_type *type = NULL;
        perp_options of;

        holds = perp_solver_parse(r->certificate_solver, &type, &of, NULL) == PERP_OK &&
                perp_solver_view(type, p, strcmp(r->certificate_solver, name) ? &of : opt,
                                 &seen, NULL) == PERP_OK &&
                perp_certificate_check(&r->certificate, seen, NULL, 0);
        perp_problem_free(seen);
    }
    return holds ? NULL : "its evidence fails";
}

static void count_wrong(const torture *t, progress *at, const char *text,
                        const char *what)
{
    at->wrong++;
    if (at->wrongs[at->solver]++ < LINES_MOST) {
        printf("# %s on %zu (%s): %s\n", t->names[at->solver], at->instance, what, text);
        fflush(stdout);
    }
}

static void run_one(const torture *t, progress *at, const perp_problem *p,
                    const char *what, bool solvable)
{
    const char *name = t->names[at->solver];
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_error err = {0};
    perp_status status = perp_solver_parse(name, &type, &opt, &err);

    if (status == PERP_OK) {
        perp_options_set(&opt, "max-iterations", "3000", NULL);
        perp_options_set(&opt, "time-limit", "0.2", NULL);
        perp_options_set(&opt, "history", "off", NULL);
        status = perp_result_new(&r, p->n, &err);
    }
    if (status == PERP_OK) {
        status = perp_solve(type, p, &opt, r, &err);
    }
    at->runs++;
    if (status == PERP_ERR_UNSUITABLE) {
        at->unsuitable++;
    } else if (status != PERP_OK) {
        count_wrong(t, at, err.text, what);
    } else {
        const char *text = fault(p, r, name, &opt, solvable);

        at->outcomes[at->solver][r->outcome]++;
        if (text) {
            count_wrong(t, at, text, what);
        }
    }
    perp_result_free(r);
}

/* From where it stands to the end of its share; resumes after the run that killed it. */
static void work(const torture *t, progress *at)
{
    for (; at->instance < t->count; at->instance += WORKERS) {
        char what[128];
        bool solvable = false;
        perp_problem *p = torture_draw(t->seed, at->instance, what, &solvable);

        for (; p && at->solver < t->solvers; at->solver++) {
            alarm(PATIENCE);
            run_one(t, at, p, what, solvable);
        }
        at->solver = 0;
        perp_problem_free(p);
    }
    at->done = true;
}

static void watch(const torture *t, progress *at)
{
    while (!at->done) {
        int status = 0;
        pid_t child = fork();

        if (child == 0) {
            work(t, at);
            fflush(stdout);
            _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) < 0) {
            at->wrong++;
            return;
        }
        if (!at->done) {
            char text[64];

            snprintf(text, sizeof text, "signal %d", WTERMSIG(status));
            count_wrong(t, at, text, "a crash, or no end");
            at->runs++;
            at->solver++;
        }
    }
}

static void table(const torture *t, const progress *at)
{
    static const perp_outcome shown[] = {
        PERP_SOLVED,    PERP_INFEASIBLE,      PERP_RAY,
        PERP_UNBOUNDED, PERP_CYCLE,           PERP_SINGULAR_BLOCK,
        PERP_STALLED,   PERP_ITERATION_LIMIT, PERP_TIME_LIMIT};

    printf("%-22s", "solver");
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        printf(" %15s", perp_outcome_text(shown[k]));
    }
    printf(" %6s\n", "wrong");
    for (size_t s = 0; s < t->solvers; s++) {
        size_t wrong = 0;

        printf("%-22s", t->names[s]);
        for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
            size_t sum = 0;

            for (int w = 0; w < WORKERS; w++) {
                sum += at[w].outcomes[s][shown[k]];
            }
            printf(" %15zu", sum);
        }
        for (int w = 0; w < WORKERS; w++) {
            wrong += at[w].wrongs[s];
        }
        printf(" %6zu\n", wrong);
    }
}

static void choose_solvers(torture *t, int argc, char **argv)
{
    static const char *const wrapped[] = {"prox:bpp",    "prox:dantzig", "ds:spg",
                                          "ds:admm",     "tresca:mpgp",  "prox:pgs",
                                          "ds:ipm-socp", "ds:apgd"};
    size_t count = 0;
    const perp_solver_type *const *all = perp_solvers(&count);

    for (int k = 3; k < argc && t->solvers < SOLVERS_MOST; k++) {
        t->names[t->solvers++] = argv[k];
    }
    for (size_t k = 0; argc <= 3 && k < count && t->solvers < SOLVERS_MOST; k++) {
        t->names[t->solvers++] = all[k]->name;
    }
    for (size_t k = 0; argc <= 3 && k < sizeof wrapped / sizeof *wrapped; k++) {
        const perp_solver_type *type = NULL;
        perp_options opt;

        if (t->solvers < SOLVERS_MOST &&
            perp_solver_parse(wrapped[k], &type, &opt, NULL) == PERP_OK) {
            t->names[t->solvers++] = wrapped[k];
        }
    }
}

int main(int argc, char **argv)
{
    torture t = {.count = argc > 1 ? strtoul(argv[1], NULL, 10) : TEST_COUNT,
                 .seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1};
    progress *at = mmap(NULL, WORKERS * sizeof *at, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    size_t runs = 0;
    size_t wrong = 0;
    size_t unsuitable = 0;

    if (at == MAP_FAILED) {
        fputs("torture: no memory\n", stderr);
        return 2;
    }
    choose_solvers(&t, argc, argv);
    for (int w = 0; w < WORKERS; w++) {
        at[w].instance = (size_t)w;
        if (fork() == 0) {
            watch(&t, &at[w]);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    for (int w = 0; w < WORKERS; w++) {
        runs += at[w].runs;
        wrong += at[w].wrong + !at[w].done;
        unsuitable += at[w].unsuitable;
    }
    if (argc < 2) {
        printf("%s 1 - torture: no solver lies, crashes or loses its numbers on %d hard "
               "instances\n1..1\n",
               wrong ? "not ok" : "ok", TEST_COUNT);
        return wrong > 0;
    }
    table(&t, at);
    printf("%zu instances, %zu solvers, %zu runs, %zu of them unsuitable: %zu wrong\n",
           t.count, t.solvers, runs, unsuitable, wrong);
    return wrong > 0;
}
