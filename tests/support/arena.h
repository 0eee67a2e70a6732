/* SPDX-License-Identifier: Apache-2.0
 * tests/support/arena.h: what a test makes is freed when it ends, also when a fatal
 * assertion ends it.
 *
 * Tests call the constructors of the libraries as anybody does. The macros below keep what
 * these make for the running test: operators, sets, problems, results and so on here,
 * worlds and what moves them in arena_dynamics.h. A test may still free, as in a long loop, or
 * hand an object over to a problem, a path or a sequence: then it is no longer kept.
 * What a problem owns is freed with the problem, however it came to be there. */
#ifndef PERP_TEST_ARENA_H
#define PERP_TEST_ARENA_H

#include <stdlib.h>

#include "core/solvers.h"
#include "reform/reforms.h"

/** Call release(object) when the test ends, newest objects first; NULL is allowed (no-op).
 *  Returns the object. It takes no memory from the heap. */
void *test_keep(void *object, void (*release)(void *object));
/** The object belongs to somebody else from now on; no-op when it is not kept. Returns it. */
void *test_given(void *object);
/** The same of a problem and all that it owns; of an item with its problem and keys. */
perp_problem *test_given_problem(perp_problem *p);
perp_sequence_item *test_given_item(perp_sequence_item *item);
/** How many objects are kept; release those that came after the first `mark`, as after each
 *  visit of a golden case or a dataset. */
size_t test_mark(void);
void test_release(size_t mark);

/** Memory of zeros that is freed with the test; asserts that there is some. */
void *test_alloc(size_t count, size_t size);
double *test_reals(size_t n);

/* test_free_NAME is what test_keep asks for, test_kept_NAME keeps *object where a constructor
 * succeeded. */
#define TEST_FREED(name)                                                                 \
    static inline void test_free_##name(void *object)                                    \
    {                                                                                    \
        perp_##name##_free(object);                                                      \
    }
