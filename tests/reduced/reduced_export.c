/* SPDX-License-Identifier: Apache-2.0
 * tests/reduced/reduced_export.c: problems of trees in reduced coordinates leave the
 * step for files, local and global, and have the same solution; scarce memory on the
 * way. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/formats.h>

#include "both_coordinates.h"
#include "scarce.h"

static double *solution_of(const perp_problem *p)
{
    perp_result *r = test_solve(p, "nsgs", "tolerance=1e-12", NULL);
    double *z = test_alloc(p->n, sizeof *z);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    memcpy(z, r->z, p->n * sizeof *z);
    perp_result_free(r);
    return z;
}

/* Velocities, since impulses of a loop need not be unique. */
static void same_motion(const perp_problem *p, const double *z, const double *y)
{
    double w[256];
    double v[256];

    perp_operator_apply(p->A, z, w);
    perp_operator_apply(p->A, y, v);
    test_agree("A z", w, v, p->n, 1e-7); /* both have RES 1e-12, condition 1e4 */
}

/* Through a file, whatever it is. */
static perp_problem *again(perp_problem *p, const char *file)
{
    const char *path = test_scratch(file);
    perp_problem *q = NULL;
    perp_error err = {0};
    perp_status status = perp_problem_write(p, path, NULL, NULL, &err);

    if (status == PERP_OK) {
        status = perp_problem_read(&q, path, NULL, NULL, &err);
    }
    if (status != PERP_OK) {
        test_note("%s: %s", file, err.text);
    }
    OK(status);
    remove(path);
    perp_problem_free(p);
    return q;
}

TEST(an_export_is_read_and_solved_to_the_same)
{
    grove f;
    perp_problem *p = NULL;
    perp_reform *reform = NULL;
    double *z = NULL;
    double *y = NULL;

    grove_open(&f, 6, 0);
    grove_formulate(&f);
    z = solution_of(&f.trees.system.problem);
    OK(perp_system_export(&f.trees.system, f.trees.world, &f.trees.contacts,
                          PERP_STORAGE_BSR, &p, NULL));
    OK(perp_problem_check(p, NULL));
    CU_ASSERT_PTR_NOT_NULL(strstr(p->title, " reduced coordinates"));
    CU_ASSERT_PTR_NOT_NULL(strstr(p->description, "row 0: contact "));
    p = again(p, "reduced-system.json");
    y = solution_of(p);
    same_motion(p, z, y);
    free(y);
    perp_problem_free(p);
    OK(perp_system_export_global(&f.trees.system, f.trees.world, &f.trees.contacts, &p,
                                 NULL));
    OK(perp_problem_check(p, NULL));
    p = again(p, "reduced-system.hdf5");
    OK(perp_reform_condense(&reform, p, NULL));
    y = solution_of(reform->to);
    same_motion(reform->to, z, y);
    perp_reform_free(reform);
    perp_problem_free(p);
    free(y);
    free(z);
    grove_close(&f);
}

/* With closing joints, which come behind the contacts. */
TEST(a_global_problem_has_the_same_matrix)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        grove f;
        perp_problem *p = NULL;
        perp_reform *reform = NULL;
        double *A = NULL;
        double most = 0.0;
        size_t n = 0;
        size_t joints = 0;

        grove_open(&f, seed, GROVE_LOOP | (seed % 2 == 0 ? GROVE_PLANE : 0));
        grove_formulate(&f);
        n = f.trees.system.problem.n;
        joints = n - f.trees.world->dimension * f.trees.system.rows.contact_blocks;
        A = stage_matrix(&f.trees);
        most = grove_largest(A, n * n);
        OK(perp_system_export_global(&f.trees.system, f.trees.world, &f.trees.contacts,
                                     &p, NULL));
        OK(perp_reform_condense(&reform, p, NULL));
        for (size_t i = 0; i < n; i++) {
            const size_t row = (i + joints) % n;

            CU_ASSERT_DOUBLE_EQUAL(reform->to->b[i], f.trees.system.problem.b[row],
                                   1e-12);
            for (size_t j = 0; j < n; j++) { /* M is inverted twice */
                CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(reform->to->A, i, j),
                                       A[row * n + (j + joints) % n], 1e-12 * most);
            }
        }
        perp_reform_free(reform);
        perp_problem_free(p);
        free(A);
        grove_close(&f);
    }
}

static perp_status make_all(void *context, perp_error *err)
{
    grove *f = context;
    stage *s = &f->trees;
    perp_problem *p = NULL;
    perp_status status = perp_rows_write(&s->system.rows, s->world, s->world->start,
                                         &s->contacts, &s->scheme, err);

    for (size_t k = 0; k < 4 && status == PERP_OK; k++) {
        s->scheme.storage = (perp_storage)(1 << k);
        status = perp_system_formulate(&s->system, s->world, s->world->start,
                                       s->world->start->u, &s->contacts, &s->scheme, err);
    }
    if (status == PERP_OK) {
        status = perp_system_export_global(&s->system, s->world, &s->contacts, &p, err);
    }
    perp_problem_free(p);
    if (status != PERP_OK) {
        perp_system_clear(&s->system);
    }
    return status;
}

TEST(scarce_memory_is_survived)
{
    grove f;

    grove_open(&f, 2, GROVE_LOOP);
    scarce_everywhere(make_all, &f, "reduced system");
    grove_close(&f);
}
