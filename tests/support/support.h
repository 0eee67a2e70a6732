/* SPDX-License-Identifier: Apache-2.0
 * tests/support/support.h: what every test uses: registration, small problems, places
 * of the data. The name of a test is the name of its function, read as a sentence. */
#ifndef PERP_TEST_SUPPORT_H
#define PERP_TEST_SUPPORT_H

#include <CUnit/CUnit.h>

#include <perp/perp.h>

#include "arena.h"
#include "judge/judge.h"

/** A test: TEST(solves_a_problem_worked_by_hand) { ... }. It adds itself to the tests of its file,
 *  which run in the order of the file. */
#define TEST(name)                                                                       \
    static void name(void);                                                              \
    __attribute__((constructor)) static void name##_add(void)                            \
    {                                                                                    \
        test_add(__FILE__, #name, name);                                                 \
    }                                                                                    \
    static void name(void)

/** TEST_SETUP { ... }: runs once before the tests of its file. It may add tests. */
#define TEST_SETUP                                                                       \
    static void test_setup(void);                                                        \
    __attribute__((constructor)) static void test_setup_add_to_file(void)                \
    {                                                                                    \
        test_setup_add(__FILE__, test_setup);                                            \
    }                                                                                    \
    static void test_setup(void)

void test_add(const char *file, const char *name, void (*run)(void));
void test_setup_add(const char *file, void (*setup)(void));
/** The running test is reported as skipped; the reason lives as long as the program. */
void test_skip(const char *reason);
/** The number of the running test among those of its file, from 0. */
size_t test_number(void);

/** The call must return PERP_OK; otherwise the test ends, and its report has the status. */
#define OK(call) test_ok((call), #call, __FILE__, __LINE__)
void test_ok(perp_status status, const char *call, const char *file, unsigned line);

/* What a constructor of the library makes, kept for the test, which ends where it fails:
 * perp_set *set = test_new_set(n). */
#define TEST_NEW(type, name, make, parameters, ...)                                      \
    static inline type *name parameters                                                  \
    {                                                                                    \
        type *made = NULL;                                                               \
                                                                                         \
        OK(make(&made, __VA_ARGS__, NULL));                                              \
        return made;                                                                     \
    }
/* clang-format off */
TEST_NEW(perp_workspace, test_new_workspace, perp_workspace_new, (size_t limit), limit)
TEST_NEW(perp_result, test_new_result, perp_result_new, (size_t n), n)
TEST_NEW(perp_judge, test_new_judge, perp_judge_new, (const perp_problem *p), p)
TEST_NEW(perp_sequence, test_new_sequence, perp_sequence_new, (const char *name), name)
TEST_NEW(perp_set, test_new_set, perp_set_new, (size_t n), n)
TEST_NEW(perp_set, test_new_uniform, perp_set_new_uniform, (perp_set_kind kind, size_t n), kind, n)
TEST_NEW(perp_set, test_new_cones, perp_set_new_cones, (unsigned dim, size_t nc, const double *mu), dim, nc, mu)
TEST_NEW(perp_problem, test_new_problem, perp_problem_new_take, (perp_operator *A, double *b, perp_set *set, perp_law law), A, b, set, law)
TEST_NEW(perp_problem, test_copy, perp_problem_copy, (const perp_problem *p), p)
TEST_NEW(perp_operator, test_new_dense, perp_operator_new_dense, (size_t rows, size_t cols), rows, cols)
TEST_NEW(perp_operator, test_new_from_dense, perp_operator_new_from_dense, (size_t rows, size_t cols, const double *x, size_t ld), rows, cols, x, ld, PERP_COPY)
TEST_NEW(perp_operator, test_new_pairs, perp_operator_new_pairs, (const perp_pairs *pairs), pairs)
TEST_NEW(perp_operator, test_convert, perp_operator_convert, (const perp_operator *A, perp_storage storage, size_t size), A, storage, size)
TEST_NEW(perp_operator, test_copy_operator, perp_operator_copy, (const perp_operator *A), A)
TEST_NEW(perp_operator, test_transpose, perp_operator_transpose, (const perp_operator *A), A)
TEST_NEW(perp_operator, test_new_factored, perp_operator_new_factored, (const perp_operator *J, const perp_operator *G, const double *C), J, G, C)
/* clang-format on */

/** Print a line that belongs to the test at work, shown when it fails. */
void test_note(const char *format, ...) PERP_PRINTF(1, 2);

/** Folder of golden values (PERP_TEST_DATA), of instances, of the source,
 *  of the build. */
const char *test_golden(void);
const char *test_datasets(void);
const char *test_source(void);
/** A path below the build folder that this process may write to; static buffer of its own
 *  for each of the last four calls. Its folder exists. */
const char *test_scratch(const char *name);

/** A dense LCP on the heap from rows of M and q; fails the test when there is no
 *  memory. */
perp_problem *test_lcp(size_t n, const double *rows, const double *q);
/** A contact problem: W by rows, b, mu; dim 2 or 3. */
perp_problem *test_cones(size_t dim, size_t nc, const double *rows, const double *b,
                         const double *mu);
/** A problem of parts, which it takes; b is drawn from [-1, 1). */
perp_problem *test_problem(perp_operator *A, perp_set *set, perp_law law, perp_random *g);
/** A random SPD problem of FREE, NONNEG, one-sided, fixed and two-sided rows. */
perp_problem *test_boxed(size_t n, uint64_t seed);
/** Put another set, of as many rows, in place of the one there. */
void test_give_set(perp_problem *p, perp_set *set);
/** Store the matrix otherwise: of p itself, or of a copy of p. */
void test_store(perp_problem *p, perp_storage storage, size_t edge);
perp_problem *test_stored(const perp_problem *p, perp_storage storage, size_t edge);
/** Store the matrix in factors: J = Q Lambda^1/2 of W = Q Lambda Q^T, M = I; or, of any A, J = A and
 *  G = I with its zeros. */
void test_store_as_factors(perp_problem *p);
void test_store_as_unsymmetric_factors(perp_problem *p);
/** A random dense SPD matrix B B^T/n + I, by SplitMix64. */
perp_operator *test_spd(size_t n, uint64_t seed);

/** Solve from z = 0 with `name` and "option=value" strings ended by NULL; asserts
 *  PERP_OK. */
perp_result *test_solve(const perp_problem *p, const char *name, ...);
/** The same from the point z, or from 0 when that is NULL. */
perp_result *test_solve_from(const perp_problem *p, const double *z, const char *name,
                             ...);

#endif
