/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/pile.c: contacts of many bodies. */
#include <config.h>

#include "pile.h"

#include <stdlib.h>

typedef struct triplets {
    size_t count;
    int32_t *i, *j;
    double *x;
} triplets;

static triplets triplets_new(size_t room)
{
    triplets t = {0, calloc(room, sizeof *t.i), calloc(room, sizeof *t.j),
                  calloc(room, sizeof *t.x)};

    CU_ASSERT_FATAL(t.i && t.j && t.x);
    return t;
}

static perp_operator *triplets_end(triplets *t, size_t rows, size_t cols)
{
    perp_operator *A = NULL;

    OK(perp_operator_new_from_triplets(&A, rows, cols, t->count, t->i, t->j, t->x, NULL));
    free(t->i);
    free(t->j);
    free(t->x);
    return A;
}

static void put(triplets *t, size_t i, size_t j, double x)
{
    t->i[t->count] = (int32_t)i;
    t->j[t->count] = (int32_t)j;
    t->x[t->count++] = x;
}

/* Three rows of a contact at one body: sign (d, arm x d) for d = normal, and two
 * tangents, the arm being `reach` times the normal, which is x or z. */
static void put_body(triplets *J, size_t contact, size_t body, double sign, double reach,
                     bool upright)
{
    const size_t axis[2][3] = {{0, 1, 2}, {2, 0, 1}}; /* n, t1, t2: right-handed */
    const size_t *d = axis[upright];

    for (size_t r = 0; r < 3; r++) {
        put(J, 3 * contact + r, 6 * body + d[r], sign);
    }
    put(J, 3 * contact + 1, 6 * body + 3 + d[2], sign * reach);  /* n x t1 = t2 */
    put(J, 3 * contact + 2, 6 * body + 3 + d[1], -sign * reach); /* n x t2 = -t1 */
}

static size_t put_contacts(triplets *J, size_t nx, size_t nz, bool ground)
{
    size_t contact = 0;

    for (size_t k = 0; k < nz; k++) {
        for (size_t i = 0; i < nx; i++) {
            size_t body = k * nx + i;

            put_body(J, contact, body, 1.0, -0.5, true);
            if (k > 0) {
                put_body(J, contact, body - nx, -1.0, 0.5, true);
            } else if (ground) {
                put_body(J, contact, nx * nz, -1.0, 0.5, true);
            }
            contact++;
            if (i > 0) {
                put_body(J, contact, body, 1.0, -0.5, false);
                put_body(J, contact++, body - 1, -1.0, 0.5, false);
            }
        }
    }
    return contact;
}

perp_problem *test_pile(size_t nx, size_t nz, bool ground, uint64_t seed)
{
    size_t bodies = nx * nz, contacts = nx * nz + (nx - 1) * nz;
    size_t speeds = 6 * (bodies + ground);
    triplets tj = triplets_new(30 * contacts), tm = triplets_new(speeds);
    perp_random g = {seed};
    double *v = test_reals(speeds), *b = test_reals(3 * contacts);

    CU_ASSERT_EQUAL_FATAL(put_contacts(&tj, nx, nz, ground), contacts);
    for (size_t body = 0; body < bodies; body++) {
        double m = perp_random_uniform(&g, 0.5, 2.0);

        for (size_t k = 0; k < 6; k++) { /* inertia 0.4 m r^2, r = 1/2 */
            put(&tm, 6 * body + k, 6 * body + k, k < 3 ? 1.0 / m : 10.0 / m);
            v[6 * body + k] = perp_random_uniform(&g, -0.1, 0.1);
        }
        v[6 * body + 2] -= 0.1;
    }
    perp_operator *J = triplets_end(&tj, 3 * contacts, speeds);
    perp_operator *Minv = triplets_end(&tm, speeds, speeds);
    perp_operator *A = test_new_factored(J, Minv, NULL);
    perp_operator_apply(J, v, b);
    perp_set *set = test_new_set(contacts);
    for (size_t k = 0; k < contacts; k++) {
        perp_set_add_cone(set, 3, perp_random_uniform(&g, 0.2, 0.8));
    }
    return test_new_problem(A, b, set, PERP_LAW_COULOMB);
}

perp_problem *test_multiplied(const perp_problem *p, perp_storage storage)
{
    return test_stored(p, storage, storage == PERP_STORAGE_BSR ? 3 : 1);
}
