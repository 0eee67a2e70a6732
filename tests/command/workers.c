/* SPDX-License-Identifier: Apache-2.0
 * tests/command/workers.c: how runs are handed out: the queue, the messages, and the processors
 * that they are bound to. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/campaign/pinning.h"
#include "command/campaign/queue.h"
#include "command/campaign/wire.h"
#include "command/cores/cores.h"
#include "support.h"

/* Three subjects with 3, 1 and 4 runs. */
enum { RUNS = 8 };
static const size_t groups[RUNS] = {0, 0, 0, 1, 2, 2, 2, 2};

static void plan(suite_run runs[RUNS], suite_entry entries[3])
{
    for (size_t k = 0; k < RUNS; k++) {
        runs[k] = (suite_run){.entry = &entries[groups[k]]};
    }
}

static void all_wait(queue *q, const suite_run *runs)
{
    queue_open(q, runs, RUNS);
    for (size_t k = 0; k < RUNS; k++) {
        queue_add(q, k);
    }
}

TEST(one_worker_makes_the_runs_in_the_order_of_the_plan)
{
    suite_run runs[RUNS];
    suite_entry entries[3];
    size_t group = QUEUE_NONE;
    queue q;

    plan(runs, entries);
    all_wait(&q, runs);
    CU_ASSERT_EQUAL(q.group_count, 3);
    for (size_t k = 0; k < RUNS; k++) {
        CU_ASSERT_EQUAL(queue_take(&q, &group), k);
        CU_ASSERT_EQUAL(group, groups[k]);
    }
    CU_ASSERT_EQUAL(queue_take(&q, &group), QUEUE_NONE);
    queue_close(&q);
}

TEST(two_workers_open_different_subjects)
{
    suite_run runs[RUNS];
    suite_entry entries[3];
    size_t a = QUEUE_NONE, b = QUEUE_NONE;
    queue q;

    plan(runs, entries);
    all_wait(&q, runs);
    CU_ASSERT_EQUAL(queue_take(&q, &a), 0);
    CU_ASSERT_EQUAL(queue_take(&q, &b), 3);
    CU_ASSERT_EQUAL(queue_take(&q, &b), 4); /* the third subject: nobody has opened it */
    CU_ASSERT_EQUAL(queue_take(&q, &a), 1);
    CU_ASSERT_EQUAL(queue_take(&q, &a), 2);
    CU_ASSERT_EQUAL(queue_take(&q, &a), 5); /* helps with the largest rest */
    queue_close(&q);
}

TEST(hands_out_a_lost_run_again)
{
    suite_run runs[RUNS];
    suite_entry entries[3];
    size_t group = QUEUE_NONE, other = QUEUE_NONE, count = 0;
    queue q;

    plan(runs, entries);
    all_wait(&q, runs);
    CU_ASSERT_EQUAL(queue_take(&q, &group), 0);
    CU_ASSERT_EQUAL(queue_take(&q, &group), 1);
    queue_add(&q, 0);
    queue_add(&q, 0); /* adds nothing */
    CU_ASSERT_EQUAL(q.waiting, RUNS - 1);
    CU_ASSERT_EQUAL(queue_take(&q, &group), 0);
    while (queue_take(&q, &other) != QUEUE_NONE) {
        count++;
    }
    CU_ASSERT_EQUAL(count, RUNS - 2);
    queue_close(&q);
}

TEST(skips_subjects_whose_runs_are_all_made)
{
    suite_run runs[RUNS];
    suite_entry entries[3];
    size_t group = QUEUE_NONE;
    queue q;

    plan(runs, entries);
    queue_open(&q, runs, RUNS);
    CU_ASSERT_EQUAL(queue_take(&q, &group), QUEUE_NONE);
    queue_add(&q, 5);
    CU_ASSERT_EQUAL(queue_take(&q, &group), 5);
    CU_ASSERT_EQUAL(group, 2);
    queue_close(&q);
}

/* Two ends of a socket. */
static void pair(wire *a, wire *b)
{
    int file[2];

    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, file), 0);
    *a = (wire){.file = file[0]};
    *b = (wire){.file = file[1]};
}

TEST(receives_messages_whole_however_they_arrive)
{
    static const char text[] = "{\"run\":7}\n{\"run\":8}\n";
    json_t *message = NULL;
    wire a, b;
    json_int_t sum = 0;

    pair(&a, &b);
    CU_ASSERT_EQUAL(wire_receive(&b, &message), WIRE_EMPTY);
    for (size_t k = 0; k + 1 < sizeof text; k++) {
        CU_ASSERT_EQUAL_FATAL(send(a.file, text + k, 1, 0), 1);
        if (wire_receive(&b, &message) == WIRE_MESSAGE) {
            CU_ASSERT_EQUAL(text[k], '\n');
            sum += json_integer_value(json_object_get(message, "run"));
            json_decref(message);
        }
    }
    CU_ASSERT_EQUAL(sum, 15);
    CU_ASSERT_EQUAL_FATAL(send(a.file, text, sizeof text - 1, 0), sizeof text - 1);
    wire_close(&a); /* what was sent before is read */
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL(wire_receive(&b, &message), WIRE_MESSAGE);
        json_decref(message);
    }
    CU_ASSERT_EQUAL(wire_receive(&b, &message), WIRE_CLOSED);
    CU_ASSERT_PTR_NULL(message);
    CU_ASSERT(!wire_send(&b, json_object()));
    wire_close(&b);
    wire_close(&b);
}

