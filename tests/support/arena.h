/* SPDX-License-Identifier: Apache-2.0
 * tests/support/arena.h: what a test makes is freed when it ends, also when a fatal
 * assertion ends it.
 *
 * Tests call the constructors of the library as anybody does. What these make belongs to
 * the running test: problems, results, reformulations, sequences, sensitivities,
 * workspaces here, worlds and what moves them in arena_dynamics.h. Operators and sets do not,
 * since problems take them. Who frees early, as in a long loop, calls the free function of the
 * library. */
#ifndef PERP_TEST_ARENA_H
#define PERP_TEST_ARENA_H

#include <perp/perp.h>

/** Call release(object) when the test ends, newest objects first; NULL is allowed (no-op).
 *  Returns the object. It takes no memory from the heap. */
void *test_keep(void *object, void (*release)(void *object));
/** The object is freed by somebody else, or has been; no-op when it is not kept. */
void test_let_go(const void *object);
/** How many objects are kept, and release those that came after the first `mark`. */
size_t test_mark(void);
void test_release(size_t mark);

/** n zeros that are freed with the test; asserts that there is memory. */
double *test_reals(size_t n);

/* test_kept_NAME keeps *object where a constructor of NAME succeeded. */
#define TEST_KEPT(name)                                                                  \
    static inline void test_free_##name(void *object)                                    \
    {                                                                                    \
        perp_##name##_free(object);                                                      \
    }                                                                                    \
    static inline perp_status test_kept_##name(perp_##name **object, perp_status status) \
    {                                                                                    \
        if (status == PERP_OK) {                                                         \
            test_keep(*object, test_free_##name);                                        \
        }                                                                                \
        return status;                                                                   \
    }

TEST_KEPT(context)
TEST_KEPT(judge)
TEST_KEPT(problem)
TEST_KEPT(reform)
TEST_KEPT(reform_path)
TEST_KEPT(result)
TEST_KEPT(sensitivity)
TEST_KEPT(sequence)
TEST_KEPT(solver_registry)
TEST_KEPT(workspace)

/* The constructors: TEST_MADE(kind, constructor, address of the pointer, ...). */
#define TEST_MADE(kind, make, out, ...) test_kept_##kind(out, make(out, __VA_ARGS__))

#define perp_problem_read(...) TEST_MADE(problem, perp_problem_read, __VA_ARGS__)
#define perp_problem_read_memory(...)                                                    \
    TEST_MADE(problem, perp_problem_read_memory, __VA_ARGS__)
#define perp_problem_new(...) TEST_MADE(problem, perp_problem_new, __VA_ARGS__)
#define perp_problem_new_dense(...)                                                      \
    TEST_MADE(problem, perp_problem_new_dense, __VA_ARGS__)
#define perp_problem_new_csr(...)  TEST_MADE(problem, perp_problem_new_csr, __VA_ARGS__)
#define perp_problem_new_bsr(...)  TEST_MADE(problem, perp_problem_new_bsr, __VA_ARGS__)
#define perp_problem_new_take(...) TEST_MADE(problem, perp_problem_new_take, __VA_ARGS__)
#define perp_problem_copy(...)     TEST_MADE(problem, perp_problem_copy, __VA_ARGS__)
#define perp_reform_condense(...)  TEST_MADE(reform, perp_reform_condense, __VA_ARGS__)
#define perp_reform_factor(...)    TEST_MADE(reform, perp_reform_factor, __VA_ARGS__)
#define perp_reform_pyramid(...)   TEST_MADE(reform, perp_reform_pyramid, __VA_ARGS__)
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
/* What takes its argument, or frees it. */
#define perp_reform_path_push(path, step, err)                                           \
    (test_let_go(step), perp_reform_path_push(path, step, err))
#define perp_sequence_add(s, item, err)                                                  \
    (test_let_go((item)->problem), perp_sequence_add(s, item, err))
#define perp_sequence_item_clear(item)                                                   \
    (test_let_go((item)->problem), perp_sequence_item_clear(item))
#define perp_context_free(x)         (test_let_go(x), perp_context_free(x))
#define perp_judge_free(x)           (test_let_go(x), perp_judge_free(x))
#define perp_problem_free(x)         (test_let_go(x), perp_problem_free(x))
#define perp_reform_free(x)          (test_let_go(x), perp_reform_free(x))
#define perp_reform_path_free(x)     (test_let_go(x), perp_reform_path_free(x))
#define perp_result_free(x)          (test_let_go(x), perp_result_free(x))
#define perp_sensitivity_free(x)     (test_let_go(x), perp_sensitivity_free(x))
#define perp_sequence_free(x)        (test_let_go(x), perp_sequence_free(x))
#define perp_solver_registry_free(x) (test_let_go(x), perp_solver_registry_free(x))
#define perp_workspace_free(x)       (test_let_go(x), perp_workspace_free(x))
#endif
