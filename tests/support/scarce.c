/* SPDX-License-Identifier: Apache-2.0
 * tests/support/scarce.c: the allocation that fails. */
#include <config.h>

#include <stdatomic.h>
#include <stdlib.h>

#include "scarce.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

/* Allocations until one fails; negative: none fails. Of several threads one fails. */
static atomic_long allowed = -1;
static atomic_bool failed;

static bool refuse(void)
{
    if (allowed < 0 || atomic_fetch_sub(&allowed, 1) != 0) {
        return false;
    }
    failed = true;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return refuse() ? NULL : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refuse() ? NULL : __real_aligned_alloc(alignment, size);
}

void scarce_begin(long k)
{
    failed = false;
    allowed = k;
}

bool scarce_end(void)
{
    allowed = -1;
    return failed;
}

void scarce_everywhere(perp_status (*work)(void *context, perp_error *err), void *context,
                       const char *name)
{
    for (long k = 0; k < 20000; k++) {
        perp_error err = {0};
        perp_status status = PERP_OK;
        size_t mark = test_mark();
        bool refused = false;

        scarce_begin(k);
        status = work(context, &err);
        refused = scarce_end();
        test_release(mark);
        if (!refused) {
            if (status != PERP_OK) {
                test_note("%s: %s", name, err.text);
            }
            OK(status);
            CU_ASSERT(k > 0);
            return;
        }
        if (status != PERP_OK && (!*err.text || err.status != status)) {
            test_note("%s: allocation %ld fails with status %d and text \"%s\"", name, k,
                      (int)status, err.text);
            CU_FAIL("a failed allocation without a message");
        }
    }
    CU_FAIL_FATAL("allocations without end");
}
