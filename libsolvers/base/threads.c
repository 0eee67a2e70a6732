/* SPDX-License-Identifier: Apache-2.0
 * base/threads.c: a team of threads with a barrier.
 *
 * The barrier counts arrivals, and the last one opens the next phase. A waiting thread spins
 * first, since the others arrive within microseconds when each has a core of its own; then it
 * yields, and finally it sleeps, so that on a loaded machine late threads get its time. */
#include <config.h>

#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* About 50 us of spinning, the duration of a colour or of a short judgement. */
enum { SPINS = 2000, YIELDS = 20 };

typedef struct threads_member {
    thread_team *team;
    size_t index;
    pthread_t thread;
    atomic_size_t taken; /* ranges of its part since the last barrier */
    char apart[64];      /* no cache line of two members */
} threads_member;

struct thread_team {
    size_t size;
    void (*work)(void *context, size_t member); /* of the current task */
    void *context;
    threads_member *members; /* member 0 is the caller */
    atomic_size_t arrived;   /* at the barrier */
    atomic_size_t phase;     /* barriers passed */
    atomic_size_t task;      /* tasks started */
    atomic_bool over;        /* no further task */
    pthread_mutex_t mutex;   /* of the condition */
    pthread_cond_t advanced; /* a counter has advanced */
    bool has_mutex, has_condition;
};

static inline void threads_pause(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

size_t perp_threads_size(const thread_team *t)
{
    return t ? t->size : 1;
}

/* Wait until a counter differs from `old`: spin, yield, sleep. */
static void threads_await(thread_team *t, atomic_size_t *counter, size_t old)
{
    for (int i = 0; i < SPINS + YIELDS; i++) {
        if (atomic_load_explicit(counter, memory_order_acquire) != old) {
            return;
        }
        if (i < SPINS) {
            threads_pause();
        } else {
            sched_yield();
        }
    }
    pthread_mutex_lock(&t->mutex);
    while (atomic_load_explicit(counter, memory_order_acquire) == old) {
        pthread_cond_wait(&t->advanced, &t->mutex);
    }
    pthread_mutex_unlock(&t->mutex);
}

/* All memory written before is visible to the threads that await this. */
static void threads_advance(thread_team *t, atomic_size_t *counter)
{
    pthread_mutex_lock(&t->mutex);
    atomic_fetch_add_explicit(counter, 1, memory_order_release);
    pthread_cond_broadcast(&t->advanced);
    pthread_mutex_unlock(&t->mutex);
}

void perp_threads_barrier(thread_team *t)
{
    size_t phase = 0;

    if (!t || t->size == 1) {
        return;
    }
    phase = atomic_load_explicit(&t->phase, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&t->arrived, 1, memory_order_acq_rel) + 1 == t->size) {
        for (size_t m = 0; m < t->size; m++) {
            atomic_store_explicit(&t->members[m].taken, 0, memory_order_relaxed);
        }
        atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
        threads_advance(t, &t->phase);
    } else {
        threads_await(t, &t->phase, phase);
    }
}

static void *threads_main(void *context)
{
    const threads_member *m = context;
    thread_team *t = m->team;

    for (size_t done = 0;; done++) {
        threads_await(t, &t->task, done);
        if (atomic_load_explicit(&t->over, memory_order_acquire)) {
            return NULL;
        }
        t->work(t->context, m->index);
        perp_threads_barrier(t);
    }
}

/* The size is final before the first task. */
thread_team *perp_threads_new(size_t members, perp_workspace *ws)
{
    thread_team *t = perp_workspace_alloc(ws, 1, sizeof *t);

    if (t) {
        t->members = perp_workspace_alloc(ws, members, sizeof *t->members);
    }
    if (!t || !t->members) {
        return NULL;
    }
    t->size = 1;
    t->has_mutex = pthread_mutex_init(&t->mutex, NULL) == 0;
    t->has_condition = pthread_cond_init(&t->advanced, NULL) == 0;
    while (t->has_mutex && t->has_condition && t->size < members) {
        threads_member *m = &t->members[t->size];

        m->team = t;
        m->index = t->size;
        if (pthread_create(&m->thread, NULL, threads_main, m) != 0) {
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
        threads_advance(t, &t->task);
    }
    for (size_t i = 1; i < t->size; i++) {
        pthread_join(t->members[i].thread, NULL);
    }
    if (t->has_condition) {
        pthread_cond_destroy(&t->advanced);
    }
    if (t->has_mutex) {
        pthread_mutex_destroy(&t->mutex);
    }
}

void perp_threads_run(thread_team *t, void (*work)(void *context, size_t member),
                      void *context)
{
    if (!t || t->size == 1) {
        work(context, 0);
        return;
    }
    t->work = work; /* the others wait, and see it with the task */
    t->context = context;
    threads_advance(t, &t->task);
    work(context, 0);
    perp_threads_barrier(t);
}

void perp_threads_share(thread_team *t, size_t member, size_t count, size_t grain,
                        void (*work)(void *context, size_t first, size_t last),
                        void *context)
{
    size_t members = t ? t->size : 1, ranges = count / grain + (count % grain > 0);
    atomic_size_t alone = 0;

    for (size_t m = 0; m < members; m++) {
        size_t owner = (member + m) % members;
        atomic_size_t *taken = members > 1 ? &t->members[owner].taken : &alone;
        size_t from = ranges * owner / members, to = ranges * (owner + 1) / members;

        for (size_t k = from + atomic_fetch_add(taken, 1); k < to;
             k = from + atomic_fetch_add(taken, 1)) {
            size_t first = k * grain;

            work(context, first, count - first < grain ? count : first + grain);
        }
    }
}
