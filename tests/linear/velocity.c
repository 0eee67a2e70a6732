/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/velocity.c: S of one H after another has the numbers of its formula, and the bits
 * that it has when it is made for one H alone. */
#include <config.h>

#include <float.h>

#include "couples.h"
#include "linear/velocity.h"
#include "scarce.h"

enum { BLOCKS = 14, AREA_MOST = 9 * BLOCKS, SPEEDS = 6 * COUPLES_BODIES };

static const unsigned dims[] = {3, 3, 1, 3, 3, 3, 2, 2, 1, 3, 3, 1, 3, 3, 0};

/* Contacts of six bodies, some of them on the same two, in one block of K each. */
typedef struct contacts {
    couples drawn;
    perp_operator *A;
    perp_set *set;
    perp_workspace *ws;
} contacts;

static void contacts_make(contacts *c, uint64_t seed)
{
    size_t n = 0;

    couples_draw(&c->drawn, COUPLES_ARMS, dims, seed);
    for (size_t k = 4; k < 6; k++) { /* blocks 3, 4 and 5 act on the same bodies */
        for (size_t i = 0; i < 6; i++) {
            size_t row = 3 * (k - 1) + 1;

            c->drawn.body[2 * row + i] = c->drawn.body[2 * 7 + i];
        }
    }
    OK(perp_operator_new_pairs(&c->A, &c->drawn.pairs, NULL));
    for (size_t k = 0; dims[k]; k++) {
        n += dims[k];
    }
    OK(perp_set_new(&c->set, n, NULL));
    for (size_t k = 0; dims[k]; k++) {
        if (dims[k] == 1) {
            perp_set_add_free(c->set);
        } else {
            perp_set_add_cone(c->set, dims[k], 0.5);
        }
    }
    OK(perp_workspace_new(&c->ws, 0, NULL));
}

/* H of some blocks drawn again, or 0: A + A^T/4 within a block, or unsymmetric ones. */
static void draw_weights(const perp_velocity *s, double *H, double share, bool symmetric,
                         perp_random *g)
{
    for (size_t k = 0; k < s->set->count; k++) {
        unsigned dim = s->set->blocks[k].dim;
        double *at = H + s->start[k];
        double kept = perp_random_unit(g);
        double size = perp_random_unit(g) < 0.3 ? 0.0 : 1.0;

        for (unsigned i = 0; kept < share && i < dim * dim; i++) {
            unsigned row = i % dim;
            unsigned col = i / dim;

            at[i] = size * (row == col ? 2.0 : perp_random_uniform(g, -0.5, 0.5));
            if (symmetric && row < col) {
                at[i] = at[col + row * dim];
            }
        }
        for (unsigned i = 0; kept < share && symmetric && i < dim * dim; i++) {
            at[i] = i % dim > i / dim ? at[i / dim + i % dim * dim] : at[i];
        }
    }
}

/* |S v - (M v + L^T H J v)| for the solution v of S v = f. */
static double solve_error(perp_velocity *s, const double *f, double *v)
{
    double x[COUPLES_ROWS], Mv[SPEEDS], force[SPEEDS];
    double worst = 0.0;

    memcpy(v, f, s->nv * sizeof *v);
    perp_velocity_solve_forces(s, v);
    perp_velocity_rows(s, v, x);
    perp_velocity_weigh(s, x, x);
    perp_velocity_forces(s, x, force);
    perp_velocity_mass(s, v, Mv);
    for (size_t i = 0; i < s->nv; i++) {
        worst = fmax(worst, fabs(Mv[i] + force[i] - f[i]));
    }
    return worst;
}

/* The same H in a system of its own. */
static void check_bits(const contacts *c, const double *H, bool symmetric,
                       const double *f, const double *v)
{
    size_t mark = perp_workspace_mark(c->ws);
    perp_velocity s = {0};
    perp_work work = {0};
    double own[SPEEDS];
    bool done = false;

    OK(perp_velocity_setup(&s, c->A, c->set, symmetric, c->ws, NULL));
    perp_velocity_set_weight(&s, H);
    OK(perp_velocity_factor(&s, &work, &done, NULL));
    CU_ASSERT(done);
    memcpy(own, f, s.nv * sizeof *own);
    perp_velocity_solve_forces(&s, own);
    CU_ASSERT_EQUAL(memcmp(own, v, s.nv * sizeof *own), 0);
    perp_velocity_close(&s);
    perp_workspace_release(c->ws, mark);
}

