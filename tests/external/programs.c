/* SPDX-License-Identifier: Apache-2.0
 * tests/external/programs.c: programs that solve, that fail in every way, and that lie.
 *
 * A = [2 1; 1 2], b = (-1, 1): z = (1/2, 0), w = (0, 3/2). */
#include <config.h>

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <perp/external.h>

#include "scarce.h"

static const double A[4] = {2, 1, 1, 2};
static const double b[2] = {-1, 1};

#define WRITE(json) "echo '" json "' >$PERP_SOLUTION"

/* A folder for the folders of the runs, which must be empty after each. */
static const char *runs_folder(void)
{
    static char folder[4096];

    if (!*folder) {
        snprintf(folder, sizeof folder, "%s", test_scratch("runs"));
        mkdir(folder, 0777);
        setenv("TMPDIR", folder, 1);
    }
    return folder;
}

static size_t runs_left(void)
{
    DIR *d = opendir(runs_folder());
    size_t count = 0;

    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        count += e->d_name[0] != '.';
    }
    closedir(d);
    return count;
}

static perp_status try_with(const perp_problem *p, const char *command,
                            const char *settings, perp_result **r, perp_error *err)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_status status = perp_solver_parse("exec:x", &type, &opt, err);

    if (status == PERP_OK) {
        status = perp_options_parse(&opt, settings, err);
    }
    if (status == PERP_OK && !*r) {
        status = perp_result_new(r, p->n, err);
    }
    if (status == PERP_OK) {
        snprintf(opt.command, sizeof opt.command, "%s", command);
        status = perp_solve(type, p, &opt, *r, err);
    }
    return status;
}

/* Run a command on the problem of this file; it must leave no folder. */
static perp_result *run_command(const char *command, const char *settings)
{
    perp_result *r = NULL;
    perp_error err = {0};
    perp_status status = PERP_OK;

    runs_folder();
    status = try_with(test_lcp(2, A, b), command, settings, &r, &err);
    if (status != PERP_OK) {
        test_note("%s: %s", command, err.text);
    }
    CU_ASSERT_EQUAL_FATAL(status, PERP_OK);
    CU_ASSERT_EQUAL(runs_left(), 0);
    return r;
}

/* A command that ends in `outcome`, with these words in its reason. */
static perp_result *expect(const char *command, const char *settings,
                           perp_outcome outcome, const char *words)
{
    perp_result *r = run_command(command, settings);

    if (r->outcome != outcome || !strstr(r->reason, words)) {
        test_note("%s: %s: %s", command, perp_outcome_text(r->outcome), r->reason);
    }
    CU_ASSERT_EQUAL(r->outcome, outcome);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, words));
    CU_ASSERT(r->foreign.ran);
    return r;
}

static void expect_refusal(const char *command, const char *words)
{
    perp_result *r = NULL;
    perp_error err = {0};

    runs_folder();
    CU_ASSERT_EQUAL(try_with(test_lcp(2, A, b), command, "", &r, &err),
                    PERP_ERR_UNSUITABLE);
    if (!strstr(err.text, words)) {
        test_note("%s: %s", command, err.text);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, words));
    CU_ASSERT_EQUAL(runs_left(), 0);
}

TEST(a_program_solves)
{
    const perp_result *r = run_command(
        WRITE("{\"z\": [0.5, 0], \"claim\": \"solved\", \"seconds\": 1e-9, "
              "\"iterations\": 7, \"version\": \"mine 1\", \"reformulation\": \"none\"}"),
        "");

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->z[0], 0.5);
    CU_ASSERT_EQUAL(r->iterations, 7);
    CU_ASSERT_STRING_EQUAL(r->foreign.claim, "solved");
    CU_ASSERT_STRING_EQUAL(r->foreign.version, "mine 1");
    CU_ASSERT_STRING_EQUAL(r->foreign.reformulation, "none");
    CU_ASSERT_FALSE(r->foreign.false_claim);
}

