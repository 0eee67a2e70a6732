/* SPDX-License-Identifier: Apache-2.0
 * tests/core/robustness.c: who solves the real instances, from z = 0, in ten seconds
 * each.
 *
 * Every LCP, MLCP and relay file by fb, by auto, and by three solvers of two families;
 * every contact file by auto, nsgs, admm-ncp and nsgs+newton, hence by three families,
 * the plane and rolling ones too, on the matrix as stored. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "instances.h"

/* What one sort of files asks for. */
typedef struct demand {
    const char *const *files;  /* ended by NULL */
    const char *const *must;   /* solvers that must solve each */
    const char *const *others; /* solvers that may */
    size_t solvers, families;  /* that must solve each */
} demand;

static const char *const scalar_files[] = {"siconos-lcp/lcp_CPS_1.dat",
                                           "siconos-lcp/lcp_CPS_2.dat",
                                           "siconos-lcp/lcp_CPS_4.dat",
                                           "siconos-lcp/lcp_Pang_isolated_sol.dat",
                                           "siconos-lcp/lcp_deudeu.dat",
                                           "siconos-lcp/lcp_deudeu_block.dat",
                                           "siconos-lcp/lcp_exp_murty.dat",
                                           "siconos-lcp/lcp_mmc.dat",
                                           "siconos-lcp/lcp_ortiz.dat",
                                           "siconos-lcp/lcp_ortiz_block.dat",
                                           "siconos-lcp/lcp_trivial_block.dat",
                                           "siconos-mlcp/BuckFirstStep_mlcp.dat",
                                           "siconos-mlcp/PD_mlcp.dat",
                                           "siconos-mlcp/RCD_mlcp.dat",
                                           "siconos-mlcp/RLCD_mlcp.dat",
                                           "siconos-mlcp/deltasigma_mlcp.dat",
                                           "siconos-mlcp/diodeBridge20_mlcp.dat",
                                           "siconos-mlcp/m3n2_mlcp.dat",
                                           "siconos-mlcp/relay2_mlcp.dat",
                                           "siconos-relay/relay1.dat",
                                           "siconos-relay/relay_simple2.dat",
                                           "siconos-relay/step_2x2.dat",
                                           NULL};
static const char *const scalar_must[] = {"fb", "auto", NULL};
static const char *const scalar_others[] = {"lemke", "keller", "bpp", "prox:bpp",
                                            "ipm",   "minmap", NULL};

static const char *const contact_files[] = {
    "contactbench/sliding_cube.npz",
    "fclib/Box_Stacks-i0122-82-5.hdf5",
    "fclib/Capsules-i125-1213.hdf5",
    "fclib/CubeH8.hdf5",
    "fclib/local_problem_test.hdf5",
    "siconos-fc3d/BoxesStack1-i100000-32.hdf5.dat",
    "siconos-fc3d/Capsules-i100-1090.dat",
    "siconos-fc3d/Capsules-i122-1617.dat",
    "siconos-fc3d/Confeti-ex03-Fc3D-SBM.dat",
    "siconos-fc3d/Confeti-ex13-4contact-Fc3D-SBM.dat",
    "siconos-fc3d/FC3D_Example1_SBM.dat",
    "siconos-fc3d/FrictionContact3D_1c.dat",
    "siconos-fc3d/KaplasTower-i1061-4.hdf5.dat",
    "siconos-fc3d/NESpheres_10_1.dat",
    "siconos-fc3d/OneObject-i100000-316.hdf5.dat",
    "siconos-fc3d/Rover1040.dat",
    "siconos-fc3d/Rover11035.dat",
    "siconos-fc3d/Rover4396.dat",
    "siconos-gfc3d/GFC3D_Example00_badly_scaled.dat",
    "siconos-gfc3d/GFC3D_Example1.dat",
    "siconos-gfc3d/GFC3D_TwoRods1.dat",
    "siconos-gfc3d/gfc2d_granularflowonwall_00069_00350.dat",
    "siconos-fc2d/FrictionContactProblem00237.dat",
    "siconos-fc2d/FrictionContactProblem00394.dat",
    "siconos-fc2d/fc2d_granularflowonwall_00667_00000.dat",
    "fclib/Chute-ndof-768-nc-4-3.hdf5",
    "siconos-rolling/RFC3D_cube_1.dat",
    "siconos-rolling/rfc3d_sphere_from_grfc3d.dat",
    "siconos-rolling/rockfall_14_25792.dat",
    NULL};
