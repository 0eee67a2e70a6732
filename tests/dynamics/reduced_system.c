/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/reduced_system.c: rows of trees in reduced coordinates make the problem
 * that is left when rows of the eliminated joints are solved for, in every storage and
 * model.
 *
 *     A = A_cc - A_cj A_jj^-1 A_jc      j: joints that are eliminated, c: all other rows
 *       = Jc H^-1 Jc^T + C              Jc: the rows times the bodies' Jacobians */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grove.h"
#include "math/vec3.h"

enum { SEEDS = 12, EVERYTHING = GROVE_LOOP | GROVE_AXES };

/* Twenty rows of joints are solved for, which costs digits by their condition, 1e3. */
static const double schur_tolerance = 1e-10;

static const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                        PERP_STORAGE_BSR, PERP_STORAGE_FACTORED};

/* Rows of joints that `whole` has and `trees` has not; how many. Contacts of a body that
 * is fixed to the ground are left out, too, but belong to nobody. */
static size_t eliminated(const grove *f, size_t *out)
{
    const perp_rows *rows = &f->whole.system.rows;
    const size_t left = f->trees.system.rows.count;
    bool *kept = calloc(rows->count, sizeof *kept);
    size_t count = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(kept);
    for (size_t r = 0; r < left; r++) {
        kept[grove_row(f, r)] = true;
    }
    for (size_t k = 0; k < rows->block_count; k++) {
        const perp_row_block *b = &rows->blocks[k];

        for (size_t r = b->first; r < b->first + b->dim; r++) {
            if (b->role == PERP_ROLE_JOINT && !kept[r]) {
                out[count++] = r;
            }
        }
    }
    free(kept);
    CU_ASSERT_FATAL(count >= 15);
    return count;
}

/* A_jj^-1 A_jc, a row of c after the other, and the rows j. */
static double *eliminate(const grove *f, const double *whole, size_t *gone, size_t *count)
{
    const size_t all = f->whole.system.problem.n;
    const size_t left = f->trees.system.rows.count;
    const size_t m = *count = eliminated(f, gone);
    double *A = calloc(m * m, sizeof *A);
    double *X = calloc(m * left, sizeof *X);

    CU_ASSERT_FATAL(A && X);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            A[i * m + j] = whole[gone[i] * all + gone[j]];
        }
        for (size_t r = 0; r < left; r++) {
            X[r * m + i] = whole[gone[i] * all + grove_row(f, r)];
        }
    }
    grove_solve(m, A, left, X);
    free(A);
    return X;
}

static void agrees_with_the_schur_complement(uint64_t seed, unsigned parts)
{
    grove f;
    size_t gone[256];
    size_t m = 0;
    size_t n = 0;
    size_t all = 0;
    double *whole = NULL;
    double *trees = NULL;
    double *X = NULL;
    double worst = 0.0;

    grove_open(&f, seed, parts);
    grove_formulate(&f);
    n = f.trees.system.rows.count;
    all = f.whole.system.problem.n;
    CU_ASSERT_FATAL(all <= 256);
    whole = stage_matrix(&f.whole);
    trees = stage_matrix(&f.trees);
    X = eliminate(&f, whole, gone, &m);
    for (size_t i = 0; i < n; i++) {
        const size_t row = grove_row(&f, i);

        for (size_t j = 0; j < n; j++) {
            double a = whole[row * all + grove_row(&f, j)];

            for (size_t k = 0; k < m; k++) {
                a -= X[i * m + k] * whole[gone[k] * all + grove_row(&f, j)];
            }
            worst = fmax(worst, fabs(a - trees[i * n + j]));
        }
        /* velocities are those that joints allow */
        CU_ASSERT_DOUBLE_EQUAL(f.trees.system.problem.b[i], f.whole.system.problem.b[row],
                               1e-9);
    }
    if (!(worst <= schur_tolerance * grove_largest(trees, n * n))) {
        test_note("seed %d: A differs by %.3g", (int)seed, worst);
    }
    CU_ASSERT(worst <= schur_tolerance * grove_largest(trees, n * n));
    free(whole);
    free(trees);
    free(X);
    grove_close(&f);
}

TEST(rows_of_joints_are_eliminated_from_the_matrix)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        agrees_with_the_schur_complement(seed, 0);
        agrees_with_the_schur_complement(seed, EVERYTHING);
        agrees_with_the_schur_complement(seed, GROVE_LOOP | GROVE_SINGLES);
        agrees_with_the_schur_complement(seed, GROVE_LOOP | GROVE_ROLLING);
        agrees_with_the_schur_complement(seed, EVERYTHING | GROVE_PLANE);
    }
}

