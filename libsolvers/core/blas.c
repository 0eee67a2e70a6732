/* SPDX-License-Identifier: Apache-2.0
 * core/blas.c: one number of BLAS threads while perp works.
 *
 * The first hold remembers the number of the caller and sets that of perp, the last release
 * restores it. A lock makes both steps whole: with a counter alone, a thread could start to work
 * before another has set the number. Cost: two uncontended locks, 40 ns per pair. */
#include <config.h>

#include <cblas.h>
#include <limits.h>
#include <pthread.h>

#include <perp/blas.h>

static struct {
    pthread_mutex_t lock;
    size_t threads; /* that perp wants; 0: those of the caller */
    size_t holds;
    int before; /* of the caller; 0: nothing to restore */
} blas = {.lock = PTHREAD_MUTEX_INITIALIZER, .threads = 1};

size_t perp_blas_threads(void)
{
    size_t threads = 0;

    pthread_mutex_lock(&blas.lock);
    threads = blas.threads;
    pthread_mutex_unlock(&blas.lock);
    return threads;
}

void perp_set_blas_threads(size_t threads)
{
    pthread_mutex_lock(&blas.lock);
    blas.threads = threads < INT_MAX ? threads : INT_MAX;
    pthread_mutex_unlock(&blas.lock);
}

void perp_blas_hold(void)
{
    pthread_mutex_lock(&blas.lock);
    if (blas.holds++ == 0) {
        int now = openblas_get_num_threads();

        blas.before = 0;
        if (blas.threads > 0 && now != (int)blas.threads) {
            blas.before = now;
            openblas_set_num_threads((int)blas.threads);
        }
    }
    pthread_mutex_unlock(&blas.lock);
}

void perp_blas_release(void)
{
    pthread_mutex_lock(&blas.lock);
    if (blas.holds > 0 && --blas.holds == 0 && blas.before > 0) {
        openblas_set_num_threads(blas.before);
    }
    pthread_mutex_unlock(&blas.lock);
}