static const char *const contact_must[] = {"auto", "nsgs", "admm-ncp", "nsgs+newton",
                                           NULL};
static const char *const nothing[] = {NULL};

/* Two stacks of boxes take 2e5 sweeps: too long under valgrind, and asked for
 * elsewhere. */
static bool is_left_out(const char *file, const char *solver)
{
    return getenv("PERP_TEST_BRIEF") && strcmp(solver, "nsgs") == 0 &&
           (strstr(file, "BoxesStack1") || strstr(file, "local_problem"));
}

static bool solves(const perp_problem *p, const char *file, const char *solver,
                   const char **family)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_error err = {0};
    bool solved = false;

    OK(perp_solver_parse(solver, &type, &opt, NULL));
    /* a slow build proves nothing about time */
    CU_ASSERT_EQUAL_FATAL(perp_options_set(&opt, "time-limit",
                                           getenv("PERP_TEST_BRIEF") ? "0" : "10", NULL),
                          PERP_OK);
    perp_result *r = test_new_result(p->n);
    *family = opt.inner ? opt.inner->family : type->family;
    if (perp_solve(type, p, &opt, r, &err) == PERP_OK) {
        solved = r->outcome == PERP_SOLVED && r->residual_given <= 1e-8;
        if (!solved) {
            test_note("%s by %s: %s: %s", file, solver, perp_outcome_text(r->outcome),
                      r->reason);
        }
    } else {
        test_note("%s by %s: %s", file, solver, err.text);
    }
    return solved;
}

/* Families seen so far, by their names' addresses or texts. */
static void add_family(const char **families, size_t *count, const char *name)
{
    for (size_t k = 0; k < *count; k++) {
        if (strcmp(families[k], name) == 0) {
            return;
        }
    }
    families[(*count)++] = name;
}

static void check_file(const demand *d, const char *file)
{
    perp_problem *p = test_dataset(file);
    const char *families[16] = {NULL};
    const char *family = NULL;
    size_t family_count = 0;
    size_t solver_count = 0;

    for (size_t k = 0; d->must[k]; k++) {
        if (!is_left_out(file, d->must[k])) {
            bool solved = solves(p, file, d->must[k], &family);

            CU_ASSERT(solved);
            if (solved && strcmp(family, "chain") != 0) {
                add_family(families, &family_count, family);
                solver_count++;
            }
        }
    }
    for (size_t k = 0; d->others[k]; k++) {
        if (solves(p, file, d->others[k], &family)) {
            add_family(families, &family_count, family);
            solver_count++;
        }
    }
    if (!getenv("PERP_TEST_BRIEF") &&
        (solver_count < d->solvers || family_count < d->families)) {
        test_note("%s: %zu solvers of %zu families", file, solver_count, family_count);
        CU_FAIL("too few solve it");
    }
}

static void check_all(const demand *d)
{
    for (size_t k = 0; d->files[k]; k++) {
        check_file(d, d->files[k]);
    }
}

TEST(every_lcp_mlcp_and_relay_is_solved_by_fb_auto_and_two_families)
{
    const demand d = {scalar_files, scalar_must, scalar_others, 3, 2};

    check_all(&d);
}

TEST(every_contact_problem_is_solved_by_three_families_and_auto)
{
    const demand d = {contact_files, contact_must, nothing, 3, 3};

    check_all(&d);
}

TEST(the_rectangular_problem_is_refused_with_the_reason)
{
    char path[2048];
    perp_problem *p = NULL;
    perp_error err = {0};

    snprintf(path, sizeof path, "%s/siconos-mlcp/Rectangular_mlcp.dat", test_datasets());
    CU_ASSERT_NOT_EQUAL(perp_problem_read(&p, path, NULL, NULL, &err), PERP_OK);
    CU_ASSERT_PTR_NULL(p);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "does not pair each z with a w"));
}
