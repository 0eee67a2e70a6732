/* SPDX-License-Identifier: Apache-2.0
 * tests/command/runner.c: processes with limits, whatever they do. */
#include <config.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "command/cli/machine.h"
#include "support.h"

/* Run a line of the shell to its end; the caller clears c. */
static void run_shell(perp_process *c, const char *line, double seconds, double megabytes)
{
    const char *argv[] = {"/bin/sh", "-c", line, NULL};
    const perp_process_orders orders = {
        .argv = argv, .seconds = seconds, .megabytes = megabytes};
    perp_error err = {0};

    perp_process_clear(c);
    OK(perp_process_start(c, &orders, &err));
    while (c->pid) {
        perp_process_wait(c, 1, 1.0);
    }
}

TEST(hears_what_a_process_says)
{
    perp_process c = {0};

    run_shell(&c, "echo one; echo two >&2; exit 3", 60, 0);
    CU_ASSERT_EQUAL(c.end, PERP_PROCESS_EXITED);
    CU_ASSERT_EQUAL(c.code, 3);
    CU_ASSERT_STRING_EQUAL(c.text, "one\n");
    CU_ASSERT_STRING_EQUAL(c.tail, "two\n");
    perp_process_clear(&c);
}

TEST(hears_long_outputs_whole)
{
    perp_process c = {0};

    run_shell(&c, "i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done", 60,
              0);
    CU_ASSERT_EQUAL(c.end, PERP_PROCESS_EXITED);
    CU_ASSERT_EQUAL(c.length, 20000 * 11);
    perp_process_clear(&c);
}

