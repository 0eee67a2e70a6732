/* SPDX-License-Identifier: Apache-2.0
 * perp/blas.h: the number of threads of BLAS.
 *
 * A sum that threads share is added in another order, so that its bits depend on their number. The
 * functions of both libraries that use BLAS or LAPACK therefore run it on one thread, whatever the
 * caller or OPENBLAS_NUM_THREADS says, and restore the number that was set when they return. A
 * caller who prefers the speed of more threads on large dense problems asks for them by
 * perp_set_blas_threads; a result then says so in its path.
 *
 * OpenBLAS has one number for the whole process. While one thread is in a function of perp, all
 * threads of the process have the number of perp; the number of the caller returns with the last
 * of them. These functions can be called by several threads at once. */
#ifndef PERP_BLAS_H
#define PERP_BLAS_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** Threads of BLAS within perp: 1 unless set; 0: as many as the caller has set for BLAS. */
size_t perp_blas_threads(void);
/** Set this number. It holds from the next time on at which no function of perp uses BLAS. */
void perp_set_blas_threads(size_t threads);

/** From here on BLAS runs on perp_blas_threads() threads, until as many calls of
 *  perp_blas_release. Pairs may be nested. */
void perp_blas_hold(void);
void perp_blas_release(void);

/** Let OpenBLAS take its buffer, 128 megabytes of addresses, which it keeps; later calls do nothing.
 *  Without memory for it a function of BLAS would try again without end. perp_problem_seal and
 *  perp_stepper_new do this. PERP_ERR_MEMORY: BLAS must not be called. */
perp_status perp_blas_reserve(perp_error *err);

PERP_END_DECLS

#endif
