/* SPDX-License-Identifier: Apache-2.0
 * tests/support/arena.c: the objects of the running test. */
#include <config.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

enum { MOST = 1 << 15 };

/* In place, since tests count allocations; an object that was given away is NULL here. */
static struct {
    void *object;
    void (*release)(void *object);
} kept[MOST];
static size_t kept_count;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

void *test_keep(void *object, void (*release)(void *object))
{
    if (!object) {
        return NULL;
    }
    pthread_mutex_lock(&kept_lock);
    if (kept_count == MOST) {
        puts("Bail out! a test keeps too many objects: free them in its loop");
        exit(99);
    }
    kept[kept_count].object = object;
    kept[kept_count++].release = release;
    pthread_mutex_unlock(&kept_lock);
    return object;
}

void *test_given(void *object)
{
    size_t k = 0;

    pthread_mutex_lock(&kept_lock);
    for (k = kept_count; k > 0 && kept[k - 1].object != object; k--) {
    }
    if (k > 0) {
        kept[k - 1].object = NULL;
    }
    for (; kept_count > 0 && !kept[kept_count - 1].object; kept_count--) {
    }
    pthread_mutex_unlock(&kept_lock);
    return object;
}

perp_problem *test_given_problem(perp_problem *p)
{
    if (p) {
        test_given(p);
        test_given(p->A);
        test_given(p->borrows_b ? NULL : p->b);
        test_given(p->borrows_set ? NULL : p->set);
    }
    if (p && p->global) {
        test_given(p->global->M);
        test_given(p->global->H);
        test_given(p->global->G);
        test_given(p->global->f);
        test_given(p->global);
    }
    return p;
}

perp_sequence_item *test_given_item(perp_sequence_item *item)
{
    test_given_problem(item->problem);
    test_given(item->keys);
    return item;
}

size_t test_mark(void)
{
    return kept_count;
}

void test_release(size_t mark)
{
    /* problems first, since they own others */
    for (size_t k = kept_count; k > mark; k--) {
        if (k <= kept_count && kept[k - 1].object &&
            kept[k - 1].release == test_free_problem) {
            test_free_problem(kept[k - 1].object);
        }
    }
    while (kept_count > mark) {
        void *object = kept[--kept_count].object;

        if (object) {
            kept[kept_count].release(object);
        }
    }
}

void *test_alloc(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    CU_ASSERT_FATAL(memory != NULL || count == 0 || size == 0);
    return test_keep(memory, free);
}

double *test_reals(size_t n)
{
    double *x = perp_reals_new(n);

    CU_ASSERT_PTR_NOT_NULL_FATAL(x);
    return test_keep(x, free);
}

void test_free_problem(void *p)
{
    perp_problem_free((perp_problem *)p);
}
