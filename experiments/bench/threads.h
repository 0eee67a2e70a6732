/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/threads.h: races of one thread against two, apart from threads.c. */
#ifndef PERP_BENCH_THREADS_H
#define PERP_BENCH_THREADS_H

/** Steps of so many spheres, whose scene is found from the folder of the data sets. */
void race_spheres(const char *folder, const char *count);

#endif
