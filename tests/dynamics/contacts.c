/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/contacts.c: contacts as rows, and the LCP of the pyramid. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scarce.h"
#include "stage.h"
#include "vec3.h"

static void open_contacts(stage *s, const golden_case *c)
{
    size_t index = 0;
    const json_t *contact = NULL;

    stage_open_golden(s, c);
    s->scheme.eta = (unsigned)golden_real(c->in, "eta");
    json_array_foreach(json_object_get(c->in, "contacts"), index, contact)
    {
        stage_touch_golden(s, contact);
    }
    stage_formulate(s);
}

/* Rows, matrix, free velocities and the velocities after any solution. */
static void check_contact_lcp(const golden_case *c)
{
    stage s;
    double *J = NULL;
    double *A = NULL;
    size_t n = 0;
    size_t nv = 0;
    perp_result *r = NULL;

    open_contacts(&s, c);
    n = s.system.rows.count;
    nv = 6 * s.world->body_count;
    CU_ASSERT_EQUAL((double)s.system.problem.n, golden_real(c->out, "n"));
    CU_ASSERT_EQUAL((double)n, golden_real(c->out, "nrow"));
    J = calloc(n * nv, sizeof *J);
    CU_ASSERT_PTR_NOT_NULL_FATAL(J);
    for (size_t k = 0; k < n; k++) {
        stage_spread(&s, k, J + k * nv);
    }
    golden_agree(c, "J", J, n * nv);
    A = stage_matrix(&s);
    golden_agree(c, "A", A, s.system.problem.n * s.system.problem.n);
    golden_agree(c, "b", s.system.problem.b, s.system.problem.n);
    golden_agree(c, "u_free", s.u_free, nv);
    for (size_t k = 0; k < s.system.problem.n; k++) { /* lo = 0, hi infinite */
        CU_ASSERT_EQUAL(s.system.problem.set->blocks[k].kind, PERP_SET_NONNEG);
    }
    r = stage_solve(&s, "lemke");
    golden_agree(c, "u_plus", s.u_plus, nv);
    CU_ASSERT(r->residual <= 1e-12); /* what was asked for */
    perp_result_free(r);
    free(J);
    free(A);
    stage_close(&s);
}

static void rows_matrix_and_velocities_are_the_golden_ones(void)
{
    golden_each("contact_lcp", NULL, check_contact_lcp);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(rows_matrix_and_velocities_are_the_golden_ones),
        TEST_END,
    };

    return test_run(argc, argv, "dynamics/contacts", cases);
}
