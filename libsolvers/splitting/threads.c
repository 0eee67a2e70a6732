/* SPDX-License-Identifier: Apache-2.0
 * splitting/team.c: threads that work on one thing together.
 *
 * A barrier counts arrivals; the last opens the next phase. Waiting spins first, since others
 * arrive within microseconds when each has a core; then it yields, and at last it sleeps, so
 * that on a crowded machine those who are late get the time of those who wait. */
#include <config.h>

#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* About 50 us of looking, as long as a colour or a short judgement takes. */
enum { SPINS = 2000, YIELDS = 20 };

typedef struct member {
    thread_team *team;
    size_t index;
    pthread_t thread;
} member;

struct thread_team {
    size_t size;
    void (*work)(void *context, size_t member);
    void *context;
    member *members;       /* of member 0 only the place */
    atomic_size_t arrived; /* at the barrier */
    atomic_size_t phase;   /* barriers passed */
    atomic_size_t task;    /* tasks given */
    atomic_bool over;      /* no more will come */
    pthread_mutex_t mutex; /* of the condition */
    pthread_cond_t news;   /* a counter has advanced */
    bool has_mutex, has_condition;
};

static inline void relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

size_t perp_threads_size(const thread_team *t)
{
    return t->size;
}

/* Until a counter has left `old`: look, let others run, sleep. */
static void await(thread_team *t, atomic_size_t *counter, size_t old)
{
    for (int i = 0; i < SPINS + YIELDS; i++) {
        if (atomic_load_explicit(counter, memory_order_acquire) != old) {
            return;
        }
        if (i < SPINS) {
            relax();
        } else {
            sched_yield();
        }
    }
    pthread_mutex_lock(&t->mutex);
    while (atomic_load_explicit(counter, memory_order_acquire) == old) {
        pthread_cond_wait(&t->news, &t->mutex);
    }
    pthread_mutex_unlock(&t->mutex);
}

/* What was done before is seen by all who await this. */
static void advance(thread_team *t, atomic_size_t *counter)
{
    pthread_mutex_lock(&t->mutex);
    atomic_fetch_add_explicit(counter, 1, memory_order_release);
    pthread_cond_broadcast(&t->news);
    pthread_mutex_unlock(&t->mutex);
}

void perp_threads_barrier(thread_team *t)
{
    size_t phase = atomic_load_explicit(&t->phase, memory_order_relaxed);

    if (atomic_fetch_add_explicit(&t->arrived, 1, memory_order_acq_rel) + 1 == t->size) {
        atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
        advance(t, &t->phase);
    } else {
        await(t, &t->phase, phase);
    }
}

static void *member_main(void *context)
{
    const member *m = context;
    thread_team *t = m->team;

    for (size_t done = 0;; done++) {
        await(t, &t->task, done);
        if (atomic_load_explicit(&t->over, memory_order_acquire)) {
            return NULL;
        }
        t->work(t->context, m->index);
        perp_threads_barrier(t);
    }
}

/* The size is settled before the first task, which nobody begins without it. */
thread_team *perp_threads_new(size_t members, void (*work)(void *context, size_t member),
                              void *context, perp_workspace *ws)
{
    thread_team *t = perp_workspace_take(ws, 1, sizeof *t);

    if (t) {
        t->members = perp_workspace_take(ws, members, sizeof *t->members);
    }
    if (!t || !t->members) {
        return NULL;
    }
    t->size = 1;
    t->work = work;
    t->context = context;
    t->has_mutex = pthread_mutex_init(&t->mutex, NULL) == 0;
    t->has_condition = pthread_cond_init(&t->news, NULL) == 0;
    while (t->has_mutex && t->has_condition && t->size < members) {
        member *m = &t->members[t->size];

        m->team = t;
        m->index = t->size;
        if (pthread_create(&m->thread, NULL, member_main, m) != 0) {
            break;
        }
        t->size++;
    }
    return t;
}

void perp_threads_free(thread_team *t)
{
    if (!t) {
        return;
    }
    if (t->size > 1) {
        atomic_store_explicit(&t->over, true, memory_order_release);
        advance(t, &t->task);
    }
    for (size_t i = 1; i < t->size; i++) {
        pthread_join(t->members[i].thread, NULL);
    }
    if (t->has_condition) {
        pthread_cond_destroy(&t->news);
    }
    if (t->has_mutex) {
        pthread_mutex_destroy(&t->mutex);
    }
}

void perp_threads_run(thread_team *t)
{
    if (t->size > 1) {
        advance(t, &t->task);
    }
    t->work(t->context, 0);
    if (t->size > 1) {
        perp_threads_barrier(t);
    }
}