/* Its own clock counts where it says less than the clock here; files and start do not. */
TEST(the_time_is_that_of_the_program_where_it_is_possible)
{
    const perp_result *r = run_command(
        "sleep 0.2; " WRITE("{\"z\": [0.5, 0], \"seconds\": 1e-6}"), "scale=off");

    CU_ASSERT_EQUAL(r->foreign.seconds, 1e-6);
    CU_ASSERT(r->foreign.wall_seconds >= 0.2);
    CU_ASSERT(r->seconds < 0.1);
    CU_ASSERT(r->seconds >= 1e-6);
    r = run_command("sleep 0.2; " WRITE("{\"z\": [0.5, 0], \"seconds\": 1e6}"), "");
    CU_ASSERT_EQUAL(r->foreign.seconds, 0.0);
    CU_ASSERT(r->seconds >= 0.2);
    CU_ASSERT(r->seconds < 1e3);
    r = run_command("sleep 0.2; " WRITE("{\"z\": [0.5, 0]}"), "");
    CU_ASSERT(r->seconds >= 0.2);
}

TEST(a_point_without_a_claim_is_judged)
{
    const perp_result *r = run_command(WRITE("{\"z\": [0.5, 0]}"), "");

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_STRING_EQUAL(r->foreign.claim, "");
    CU_ASSERT_FALSE(r->foreign.false_claim);
    r = expect(WRITE("{\"z\": [0.6, 0]}"), "", PERP_STALLED, "makes no claim");
    CU_ASSERT_FALSE(r->foreign.false_claim);
}

TEST(a_false_claim_is_shown_as_such)
{
    const perp_result *r = expect(WRITE("{\"z\": [0.6, 0], \"claim\": \"solved\"}"), "",
                                  PERP_STALLED, "although the solver reports");

    CU_ASSERT(r->foreign.false_claim);
    r = expect(WRITE("{\"z\": [null, 0], \"claim\": \"solved\"}"), "", PERP_STALLED,
               "z[0] is null, expected a number");
    CU_ASSERT(r->foreign.false_claim);
}

TEST(other_claims_are_outcomes)
{
    expect(WRITE("{\"z\": [0, 0], \"claim\": \"infeasible\", \"message\": \"says so\"}"),
           "", PERP_STALLED, "claims \"infeasible\": says so");
    expect(WRITE("{\"z\": [0, 0], \"claim\": \"iteration limit\"}"), "",
           PERP_ITERATION_LIMIT, "claims");
    expect(WRITE("{\"z\": [0, 0], \"claim\": \"time limit\"}"), "", PERP_TIME_LIMIT,
           "claims");
}

TEST(a_crash_is_one_failed_run)
{
    expect("kill -SEGV $$", "", PERP_STALLED, "was killed by signal 11");
    expect("echo out of luck >&2; kill -KILL $$", "", PERP_STALLED,
           "signal 9: out of luck");
    expect("echo bad \303\244 >&2; exit 4", "", PERP_STALLED,
           "ended with exit status 4: bad ??");
}

TEST(a_program_that_does_not_take_the_problem_says_why)
{
    expect_refusal("echo first >&2; echo only planar contacts >&2; exit 3",
                   "exec: the command does not take the problem: only planar contacts");
    expect_refusal("/no/such/program", "exec: the command cannot be started");
    expect_refusal("/dev/null", "exec: the command cannot be started");
}

TEST(a_program_that_hangs_is_killed)
{
    const perp_result *r =
        expect("sleep 1000", "time-limit=0.1", PERP_TIME_LIMIT, "was killed after");

    CU_ASSERT(r->foreign.wall_seconds >= 0.1);
    expect("exec >&- 2>&-; trap '' TERM INT; while :; do :; done", "time-limit=0.1",
           PERP_TIME_LIMIT, "was killed after");
    expect("while :; do echo a flood of words; done", "time-limit=0.1", PERP_TIME_LIMIT,
           "was killed after");
    expect("while :; do echo a flood of words >&2; done", "time-limit=0.1",
           PERP_TIME_LIMIT, "was killed after");
}