/* Condition at most some 1e3: an error of 1e3 n eps = 1e-11. */
TEST(one_weight_after_another_has_the_bits_of_each_alone)
{
    static const double shares[] = {1.0, 0.1, 0.1, 0.0, 0.3, 0.1, 1.0, 0.2};

    for (uint64_t seed = 0; seed < 40; seed++) {
        perp_random g = {seed};
        contacts c;
        perp_velocity s = {0};
        perp_work work = {0};
        double H[AREA_MOST] = {0};
        double f[SPEEDS], v[SPEEDS];

        contacts_make(&c, seed);
        test_note("seed %zu", (size_t)seed);
        OK(perp_velocity_setup(&s, c.A, c.set, false, c.ws, NULL));
        for (size_t k = 0; k < SPEEDS; k++) {
            f[k] = perp_random_uniform(&g, -1.0, 1.0);
        }
        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
            bool symmetric = seed % 2 || k == 1 || k == 5; /* both kinds in turn */
            bool done = false;

            draw_weights(&s, H, seed % 2 || !symmetric ? shares[k] : 1.0, symmetric, &g);
            perp_velocity_set_weight(&s, H);
            OK(perp_velocity_factor(&s, &work, &done, NULL));
            CU_ASSERT(done);
            CU_ASSERT(solve_error(&s, f, v) <= 1e-11);
            check_bits(&c, H, symmetric, f, v);
        }
        perp_velocity_close(&s);
    }
}

/* Errors of a solve with S, in eps sqrt(s_ii) sum_j sqrt(s_jj) |v_j|, as those of a Cholesky
 * factorisation are; S by its blocks. */
static double scaled_error(const perp_velocity *s, const double *f, const double *v)
{
    double S[SPEEDS][SPEEDS] = {{0}};
    double sum = 0.0;
    double worst = 0.0;
    size_t size = s->S.size;

    for (size_t i = 0; i < s->S.blocks; i++) {
        for (size_t e = s->S.ptr[i]; e < s->S.ptr[i + 1]; e++) {
            for (size_t k = 0; k < size * size; k++) {
                size_t row = i * size + k % size;
                size_t col = (size_t)s->S.col[e] * size + k / size;

                S[row][col] = S[col][row] = s->S.lower[e * size * size + k];
            }
        }
    }
    for (size_t j = 0; j < s->nv; j++) {
        sum += sqrt(S[j][j]) * fabs(v[j]);
    }
    for (size_t i = 0; i < s->nv; i++) {
        double r = -f[i];

        for (size_t j = 0; j < s->nv; j++) {
            r += S[i][j] * v[j];
        }
        worst = fmax(worst, fabs(r) / (sqrt(S[i][i]) * sum));
    }
    return worst / DBL_EPSILON;
}

/* Masses over six decades, C = 0, and a contact that repeats its neighbour, so that W is singular
 * twice over: weights over 24 decades are factored, and one after another as each alone. */
TEST(extreme_weights_and_masses_are_factored)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        perp_random g = {seed};
        contacts c;
        perp_velocity s = {0};
        perp_work work = {0};
        double H[AREA_MOST] = {0};
        double f[SPEEDS], v[SPEEDS];

        contacts_make(&c, seed);
        for (size_t k = 0; k < COUPLES_BODIES; k++) {
            double ratio = pow(10.0, 6.0 * (double)k / (COUPLES_BODIES - 1));

            c.drawn.inverse_mass[k] /= ratio;
            for (size_t i = 0; i < 9; i++) {
                c.drawn.inverse_inertia[9 * k + i] /= ratio;
            }
        }
        memset(c.drawn.C, 0, sizeof c.drawn.C);
        memcpy(c.drawn.J + 12 * 10, c.drawn.J + 12 * 7, 36 * sizeof *c.drawn.J);
        OK(perp_velocity_setup(&s, c.A, c.set, true, c.ws, NULL));
        for (size_t round = 0; round < 4; round++) {
            bool done = false;

            for (size_t k = 0; k < c.set->count; k++) {
                unsigned dim = c.set->blocks[k].dim;
                double h = pow(10.0, perp_random_uniform(&g, -12.0, 12.0));

                for (unsigned i = 0; i < dim && (round == 0 || k % 5 == round); i++) {
                    H[s.start[k] + i * (dim + 1)] = h;
                }
            }
            for (size_t k = 0; k < s.nv; k++) {
                f[k] = v[k] = perp_random_uniform(&g, -1.0, 1.0);
            }
            perp_velocity_set_weight(&s, H);
            OK(perp_velocity_factor(&s, &work, &done, NULL));
            CU_ASSERT(done);
            perp_velocity_solve_forces(&s, v);
            CU_ASSERT(scaled_error(&s, f, v) <= SPEEDS);
            check_bits(&c, H, true, f, v);
        }
        perp_velocity_close(&s);
    }
}

/* An H that makes S indefinite is refused, and leaves nothing behind. */
TEST(an_indefinite_weight_is_refused)
{
    perp_random g = {8};
    contacts c;
    perp_velocity s = {0};
    perp_work work = {0};
    double H[AREA_MOST] = {0};
    double f[SPEEDS], v[SPEEDS];
    bool done = false;

    contacts_make(&c, 4);
    OK(perp_velocity_setup(&s, c.A, c.set, true, c.ws, NULL));
    draw_weights(&s, H, 1.0, true, &g);
    double good = H[s.start[13]];
    for (size_t k = 0; k < 3; k++) {
        H[s.start[13]] = k == 1 ? -1e6 : good;
        perp_velocity_set_weight(&s, H);
        OK(perp_velocity_factor(&s, &work, &done, NULL));
        CU_ASSERT_EQUAL(done, k != 1);
    }
    for (size_t k = 0; k < s.nv; k++) {
        f[k] = v[k] = perp_random_uniform(&g, -1.0, 1.0);
    }
    perp_velocity_solve_forces(&s, v);
    check_bits(&c, H, true, f, v);
    perp_velocity_close(&s);
}

