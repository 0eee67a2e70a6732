/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/colors.c: sweeps by colours, alone and in company. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "base/threads.h"
#include "core/solver_list.h"
#include "core/solvers.h"
#include "pile.h"
#include "splitting/colors.h"

static const char *const solvers[] = {"pgs",  "psor",     "spgs", "nncg",
                                      "nsgs", "anderson", NULL};
static const perp_storage storages[] = {PERP_STORAGE_FACTORED, PERP_STORAGE_BSR,
                                        PERP_STORAGE_CSR};
static const char *const threads[] = {"threads=1", "threads=2", "threads=3"};

/* Whether the step of one block sees that of the other. */
static bool coupled(const perp_operator *W, const perp_set *set, size_t a, size_t b)
{
    const perp_block *x = &set->blocks[a], *y = &set->blocks[b];

    for (size_t i = x->first; i < x->first + x->dim; i++) {
        for (size_t j = y->first; j < y->first + y->dim; j++) {
            if (perp_operator_entry(W, i, j) != 0.0 ||
                perp_operator_entry(W, j, i) != 0.0) {
                return true;
            }
        }
    }
    return (x->kind == PERP_SET_FRICTION && x->normal == y->first) ||
           (y->kind == PERP_SET_FRICTION && y->normal == x->first);
}

/* Colours of p, checked against its matrix: how many there are. */
static size_t check_colors(const perp_problem *p, size_t least, size_t *tail)
{
    colors c;
    size_t count = p->set->count;
    unsigned char *seen = test_alloc(count + 1, 1);
    perp_operator *W = test_convert(p->A, PERP_STORAGE_DENSE, 1);
    perp_workspace *ws = test_new_workspace(0);

    OK(perp_colors_make(&c, p, least, ws, NULL));
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_FATAL(c.order[i] < count);
        CU_ASSERT_EQUAL(seen[c.order[i]]++, 0);
    }
    for (size_t a = 0; a < c.count; a++) {
        CU_ASSERT(c.from[a + 1] - c.from[a] >= least);
        for (size_t i = c.from[a]; i < c.from[a + 1]; i++) {
            for (size_t j = i + 1; j < c.from[a + 1]; j++) {
                CU_ASSERT(c.order[i] < c.order[j]);
                CU_ASSERT_FALSE(coupled(W, p->set, c.order[i], c.order[j]));
            }
        }
    }
    *tail = count - c.from[c.count];
    return c.count;
}

/* A contact of a pile has at most six neighbours, so that greedy colours are at most
 * seven; a sphere with four contacts needs four. */
TEST(blocks_of_a_colour_are_not_coupled)
{
    perp_problem *p = test_pile(9, 8, false, 3);

    for (size_t k = 0; k < 3; k++) {
        perp_problem *q = test_multiplied(p, storages[k]);
        size_t tail = 99, count = check_colors(q, 1, &tail);

        CU_ASSERT(count >= 4 && count <= 7);
        CU_ASSERT_EQUAL(tail, 0);
        count = check_colors(q, 20, &tail);
        CU_ASSERT(count >= 1 && count < 7);
    }
}

/* One row of spheres, touching the ground and each other: a contact meets four others at
 * most, hence five colours at most; were the ground one of the bodies, thirty would meet
 * there. */
TEST(the_ground_couples_nobody)
{
    for (int ground = 0; ground < 2; ground++) {
        perp_problem *p = test_pile(30, 1, ground, 5);
        size_t tail = 99, count = check_colors(p, 1, &tail);

        CU_ASSERT(count <= 5);
        CU_ASSERT_EQUAL(tail, 0);
    }
}

