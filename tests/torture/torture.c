/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/torture.c: every solver on thousands of small hard problems.
 *
 *     torture [-d] [-u] [-k KIND] [-i INDEX] [-w FILE] COUNT [SEED [SOLVER]...]
 *
 * Without arguments it is a test of a few hundred and speaks TAP. -k: problems of one kind; -i: only
 * the one with this number; -w: write it to a file; -d: default options, not those for a short run;
 * -u: print each problem that has a solution and got none. A terminal sees how many problems are
 * done; after an interrupt the tables count what has been done until then.
 *
 * Each run happens in a worker process, so that a signal is counted and not the end. Wrong is
 * a run that ends as "solved" with a residual above the tolerance, judged here by formulas
 * written down anew, or on a problem without a solution; with a number that is not finite; with
 * an "infeasible" whose certificate fails or whose problem has a solution built in; with another
 * negative answer whose evidence fails; by a signal, or not within a minute. Exit status 1 if
 * there was one. The second table counts, by kind, what `auto` does, or the solvers named. */
#include <config.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cases.h"
#include "formula.h"
#include "judge/judge.h"
#include "kinds.h"

enum {
    WORKERS = 2,
    SOLVERS_MOST = 64,
    PATIENCE = 60,
    OUTCOMES = 16,
    PAUSE_MS = 50,
    LINES_MOST = 40,
    TEST_COUNT = 300
};

static const double tolerance = 1e-8;

/* What a solver has done with the problems of a kind that have a solution. */
typedef struct tally {
    size_t exact, nearly, infeasible, unknown; /* problems, by what is known */
    size_t solved, denied, unsolved;           /* of the first two */
    size_t refuted;                            /* of those without a solution */
} tally;

/* What a worker has done, shared with its parent. */
typedef struct progress {
    size_t instance, solver; /* at work */
    bool done;
    size_t instances; /* done */
    size_t runs, wrong, unsuitable;
    size_t outcomes[SOLVERS_MOST][OUTCOMES];
    size_t wrongs[SOLVERS_MOST];
    tally kinds[SOLVERS_MOST][KINDS_MOST];
} progress;

typedef struct torture_run {
    size_t count, first; /* numbers of the problems: first, ..., count - 1 */
    uint64_t seed;
    size_t kind; /* the only one, or the count of kinds */
    bool defaults, lists_unsolved;
    const char *file; /* where the problem is written to, or NULL */
    const char *names[SOLVERS_MOST];
    size_t solvers;
} torture_run;

static bool is_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

/* Shared by all processes: the one that is interrupted stops all. */
static volatile sig_atomic_t *torture_stops;

static void stop_torture(int number)
{
    (void)number;
    *torture_stops = 1;
}

