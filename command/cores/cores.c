/* SPDX-License-Identifier: Apache-2.0
 * cores/cores.c: processors for processes whose times are compared. */
#include <config.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "command/cores/cores.h"

/* Where a processor is. */
typedef struct cores_place {
    int cpu, package, core;
    int sibling; /* its number among the processors of its core */
} cores_place;

void perp_cores_allowed(cpu_set_t *allowed)
{
    CPU_ZERO(allowed);
    if (sched_getaffinity(0, sizeof *allowed, allowed) != 0) {
        CPU_ZERO(allowed); /* not known: nothing is bound */
    }
}

/* The number in a file of the topology, or -1. */
static int cores_read(const char *folder, int cpu, const char *what)
{
    char path[512];
    FILE *in = NULL;
    int value = -1;

    snprintf(path, sizeof path, "%s/cpu%d/topology/%s", folder, cpu, what);
    in = fopen(path, "r");
    if (in) {
        value = fscanf(in, "%d", &value) == 1 ? value : -1;
        fclose(in);
    }
    return value;
}

static int cores_compare(const void *a, const void *b)
{
    const cores_place *x = a, *y = b;

    if (x->sibling != y->sibling) {
        return x->sibling < y->sibling ? -1 : 1;
    }
    return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

void perp_cores_list(perp_cores *c, const cpu_set_t *allowed, const char *folder)
{
    cores_place *place = calloc(PERP_CORES_MAX, sizeof *place);

    c->count = c->physical = 0;
    for (int cpu = 0; place && cpu < PERP_CORES_MAX; cpu++) {
        cores_place *p = &place[c->count];

        if (!CPU_ISSET(cpu, allowed)) {
            continue;
        }
        folder = folder ? folder : "/sys/devices/system/cpu";
        *p = (cores_place){.cpu = cpu,
                           .package = cores_read(folder, cpu, "physical_package_id"),
                           .core = cores_read(folder, cpu, "core_id")};
        for (size_t k = 0; k < c->count; k++) {
            p->sibling += p->core >= 0 && place[k].core == p->core &&
                          place[k].package == p->package;
        }
        c->physical += p->sibling == 0;
        c->count++;
    }
    if (place) {
        qsort(place, c->count, sizeof *place, cores_compare);
    }
    for (size_t k = 0; k < c->count; k++) {
        c->cpu[k] = place[k].cpu;
    }
    free(place);
}

bool perp_cores_share(perp_cores *chosen, const cpu_set_t *allowed, size_t count,
                      size_t each, const char *folder)
{
    cpu_set_t taken;
    bool enough = true;

    CPU_ZERO(&taken);
    for (size_t k = 0; k < count && enough; k++) {
        perp_cores all;
        size_t got = 0, physical = 0;

        perp_cores_list(&all, &allowed[k], folder);
        for (size_t i = 0; i < all.count && got < each; i++) {
            if (!CPU_ISSET(all.cpu[i], &taken)) {
                CPU_SET(all.cpu[i], &taken);
                physical += i < all.physical;
                chosen[k].cpu[got++] = all.cpu[i];
            }
        }
        chosen[k].count = got;
        chosen[k].physical = physical;
        enough = got == each;
    }
    return enough;
}

/* A name of the abstract namespace belongs to the socket and goes with it, however the process
 * ends. */
int perp_cores_claim(int cpu)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int length =
        snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "perp-cpu-%d", cpu);
    int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t size =
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1) + (socklen_t)length;

    if (file >= 0 && bind(file, (const struct sockaddr *)&name, size) != 0) {
        close(file);
        file = -1;
    }
    return file;
}

bool perp_cores_bind(const perp_cores *c)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    for (size_t k = 0; k < c->count; k++) {
        CPU_SET(c->cpu[k], &set);
    }
    return c->count > 0 && sched_setaffinity(0, sizeof set, &set) == 0;
}