/* A diagonal matrix couples nothing, but a FRICTION row reads its normal. */
TEST(friction_rows_come_after_their_normals)
{
    enum { N = 12 };
    perp_operator *A = test_spd(N, 1), *diagonal = NULL;
    perp_random g = {2};
    size_t tail = 99;

    for (size_t j = 0; j < N; j++) {
        for (size_t i = 0; i < N; i++) {
            A->x[i + j * A->ld] *= i == j ? 1.0 : 0.0;
        }
    }
    OK(perp_operator_convert(&diagonal, A, PERP_STORAGE_CSR, 1, NULL));
    perp_set *set = test_new_set(N);
    for (size_t k = 0; k < N / 3; k++) {
        perp_set_add_nonneg(set);
        perp_set_add_friction(set, 0.5, 3 * k);
        perp_set_add_friction(set, 0.5, 3 * k);
    }
    perp_problem *p = test_problem(diagonal, set, PERP_LAW_COULOMB, &g);
    CU_ASSERT_EQUAL(check_colors(p, 1, &tail), 2);
    CU_ASSERT_EQUAL(tail, 0);
}

/* An arrow: row 0 is coupled with 69 others, which are coupled with it alone; and a
 * clique of 70, for which 64 colours do not do. */
TEST(what_finds_no_colour_is_swept_in_turn)
{
    enum { N = 70 };
    perp_random g = {4};
    perp_operator *arrow = NULL, *clique = NULL, *A = test_spd(N, 1);
    size_t tail = 99;

    OK(perp_operator_convert(&clique, A, PERP_STORAGE_CSR, 1, NULL));
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, N);
    perp_problem *p = test_problem(clique, set, PERP_LAW_COULOMB, &g);
    CU_ASSERT_EQUAL(check_colors(p, 1, &tail), 64);
    CU_ASSERT_EQUAL(tail, N - 64);
    CU_ASSERT_EQUAL(check_colors(p, 2, &tail), 0);
    CU_ASSERT_EQUAL(tail, N);

    for (size_t j = 0; j < N; j++) {
        for (size_t i = 0; i < N; i++) {
            A->x[i + j * A->ld] *= i == j || i == 0 || j == 0 ? 1.0 : 0.0;
        }
    }
    OK(perp_operator_convert(&arrow, A, PERP_STORAGE_CSR, 1, NULL));
    OK(perp_set_new_uniform(&set, PERP_SET_NONNEG, N, NULL));
    p = test_problem(arrow, set, PERP_LAW_COULOMB, &g);
    CU_ASSERT_EQUAL(check_colors(p, 1, &tail), 2);
    CU_ASSERT_EQUAL(check_colors(p, 2, &tail), 1);
    CU_ASSERT_EQUAL(tail, 1);
}

TEST(any_number_of_threads_gives_the_same_bits)
{
    perp_problem *p = test_pile(24, 9, true, 7);

    for (size_t k = 0; k < 3; k++) {
        perp_problem *q = test_multiplied(p, storages[k]);

        for (size_t i = 0; solvers[i]; i++) {
            perp_result *r[3] = {NULL};

            for (size_t t = 0; t < 3; t++) {
                r[t] = test_solve(q, solvers[i], "order=colored", "max-iterations=6",
                                  threads[t], NULL);
                CU_ASSERT(test_ran(r[t], threads[t] + 8));
            }
            for (size_t t = 1; t < 3; t++) {
                CU_ASSERT_EQUAL(memcmp(r[0]->z, r[t]->z, q->n * sizeof *r[0]->z), 0);
                CU_ASSERT_EQUAL(r[0]->work.products, r[t]->work.products);
            }
        }
    }
}

TEST(coloured_sweeps_solve)
{
    perp_problem *p = test_pile(120, 2, false, 9);

    for (size_t k = 0; k < 3; k++) {
        perp_problem *q = test_multiplied(p, storages[k]);

        for (size_t i = 0; solvers[i]; i++) {
            perp_result *r =
                test_solve(q, solvers[i], "order=colored", "tolerance=1e-4", NULL);

            if (!test_solved(q, r, 1e-4)) {
                test_note("%s", solvers[i]);
            }
            CU_ASSERT_FALSE(test_ran(r, "0 colours"));
        }
    }
}

