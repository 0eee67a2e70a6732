/* SPDX-License-Identifier: Apache-2.0
 * exact/fence.c: work that ends with a status where FLINT would end the program.
 *
 * FLINT calls its abort function where memory is missing, and on errors such as an impossible inverse.
 * GMP, which has no such function, calls abort after a message; its allocations are therefore made
 * by functions of this file. Both leave the work by longjmp. The pools of FLINT may be inconsistent
 * then, so the fence stays closed. */
#include <config.h>

#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>

#include <flint/flint.h>
#include <gmp.h>

#include "interop/exact/fence.h"

static jmp_buf fence_exit;
static bool fence_inside, fence_closed;
static bool fence_memory; /* an allocation failed */

/* The attribute is part of the type that FLINT takes; _Noreturn is not, to clang. */
__attribute__((noreturn)) static void fence_leave(void)
{
    if (!fence_inside) {
        abort(); /* as FLINT does by itself */
    }
    fence_inside = false;
    fence_closed = true;
    longjmp(fence_exit, 1);
}

static void *fence_kept(void *memory)
{
    if (!memory) {
        fence_memory = true;
        fence_leave();
    }
    return memory;
}

static void *fence_allocate(size_t size)
{
    return fence_kept(malloc(size ? size : 1));
}

static void *fence_extend(void *memory, size_t old, size_t size)
{
    (void)old;
    return fence_kept(realloc(memory, size ? size : 1));
}

static void fence_free(void *memory, size_t size)
{
    (void)size;
    free(memory);
}

static void *fence_clear(size_t count, size_t size)
{
    return fence_kept(calloc(count ? count : 1, size ? size : 1));
}

static void *fence_resize(void *memory, size_t size)
{
    return fence_kept(realloc(memory, size ? size : 1));
}

perp_status exact_fenced(perp_status (*work)(void *context, perp_error *err),
                         void *context, perp_error *err)
{
    perp_status status = PERP_OK;

    if (fence_closed) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "exact: memory ran out before, and FLINT cannot be used again");
    }
    flint_set_abort(fence_leave);
    mp_set_memory_functions(fence_allocate, fence_extend, fence_free);
    __flint_set_memory_functions(fence_allocate, fence_clear, fence_resize, free);
    if (setjmp(fence_exit) != 0) {
        return fence_memory
                   ? perp_fail(err, PERP_ERR_MEMORY, "exact: no memory for exact numbers")
                   : perp_fail(err, PERP_ERR_LIBRARY, "exact: FLINT gave up");
    }
    fence_inside = true;
    status = work(context, err);
    fence_inside = false;
    return status;
}
