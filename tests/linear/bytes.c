/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/bytes.c: the memory of a result counts factorisations, and the memory limit
 * holds for them. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "answers.h"

enum { ROWS = 400 };

/* A x = diag + couplings of rows i and i + 1, i + 20: a grid of 20 x 20, whose factors fill. */
static perp_problem *grid(perp_storage storage)
{
    perp_random g = {3};
    perp_operator *D = test_new_dense(ROWS, ROWS);

    for (size_t i = 0; i < ROWS; i++) {
        D->x[i + i * D->ld] = 4.1;
        for (size_t step = 1; step <= 20; step += 19) {
            if (i + step < ROWS) {
                D->x[i + (i + step) * D->ld] = D->x[i + step + i * D->ld] = -1.0;
            }
        }
    }
    perp_operator *A = test_convert(D, storage, 1);
    perp_set *set = test_new_set(ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        perp_set_add_nonneg(set);
    }
    return test_problem(A, set, PERP_LAW_ASSOCIATED, &g);
}

/* The factors of the grid have n entries per row dense, and with a minimum degree ordering
 * more than 5 per row of 12 bytes each sparse. */
static size_t least_bytes(perp_storage storage)
{
    return storage == PERP_STORAGE_DENSE ? sizeof(double) * ROWS * ROWS
                                         : (size_t)12 * 5 * ROWS;
}

static void check_solver(const char *name, perp_storage storage)
{
    perp_problem *p = grid(storage);
    perp_result *r = test_solve(p, name, NULL);

    test_note("%s, %s", name, p->A->type->name);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(r->work.factorizations > 0.0);
    CU_ASSERT(r->bytes >= least_bytes(storage));
    double megabytes = (double)r->bytes / 0x1p20;
    for (int k = 1; k <= 3; k++) { /* a quarter, a half, 3/4: below the least it needs */
        const perp_solver_type *type = NULL;
        perp_options opt;
        perp_error err = {0};

        OK(perp_solver_parse(name, &type, &opt, NULL));
        OK(perp_options_set_real(&opt, "memory-limit", 0.25 * k * megabytes, NULL));
        OK(perp_result_new(&r, p->n, NULL));
        CU_ASSERT_EQUAL(perp_solve(type, p, &opt, r, &err), PERP_ERR_MEMORY);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "no memory"));
        CU_ASSERT(k < 3 ||
                  strstr(err.text, "allowed")); /* what does not fit is a factor */
    }
}

TEST(factors_are_counted_and_limited)
{
    static const char *const names[] = {"ipm", "prox-newton", "bpp", "fb"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_solver(names[i], PERP_STORAGE_DENSE);
        check_solver(names[i], PERP_STORAGE_CSR);
    }
}

/* ADMM keeps several factorisations and does with fewer where the limit does not allow them:
 * a quarter of its memory is refused, the half may do. */
TEST(admm_keeps_as_many_factors_as_the_limit_allows)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        perp_storage storage = sparse ? PERP_STORAGE_CSR : PERP_STORAGE_DENSE;
        perp_problem *p = grid(storage);
        perp_result *r = test_solve(p, "admm", NULL);
        double bytes = (double)r->bytes;
        double least = (double)least_bytes(storage);
        char option[64];

        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT(bytes >= 2.0 * least);
        snprintf(option, sizeof option, "memory-limit=%.9f", 0.7 * bytes / 0x1p20);
        r = test_solve(p, "admm", option, NULL);
        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT((double)r->bytes <= 0.7 * bytes);
        CU_ASSERT((double)r->bytes >= least);
    }
}
