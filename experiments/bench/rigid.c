/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/rigid.c: contacts of rigid bodies kept as rows of two bodies: sweeps,
 * their memory, and W in blocks. Where many are stored in an order drawn at random, nsgs by
 * itself sweeps them in the order of their bodies.
 *
 * The bounds are those of a machine whose memory streams 38 GB/s on one thread; here they are
 * stretched as much as this one streams less, measured in the same run. */
#include <config.h>

#include <stdio.h>

#include "experiments/bench/measure.h"
#include "experiments/bench/packing.h"

static const double bytes_most = 600.0; /* of a contact, everything that a step holds */
static const double setup_most = 6.0;   /* sweeps */

enum { SWEEPS = 200, SEED = 7 };

/* Shares of the contacts that carry nothing, that stick, and that slide. */
static void shares(const perp_problem *p, const double *z)
{
    double count[3] = {0};

    for (size_t c = 0; c < p->set->count; c++) {
        const double *r = z + 3 * c;
        double length = hypot(r[1], r[2]);
        double edge = p->set->blocks[c].mu * r[0];

        count[r[0] <= 0.0 ? 0 : length < (1.0 - 1e-9) * edge ? 1 : 2] += 1.0;
    }
    for (size_t k = 0; k < 3; k++) {
        count[k] *= 100.0 / (double)p->set->count;
    }
    printf("    %.1f %% open, %.1f %% sticking, %.1f %% sliding (each at least 5): %s\n",
           count[0], count[1], count[2],
           fmin(count[0], fmin(count[1], count[2])) >= 5.0 ? "met" : "MISSED");
    demand(fmin(count[0], fmin(count[1], count[2])) >= 5.0);
}

/* Seconds of a sweep for a contact. */
static double bench_sweep(const char *solver, size_t contacts, packing_order order,
                          double bound)
{
    packing *s = packing_new(contacts, order, SEED);
    perp_problem *p = packing_problem(s);
    cost c = run_solver(solver, p, SWEEPS);
    double each = c.steps / (double)c.r->iterations / (double)contacts;
    double setup = c.setup / (each * (double)contacts);
    char what[128];

    snprintf(what, sizeof what, "%s %zu contacts%s: ns a contact / bound", solver,
             contacts, order == PACKING_SHUFFLED ? " shuffled" : "");
    report(what, 1e3 * each, 1e3 * bound, 1.0);
    printf("    setup %.1f sweeps (at most %.0f): %s; %.0f bytes per contact\n", setup,
           setup_most,
           order == PACKING_SHUFFLED ? "no bound"
           : setup <= setup_most     ? "met"
                                     : "MISSED",
           (double)c.bytes / (double)contacts);
    demand(order == PACKING_SHUFFLED || setup <= setup_most);
    if (order == PACKING_AS_FOUND) {
        shares(p, c.r->z);
    }
    perp_result_free(c.r);
    perp_problem_free(p);
    packing_free(s);
    return each;
}

/* Rows and formulation against two sweeps. */
static void bench_formulation(size_t contacts, double sweep)
{
    char what[128];

    snprintf(what, sizeof what, "rows and problem of %zu contacts / two sweeps",
             contacts);
    report(what, (double)contacts * bench_rows(contacts), 2.0 * (double)contacts * sweep,
           1.0);
}

/* Of a storage that jumps, swept as it stands: no bound is asked of that. */
static void report_natural(size_t contacts)
{
    packing *s = packing_new(contacts, PACKING_SHUFFLED, SEED);
    perp_problem *p = packing_problem(s);
    cost c = run_solver_with("nsgs", "order", "natural", p, SWEEPS);

    printf("    with --order natural %.2f ns a contact, %.0f bytes; no bound\n",
           1e9 * c.steps / (double)c.r->iterations / (double)contacts,
           (double)c.bytes / (double)contacts);
    perp_result_free(c.r);
    perp_problem_free(p);
    packing_free(s);
}

static void bench_blocks(double stretch)
{
    enum { CONTACTS = 10000 };
    packing *s = packing_new(CONTACTS, PACKING_AS_FOUND, SEED);
    perp_problem *p = packing_problem(s);
    const perp_storage storages[] = {PERP_STORAGE_BSR, PERP_STORAGE_CSR};

    for (size_t k = 0; k < 2; k++) {
        double best = INFINITY;

        for (int repeat = 0; repeat < REPEATS; repeat++) {
            perp_operator *W = NULL;
            perp_error err = {0};
            double begin = work_clock();

            if (perp_operator_convert(&W, p->A, storages[k], 3, &err) != PERP_OK) {
                give_up("blocks", &err);
            }
            best = fmin(best, work_clock() - begin);
            perp_operator_free(W);
        }
        report(k == 0 ? "W of 10000 contacts in blocks" : "W of 10000 contacts in CSR",
               best, (k == 0 ? 20e-3 : 60e-3) * stretch, 1.0);
    }
    perp_problem_free(p);
    packing_free(s);
}

void bench_rigid(void)
{
    double stretch = time_stretch();
    double least = 0.0, most = 0.0;

    least = bench_sweep("nsgs", 1000, PACKING_AS_FOUND, 30e-9 * stretch);
    bench_sweep("nsgs", 1000, PACKING_SHUFFLED, 30e-9 * stretch);
    bench_sweep("nsgs", 10000, PACKING_AS_FOUND, 45e-9 * stretch);
    bench_sweep("nsgs", 10000, PACKING_SHUFFLED, 45e-9 * stretch);
    most = bench_sweep("nsgs", 100000, PACKING_AS_FOUND, 45e-9 * stretch);
    bench_sweep("nsgs", 100000, PACKING_SHUFFLED, 45e-9 * stretch);
    report_natural(100000);
    printf("    slope of a sweep from 1e3 to 1e5 contacts: %.3f (0.9 to 1.1): %s\n",
           1.0 + log10(most / least) / 2.0,
           fabs(log10(most / least) / 2.0) <= 0.1 ? "met" : "MISSED");
    demand(fabs(log10(most / least) / 2.0) <= 0.1);
    bench_formulation(1000, least);
    bench_formulation(100000, most);
    bench_bytes(100000, bytes_most);
    bench_sweep("pgs", 1000, PACKING_AS_FOUND, 30e-9 * stretch);
    bench_blocks(stretch);
}
