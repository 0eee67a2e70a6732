/* SPDX-License-Identifier: Apache-2.0
 * runner/ranks.c: a campaign on the processes that mpiexec has started. */
#include <config.h>

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <perp/external.h>

#include "base/base.h"
#include "base/process.h"
#include "command/campaign/pinning.h"
#include "command/campaign/ranks.h"
#include "command/campaign/wire.h"
#include "command/campaign/worker.h"
#include "command/cli/output.h"

/* "TOKEN EACH PORT ADDRESS ADDRESS …", broadcast by codes/ranks.c; seconds until all ranks of
 * a large job have started; seconds to connect. */
enum { RANKS_TEXT = 1024, RANKS_START = 600, RANKS_CONNECT = 5 };

/* A number of the environment by the first of two names that is there. */
static int ranks_number(const char *name, const char *other, int otherwise)
{
    const char *text = getenv(name);

    text = text ? text : getenv(other);
    return text ? atoi(text) : otherwise;
}

void ranks_find(ranks *r)
{
    *r = (ranks){.count = 1, .listener = -1};
    r->count = ranks_number("OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", 1);
    r->rank = ranks_number("OMPI_COMM_WORLD_RANK", "PMIX_RANK", -1);
    if (r->count < 2 || r->rank < 0) {
        r->count = 1; /* SLURM sets its variable for a shell, too */
        r->rank = 0;
    }
}

void ranks_close(ranks *r)
{
    if (r->listener >= 0) {
        close(r->listener);
    }
    r->listener = -1;
}

void ranks_keep_alive(int file)
{
    const struct {
        int level, name, value;
    } settings[] = {
        {SOL_SOCKET, SO_KEEPALIVE, 1},    {IPPROTO_TCP, TCP_KEEPIDLE, 20},
        {IPPROTO_TCP, TCP_KEEPINTVL, 10}, {IPPROTO_TCP, TCP_KEEPCNT, 3},
        {IPPROTO_TCP, TCP_NODELAY, 1},    {IPPROTO_TCP, TCP_USER_TIMEOUT, 60000},
    };

    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        /* what a kernel does not know is done without */
        setsockopt(file, settings[k].level, settings[k].name, &settings[k].value,
                   sizeof settings[k].value);
    }
}

/* -- the exchange through MPI ---------------------------------------------------------------- */

/* Later programs are no part of this job: a code that uses MPI starts its own. */
static void ranks_forget(void)
{
    static const char *const prefixes[] = {"OMPI_", "PMIX_", "ORTE_", "PRTE_", "PMI_"};

    for (char **at = environ; *at;) {
        char name[256];
        bool known = false;

        snprintf(name, sizeof name, "%.*s", (int)strcspn(*at, "="), *at);
        for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
            known = known || strncmp(name, prefixes[k], strlen(prefixes[k])) == 0;
        }
        if (!known || unsetenv(name) != 0) {
            at++;
        }
    }
}

/* Read "2 2 5 7": count, how many on different cores, and the processors. */
static void ranks_read_cores(perp_cores *c, const char *text)
{
    char *end = NULL;
    long count = strtol(text, &end, 10);

    c->count = 0;
    c->physical = (size_t)strtol(end, &end, 10);
    for (long k = 0; k < count && k < PERP_CORES_MAX; k++) {
        c->cpu[c->count++] = (int)strtol(end, &end, 10);
    }
}

/* Run the program that knows MPI; all ranks do. `text` is what rank 0 says, replaced by what all
 * hear. */
static perp_status ranks_exchange(ranks *r, char text[RANKS_TEXT], perp_error *err)
{
    const perp_code helper = {.name = "mpi", .program = "perp-ranks"};
    char path[4096], line[256];
    const char *const argv[] = {path, NULL};
    perp_process c = {0};
    perp_status status = PERP_OK;

    if (!perp_code_program(&helper, path, sizeof path)) {
        return perp_fail(err, PERP_ERR_LIBRARY,
                         "perp compare: started by mpiexec with %d ranks, but perp was "
                         "built without MPI (configure --with-mpi)",
                         r->count);
    }
    setenv("PERP_RANKS", text, 1);
    perp_process_clear(&c);
    status = perp_process_start(
        &c, &(perp_process_orders){.argv = argv, .seconds = RANKS_START}, err);
    while (c.pid) {
        perp_process_wait(&c, 1, 1.0);
    }
    unsetenv("PERP_RANKS");
    if (status == PERP_OK && (c.end != PERP_PROCESS_EXITED || c.code != 0 || !c.text ||
                              !strchr(c.text, '\n'))) {
        perp_process_last_line(&c, line, sizeof line);
        status = perp_fail(err, PERP_ERR_LIBRARY, "perp compare: MPI does not start: %s",
                           line);
    }
    if (status == PERP_OK) {
        size_t length = strcspn(c.text, "\n");

        snprintf(text, RANKS_TEXT, "%.*s", (int)length, c.text);
        ranks_read_cores(&r->cores, c.text + length + 1);
    }
    perp_process_clear(&c);
    ranks_forget();
    return status;
}

/* -- rank 0 ---------------------------------------------------------------------------------- */

static perp_status ranks_token(ranks *r, perp_error *err)
{
    unsigned char bytes[(RANKS_TOKEN - 1) / 2];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return perp_fail(err, PERP_ERR_LIBRARY, "no random numbers: %s", strerror(errno));
    }
    for (size_t k = 0; k < sizeof bytes; k++) {
        snprintf(r->token + 2 * k, 3, "%02x", bytes[k]);
    }
    return PERP_OK;
}

