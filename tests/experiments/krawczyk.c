/* SPDX-License-Identifier: Apache-2.0
 * tests/experiments/krawczyk.c: solutions on cones, enclosed. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "experiments/exact/exact.h"
#include "instances.h"
#include "support.h"

static void table_line(const char *name)
{
    perp_problem *p = NULL;
    perp_result *r = NULL;
    exact_proof proof = {0};
    perp_error err = {0};
    double t = 0;
    const char *only = getenv("ONLY");
    const char *solver = getenv("SOLVER") ? getenv("SOLVER") : "auto";

    if (only && !strstr(name, only)) return;
    p = test_dataset(name);
    if (p->global) {
        perp_reform *c = NULL;
        if (perp_reform_condense(&c, p, &err) != PERP_OK) { printf("%s %s\n", name, err.text); return; }
        p = c->to;
    }
    if (!p->A || (perp_set_kinds(p->set) & ~7u) == 0) return;
    t = perp_clock();
    r = test_solve(p, solver, "tolerance=1e-12", "time-limit=20", NULL);
    double ts = perp_clock() - t;
    t = perp_clock();
    if (exact_krawczyk(p, r->z, getenv("SECONDS") ? atof(getenv("SECONDS")) : 30, &proof, &err) != PERP_OK) printf("ERR %s\n", err.text);
    printf("%-50s n=%zu res %.1e (%.1fs) %s delta %.2e changes %zu unique %d %.2f s: %s\n", name, p->n, r->residual, ts, exact_verdict_name(proof.verdict), proof.delta, proof.changes, proof.unique, perp_clock() - t, proof.says);
    fflush(stdout);
    exact_proof_clear(&proof);
}

TEST(table)
{
    test_each_dataset(table_line);
}

TEST_MAIN("enclosures of solutions on cones")