/* Four spheres have no colour worth a thread; a dense matrix none at all. */
TEST(small_and_dense_problems_are_swept_by_one)
{
    perp_problem *p = test_pile(2, 2, false, 9);
    perp_problem *dense = test_multiplied(p, PERP_STORAGE_DENSE);
    perp_result *r = test_solve(p, "nsgs", "order=colored", "threads=2", NULL);
    perp_result *x = test_solve(dense, "nsgs", "order=colored", "threads=2", NULL);

    CU_ASSERT(test_ran(r, "0 colours"));
    CU_ASSERT(test_ran(r, "threads: 1"));
    CU_ASSERT(test_ran(x, "0 colours"));
    test_solved(p, r, 1e-8);
    test_solved(p, x, 1e-8);
}

TEST(threads_without_colours_are_refused)
{
    perp_problem *p = test_pile(2, 2, false, 9);
    perp_options opt;
    perp_error err = {0};

    perp_options_init(&opt, &perp_solver_nsgs, NULL, NULL);
    OK(perp_options_set(&opt, "threads", "2", NULL));
    perp_result *r = test_new_result(p->n);
    CU_ASSERT_EQUAL(perp_solve(&perp_solver_nsgs, p, &opt, r, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "\"colored\""));
}

/* Two contacts lose their mass: whoever meets which first, the same one is named. */
TEST(the_first_block_that_cannot_move_is_named)
{
    perp_problem *p = test_pile(24, 9, false, 7);
    perp_problem *q = test_multiplied(p, PERP_STORAGE_BSR);
    const size_t lost[2] = {120, 300};

    for (size_t k = 0; k < 2; k++) {
        for (size_t at = q->A->ptr[lost[k]]; at < q->A->ptr[lost[k] + 1]; at++) {
            memset(q->A->x + 9 * at, 0, 9 * sizeof *q->A->x);
        }
        q->b[3 * lost[k]] = -1.0;
    }
    for (size_t t = 0; t < 3; t++) {
        perp_result *r = test_solve(q, "nsgs", "order=colored", threads[t], NULL);

        CU_ASSERT_EQUAL(r->outcome, PERP_SINGULAR_BLOCK);
        CU_ASSERT_EQUAL(r->singular_row, 360);
        CU_ASSERT(perp_certificate_check(&r->certificate, q, NULL, 0));
    }
}

/* The diagonal is shifted under a run that has copied its rows. */
TEST(a_coloured_run_resumes_as_if_set_up_again)
{
    perp_problem *p = test_pile(24, 9, false, 7);

    for (size_t k = 0; k < 3; k++) {
        perp_problem *q = test_multiplied(p, storages[k]);
        perp_options opt;
        perp_run run = {0}, fresh = {0};

        perp_options_init(&opt, &perp_solver_nsgs, NULL, NULL);
        perp_options_set(&opt, "order", "colored", NULL);
        perp_options_set(&opt, "threads", "2", NULL);
        perp_workspace *ws = test_new_workspace(0);
        perp_result *r = test_new_result(q->n);
        perp_result *x = test_new_result(q->n);
        OK(perp_run_start(&run, &perp_solver_nsgs, q, &opt, ws, r, NULL));
        OK(perp_run_step(&run, NULL));
        q->b[3] -= 0.5;
        perp_operator_add_diagonal(q->A, 0.5);
        memcpy(x->z, r->z, q->n * sizeof *r->z);
        OK(perp_run_resume(&run, 0.5, NULL));
        OK(perp_run_start(&fresh, &perp_solver_nsgs, q, &opt, ws, x, NULL));
        for (int i = 0; i < 3; i++) {
            OK(perp_run_step(&run, NULL));
            OK(perp_run_step(&fresh, NULL));
        }
        /* the old run keeps |u_t|/|r_t| of its slips as a guess: rounding apart */
        CU_ASSERT(test_distance(q->n, r->z, x->z) <= 1e-12 * test_largest(q->n, x->z));
        perp_run_end(&fresh);
        perp_run_end(&run);
    }
}

enum { MEMBERS = 3, ROUNDS = 50 };

typedef struct relay {
    thread_team *team;
    size_t steps[MEMBERS]; /* each written by its member alone */
    size_t wrong[MEMBERS];
} relay;

