/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/bench.c: what the solvers cost, each as a ratio to a reference timed in
 * the same run, on one thread. Arguments: the folder of the instances; then the topics, all
 * by default. A ratio above its bound is marked, never hidden. */
#include <config.h>

#include <cblas.h>
#include <stdio.h>

#include "command/cli/heap.h"
#include "experiments/bench/measure.h"

static bool wanted(int argc, char **argv, const char *topic)
{
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], topic) == 0) {
            return true;
        }
    }
    return argc <= 2;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "datasets";
    double triad = 0.0;

    heap_retain(); /* as the command does */
    triad = time_triad();
    openblas_set_num_threads(1);
    printf("one-thread triad of 40 million: %.1f ms, %.1f GB/s; %s\n\n", 1e3 * triad,
           24e-9 * 40e6 / triad, openblas_get_config());
    printf("%-46s %10s %10s    %8s %6s\n", "", "measured", "reference", "ratio", "bound");
    if (wanted(argc, argv, "direct")) {
        bench_direct();
    }
    if (wanted(argc, argv, "judging")) {
        bench_judging(folder);
    }
    if (wanted(argc, argv, "factor")) {
        bench_factor();
    }
    if (wanted(argc, argv, "gradient")) {
        bench_gradient(folder);
    }
    if (wanted(argc, argv, "contacts")) {
        bench_contacts(folder);
    }
    if (wanted(argc, argv, "rigid")) {
        bench_rigid();
    }
    if (wanted(argc, argv, "broad")) {
        bench_broad();
    }
    if (wanted(argc, argv, "narrow")) {
        bench_narrow_pairs();
        bench_narrow_hulls();
    }
    if (wanted(argc, argv, "articulated")) {
        bench_articulated();
        bench_humanoid();
    }
    if (wanted(argc, argv, "scene")) {
        bench_scene();
    }
    if (wanted(argc, argv, "exact")) {
        bench_exact(folder);
    }
    if (wanted(argc, argv, "formats")) {
        bench_formats();
    }
    printf("\n%d of the bounds missed\n", missed_bounds());
    return 0;
}