#define TEST_KEPT(name)                                                                  \
    static inline perp_status test_kept_##name(perp_##name **object, perp_status status) \
    {                                                                                    \
        if (status == PERP_OK) {                                                         \
            test_keep(*object, test_free_##name);                                        \
        }                                                                                \
        return status;                                                                   \
    }
#define TEST_OBJECT(name) TEST_FREED(name) TEST_KEPT(name)

void test_free_problem(void *p);
TEST_OBJECT(context)
TEST_OBJECT(judge)
TEST_OBJECT(operator)
TEST_KEPT(problem)
TEST_OBJECT(reform)
TEST_OBJECT(reform_path)
TEST_OBJECT(result)
TEST_OBJECT(sensitivity)
TEST_OBJECT(sequence)
TEST_OBJECT(set)
TEST_OBJECT(solver_registry)
TEST_OBJECT(workspace)

/* The constructors: TEST_MADE(kind, constructor, address of the pointer, ...). */
#define TEST_MADE(kind, make, out, ...) test_kept_##kind(out, make(out, __VA_ARGS__))

#define perp_problem_read(...) TEST_MADE(problem, perp_problem_read, __VA_ARGS__)
#define perp_problem_read_memory(...)                                                    \
    TEST_MADE(problem, perp_problem_read_memory, __VA_ARGS__)
#define perp_operator_new_dense(...)                                                     \
    TEST_MADE(operator, perp_operator_new_dense, __VA_ARGS__)
#define perp_operator_new_from_dense(...)                                                \
    TEST_MADE(operator, perp_operator_new_from_dense, __VA_ARGS__)
#define perp_operator_new_from_csr(...)                                                  \
    TEST_MADE(operator, perp_operator_new_from_csr, __VA_ARGS__)
#define perp_operator_new_from_bsr(...)                                                  \
    TEST_MADE(operator, perp_operator_new_from_bsr, __VA_ARGS__)
#define perp_operator_new_from_triplets(...)                                             \
    TEST_MADE(operator, perp_operator_new_from_triplets, __VA_ARGS__)
#define perp_operator_new_sparse(...)                                                    \
    TEST_MADE(operator, perp_operator_new_sparse, __VA_ARGS__)
#define perp_operator_copy(...) TEST_MADE(operator, perp_operator_copy, __VA_ARGS__)
#define perp_operator_new_view(...)                                                      \
    TEST_MADE(operator, perp_operator_new_view, __VA_ARGS__)
#define perp_operator_convert(...) TEST_MADE(operator, perp_operator_convert, __VA_ARGS__)
#define perp_operator_symmetric_part(...)                                                \
    TEST_MADE(operator, perp_operator_symmetric_part, __VA_ARGS__)
#define perp_operator_transpose(...)                                                     \
    TEST_MADE(operator, perp_operator_transpose, __VA_ARGS__)
#define perp_operator_with_diagonal(...)                                                 \
    TEST_MADE(operator, perp_operator_with_diagonal, __VA_ARGS__)
#define perp_operator_new_factored(...)                                                  \
    TEST_MADE(operator, perp_operator_new_factored, __VA_ARGS__)
#define perp_operator_new_factors(...)                                                   \
    TEST_MADE(operator, perp_operator_new_factors, __VA_ARGS__)
#define perp_operator_new_pairs(...)                                                     \
    TEST_MADE(operator, perp_operator_new_pairs, __VA_ARGS__)
#define perp_set_new(...)         TEST_MADE(set, perp_set_new, __VA_ARGS__)
#define perp_set_copy(...)        TEST_MADE(set, perp_set_copy, __VA_ARGS__)
#define perp_set_new_uniform(...) TEST_MADE(set, perp_set_new_uniform, __VA_ARGS__)
#define perp_set_new_cones(...)   TEST_MADE(set, perp_set_new_cones, __VA_ARGS__)
#define perp_triplets_finish(...) TEST_MADE(operator, perp_triplets_finish, __VA_ARGS__)
#define perp_problem_new(...)     TEST_MADE(problem, perp_problem_new, __VA_ARGS__)
#define perp_problem_new_dense(...)                                                      \
    TEST_MADE(problem, perp_problem_new_dense, __VA_ARGS__)
#define perp_problem_new_csr(...) TEST_MADE(problem, perp_problem_new_csr, __VA_ARGS__)
#define perp_problem_new_bsr(...) TEST_MADE(problem, perp_problem_new_bsr, __VA_ARGS__)
#define perp_problem_copy(...)    TEST_MADE(problem, perp_problem_copy, __VA_ARGS__)
#define perp_reform_condense(...) TEST_MADE(reform, perp_reform_condense, __VA_ARGS__)
#define perp_reform_factor(...)   TEST_MADE(reform, perp_reform_factor, __VA_ARGS__)
#define perp_reform_pyramid(...)  TEST_MADE(reform, perp_reform_pyramid, __VA_ARGS__)
#define perp_reform_box_friction(...)                                                    \
    TEST_MADE(reform, perp_reform_box_friction, __VA_ARGS__)
#define perp_reform_associated(...) TEST_MADE(reform, perp_reform_associated, __VA_ARGS__)
#define perp_reform_friction_to_lcp(...)                                                 \
    TEST_MADE(reform, perp_reform_friction_to_lcp, __VA_ARGS__)
#define perp_reform_box_to_lcp(...) TEST_MADE(reform, perp_reform_box_to_lcp, __VA_ARGS__)
#define perp_reform_eliminate_free(...)                                                  \
    TEST_MADE(reform, perp_reform_eliminate_free, __VA_ARGS__)
#define perp_reform_scale(...) TEST_MADE(reform, perp_reform_scale, __VA_ARGS__)
#define perp_reform_store(...) TEST_MADE(reform, perp_reform_store, __VA_ARGS__)
#define perp_reform_named(...) TEST_MADE(reform, perp_reform_named, __VA_ARGS__)
#define perp_reform_path_new(...)                                                        \
    TEST_MADE(reform_path, perp_reform_path_new, __VA_ARGS__)
#define perp_judge_new(...)  TEST_MADE(judge, perp_judge_new, __VA_ARGS__)
#define perp_result_new(...) TEST_MADE(result, perp_result_new, __VA_ARGS__)
#define perp_sensitivity_new(...)                                                        \
    TEST_MADE(sensitivity, perp_sensitivity_new, __VA_ARGS__)
#define perp_sequence_new(...)  TEST_MADE(sequence, perp_sequence_new, __VA_ARGS__)
#define perp_sequence_open(...) TEST_MADE(sequence, perp_sequence_open, __VA_ARGS__)
#define perp_solver_registry_new(...)                                                    \
    TEST_MADE(solver_registry, perp_solver_registry_new, __VA_ARGS__)
#define perp_context_new(...)   TEST_MADE(context, perp_context_new, __VA_ARGS__)
#define perp_workspace_new(...) TEST_MADE(workspace, perp_workspace_new, __VA_ARGS__)

/* What takes its arguments. */
#define perp_problem_new_take(p, A, b, set, ...)                                         \
    test_kept_problem(p, perp_problem_new_take(p, test_given(A), test_given(b),          \
                                               test_given(set), __VA_ARGS__))
#define perp_reform_path_push(path, step, err)                                           \
    perp_reform_path_push(path, test_given(step), err)
#define perp_sequence_add(s, item, err) perp_sequence_add(s, test_given_item(item), err)

/* What frees it. */
#define free(x)                        free(test_given(x))
#define perp_sequence_item_clear(item) perp_sequence_item_clear(test_given_item(item))
#define perp_context_free(x)           perp_context_free(test_given(x))
#define perp_judge_free(x)             perp_judge_free(test_given(x))
#define perp_operator_free(x)          perp_operator_free(test_given(x))
#define perp_problem_free(x)           perp_problem_free(test_given_problem(x))
#define perp_reform_free(x)            perp_reform_free(test_given(x))
#define perp_reform_path_free(x)       perp_reform_path_free(test_given(x))
#define perp_result_free(x)            perp_result_free(test_given(x))
#define perp_sensitivity_free(x)       perp_sensitivity_free(test_given(x))
#define perp_sequence_free(x)          perp_sequence_free(test_given(x))
#define perp_set_free(x)               perp_set_free(test_given(x))
#define perp_solver_registry_free(x)   perp_solver_registry_free(test_given(x))
#define perp_workspace_free(x)         perp_workspace_free(test_given(x))

#endif