TEST(garbage_is_one_failed_run)
{
    static const char *const commands[][2] = {
        {":", "it wrote no solution file"},
        {": >$PERP_SOLUTION", "expected JSON"},
        {"mkdir $PERP_SOLUTION", "it wrote no solution file"},
        {"mkfifo $PERP_SOLUTION", "it wrote no solution file"},
        {"ln -s /dev/zero $PERP_SOLUTION", "it wrote no solution file"},
        {"ln -s $PERP_SOLUTION $PERP_SOLUTION", "it wrote no solution file"},
        {"head -c 1000 /dev/zero >$PERP_SOLUTION", "expected JSON"},
        {"head -c 1000000 /dev/zero >$PERP_SOLUTION", "it has more than"},
        {"truncate -s 1T $PERP_SOLUTION", "it has more than"},
        {WRITE("{\"z\": [0.5,"), "expected JSON"},
        {WRITE("[0.5, 0]"), "it is an array, expected an object"},
        {WRITE("{\"z\": [NaN, 0]}"), "expected JSON"},
        {WRITE("{\"z\": [Infinity, 0]}"), "expected JSON"},
        {WRITE("{\"z\": [1e999, 0]}"), "expected JSON"},
        {WRITE("{\"z\": [0.5]}"), "z has 1 entries, expected 2"},
        {WRITE("{\"z\": [0.5, 0, 0]}"), "z has 3 entries, expected 2"},
        {WRITE("{\"z\": [[0.5], 0]}"), "z[0] is an array, expected a number"},
        {WRITE("{\"z\": \"0.5 0\"}"), "z is a text, expected an array"},
        {WRITE("{\"y\": [0.5, 0]}"), "z is missing"},
        {WRITE("{\"z\": [0.5, 0], \"claim\": 1}"), "claim is a number, expected a text"},
        {WRITE("{\"z\": [0.5, 0], \"seconds\": -1}"), "seconds is -1"},
        {WRITE("{\"z\": [0.5, 0], \"seconds\": \"1\"}"), "seconds is a text"},
        {WRITE("{\"z\": [0.5, 0], \"iterations\": 0.5}"), "iterations is 0.5"},
        {WRITE("{\"z\": [0.5, 0], \"z\": [0, 0]}"), "duplicate"},
    };

    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        const perp_result *r =
            expect(commands[k][0], "time-limit=20", PERP_STALLED, commands[k][1]);

        CU_ASSERT_EQUAL(r->z[0], 0.0); /* the start is returned */
    }
}

TEST(long_words_are_cut)
{
    const perp_result *r = run_command(
        "w=$(head -c 5000 /dev/zero | tr '\\0' x); echo \"{\\\"z\\\": [0.5, 0], "
        "\\\"claim\\\": \\\"$w\\\", \\\"message\\\": \\\"$w\\\"}\" >$PERP_SOLUTION",
        "");

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(strlen(r->foreign.claim), sizeof r->foreign.claim - 1);
    CU_ASSERT_STRING_EQUAL(r->foreign.claim + sizeof r->foreign.claim - 4, "...");
}

TEST(a_program_may_go_elsewhere_and_leave_things)
{
    const perp_result *r =
        run_command("cd /; d=$(dirname $PERP_SOLUTION); mkdir -p $d/a/b; : >$d/a/b/c; "
                    "chmod 500 $d/a; "
                    "ln -s / $d/root; " WRITE("{\"z\": [0.5, 0]}") "; chmod 700 $d/a",
                    "");

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(access("/", F_OK), 0);
}

/* Whether all writers of a pipe are gone. */
static bool is_deserted(int pipe)
{
    char some[64];
    struct pollfd watch = {pipe, POLLIN, 0};

    for (int k = 0; k < 100; k++) {
        if (poll(&watch, 1, 100) > 0 && read(pipe, some, sizeof some) == 0) {
            return true;
        }
    }
    return false;
}

/* Each of its sleeping processes holds the pipe open. */
static void expect_no_survivors(const char *format, const char *settings)
{
    const char *path = test_scratch("pipe");
    char command[512];
    int pipe = -1;
    perp_result *r = NULL;
    perp_error err = {0};

    unlink(path);
    CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
    pipe = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    snprintf(command, sizeof command, format, path);
    CU_ASSERT(strlen(command) < PERP_COMMAND_LENGTH);
    CU_ASSERT_EQUAL(try_with(test_lcp(2, A, b), command, settings, &r, &err), PERP_OK);
    CU_ASSERT(is_deserted(pipe));
    CU_ASSERT_EQUAL(runs_left(), 0);
    close(pipe);
    unlink(path);
}

TEST(grandchildren_end_with_the_program)
{
    expect_no_survivors("(sleep 1000 & sleep 1000) >%s & sleep 0.1", "");
    expect_no_survivors("(sleep 1000 & sleep 1000) >%s & sleep 1000", "time-limit=0.1");
}

TEST(a_burst_of_processes_ends_with_the_program)
{
    expect_no_survivors("exec >%s; k=0; while [ $k -lt 60 ]; do (trap '' TERM HUP INT; "
                        "sleep 1000) & k=$((k+1)); done; wait",
                        "time-limit=0.2");
}

