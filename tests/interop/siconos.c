/* SPDX-License-Identifier: Apache-2.0
 * tests/interop/siconos.c: Siconos reads each kind of text that perp writes, dense and in
 * blocks, writes it again bit for bit, and solves it: the same answer. */
#include <config.h>

#include <math.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <GlobalRollingFrictionContactProblem.h>
#include <LinearComplementarityProblem.h>
#include <MixedLinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <RelayProblem.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#include <mlcp_cst.h>
#include <relay_cst.h>

#include "drawn.h"
#include "files.h"

/* Exported by the library, declared in headers that are not installed. */
SecondOrderConeLinearComplementarityProblem *
secondOrderConeLinearComplementarityProblem_new(int n, int nc, NumericsMatrix *M,
                                                double *q, unsigned int *coneIndex,
                                                double *tau);
int secondOrderConeLinearComplementarityProblem_newFromFile(
    SecondOrderConeLinearComplementarityProblem *p, FILE *file);
int secondOrderConeLinearComplementarityProblem_printInFile(
    SecondOrderConeLinearComplementarityProblem *p, FILE *file);
int soclcp_driver(SecondOrderConeLinearComplementarityProblem *p, double *r, double *v,
                  SolverOptions *options);
GenericMechanicalProblem *genericMechanical_newFromFile(FILE *file);
int gmp_driver(GenericMechanicalProblem *p, double *reaction, double *velocity,
               SolverOptions *options);

enum { SOCLCP_NSGS = 1100, GMP_NSGS = 2000 };
enum { SIZE = 64 }; /* rows and velocities of all problems here are fewer */

/* A file that Siconos reads, the file it writes of it, its answer and status. */
typedef struct passage {
    FILE *in, *out;
    bool reads_only; /* does not solve */
    double z[SIZE], w[SIZE], v[SIZE];
    int info;
} passage;

/* Tolerance far below the 1e-6 that answers are compared with. */
static SolverOptions *options_of(int solver)
{
    SolverOptions *o = solver_options_create(solver);

    CU_ASSERT_PTR_NOT_NULL_FATAL(o);
    o->dparam[SICONOS_DPARAM_TOL] = 1e-11;
    o->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    return o;
}

/* Siconos 4.4.0 solves relay, mixed and rolling problems with dense matrices only. */
static void make_dense(NumericsMatrix **M)
{
    NumericsMatrix *dense = NM_new();

    if ((*M)->storageType == NM_DENSE) {
        return;
    }
    CU_ASSERT_EQUAL(NM_to_dense(*M, dense), 0);
    *M = dense;
}

static void lcp(passage *x)
{
    LinearComplementarityProblem *p = newLCP();
    SolverOptions *o = NULL;

    linearComplementarity_newFromFile(p, x->in);
    linearComplementarity_printInFile(p, x->out);
    o = options_of(p->M->storageType == NM_SPARSE_BLOCK ? SICONOS_LCP_NSGS_SBM
                                                        : SICONOS_LCP_LEMKE);
    x->info = linearComplementarity_driver(p, x->z, x->w, o);
    solver_options_delete(o);
}

static void relay(passage *x)
{
    RelayProblem *p = relay_newFromFile(x->in);
    SolverOptions *o = options_of(SICONOS_RELAY_LEMKE);

    relay_printInFile(p, x->out);
    make_dense(&p->M);
    x->info = relay_driver(p, x->z, x->w, o);
    solver_options_delete(o);
}

static void mlcp(passage *x)
{
    MixedLinearComplementarityProblem *p = mixedLinearComplementarity_new();
    SolverOptions *o = options_of(SICONOS_MLCP_ENUM);

    mixedLinearComplementarity_newFromFile(p, x->in);
    mixedLinearComplementarity_printInFile(p, x->out);
    make_dense(&p->M);
    x->info = mlcp_driver(p, x->z, x->w, o);
    solver_options_delete(o);
}

static void fc2d(passage *x)
{
    FrictionContactProblem *p = frictionContact_newFromFile(x->in);
    SolverOptions *o = options_of(SICONOS_FRICTION_2D_NSGS);

    frictionContact_printInFile(p, x->out);
    x->info = fc2d_driver(p, x->z, x->w, o);
    solver_options_delete(o);
}