/* What is wrong with an answer, or NULL. */
static const char *fault(const torture_case *c, const perp_result *r, const char *name,
                         const perp_options *opt)
{
    const perp_problem *p = c->p;
    perp_problem *seen = NULL;
    bool holds = true;
    long double rounding = 0.0L;

    if (!is_finite(r->z, p->n) || !is_finite(r->w, p->n)) {
        return "not finite";
    }
    if (r->outcome == PERP_SOLVED &&
        torture_residual(p, r->z, &rounding) > tolerance + rounding) {
        return "solved above the tolerance";
    }
    if (r->outcome == PERP_SOLVED && c->truth == TORTURE_INFEASIBLE) {
        return "solved, and yet there is no solution";
    }
    if (r->outcome == PERP_RUNNING || !r->reason[0]) {
        return "no outcome or no reason";
    }
    if (r->outcome == PERP_INFEASIBLE &&
        (r->certificate.kind != PERP_CERTIFICATE_INFEASIBLE ||
         !perp_certificate_infeasible(p, r->certificate.y))) {
        return "infeasible without a certificate";
    }
    if (r->outcome == PERP_INFEASIBLE && c->truth == TORTURE_EXACT) {
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

static void count_wrong(const torture_run *t, progress *at, const char *text,
                        const char *what)
{
    at->wrong++;
    if (at->wrongs[at->solver]++ < LINES_MOST) {
        printf("# %s on number %zu of seed %llu (%s): %s\n", t->names[at->solver],
               at->instance, (unsigned long long)t->seed, what, text);
        fflush(stdout);
    }
}

static void count_kind(const torture_run *t, progress *at, const torture_case *c,
                       const perp_result *r)
{
    tally *k = &at->kinds[at->solver][c->kind];
    bool solvable = c->truth == TORTURE_EXACT || c->truth == TORTURE_NEARLY;
    bool refuted = r->outcome == PERP_INFEASIBLE, solved = r->outcome == PERP_SOLVED;

    k->exact += c->truth == TORTURE_EXACT;
    k->nearly += c->truth == TORTURE_NEARLY;
    k->infeasible += c->truth == TORTURE_INFEASIBLE;
    k->unknown += c->truth == TORTURE_UNKNOWN;
    k->solved += solvable && solved;
    k->denied += solvable && refuted;
    k->unsolved += solvable && !solved && !refuted;
    k->refuted += c->truth == TORTURE_INFEASIBLE && refuted;
    if (t->lists_unsolved && solvable && !solved) {
        printf("# %s, number %zu: %s: %s\n", c->what, at->instance,
               perp_outcome_text(r->outcome), r->reason);
        fflush(stdout);
    }
}

static void choose_options(const torture_run *t, perp_options *opt)
{
    if (!t->defaults) {
        perp_options_set(opt, "max-iterations", "3000", NULL);
        perp_options_set(opt, "time-limit", "0.2", NULL);
    }
    perp_options_set(opt, "history", "off", NULL);
}

static void run_one(const torture_run *t, progress *at, const torture_case *c)
{
    const char *name = t->names[at->solver];
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_error err = {0};
    perp_status status = perp_solver_parse(name, &type, &opt, &err);

    if (status == PERP_OK) {
        choose_options(t, &opt);
        status = perp_result_new(&r, c->p->n, &err);
    }
    if (status == PERP_OK) {
        status = perp_solve(type, c->p, &opt, r, &err);
    }
    at->runs++;
    if (status == PERP_ERR_UNSUITABLE) {
        at->unsuitable++;
    } else if (status != PERP_OK) {
        count_wrong(t, at, err.text, c->what);
    } else {
        const char *text = fault(c, r, name, &opt);

        at->outcomes[at->solver][r->outcome]++;
        count_kind(t, at, c, r);
        if (text) {
            count_wrong(t, at, text, c->what);
        }
    }
    perp_result_free(r);
}

static void write_problem(const torture_run *t, const torture_case *c)
{
    perp_error err = {0};

    if (t->file && perp_problem_write(c->p, t->file, "json", NULL, &err) != PERP_OK) {
        fprintf(stderr, "torture: %s\n", err.text);
    }
}

/* A minute of the processor, and ten on the clock for one that sleeps. */
static void limit_run(void)
{
    const struct itimerval most = {.it_value = {.tv_sec = PATIENCE}};

    setitimer(ITIMER_PROF, &most, NULL);
    alarm(10 * PATIENCE);
}

/* From where it stands to the end of its share; resumes after the run that killed it. */
static void work(const torture_run *t, progress *at)
{
    for (; at->instance < t->count && !*torture_stops; at->instance += WORKERS) {
        torture_case c;

        torture_case_draw(&c, t->seed, at->instance, t->kind);
        if (c.p) {
            write_problem(t, &c);
        }
        for (; c.p && at->solver < t->solvers && !*torture_stops; at->solver++) {
            limit_run();
            run_one(t, at, &c);
        }
        at->instances += !*torture_stops;
        at->solver = 0;
        torture_case_free(&c);
    }
    at->done = true;
}

static void watch(const torture_run *t, progress *at)
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

static void table(const torture_run *t, const progress *at)
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

static void add_tally(tally *sum, const tally *k)
{
    sum->exact += k->exact;
    sum->nearly += k->nearly;
    sum->infeasible += k->infeasible;
    sum->unknown += k->unknown;
    sum->solved += k->solved;
    sum->denied += k->denied;
    sum->unsolved += k->unsolved;
    sum->refuted += k->refuted;
}

static void print_tally(const char *name, const tally *k)
{
    printf("%-22s %8zu %8zu %8zu %8zu %8zu %10zu %8zu %8zu\n", name, k->exact, k->nearly,
           k->solved, k->denied, k->unsolved, k->infeasible, k->refuted, k->unknown);
}

static void table_of_kinds(const torture_run *t, const progress *at, size_t s)
{
    tally all = {0};

    printf("\n%-22s %8s %8s %8s %8s %8s %10s %8s %8s\n", t->names[s], "exact", "nearly",
           "solved", "denied", "unsolved", "infeasible", "refuted", "unknown");
    for (size_t k = 0; k < torture_kind_count(); k++) {
        tally sum = {0};

        for (int w = 0; w < WORKERS; w++) {
            add_tally(&sum, &at[w].kinds[s][k]);
        }
        if (sum.exact + sum.nearly + sum.infeasible + sum.unknown > 0) {
            print_tally(torture_kind_name(k), &sum);
        }
        add_tally(&all, &sum);
    }
    print_tally("all", &all);
}

/* Those named after COUNT and SEED. */
static void choose_solvers(torture_run *t, int argc, char **argv)
{
    static const char *const wrapped[] = {"prox:bpp",    "prox:dantzig", "ds:spg",
                                          "ds:admm",     "tresca:mpgp",  "prox:pgs",
                                          "ds:ipm-socp", "ds:apgd"};
    size_t count = 0;
    const perp_solver_type *const *all = perp_solvers(&count);

    for (int k = 0; k < argc && t->solvers < SOLVERS_MOST; k++) {
        t->names[t->solvers++] = argv[k];
    }
    for (size_t k = 0; argc <= 0 && k < count && t->solvers < SOLVERS_MOST; k++) {
        t->names[t->solvers++] = all[k]->name;
    }
    for (size_t k = 0; argc <= 0 && k < sizeof wrapped / sizeof *wrapped; k++) {
        const perp_solver_type *type = NULL;
        perp_options opt;

        if (t->solvers < SOLVERS_MOST &&
            perp_solver_parse(wrapped[k], &type, &opt, NULL) == PERP_OK) {
            t->names[t->solvers++] = wrapped[k];
        }
    }
}

/* Exit status 2, with the usage, for what it does not understand. */
static void read_arguments(torture_run *t, int argc, char **argv)
{
    bool good = true, one = false;

    for (int c = getopt(argc, argv, "duk:i:w:"); c != -1;
         c = getopt(argc, argv, "duk:i:w:")) {
        if (c == 'd') {
            t->defaults = true;
        } else if (c == 'u') {
            t->lists_unsolved = true;
        } else if (c == 'k') {
            t->kind = torture_kind_find(optarg);
            good = good && t->kind < torture_kind_count();
        } else if (c == 'i') {
            t->first = strtoul(optarg, NULL, 10);
            one = true;
        } else if (c == 'w') {
            t->file = optarg;
        } else {
            good = false;
        }
    }
    if (!good || (t->file && !one)) {
        fputs("usage: torture [-d] [-u] [-k KIND] [-i INDEX [-w FILE]] COUNT [SEED "
              "[SOLVER]...]\nkinds:",
              stderr);
        for (size_t k = 0; k < torture_kind_count(); k++) {
            fprintf(stderr, " %s", torture_kind_name(k));
        }
        fputs("\n", stderr);
        exit(2);
    }
    t->count = optind < argc ? strtoul(argv[optind], NULL, 10) : t->count;
    t->seed = optind + 1 < argc ? strtoul(argv[optind + 1], NULL, 10) : t->seed;
    t->count = one ? t->first + 1 : t->count;
    choose_solvers(t, argc - optind - 2, argv + optind + 2);
}

static size_t count_done(const progress *at)
{
    size_t done = 0;

    for (size_t w = 0; w < WORKERS; w++) {
        done += at[w].instances;
    }
    return done;
}

/* On a terminal only; the line is overwritten. */
static void print_progress(const torture_run *t, const progress *at, bool last)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, last ? "\r\033[K" : "\r%zu of %zu problems", count_done(at),
                t->count - t->first);
        fflush(stderr);
    }
}

