/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/instances.c: nsgs and its kin on real instances, W as it is stored. */
#include <config.h>

#include "answers.h"
#include "instances.h"

/* The default tolerance. */
static const double asked = 1e-8;

/* Solved from zero; the number of iterations. */
static size_t solved(const char *path, const char *solver, const char *setting)
{
    perp_problem *p = test_dataset(path);
    perp_result *r = test_solve(p, solver, setting, NULL);
    size_t iterations = r->iterations;

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    if (p->A) {
        test_solved(p, r, asked);
    }
    if (r->outcome != PERP_SOLVED) {
        test_note("%s on %s: %s", solver, path, r->reason);
    }
    return iterations;
}

/* Three quarters of the sweeps of pgs or less. */
TEST(nncg_saves_sweeps_on_contacts)
{
    static const char *const paths[] = {"siconos-fc3d/KaplasTower-i1061-4.hdf5.dat",
                                        "siconos-fc2d/FrictionContactProblem00237.dat",
                                        "siconos-fc3d/Confeti-ex03-Fc3D-SBM.dat", NULL};

    for (size_t i = 0; paths[i]; i++) {
        size_t plain = solved(paths[i], "pgs", "relaxation=1");

        CU_ASSERT(4 * solved(paths[i], "nncg", "relaxation=1") <= 3 * plain);
    }
}
