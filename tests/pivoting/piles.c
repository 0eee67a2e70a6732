/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/piles.c: pivoting on contacts of hyperstatic piles: singular normals,
 * pyramids of friction, box friction. */
#include <config.h>

#include <stdio.h>

#include "answers.h"
#include "families.h"

/* What is asked for; most end at rounding. */
static const double asked = 1e-8;

static void check(const char *solver, const char *option, const char *format, int size,
                  int seed)
{
    char call[128];
    perp_problem *p = NULL;

    snprintf(call, sizeof call, format, size, seed);
    OK(perp_family_make(call, &p, NULL));
    perp_result *r = test_solve(p, solver, option, NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(r->residual <= asked);
    if (r->outcome != PERP_SOLVED) {
        test_note("%s on %s: %s", solver, call, r->reason);
    }
    perp_problem_free(p);
}

/* Half of the rows depend on the others. */
TEST(normals_of_deficient_rank)
{
    for (int n = 50; n <= 400; n *= 2) {
        for (int seed = 1; seed <= 4; seed++) {
            check("lemke", NULL, "normal-contacts:n=%d,seed=%d", n, seed);
            check("dantzig", NULL, "normal-contacts:n=%d,seed=%d", n, seed);
        }
    }
    check("lemke", NULL, "normal-contacts:n=%d,seed=%d", 800, 1);
    check("dantzig", NULL, "normal-contacts:n=%d,seed=%d", 800, 1);
}

/* Six rows a contact, then ten. */
TEST(lemke_on_pyramids)
{
    for (int seed = 1; seed <= 3; seed++) {
        check("lemke", NULL, "pyramid:contacts=%d,seed=%d,lines=2", 8, seed);
        check("lemke", NULL, "pyramid:contacts=%d,seed=%d,lines=2", 33, seed);
        check("lemke", NULL, "pyramid:contacts=%d,seed=%d,lines=4", 10, seed);
        check("lemke", NULL, "pyramid:contacts=%d,seed=%d,lines=4", 40, seed);
    }
    check("lemke", NULL, "pyramid:contacts=%d,seed=%d,lines=4", 80, 1);
}

/* Bricks at rest and pushed apart; more unknowns than the bricks can tell. */
TEST(lemke_on_walls)
{
    for (int seed = 1; seed <= 3; seed++) {
        check("lemke", "friction=pyramid:4", "wall:nx=%d,nz=3,seed=%d", 3, seed);
        check("lemke", "friction=pyramid:8", "wall:nx=%d,nz=3,seed=%d", 3, seed);
        check("lemke", "friction=pyramid:4", "wall:nx=%d,nz=3,push=1,seed=%d", 3, seed);
        check("lemke", "friction=pyramid:8", "wall:nx=%d,nz=2,push=1,seed=%d", 3, seed);
    }
}

/* Whatever becomes of the single methods, the chain of auto ends at a solution. */
TEST(box_friction)
{
    static const char *const walls[] = {"tresca:dantzig", "prox-newton"};

    for (int seed = 1; seed <= 3; seed++) {
        check("auto", NULL, "friction-cloud:contacts=%d,seed=%d", 17, seed);
        check("auto", NULL, "friction-cloud:contacts=%d,seed=%d", 33, seed);
        check("auto", NULL, "friction-cloud:contacts=%d,seed=%d", 67, seed);
        check("friction-path", NULL, "friction-cloud:contacts=%d,seed=%d", 17, seed);
        check("friction-path", NULL, "friction-cloud:contacts=%d,seed=%d", 33, seed);
        for (int k = 0; k < 2; k++) {
            check(walls[k], "friction=box", "wall:nx=%d,nz=3,seed=%d", 4, seed);
            check(walls[k], "friction=box", "wall:nx=%d,nz=3,push=1,seed=%d", 4, seed);
        }
    }
}