static void fc3d(passage *x)
{
    FrictionContactProblem *p = frictionContact_newFromFile(x->in);
    SolverOptions *o = options_of(SICONOS_FRICTION_3D_NSGS);

    frictionContact_printInFile(p, x->out);
    x->info = fc3d_driver(p, x->z, x->w, o);
    solver_options_delete(o);
}

static void gfc3d(passage *x)
{
    GlobalFrictionContactProblem *p = globalFrictionContact_newFromFile(x->in);
    SolverOptions *o = options_of(SICONOS_GLOBAL_FRICTION_3D_NSGS_WR);

    globalFrictionContact_printInFile(p, x->out);
    x->info = gfc3d_driver(p, x->z, x->w, x->v, o);
    solver_options_delete(o);
}

static void rolling(passage *x)
{
    RollingFrictionContactProblem *p = rollingFrictionContact_newFromFile(x->in);
    SolverOptions *o = options_of(SICONOS_ROLLING_FRICTION_3D_NSGS);

    rollingFrictionContact_printInFile(p, x->out);
    make_dense(&p->M);
    x->info = rolling_fc3d_driver(p, x->z, x->w, o);
    solver_options_delete(o);
}

static void global_rolling(passage *x)
{
    GlobalRollingFrictionContactProblem *p =
        globalRollingFrictionContact_newFromFile(x->in);
    SolverOptions *o = options_of(SICONOS_GLOBAL_ROLLING_FRICTION_3D_NSGS_WR);

    globalRollingFrictionContact_printInFile(p, x->out);
    make_dense(&p->M);
    make_dense(&p->H);
    x->info = g_rolling_fc3d_driver(p, x->z, x->w, x->v, o);
    solver_options_delete(o);
}

static void gmp(passage *x)
{
    GenericMechanicalProblem *p = genericMechanical_newFromFile(x->in);
    SolverOptions *o = options_of(GMP_NSGS);

    x->info = gmp_driver(p, x->z, x->w, o);
    solver_options_delete(o);
}

static void soclcp(passage *x)
{
    SecondOrderConeLinearComplementarityProblem *p =
        secondOrderConeLinearComplementarityProblem_new(0, 0, NULL, NULL, NULL, NULL);
    SolverOptions *o = options_of(SOCLCP_NSGS);

    secondOrderConeLinearComplementarityProblem_newFromFile(p, x->in);
    secondOrderConeLinearComplementarityProblem_printInFile(p, x->out);
    x->info = x->reads_only ? 0 : soclcp_driver(p, x->z, x->w, o);
    solver_options_delete(o);
}

/* Siconos reads the file `there` and writes it again to `back`. */
static void pass(passage *x, const char *there, const char *back,
                 void (*siconos)(passage *))
{
    x->in = fopen(there, "r");
    x->out = fopen(back, "w");
    CU_ASSERT_TRUE_FATAL(x->in && x->out);
    siconos(x);
    fclose(x->in);
    fclose(x->out);
    CU_ASSERT_EQUAL(x->info, 0);
}

/* perp writes p, Siconos reads it; what it writes of it is p again. */
static void comes_back(const perp_problem *p, const char *kind,
                       void (*siconos)(passage *), passage *x)
{
    const perp_read_options opt = {.format = "siconos", .kind = kind};
    char there[1024];
    char back[1024];

    snprintf(there, sizeof there, "%s", test_scratch("there.dat"));
    snprintf(back, sizeof back, "%s", test_scratch("back.dat"));
    OK(perp_problem_write(p, there, NULL, kind, NULL));
    pass(x, there, back, siconos);
    if (siconos != gmp) { /* of which Siconos writes q with six digits */
        CU_ASSERT_TRUE(files_same_problem(p, test_read(back, &opt, NULL)));
    }
}

/* The same, and the answer of Siconos is that of perp. */
static void passes(const perp_problem *p, const char *kind, void (*siconos)(passage *))
{
    const perp_result *r = test_solve(p, "auto", "tolerance=1e-12", NULL);
    passage x = {.reads_only = false};
    double scale = 1.0;

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_TRUE_FATAL(p->n <= SIZE);
    comes_back(p, kind, siconos, &x);
    for (size_t i = 0; i < p->n; i++) {
        scale = fmax(scale, fabs(r->z[i]));
    }
    for (size_t i = 0; i < p->n; i++) {
        if (!(fabs(x.z[i] - r->z[i]) <= 1e-6 * scale)) {
            test_note("%s: z[%zu] is %.9g, of perp %.9g", kind, i, x.z[i], r->z[i]);
            CU_FAIL("another answer");
        }
    }
}

