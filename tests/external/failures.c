/* SPDX-License-Identifier: Apache-2.0
 * tests/external/failures.c: programs that fail in every way: one failed run each, and nothing is
 * left. */
#include <config.h>

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "runs.h"

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
        {WRITE("{\"z\": [0.5, 0], \"claim\": \"sovled\"}"),
         "claim is \"sovled\", the nearest is \"solved\""},
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
        "\\\"version\\\": \\\"$w\\\", \\\"message\\\": \\\"$w\\\"}\" >$PERP_SOLUTION",
        "");

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(strlen(r->foreign.version), sizeof r->foreign.version - 1);
    CU_ASSERT_STRING_EQUAL(r->foreign.version + sizeof r->foreign.version - 4, "...");
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
    OK(try_with(test_lcp(2, A, b), command, settings, &r, &err));
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
    OK(perp_solver_parse("exec:\"sleep 1000\"", &type, &opt, NULL));
    OK(perp_result_new(&r, 2, NULL));
    opt.progress = count_down;
    opt.progress_context = &left;
    OK(perp_solve(type, test_lcp(2, A, b), &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_INTERRUPTED);
    CU_ASSERT_EQUAL(left, 0);
    opt.progress = NULL;
    opt.interrupt = &stop;
    OK(perp_solve(type, test_lcp(2, A, b), &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_INTERRUPTED);
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
