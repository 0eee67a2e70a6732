/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/contacts.c: sweeps and whole solves of real frictional contact problems.
 *
 * The bounds of whole solves are milliseconds of a machine whose memory streams a triad of 40
 * million numbers in 26 ms; here they are stretched as much as that takes longer. */
#include <config.h>

#include <stdio.h>

#include "experiments/bench/measure.h"

static const double triad_there = 26e-3;

static void bench_sweep(const char *folder)
{
    perp_problem *p = read_problem(folder, "siconos-fc3d/KaplasTower-i1061-4.hdf5.dat");
    perp_operator *A = NULL;
    perp_error err = {0};
    cost c;

    if (perp_operator_convert(&A, p->A, PERP_STORAGE_BSR, 3, &err) != PERP_OK) {
        give_up("blocks", &err);
    }
    perp_operator_free(p->A);
    p->A = A;
    c = run_solver("nsgs", p, 400);
    report("nsgs 570 contacts: sweep / block product", c.steps / (double)c.r->iterations,
           time_product(A), 3.0);
    perp_result_free(c.r);
    perp_problem_free(p);
}

/* All solvers that know Coulomb's law; the best one counts. */
static void race(const char *folder, const char *file, double bound, double triad)
{
    static const char *const names[] = {
        "nsgs", "nncg",        "spg-inline",  "ds:spg",      "ds:apgd",  "ds:mpgp",
        "ac",   "prox-newton", "nsgs+newton", "ds:ipm-socp", "admm-ncp", "auto",
    };
    const double allowed = bound * triad / triad_there;
    perp_problem *p = read_problem(folder, file);
    const char *winner = "none";
    double best = INFINITY;
    char what[128];

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        perp_result *r = NULL;
        double seconds = time_solve(names[k], p, 3.0 * allowed, &r);

        printf("    %-14s %8.1f ms %s, %.0f products, %.0f factorisations\n", names[k],
               1e3 * seconds, perp_outcome_text(r->outcome), r->work.products,
               r->work.factorizations);
        if (seconds < best) {
            best = seconds;
            winner = names[k];
        }
        perp_result_free(r);
    }
    snprintf(what, sizeof what, "best on %zu contacts: %s", p->set->count, winner);
    report(what, best, allowed, 1.0);
    perp_problem_free(p);
}

void bench_contacts(const char *folder)
{
    double triad = time_triad();

    bench_sweep(folder);
    race(folder, "siconos-fc3d/KaplasTower-i1061-4.hdf5.dat", 25e-3, triad);
    race(folder, "fclib/Capsules-i125-1213.hdf5", 30e-3, triad);
}
