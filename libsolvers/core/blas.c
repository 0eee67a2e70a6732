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
#include <stdlib.h>

#include <perp/blas.h>

/* The buffer of OpenBLAS (BUFFER_SIZE of its common.h) with some pages more. */
enum { BLAS_MEGABYTES = 128, BLAS_MORE = 1 << 16 };

static struct {
    pthread_mutex_t lock;
    size_t threads; /* that perp wants; 0: those of the caller */
    size_t holds;
    int before; /* of the caller; 0: nothing to restore */
    bool reserved;
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

/* An update of one number: of all functions of BLAS one that takes the buffer whatever the size. */
static void blas_take_buffer(void)
{
    const double one = 1.0;
    double sum = 0.0;

    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, 1, 1, 1.0, &one, 1, 0.0, &sum,
                1);
}

perp_status perp_blas_reserve(perp_error *err)
{
    bool good = false;

    pthread_mutex_lock(&blas.lock);
    if (!blas.reserved) {
        void *room = malloc(((size_t)BLAS_MEGABYTES << 20) + BLAS_MORE);

        blas.reserved = room != NULL;
        free(room);
        if (blas.reserved) {
            blas_take_buffer();
        }
    }
    good = blas.reserved;
    pthread_mutex_unlock(&blas.lock);
    return good ? PERP_OK
                : perp_fail(err, PERP_ERR_MEMORY,
                            "no memory for the buffer of BLAS, %d megabytes of addresses",
                            BLAS_MEGABYTES);
}
