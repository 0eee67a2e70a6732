/* SPDX-License-Identifier: Apache-2.0
 * cores/cores.h: processors for processes whose times are compared: each gets its own, on cores of
 * its own as long as there are enough. */
#ifndef PERP_CORES_H
#define PERP_CORES_H

#include <sched.h>

#include <perp/base.h>

/** More processors than a cpu_set_t holds are not used. */
enum { PERP_CORES_MAX = CPU_SETSIZE };

/** The processors of a process. */
typedef struct perp_cores {
    int cpu[PERP_CORES_MAX]; /**< as the kernel numbers them */
    size_t count;
    size_t
        physical; /**< the first so many are on different cores, the others share these */
} perp_cores;

/** The processors that this process may use. */
void perp_cores_allowed(cpu_set_t *allowed);
/** The processors of `allowed`, those on different cores first. `folder` describes the
 *  machine; NULL: /sys/devices/system/cpu. */
void perp_cores_list(perp_cores *c, const cpu_set_t *allowed, const char *folder);
/** Choose `each` processors for each of `count` processes of one machine, the k-th of which may
 *  use those of allowed[k]; no processor is chosen twice. False when there are too few. */
bool perp_cores_share(perp_cores *chosen, const cpu_set_t *allowed, size_t count,
                      size_t each, const char *folder);
/** Claim a processor on this machine against other processes that claim, until the returned file
 *  is closed or the process ends; -1: somebody else has it. */
int perp_cores_claim(int cpu);
/** Bind this process and those it starts; false when the kernel refuses. */
bool perp_cores_bind(const perp_cores *c);

#endif