TEST(a_start_is_handed_over)
{
    static const double start[2] = {0.5, 1.0 / 3.0};
    perp_result *r = NULL;
    perp_error err = {0};
    perp_problem *p = test_lcp(2, A, b);

    runs_folder();
    CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, 2, NULL), PERP_OK);
    memcpy(r->z, start, sizeof start);
    CU_ASSERT_EQUAL(try_with(p,
                             "set -- $(cat $PERP_START); echo "
                             "\"{\\\"z\\\": [0, 0], \\\"claim\\\": \\\"$1\\\", "
                             "\\\"version\\\": \\\"$2\\\"}\" >$PERP_SOLUTION",
                             "", &r, &err),
                    PERP_OK);
    CU_ASSERT_EQUAL(strtod(r->foreign.claim, NULL), start[0]);
    CU_ASSERT_EQUAL(strtod(r->foreign.version, NULL), start[1]); /* to the bit */
}

TEST(the_environment_says_what_is_asked)
{
    static const char *const lines[] = {
        "PERP_FORMAT=perp-golden\n", "PERP_TOLERANCE=0.001",
        "PERP_MAX_ITERATIONS=17\n",  "PERP_TIME_LIMIT=60\n",
        "PERP_METHOD=env",           "PERP_OPTIONS=instance-format=perp-golden\n"};
    const char *path = test_scratch("environment");
    char command[512], text[4096] = "";
    FILE *f = NULL;
    const perp_result *r = NULL;

    setenv("PERP_TOLERANCE", "of an outer run", 1);
    snprintf(command, sizeof command,
             "env | grep ^PERP_ >%s; cat $PERP_INSTANCE >&2; exit 1", path);
    r = run_command(command, "instance-format=perp-golden,tolerance=0.001,"
                             "max-iterations=17,time-limit=60");
    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    f = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        if (!strstr(text, lines[k])) {
            test_note("%s is missing in\n%s", lines[k], text);
        }
        CU_ASSERT_PTR_NOT_NULL(strstr(text, lines[k]));
    }
    CU_ASSERT_PTR_NULL(strstr(text, "outer run"));
}

/* An instance may know its solution; a program that is compared must not. */
TEST(a_solution_that_is_known_is_not_handed_over)
{
    perp_problem *p = test_lcp(2, A, b);
    double z[2] = {0.5, 0.0};
    perp_point solution = {.z = z}, guess = {.z = z};
    perp_result *r = NULL;
    perp_error err = {0};
    perp_status status = PERP_OK;

    runs_folder();
    p->solution = &solution;
    p->guesses = &guess;
    p->guess_count = 1;
    status = try_with(p,
                      "grep -qE '\"(z|guess.*)\"' $PERP_INSTANCE && exit 3; "
                      "grep -q '\"q\"' $PERP_INSTANCE || exit 3",
                      "instance-format=perp-golden", &r, &err);
    p->solution = p->guesses = NULL;
    p->guess_count = 0;
    CU_ASSERT_EQUAL(status, PERP_OK);
}