/* A sequence of the one matrix, written and read: the problem that the file holds. */
static perp_problem *read_back(const perp_operator *A, const perp_set *set)
{
    const char *path = test_scratch("velocity.hdf5");
    perp_random g = {1};
    perp_set *same = NULL;
    perp_sequence_item item = {.t = 0.0, .h = 1.0};
    perp_error err = {0};
    perp_operator *copy = test_copy_operator(A);

    OK(perp_set_copy(&same, set, NULL));
    item.problem = test_problem(copy, same, PERP_LAW_COULOMB, &g);
    perp_sequence *s = test_new_sequence("rows");
    OK(perp_sequence_add(s, &item, NULL));
    OK(perp_sequence_write(s, path, NULL));
    OK(perp_sequence_open(&s, path, &err));
    OK(perp_sequence_get(s, 0, &item, &err));
    remove(path);
    test_keep(item.keys, free);
    return test_keep(item.problem, test_free_problem);
}

/* Rows that a step has written on bodies, one of which cannot move, and those of the file that
 * captured them: the same blocks, by Cholesky, with the same bits. */
TEST(rows_of_a_file_are_factored_as_those_of_the_step)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        perp_random g = {seed};
        contacts c;
        perp_velocity s[2] = {{0}};
        double H[AREA_MOST] = {0};
        double v[2][SPEEDS] = {{0}};

        contacts_make(&c, seed);
        perp_problem *stored = read_back(c.A, c.set);
        CU_ASSERT_EQUAL(stored->A->type->storage, PERP_STORAGE_FACTORED);
        OK(perp_velocity_setup(&s[0], c.A, c.set, true, c.ws, NULL));
        OK(perp_velocity_setup(&s[1], stored->A, c.set, true, c.ws, NULL));
        draw_weights(&s[0], H, 1.0, true, &g);
        for (size_t k = 0; k < s[0].nv; k++) {
            v[0][k] = v[1][k] = perp_random_uniform(&g, -1.0, 1.0);
        }
        for (size_t k = 0; k < 2; k++) {
            perp_work work = {0};
            bool done = false;

            CU_ASSERT_PTR_EQUAL(s[k].L, s[k].J);
            CU_ASSERT_PTR_NULL(s[k].S.upper);
            CU_ASSERT_EQUAL_FATAL(s[k].nv, s[0].nv);
            perp_velocity_set_weight(&s[k], H);
            OK(perp_velocity_factor(&s[k], &work, &done, NULL));
            CU_ASSERT(done);
            perp_velocity_solve_forces(&s[k], v[k]);
            perp_velocity_close(&s[k]);
        }
        CU_ASSERT_EQUAL(memcmp(v[0], v[1], sizeof v[0]), 0);
    }
}

static perp_status factor_once(void *context, perp_error *err)
{
    const contacts *c = context;
    perp_velocity s = {0};
    perp_workspace *ws = NULL;
    perp_work work = {0};
    bool done = false;
    perp_status status = perp_workspace_new(&ws, 0, err);

    if (status == PERP_OK) {
        status = perp_velocity_setup(&s, c->A, c->set, false, ws, err);
    }
    if (status == PERP_OK) {
        double H[AREA_MOST] = {0};

        perp_velocity_set_weight(&s, H);
        status = perp_velocity_factor(&s, &work, &done, err);
    }
    perp_velocity_close(&s);
    return status;
}

TEST(every_failed_allocation_is_reported)
{
    contacts c;

    contacts_make(&c, 6);
    scarce_everywhere(factor_once, &c, "a factorisation in velocities");
}

/* A change of one contact costs fewer flops than a change of all, and none costs nothing. */
TEST(work_counts_what_has_changed)
{
    perp_random g = {5};
    contacts c;
    perp_velocity s = {0};
    perp_work work[3] = {{0}};
    double H[AREA_MOST] = {0};
    bool done = false;

    contacts_make(&c, 2);
    OK(perp_velocity_setup(&s, c.A, c.set, true, c.ws, NULL));
    draw_weights(&s, H, 1.0, true, &g);
    for (size_t k = 0; k < 3; k++) {
        H[s.start[13]] += k == 1 ? 1.0 : 0.0;
        perp_velocity_set_weight(&s, H);
        OK(perp_velocity_factor(&s, &work[k], &done, NULL));
        CU_ASSERT(done);
        CU_ASSERT_EQUAL(work[k].factorizations, 1.0);
    }
    CU_ASSERT(work[1].flops_factor < work[0].flops_factor);
    CU_ASSERT(work[1].flops_factor > 0.0);
    CU_ASSERT_EQUAL(work[2].flops_factor, 0.0);
    perp_velocity_close(&s);
}