/* J of row r in coordinates: the bodies' rows times their Jacobians, twists of the links
 * in their own axes. */
static void dense_row(const stage *s, const double *J, size_t r, double *row)
{
    const perp_articulation *tree = s->world->start->trees;
    double made[12];
    const double *own = perp_rows_row(&s->system.rows, r, made);

    memset(row, 0, tree->n * sizeof *row);
    for (size_t side = 0; side < 2; side++) {
        const int32_t body = perp_rows_bodies(&s->system.rows, r)[side];
        const double *of = own + 6 * side;
        const int32_t link = body < 0 ? -1 : perp_world_link(s->world, (size_t)body);
        double wrench[6]; /* (tau; f), axes of the link */

        if (link < 0) {
            CU_ASSERT_EQUAL(body, -1); /* every body that moves has coordinates here */
            continue;
        }
        mat3_apply_transposed(tree->E[link].R, of + 3, wrench);
        mat3_apply_transposed(tree->E[link].R, of, wrench + 3);
        for (size_t c = 0; c < tree->n; c++) {
            for (size_t k = 0; k < 6; k++) {
                row[c] += wrench[k] * J[6 * (size_t)link + k + c * 6 * tree->count];
            }
        }
    }
}

static void dense_product(uint64_t seed)
{
    grove f;
    perp_articulation *tree = NULL;
    size_t n = 0;
    size_t m = 0;
    double *J = NULL;
    double *H = NULL;
    double *Jc = NULL;
    double *X = NULL;
    double *A = NULL;

    grove_open(&f, seed, EVERYTHING | GROVE_SINGLES);
    grove_formulate(&f);
    tree = f.trees.world->start->trees;
    n = f.trees.system.rows.count;
    m = tree->n;
    J = calloc(6 * tree->count * m, sizeof *J);
    H = calloc(m * m, sizeof *H);
    Jc = calloc(n * m, sizeof *Jc);
    X = calloc(n * m, sizeof *X);
    A = stage_matrix(&f.trees);
    CU_ASSERT_FATAL(J && H && Jc && X);
    perp_articulation_jacobian(tree, J, NULL);
    perp_articulation_crba(tree, H);
    for (size_t r = 0; r < n; r++) {
        dense_row(&f.trees, J, r, Jc + r * m);
    }
    memcpy(X, Jc, n * m * sizeof *X);
    grove_solve(m, H, n, X);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double a = i == j ? f.trees.system.rows.soft[i] : 0.0;

            for (size_t k = 0; k < m; k++) {
                a += Jc[i * m + k] * X[j * m + k];
            }
            /* conditions of H, up to 1e4, times rounding */
            CU_ASSERT_DOUBLE_EQUAL(A[i * n + j], a, 1e-11 * fmax(1.0, fabs(a)));
        }
    }
    free(J);
    free(H);
    free(Jc);
    free(X);
    free(A);
    grove_close(&f);
}

TEST(the_matrix_is_that_of_the_full_jacobians)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        dense_product(seed);
    }
}

/* Auxiliary rows of the pyramid are the same in all coordinates. */
static void check_auxiliary(const grove *f)
{
    const perp_operator *A = f->trees.system.problem.A;
    const perp_operator *B = f->whole.system.problem.A;
    const size_t n = f->trees.system.rows.count;
    const size_t all = f->whole.system.rows.count;

    for (size_t i = n; i < f->trees.system.problem.n; i++) {
        for (size_t j = 0; j < n; j++) {
            const size_t other = grove_row(f, j);

            CU_ASSERT_EQUAL(perp_operator_entry(A, i, j),
                            perp_operator_entry(B, all + (i - n), other));
            CU_ASSERT_EQUAL(perp_operator_entry(A, j, i),
                            perp_operator_entry(B, other, all + (i - n)));
        }
        CU_ASSERT_EQUAL(perp_operator_entry(A, i, i), 0.0);
    }
}