TEST(a_format_that_cannot_hold_the_problem_is_an_error)
{
    perp_result *r = NULL;
    perp_error err = {0};

    runs_folder();
    CU_ASSERT_EQUAL(try_with(test_boxed(4, 1), "true", "instance-format=fclib", &r, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_EQUAL(runs_left(), 0);
    CU_ASSERT_NOT_EQUAL(
        try_with(test_boxed(4, 1), "true", "instance-format=nothing", &r, &err), PERP_OK);
    CU_ASSERT_EQUAL(runs_left(), 0);
}

/* Called while the program runs; `context` counts down to the interruption. */
static bool count_down(void *context, size_t iteration, double residual, double seconds)
{
    int *left = context;

    CU_ASSERT_EQUAL(iteration, 0);
    CU_ASSERT(isfinite(residual));
    CU_ASSERT(seconds > 0.0);
    return --*left > 0;
}

TEST(a_caller_interrupts_a_program)
{
    static volatile int stop = 1;
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    int left = 2;

    runs_folder();
    CU_ASSERT_EQUAL_FATAL(perp_solver_parse("exec:\"sleep 1000\"", &type, &opt, NULL),
                          PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, 2, NULL), PERP_OK);
    opt.progress = count_down;
    opt.progress_context = &left;
    CU_ASSERT_EQUAL(perp_solve(type, test_lcp(2, A, b), &opt, r, NULL), PERP_OK);
    CU_ASSERT_EQUAL(r->outcome, PERP_INTERRUPTED);
    CU_ASSERT_EQUAL(left, 0);
    opt.progress = NULL;
    opt.interrupt = &stop;
    CU_ASSERT_EQUAL(perp_solve(type, test_lcp(2, A, b), &opt, r, NULL), PERP_OK);
    CU_ASSERT_EQUAL(r->outcome, PERP_INTERRUPTED);
    CU_ASSERT_EQUAL(runs_left(), 0);
}

TEST(the_folder_is_kept_on_request)
{
    perp_result *r = NULL;
    perp_error err = {0};
    char command[4200];

    runs_folder();
    CU_ASSERT_EQUAL(
        try_with(test_lcp(2, A, b), WRITE("{\"z\": [0.5, 0]}"), "keep=on", &r, &err),
        PERP_OK);
    CU_ASSERT_EQUAL(runs_left(), 1);
    snprintf(command, sizeof command, "rm -r %s/perp-*", runs_folder());
    CU_ASSERT_EQUAL(system(command), 0);
    CU_ASSERT_EQUAL(runs_left(), 0);
}

TEST(a_folder_that_cannot_be_made_is_an_error)
{
    perp_result *r = NULL;
    perp_error err = {0};

    setenv("TMPDIR", "/no/such/folder", 1);
    CU_ASSERT_EQUAL(try_with(test_lcp(2, A, b), "true", "", &r, &err), PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/no/such/folder"));
    setenv("TMPDIR", runs_folder(), 1);
}

/* Ignoring SIGCHLD, as some programs do, hides how a child ended, but not what it wrote. */
TEST(a_caller_that_ignores_its_children_gets_an_end)
{
    void (*before)(int) = signal(SIGCHLD, SIG_IGN);

    expect("exit 0", "", PERP_STALLED, "exit status");
    signal(SIGCHLD, before);
}

typedef struct solver_thread {
    perp_result *r;
    perp_problem *p;
    const char *name;
    bool fine;
} solver_thread;

static void *solve_in_thread(void *context)
{
    solver_thread *s = context;
    char command[256];

    for (int k = 0; k < 5; k++) {
        snprintf(command, sizeof command, WRITE("{\"z\": [0.5, 0], \"claim\": \"%s%d\"}"),
                 s->name, k);
        memset(s->r->z, 0, 2 * sizeof *s->r->z);
        s->fine = s->fine && try_with(s->p, command, "", &s->r, NULL) == PERP_OK &&
                  strncmp(s->r->foreign.claim, s->name, 1) == 0 &&
                  s->r->foreign.claim[1] == '0' + k && s->r->outcome == PERP_SOLVED;
    }
    return NULL;
}

TEST(two_threads_run_programs_at_once)
{
    pthread_t thread[2];
    solver_thread s[2] = {{.name = "a", .fine = true}, {.name = "b", .fine = true}};

    runs_folder();
    for (size_t k = 0; k < 2; k++) {
        s[k].p = test_lcp(2, A, b);
        CU_ASSERT_EQUAL_FATAL(perp_result_new(&s[k].r, 2, NULL), PERP_OK);
    }
    for (size_t k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[k], NULL, solve_in_thread, &s[k]),
                              0);
    }
    for (size_t k = 0; k < 2; k++) {
        pthread_join(thread[k], NULL);
        CU_ASSERT(s[k].fine);
    }
    CU_ASSERT_EQUAL(runs_left(), 0);
}

static perp_status solve_by_a_program(void *context, perp_error *err)
{
    perp_result *r = NULL;
    perp_status status = try_with(context, WRITE("{\"z\": [0.5, 0]}"), "", &r, err);

    CU_ASSERT(status == PERP_OK || status == PERP_ERR_MEMORY);
    CU_ASSERT_EQUAL(runs_left(), 0);
    return status;
}

TEST(survives_without_memory)
{
    runs_folder();
    clearenv(); /* a copy of each variable is an allocation */
    setenv("TMPDIR", runs_folder(), 1);
    setenv("PATH", "/usr/bin:/bin", 1);
    scarce_everywhere(solve_by_a_program, test_lcp(2, A, b), "exec");
}

TEST_MAIN("programs")