static perp_status ranks_listen(ranks *r, int *port, perp_error *err)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = INADDR_ANY};
    socklen_t length = sizeof name;

    r->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (r->listener < 0 ||
        bind(r->listener, (const struct sockaddr *)&name, sizeof name) != 0 ||
        listen(r->listener, SOMAXCONN) != 0 ||
        getsockname(r->listener, (struct sockaddr *)&name, &length) != 0) {
        return perp_fail(err, PERP_ERR_LIBRARY, "cannot listen for other ranks: %s",
                         strerror(errno));
    }
    *port = ntohs(name.sin_port);
    return PERP_OK;
}

/* The addresses of this machine, that of the loop last. */
static void ranks_addresses(char *text, size_t length)
{
    struct ifaddrs *list = NULL;
    size_t end = 0;

    if (getifaddrs(&list) != 0) {
        list = NULL;
    }
    for (const struct ifaddrs *at = list; at && end + INET_ADDRSTRLEN + 16 < length;
         at = at->ifa_next) {
        struct sockaddr_in name;

        if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET ||
            !(at->ifa_flags & IFF_UP) || (at->ifa_flags & IFF_LOOPBACK)) {
            continue;
        }
        memcpy(&name, at->ifa_addr, sizeof name);
        if (inet_ntop(AF_INET, &name.sin_addr, text + end, INET_ADDRSTRLEN)) {
            end += strlen(text + end);
            text[end++] = ' ';
        }
    }
    snprintf(text + end, length - end, "127.0.0.1");
    freeifaddrs(list);
}

perp_status ranks_invite(ranks *r, size_t each, perp_error *err)
{
    char text[RANKS_TEXT], addresses[RANKS_TEXT - 128];
    int port = 0;

    if (r->count == 1) {
        return PERP_OK;
    }
    TRY(ranks_token(r, err));
    TRY(ranks_listen(r, &port, err));
    ranks_addresses(addresses, sizeof addresses);
    snprintf(text, sizeof text, "%s %zu %d %s", r->token, each, port, addresses);
    return ranks_exchange(r, text, err);
}

/* -- the other ranks ------------------------------------------------------------------------- */

/* A socket to this address, or -1. */
static int ranks_connect_to(const char *address, int port)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    const struct timeval patience = {RANKS_CONNECT, 0}, none = {0, 0};
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (file < 0) {
        return -1;
    }
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (inet_pton(AF_INET, address, &name.sin_addr) != 1 ||
        connect(file, (const struct sockaddr *)&name, sizeof name) != 0) {
        close(file);
        return -1;
    }
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none);
    ranks_keep_alive(file);
    return file;
}

/* Connect to rank 0 by the text of the exchange; the token is kept. -1: it cannot be reached. */
static int ranks_connect(ranks *r, char *text)
{
    char *rest = NULL;
    const char *token = strtok_r(text, " ", &rest);
    const char *each = strtok_r(NULL, " ", &rest), *port = strtok_r(NULL, " ", &rest);
    int file = -1;

    snprintf(r->token, sizeof r->token, "%s", token ? token : "");
    for (const char *at = NULL;
         file < 0 && each && port && (at = strtok_r(NULL, " ", &rest)) != NULL;) {
        file = ranks_connect_to(at, atoi(port));
    }
    return file;
}

/* Tell rank 0 why this one makes no runs. */
static void ranks_excuse(const ranks *r, int file, const char *why)
{
    wire line = {.file = file};
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    wire_send(&line, json_pack("{s:s, s:i, s:s, s:s}", "token", r->token, "rank", r->rank,
                               "host", host, "error", why));
    wire_close(&line);
}

/* The worker: a child that the rank leaves behind. */
static void ranks_work(ranks *r, char *text, const suite *s, const char *executable,
                       const perp_error *failure)
{
    pinning p = {0};
    suite_run *runs = NULL;
    size_t count = 0;
    perp_error inner = {0};
    int file = ranks_connect(r, text);

    signal(SIGUSR1, SIG_IGN); /* for rank 0 */
    if (file < 0) {
        output_print(stderr, OUTPUT_PLAIN, "perp compare: rank %d cannot reach rank 0\n",
                     r->rank);
    } else if (!s) {
        ranks_excuse(r, file, failure->text);
    } else if (suite_plan(s, &runs, &count, &inner) != PERP_OK) {
        ranks_excuse(r, file, inner.text);
    } else {
        pinning_adopt(&p, &r->cores, r->cores.count > 0);
        worker_serve(&(worker_orders){.suite = s,
                                      .runs = runs,
                                      .count = count,
                                      .executable = executable,
                                      .token = r->token,
                                      .rank = r->rank,
                                      .cores = &p.jobs[0]},
                     file);
    }
    free(runs);
    pinning_close(&p);
}

perp_status ranks_serve(ranks *r, const suite *s, const char *executable,
                        const perp_error *failure, perp_error *err)
{
    char text[RANKS_TEXT] = "";
    perp_status status = ranks_exchange(r, text, err);
    pid_t child = status == PERP_OK ? fork() : 0;

    if (status != PERP_OK) {
        return status;
    }
    if (child < 0) {
        return perp_fail(err, PERP_ERR_LIBRARY, "cannot start the worker of rank %d: %s",
                         r->rank, strerror(errno));
    }
    if (child == 0) {
        ranks_work(r, text, s, executable, failure);
    }
    _exit(0);
}