/* Step, wait, look whether all have stepped, wait. */
static void run_relay(void *context, size_t member)
{
    relay *x = context;

    for (int i = 0; i < ROUNDS; i++) {
        x->steps[member]++;
        perp_threads_barrier(x->team);
        for (size_t k = 0; k < perp_threads_size(x->team); k++) {
            x->wrong[member] += x->steps[k] != x->steps[member];
        }
        perp_threads_barrier(x->team);
    }
}

TEST(a_team_keeps_in_step)
{
    for (size_t members = 1; members <= MEMBERS; members++) {
        relay x = {NULL, {0}, {0}};
        perp_workspace *ws = test_new_workspace(0);

        x.team = perp_threads_new(members, ws);
        CU_ASSERT_PTR_NOT_NULL_FATAL(x.team);
        CU_ASSERT_EQUAL(perp_threads_size(x.team), members);
        for (int task = 0; task < 10; task++) {
            perp_threads_run(x.team, run_relay, &x);
        }
        for (size_t k = 0; k < members; k++) {
            CU_ASSERT_EQUAL(x.steps[k], 10 * ROUNDS);
            CU_ASSERT_EQUAL(x.wrong[k], 0);
        }
        perp_threads_free(x.team);
    }
}

enum { NUMBERS = 1000 };

typedef struct tally {
    thread_team *team;
    size_t count, grain;
    unsigned char times[NUMBERS]; /* that a number was taken */
    size_t odd[NUMBERS];          /* ranges with other ends, by their first number */
} tally;

static void tally_range(void *context, size_t first, size_t last)
{
    tally *x = context;
    size_t end = first + x->grain < x->count ? first + x->grain : x->count;

    x->odd[first] += first % x->grain != 0 || last != end;
    for (size_t i = first; i < last; i++) {
        x->times[i]++;
    }
}

/* Twice, with a barrier between. */
static void tally_all(void *context, size_t member)
{
    tally *x = context;

    perp_threads_share(x->team, member, x->count, x->grain, tally_range, x);
    perp_threads_barrier(x->team);
    perp_threads_share(x->team, member, x->count, x->grain, tally_range, x);
}

TEST(members_share_each_number_once)
{
    static const size_t counts[] = {0, 1, 15, 16, 17, NUMBERS}, grains[] = {1, 7, 16};
    perp_workspace *ws = test_new_workspace(0);

    for (size_t k = 0; k < 18 * (MEMBERS + 1); k++) {
        tally x = {.count = counts[k % 6], .grain = grains[k / 6 % 3]};

        x.team =
            k / 18 > 0 ? perp_workspace_team(ws, k / 18) : NULL; /* NULL: the caller */
        perp_threads_run(x.team, tally_all, &x);
        perp_threads_run(x.team, tally_all, &x);
        for (size_t i = 0; i < NUMBERS; i++) {
            CU_ASSERT_EQUAL(x.times[i], i < x.count ? 4 : 0);
            CU_ASSERT_EQUAL(x.odd[i], 0);
        }
    }
}

TEST(a_workspace_keeps_one_team_of_a_size)
{
    perp_workspace *ws = test_new_workspace(0);
    size_t mark = perp_workspace_mark(ws);
    thread_team *two = perp_workspace_team(ws, 2);

    CU_ASSERT_PTR_NOT_NULL_FATAL(two);
    CU_ASSERT_EQUAL(perp_threads_size(two), 2);
    CU_ASSERT_PTR_NOT_EQUAL(perp_workspace_team(ws, 3), two);
    perp_workspace_release(ws, mark);
    CU_ASSERT_PTR_EQUAL(perp_workspace_team(ws, 2), two);
}

TEST(failing_memory_of_colours_is_an_error)
{
    perp_problem *p = test_pile(9, 8, false, 3);
    perp_options opt;

    perp_options_init(&opt, &perp_solver_nsgs, NULL, NULL);
    OK(perp_options_set(&opt, "order", "colored", NULL));
    CU_ASSERT(test_memory_needed(p, &perp_solver_nsgs, &opt, "memory") > 0);
}
