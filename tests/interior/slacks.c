/* SPDX-License-Identifier: Apache-2.0
 * tests/interior/slacks.c: slacks and multipliers of cones, moved to the central path. */
#include <config.h>

#include "instances.h"
#include "interior/slacks.h"

enum { ROWS = 9 };

/* Two cones in space, one in the plane, and a row that is none. */
static perp_set *make_set(void)
{
    return test_set("cone3:0.5,cone3:2.0,cone2:0.3,nonneg");
}

static double product(const double *s, const double *v, unsigned i)
{
    return i == 0 ? s[0] * v[0] + s[1] * v[1] + s[2] * v[2] : s[0] * v[i] + v[0] * s[i];
}

/* s o v = m e and s - v/d = G z0 - (w_N/mu, w_T)/d define the point; z follows from s. */
static void check_point(const perp_slack *c, double d, double m, const double *z0,
                        const double *w, const double *z)
{
    for (unsigned i = 0; i < c->dim; i++) {
        size_t row = i == 0 ? c->first : c->tail + i - 1;
        double mu = i == 0 ? c->mu : 1.0;
        double y = mu * z0[row] - w[row] / (mu * d);
        double size = c->s[0] + c->v[0] / d;

        /* sums of three products */
        CU_ASSERT_DOUBLE_EQUAL(product(c->s, c->v, i), i == 0 ? m : 0.0,
                               8 * DBL_EPSILON * c->s[0] * c->v[0]);
        CU_ASSERT_DOUBLE_EQUAL(c->s[i] - c->v[i] / d, y, 8 * DBL_EPSILON * size);
        CU_ASSERT_DOUBLE_EQUAL(mu * z[row], c->s[i], 2 * DBL_EPSILON * c->s[0]);
    }
}

/* Points inside, on the axis, outside and at the apex; m from 1 to 1e-12. */
TEST(moves_cones_to_the_central_path)
{
    const double z0[ROWS] = {2.0, 0.5, -0.3, 0.0, 0.0, 0.0, 1.0, -4.0, 7.0};
    const double w[ROWS] = {0.1, -0.2, 0.3, 0.0, 0.0, 0.0, 3.0, 1.0, -1.0};
    const double d[ROWS] = {2.0, 2.0, 2.0, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0};
    perp_set *set = make_set();
    perp_slacks q = {0};
    perp_workspace *ws = test_new_workspace(0);

    perp_slacks_alloc(&q, set, ws);
    OK(perp_workspace_status(ws, NULL));
    perp_slacks_assign(&q, set);
    CU_ASSERT(q.count <= perp_slacks_most(set));
    for (double m = 1.0; m >= 1e-12; m *= 1e-3) {
        double z[ROWS] = {0};

        perp_slacks_center_cones(&q, d, m, z0, w, z);
        for (size_t k = 0; k < 3; k++) {
            check_point(&q.slack[k], d[q.slack[k].tail], m, z0, w, z);
        }
        CU_ASSERT_EQUAL(z[8], 0.0); /* no cone: as it was */
    }
}