TEST(keeps_every_bit_of_a_number)
{
    json_t *message = NULL;
    wire a, b;

    pair(&a, &b);
    CU_ASSERT(wire_send(&a, json_pack("{s:f}", "x", 0.1 + 0.2)));
    CU_ASSERT_EQUAL_FATAL(wire_receive(&b, &message), WIRE_MESSAGE);
    CU_ASSERT_EQUAL(json_real_value(json_object_get(message, "x")), 0.1 + 0.2);
    json_decref(message);
    wire_close(&a);
    wire_close(&b);
}

TEST(closes_on_what_is_no_message)
{
    static const char *const bad[] = {"no json\n", "[1]\n", "\n"};
    json_t *message = NULL;
    wire a, b;

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        pair(&a, &b);
        CU_ASSERT(send(a.file, bad[k], strlen(bad[k]), 0) > 0);
        CU_ASSERT_EQUAL(wire_receive(&b, &message), WIRE_CLOSED);
        CU_ASSERT_PTR_NULL(message);
        wire_close(&a);
        wire_close(&b);
    }
}

TEST(does_not_listen_to_an_endless_greeting)
{
    char flood[1024];
    json_t *message = NULL;
    wire a, b;
    wire_state state = WIRE_EMPTY;

    memset(flood, 'x', sizeof flood);
    pair(&a, &b);
    b.most = 4096;
    for (int k = 0; k < 16 && state == WIRE_EMPTY; k++) {
        CU_ASSERT(send(a.file, flood, sizeof flood, 0) > 0);
        state = wire_receive(&b, &message);
    }
    CU_ASSERT_EQUAL(state, WIRE_CLOSED);
    wire_close(&a);
    wire_close(&b);
}

/* A machine of two packages with two cores of two processors: 0 1 2 3 are on different cores,
 * 4 5 6 7 are their siblings. */
static const char *machine(void)
{
    static char folder[4096];
    char path[4200];

    snprintf(folder, sizeof folder, "%s", test_scratch("machine"));
    mkdir(folder, 0777);
    for (int cpu = 0; cpu < 8; cpu++) {
        const int value[] = {cpu % 4 / 2, cpu % 2};
        static const char *const name[] = {"physical_package_id", "core_id"};

        snprintf(path, sizeof path, "%s/cpu%d", folder, cpu);
        mkdir(path, 0777);
        snprintf(path, sizeof path, "%s/cpu%d/topology", folder, cpu);
        mkdir(path, 0777);
        for (size_t k = 0; k < 2; k++) {

            snprintf(path, sizeof path, "%s/cpu%d/topology/%s", folder, cpu, name[k]);
            FILE *f = fopen(path, "w");
            CU_ASSERT_PTR_NOT_NULL_FATAL(f);
            fprintf(f, "%d\n", value[k]);
            fclose(f);
        }
    }
    return folder;
}

static void allow(cpu_set_t *set, const char *cpus)
{
    CPU_ZERO(set);
    for (; *cpus; cpus++) {
        CPU_SET(*cpus - '0', set);
    }
}

TEST(puts_processors_of_different_cores_first)
{
    perp_cores c;
    cpu_set_t set;

    allow(&set, "024567");
    perp_cores_list(&c, &set, machine());
    CU_ASSERT_EQUAL_FATAL(c.count, 6);
    CU_ASSERT_EQUAL(c.physical, 4); /* cores of 0, 2, 5, 7; then the siblings 4 and 6 */
    CU_ASSERT(c.cpu[0] == 0 && c.cpu[1] == 2 && c.cpu[2] == 5 && c.cpu[3] == 7);
    CU_ASSERT(c.cpu[4] == 4 && c.cpu[5] == 6);
    /* A machine that does not describe itself: each processor counts as a core. */
    perp_cores_list(&c, &set, "/no/such/folder");
    CU_ASSERT_EQUAL(c.count, 6);
    CU_ASSERT_EQUAL(c.physical, 6);
}

TEST(gives_no_processor_to_two_ranks)
{
    perp_cores c[3];
    cpu_set_t set[3];

    allow(&set[0], "0123");
    allow(&set[1], "0123");
    allow(&set[2], "23");
    CU_ASSERT(perp_cores_share(c, set, 3, 1, machine()));
    CU_ASSERT(c[0].cpu[0] == 0 && c[1].cpu[0] == 1 && c[2].cpu[0] == 2);
    CU_ASSERT(perp_cores_share(c, set, 2, 2, machine()));
    CU_ASSERT(c[1].count == 2 && c[1].cpu[0] == 2 && c[1].cpu[1] == 3);
    CU_ASSERT(!perp_cores_share(c, set, 3, 2, machine()));
}

TEST(claims_a_processor_once)
{
    const int cpu = 100000 + (int)(getpid() % 100000); /* of nobody else */
    int first = perp_cores_claim(cpu);

    CU_ASSERT(first >= 0);
    CU_ASSERT(perp_cores_claim(cpu) < 0);
    close(first);
    first = perp_cores_claim(cpu);
    CU_ASSERT(first >= 0);
    close(first);
}

TEST(pins_nothing_unless_there_is_enough)
{
    pinning p;
    char text[256];

    pinning_open(&p, 200, 100, true);
    CU_ASSERT(!p.pinned);
    CU_ASSERT_EQUAL(p.jobs[0].count, 0);
    pinning_doubt(&p, text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "need 20000 processors"));
    pinning_close(&p);
    pinning_open(&p, 1, 1, false);
    CU_ASSERT(!p.pinned);
    pinning_doubt(&p, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "");
    pinning_describe(&p, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "1 run at a time, not pinned to processors");
    pinning_close(&p);
}