static void store_global(perp_problem *p)
{
    perp_operator **each[] = {&p->global->M, &p->global->H};

    for (size_t k = 0; k < 2; k++) {
        perp_operator *dense = *each[k];

        OK(perp_operator_convert(each[k], dense, PERP_STORAGE_CSR, 1, NULL));
        perp_operator_free(dense);
    }
}

/* Dense, then in blocks of this size. */
static void passes_in_both_forms(const char *words, perp_law law, const char *kind,
                                 void (*siconos)(passage *), size_t edge)
{
    perp_problem *p = test_drawn(words, law, SKEW);

    passes(p, kind, siconos);
    test_store(p, edge > 1 ? PERP_STORAGE_BSR : PERP_STORAGE_CSR, edge);
    passes(p, kind, siconos);
}

TEST(an_lcp_is_solved_by_siconos)
{
    passes_in_both_forms("nonneg,nonneg,nonneg,nonneg,nonneg,nonneg", PERP_LAW_COULOMB,
                         "lcp", lcp, 1);
}

TEST(a_relay_problem_is_solved_by_siconos)
{
    passes_in_both_forms("-0.5..0.25,-1..1,-0.125..0.5,-2..0.0625", PERP_LAW_COULOMB,
                         "relay", relay, 1);
}

TEST(an_mlcp_is_solved_by_siconos)
{
    passes_in_both_forms("free,free,nonneg,nonneg,nonneg,nonneg", PERP_LAW_COULOMB,
                         "mlcp", mlcp, 1);
    passes_in_both_forms("nonneg,free,nonneg,nonneg,free,nonneg", PERP_LAW_COULOMB,
                         "mlcp", mlcp, 1);
}

/* Of dense matrices Siconos 4.4.0 solves only symmetric ones. */
TEST(contacts_in_a_plane_are_solved_by_siconos)
{
    const char *words = "cone2:0.3,cone2:0.5,cone2:0.1";
    perp_problem *p = test_drawn(words, PERP_LAW_COULOMB, 0.0);

    passes(p, "fc2d", fc2d);
    p = test_drawn(words, PERP_LAW_COULOMB, SKEW);
    test_store(p, PERP_STORAGE_BSR, 2);
    passes(p, "fc2d", fc2d);
}

TEST(contacts_in_space_are_solved_by_siconos)
{
    passes_in_both_forms("cone3:0.3,cone3:0.5,cone3:0.1", PERP_LAW_COULOMB, "fc3d", fc3d,
                         3);
}

TEST(a_global_problem_is_solved_by_siconos)
{
    perp_problem *p = test_drawn_global("cone3:0.3,cone3:0.5");

    passes(p, "gfc3d", gfc3d);
    store_global(p);
    passes(p, "gfc3d", gfc3d);
}

TEST(rolling_contacts_are_solved_by_siconos)
{
    passes_in_both_forms("rolling:0.3:0.1,rolling:0.5:0.2", PERP_LAW_COULOMB, "rolling",
                         rolling, 5);
}

TEST(a_global_problem_of_rolling_contacts_is_solved_by_siconos)
{
    perp_problem *p = test_drawn_global("rolling:0.3:0.1");

    passes(p, "rolling", global_rolling);
    store_global(p);
    passes(p, "rolling", global_rolling);
}

/* The local solver of Siconos solves symmetric contacts. */
TEST(a_generic_problem_is_solved_by_siconos)
{
    passes(test_drawn("free,nonneg,cone3:0.3,nonneg,cone3:0.1", PERP_LAW_COULOMB, 0.0),
           "gmp", gmp);
}

/* Siconos 4.4.0 reads cones of any size and solves those of three rows. */
TEST(cones_under_the_associated_law_are_solved_by_siconos)
{
    passage x = {.reads_only = true};

    passes_in_both_forms("cone3:0.3,cone3:0.5,cone3:0.1", PERP_LAW_ASSOCIATED, "soclcp",
                         soclcp, 3);
    comes_back(test_drawn("cone2:0.3,cone2:0.5", PERP_LAW_ASSOCIATED, SKEW), "soclcp",
               soclcp, &x);
    comes_back(test_drawn("nonneg,cone2:0.3,cone3:0.5", PERP_LAW_ASSOCIATED, SKEW),
               "soclcp", soclcp, &x);
}
