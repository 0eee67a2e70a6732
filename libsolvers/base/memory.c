/* SPDX-License-Identifier: Apache-2.0
 * base/memory.c: memory that a library needed and did not get. */
#include <config.h>

#include <stdatomic.h>

#include "base/memory.h"

static atomic_bool memory_missed;

void perp_memory_miss(void)
{
    atomic_store(&memory_missed, true);
}

bool perp_memory_missed(void)
{
    return atomic_load(&memory_missed);
}

void perp_memory_forget(void)
{
    atomic_store(&memory_missed, false);
}