TEST(every_storage_and_model_has_the_same_matrix)
{
    const perp_model models[] = {PERP_MODEL_CONE, PERP_MODEL_ASSOCIATED, PERP_MODEL_BOX,
                                 PERP_MODEL_PYRAMID, PERP_MODEL_FRICTIONLESS};

    for (size_t k = 0; k < 5; k++) {
        grove f;
        double *A = NULL;
        double most = 0.0;
        size_t n = 0;

        grove_open(&f, 3 + k, EVERYTHING);
        f.whole.scheme.model = f.trees.scheme.model = models[k];
        f.whole.scheme.storage = PERP_STORAGE_DENSE;
        for (size_t m = 0; m < 4; m++) {
            const perp_operator *B = NULL;

            f.trees.scheme.storage = storages[m];
            grove_formulate(&f);
            B = f.trees.system.problem.A;
            n = f.trees.system.problem.n;
            CU_ASSERT(B->type->storage == storages[m] ||
                      storages[m] == PERP_STORAGE_BSR || models[k] == PERP_MODEL_PYRAMID);
            CU_ASSERT(strstr(f.trees.system.problem.title, "reduced coordinates, ") !=
                      NULL);
            if (!A) {
                A = stage_matrix(&f.trees);
                most = grove_largest(A, n * n);
            }
            for (size_t e = 0; e < n * n; e++) { /* sums of other orders */
                CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(B, e / n, e % n), A[e],
                                       1e-13 * most);
            }
            CU_ASSERT(models[k] == PERP_MODEL_PYRAMID || perp_operator_is_symmetric(B));
            check_auxiliary(&f);
        }
        free(A);
        grove_close(&f);
    }
}

/* Contacts alone are blocks of three. */
TEST(contacts_alone_are_in_blocks)
{
    grove f;
    double *A = NULL;
    double most = 0.0;
    size_t n = 0;

    grove_open(&f, 5, 0);
    f.trees.scheme.storage = PERP_STORAGE_BSR;
    grove_formulate(&f);
    CU_ASSERT_EQUAL(f.trees.system.problem.A->type->storage, PERP_STORAGE_BSR);
    CU_ASSERT_EQUAL(f.trees.system.problem.A->block_size, 3);
    A = stage_matrix(&f.trees);
    n = f.trees.system.problem.n;
    most = grove_largest(A, n * n);
    f.trees.scheme.storage = PERP_STORAGE_FACTORED;
    grove_formulate(&f);
    for (size_t e = 0; e < n * n; e++) {
        CU_ASSERT_DOUBLE_EQUAL(
            perp_operator_entry(f.trees.system.problem.A, e / n, e % n), A[e],
            1e-13 * most);
    }
    free(A);
    grove_close(&f);
}

/* Impulses of the rows that are left, and in maximal coordinates those of the joints that
 * answer them, move every body alike. */
TEST(impulses_move_bodies_as_joints_do)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        grove f;
        size_t gone[256];
        size_t m = 0;
        size_t n = 0;
        double z[256] = {0};
        double y[256] = {0};
        double u[2][6 * GROVE_BODIES];
        double *whole = NULL;
        double *X = NULL;
        perp_random g = {seed + 77};

        grove_open(&f, seed, EVERYTHING);
        grove_formulate(&f);
        n = f.trees.system.rows.count;
        whole = stage_matrix(&f.whole);
        X = eliminate(&f, whole, gone, &m);
        for (size_t r = 0; r < n; r++) {
            z[r] = perp_random_uniform(&g, -1.0, 1.0);
            y[grove_row(&f, r)] = z[r];
            for (size_t k = 0; k < m; k++) {
                y[gone[k]] -= X[r * m + k] * z[r];
            }
        }
        perp_system_velocities(&f.trees.system, z, u[0]);
        perp_system_velocities(&f.whole.system, y, u[1]);
        test_agree("u+", u[0], u[1], 6 * GROVE_BODIES, schur_tolerance);
        perp_system_impulses(&f.trees.system, z, u[1]);
        for (size_t c = 0; c < 6 * GROVE_BODIES; c++) {
            u[1][c] += f.trees.world->start->u[c];
        }
        test_agree("u + du", u[1], u[0], 6 * GROVE_BODIES, 1e-14);
        free(whole);
        free(X);
        grove_close(&f);
    }
}

TEST(rows_keep_their_names_and_keys)
{
    grove f;
    size_t last = 0;

    grove_open(&f, 4, EVERYTHING);
    f.whole.scheme.model = f.trees.scheme.model = PERP_MODEL_PYRAMID;
    grove_formulate(&f);
    for (size_t r = 0; r < f.trees.system.rows.count; r++) {
        char name[2][128];

        perp_system_name(&f.trees.system, f.trees.world, &f.trees.contacts, r, name[0],
                         sizeof name[0]);
        perp_system_name(&f.whole.system, f.whole.world, &f.whole.contacts,
                         grove_row(&f, r), name[1], sizeof name[1]);
        CU_ASSERT_STRING_EQUAL(name[0], name[1]);
        CU_ASSERT(grove_row(&f, r) >= last); /* in the same order */
        last = grove_row(&f, r);
    }
    grove_close(&f);
}

TEST_MAIN("reduced system")