/* Workers inherit this. */
static void catch_interrupts(void)
{
    struct sigaction stop = {.sa_handler = stop_torture, .sa_flags = SA_RESTART};

    sigemptyset(&stop.sa_mask);
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
}

/* The workers, until the last one has ended. */
static void run_workers(const torture_run *t, progress *at)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};

    catch_interrupts();
    for (size_t w = 0; w < WORKERS; w++) {
        at[w].instance = t->first + w;
        if (fork() == 0) {
            watch(t, &at[w]);
            _exit(0);
        }
    }
    for (pid_t ended = 0; ended >= 0; ended = waitpid(-1, NULL, WNOHANG)) {
        print_progress(t, at, false);
        if (ended == 0) {
            nanosleep(&pause, NULL);
        }
    }
    print_progress(t, at, true);
}

int main(int argc, char **argv)
{
    torture_run t = {.count = TEST_COUNT, .seed = 1, .kind = torture_kind_count()};
    progress *at = torture_shared(WORKERS * sizeof *at);
    size_t runs = 0;
    size_t wrong = 0;
    size_t unsuitable = 0;

    torture_stops = torture_shared(sizeof *torture_stops);
    if (!at || !torture_stops) {
        fputs("torture: no memory\n", stderr);
        return 2;
    }
    read_arguments(&t, argc, argv);
    run_workers(&t, at);
    for (int w = 0; w < WORKERS; w++) {
        runs += at[w].runs;
        wrong += at[w].wrong + !at[w].done;
        unsuitable += at[w].unsuitable;
    }
    wrong += argc < 2 && *torture_stops;
    if (argc < 2) {
        printf("%s 1 - torture: no solver lies, crashes or loses its numbers on %d hard "
               "instances\n1..1\n",
               wrong ? "not ok" : "ok", TEST_COUNT);
        return wrong > 0;
    }
    table(&t, at);
    for (size_t s = 0; s < t.solvers; s++) {
        if (optind + 2 < argc || strcmp(t.names[s], "auto") == 0) {
            table_of_kinds(&t, at, s);
        }
    }
    if (*torture_stops) {
        printf("\ninterrupted after %zu of %zu instances\n", count_done(at),
               t.count - t.first);
    }
    printf("\n%zu instances, %zu solvers, %zu runs, %zu of them unsuitable: %zu wrong\n",
           count_done(at), t.solvers, runs, unsuitable, wrong);
    return wrong > 0 || *torture_stops;
}