TEST(keeps_the_end_of_a_long_complaint)
{
    perp_process c = {0};

    run_shell(&c,
              "i=0; while [ $i -lt 500 ]; do echo line $i >&2; i=$((i+1)); done; "
              "echo the end >&2",
              60, 0);
    CU_ASSERT(c.tail_length < PERP_PROCESS_TAIL);
    CU_ASSERT_PTR_NOT_NULL(strstr(c.tail, "the end\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(c.tail, "line 499\n"));
    perp_process_clear(&c);
}

TEST(tells_a_crash_by_its_signal)
{
    perp_process c = {0};

    run_shell(&c, "kill -SEGV $$", 60, 0);
    CU_ASSERT_EQUAL(c.end, PERP_PROCESS_SIGNALLED);
    CU_ASSERT_EQUAL(c.code, SIGSEGV);
    perp_process_clear(&c);
}

TEST(kills_what_does_not_end)
{
    perp_process c = {0};

    run_shell(&c, "sleep 1000", 0.2, 0);
    CU_ASSERT_EQUAL(c.end, PERP_PROCESS_OUT_OF_TIME);
    CU_ASSERT(c.wall >= 0.2);
    perp_process_clear(&c);
}

/* The shell ends at once; the sleep that it left holds the pipe open. */
TEST(does_not_wait_for_grandchildren)
{
    perp_process c = {0};

    run_shell(&c, "sleep 1000 & echo done", 60, 0);
    CU_ASSERT_EQUAL(c.end, PERP_PROCESS_EXITED);
    CU_ASSERT_STRING_EQUAL(c.text, "done\n");
    CU_ASSERT(c.wall < 30.0);
    perp_process_clear(&c);
}

TEST(outlives_a_process_that_closes_its_output)
{
    perp_process c = {0};

    run_shell(&c, "exec >&- 2>&-; sleep 0.1; exit 7", 60, 0);
    CU_ASSERT_EQUAL(c.end, PERP_PROCESS_EXITED);
    CU_ASSERT_EQUAL(c.code, 7);
    perp_process_clear(&c);
}

TEST(refuses_memory_beyond_the_limit)
{
    perp_process c = {0};

    /* tail keeps what has no newline; valgrind and sanitizers do not follow a shell. */
    run_shell(&c, "head -c 800000000 /dev/zero | tail -c 700000000 >/dev/null", 60, 256);
    CU_ASSERT_EQUAL(c.end, PERP_PROCESS_EXITED);
    CU_ASSERT_NOT_EQUAL(c.code, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(c.tail, "memory"));
    perp_process_clear(&c);
}

TEST(gives_a_process_its_environment_and_discards_its_output)
{
    const char *argv[] = {"/bin/sh", "-c", "echo out; echo $WORD >&2; echo ' ' >&2",
                          NULL};
    const char *environment[] = {"WORD=of its own", NULL};
    const perp_process_orders orders = {
        .argv = argv, .environment = environment, .seconds = 60, .quiet = true};
    perp_process c = {0};
    char line[64];

    perp_process_clear(&c);
    OK(perp_process_start(&c, &orders, NULL));
    while (c.pid) {
        perp_process_wait(&c, 1, 1.0);
    }
    CU_ASSERT_EQUAL(c.length, 0);
    perp_process_last_line(&c, line, sizeof line);
    CU_ASSERT_STRING_EQUAL(line, "of its own");
    perp_process_last_line(&c, line, 3);
    CU_ASSERT_STRING_EQUAL(line, "of");
    perp_process_clear(&c);
}

/* A flood must not keep the reader from looking at the clock. */
TEST(ends_what_floods_its_complaints)
{
    perp_process c = {0};

    run_shell(&c, "while :; do echo a flood of words >&2; done", 0.2, 0);
    CU_ASSERT_EQUAL(c.end, PERP_PROCESS_OUT_OF_TIME);
    perp_process_clear(&c);
}

TEST(says_that_a_program_is_not_there)
{
    const char *argv[] = {"/no/such/program", NULL};
    perp_process c;
    perp_error err = {0};

    memset(&c, 0, sizeof c);
    perp_process_clear(&c);
    CU_ASSERT_EQUAL(
        perp_process_start(&c, &(perp_process_orders){.argv = argv, .seconds = 1}, &err),
        PERP_ERR_LIBRARY);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/no/such/program"));
    perp_process_clear(&c);
}

TEST(runs_several_side_by_side)
{
    const char *argv[] = {"/bin/sh", "-c", "echo $$", NULL};
    perp_process c[4];
    perp_error err = {0};
    size_t running = 4;

    memset(c, 0, sizeof c);
    for (size_t k = 0; k < 4; k++) {
        perp_process_clear(&c[k]);
        OK(perp_process_start(&c[k], &(perp_process_orders){.argv = argv, .seconds = 60},
                              &err));
    }
    while (running) {
        perp_process_wait(c, 4, 1.0);
        running = 0;
        for (size_t k = 0; k < 4; k++) {
            running += c[k].pid != 0;
        }
    }
    for (size_t k = 0; k < 4; k++) {
        CU_ASSERT_EQUAL(c[k].end, PERP_PROCESS_EXITED);
        CU_ASSERT(atol(c[k].text) > 0);
        perp_process_clear(&c[k]);
    }
}

TEST(knows_what_it_runs_on)
{
    static const char *const keys[] = {"version", "commit", "compiler", "flags",
                                       "cpu",     "blas",   NULL};
    json_t *machine = machine_json();

    CU_ASSERT_PTR_NOT_NULL_FATAL(machine);
    for (size_t k = 0; keys[k]; k++) {
        CU_ASSERT_PTR_NOT_NULL(json_string_value(json_object_get(machine, keys[k])));
    }
    CU_ASSERT(json_integer_value(json_object_get(machine, "threads")) >= 1);
    CU_ASSERT_PTR_NULL(json_object_get(machine, "host"));
    json_decref(machine);
}

/* Write a file of a system that was made up. */
static void system_file(const char *root, const char *file, const char *text)
{
    char path[1024];

    snprintf(path, sizeof path, "%s%s", root, file);
    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(path, 0777);
        *at = '/';
    }
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(text, f);
    fclose(f);
}

/* Busy ticks: 10 + 20 + 30 + 3 + 2 + 5 = 70, then 170 with 10 more stolen ones. */
TEST(reads_how_busy_the_machine_is)
{
    const char *root = test_scratch("system");
    machine_state a, b;

    mkdir(root, 0777);
    machine_state_read(&a, root); /* a system that states nothing */
    CU_ASSERT(a.cores >= 1 && isnan(a.load) && isnan(a.mhz_most) && isnan(a.busy));
    CU_ASSERT_STRING_EQUAL(a.governor, "");
    system_file(root, "/proc/loadavg", "2.50 1.00 0.50 1/99 1234\n");
    system_file(root, "/proc/stat", "cpu  10 20 30 900 50 3 2 5 0 0\ncpu0 1 2 3\n");
    system_file(root, "/proc/cpuinfo",
                "processor\t: 0\ncpu MHz\t\t: 2000.5\n\ncpu MHz\t\t: 1000.0\n");
    machine_state_read(&a, root);
    CU_ASSERT(a.load == 2.5 && a.busy == 70.0 && a.stolen == 5.0);
    CU_ASSERT(a.mhz_least == 1000.0 && a.mhz_most == 2000.5);
    CU_ASSERT(isnan(machine_stolen(&a, &a)));
    system_file(root, "/proc/stat", "cpu  60 30 60 990 60 3 2 15 0 0\n");
    system_file(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
                "3100000\n");
    system_file(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                "powersave\n");
    machine_state_read(&b, root);
    CU_ASSERT_EQUAL(machine_stolen(&a, &b), 0.1);
    CU_ASSERT_EQUAL(b.mhz_most, 3100.0);
    json_t *o = machine_state_json(&b);
    CU_ASSERT_EQUAL(json_number_value(json_object_get(o, "load")), 2.5);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(o, "governor")),
                           "powersave");
    json_decref(o);
}

/* What stays the same is kept, and what was at the start of a campaign. */
TEST(adds_the_state_to_the_machine)
{
    json_t *machine = machine_json(), *now = machine_now(machine);

    CU_ASSERT_PTR_NOT_NULL_FATAL(now);
    CU_ASSERT_PTR_NULL(json_object_get(machine, "load"));
    CU_ASSERT(json_integer_value(json_object_get(now, "cores")) >= 1);
    CU_ASSERT_PTR_NOT_NULL(json_object_get(now, "load"));
    CU_ASSERT_PTR_NOT_NULL(json_object_get(now, "steal"));
    CU_ASSERT_PTR_NOT_NULL(json_object_get(json_object_get(now, "at_start"), "load"));
    CU_ASSERT_PTR_EQUAL(json_object_get(now, "cpu"), json_object_get(machine, "cpu"));
    json_decref(now);
    json_decref(machine);
}
