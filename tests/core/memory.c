/* SPDX-License-Identifier: Apache-2.0
 * tests/core/memory.c: the k-th allocation fails, for every k, and nothing leaks or
 * breaks. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/solvers.h"
#include "scarce.h"

typedef struct solving {
    const perp_problem *p;
    const char *solver;
    const char *formulation;
} solving;

static perp_status attempt(const solving *s, perp_error *err)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_status status = perp_solver_parse(s->solver, &type, &opt, err);

    if (status == PERP_OK) {
        status = perp_options_set(&opt, "friction", s->formulation, err);
    }
    if (status == PERP_OK) {
        status = perp_result_new(&r, s->p->n, err);
    }
    if (status == PERP_OK) {
        status = perp_solve(type, s->p, &opt, r, err);
    }
    return status;
}

static bool takes(const solving *s)
{
    return attempt(s, NULL) != PERP_ERR_UNSUITABLE;
}

static perp_status solve_once(void *context, perp_error *err)
{
    perp_status status = attempt(context, err);

    CU_ASSERT(status == PERP_OK || status == PERP_ERR_MEMORY);
    return status;
}

static const double W[36] = {2, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1,
                             1, 0, 0, 3, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 1, 0, 0, 3};
static const double contact_b[6] = {-1, 0.8, 0.1, -2, 0.1, 0.3};
static const double contact_mu[2] = {0.5, 0.3};

TEST(solvers_survive_on_an_lcp)
{
    perp_problem *p = test_lcp(6, W, contact_b);
    size_t count = 0;
    const perp_solver_type *const *all = perp_solvers(&count);

    for (size_t i = 0; i < count; i++) {
        solving s = {p, all[i]->name, "natural"};

        scarce_everywhere(solve_once, &s, all[i]->name);
    }
}

TEST(solvers_survive_on_contacts)
{
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);
    size_t count = 0;
    const perp_solver_type *const *all = perp_solvers(&count);
    const solving others[] = {{p, "mpgp", "associated"},    {p, "lemke", "pyramid:4"},
                              {p, "dantzig", "box"},        {p, "pgs", "box"},
                              {p, "prox:dantzig", "box"},   {p, "ds:spg", "natural"},
                              {p, "ds:admm", "natural"},    {p, "ds:ipm-socp", "natural"},
                              {p, "tresca:mpgp", "natural"}};

    for (size_t i = 0; i < count; i++) {
        solving s = {p, all[i]->name, "natural"};

        if (takes(&s)) {
            scarce_everywhere(solve_once, &s, all[i]->name);
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        solving s = others[i];

        scarce_everywhere(solve_once, &s, s.solver);
    }
}

TEST(solvers_survive_on_boxes_and_free_rows)
{
    perp_problem *p = test_lcp(6, W, contact_b);
    const char *const names[] = {"lemke", "dantzig", "pgs", "prox:dantzig"};

    p->set->blocks[0].kind = PERP_SET_FREE;
    p->set->blocks[0].lo = -INFINITY;
    p->set->blocks[3] =
        (perp_block){.kind = PERP_SET_BOX, .dim = 1, .first = 3, .lo = -1, .hi = 0.25};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        solving s = {p, names[i], "natural"};

        scarce_everywhere(solve_once, &s, names[i]);
    }
}

/* Global problems reach a solver through a factorisation of M. */
TEST(solvers_survive_on_a_global_problem)
{
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);
    solving s = {p, "nsgs", "natural"};

    p->global = calloc(1, sizeof *p->global);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->global);
    p->global->M = p->A;
    p->global->f = perp_reals_new(6);
    p->A = NULL;
    OK(perp_operator_copy(&p->global->H, p->global->M, NULL));
    scarce_everywhere(solve_once, &s, "global");
}

/* The formats that are both: write, then read, with every allocation failing in turn. */
typedef struct filing {
    const perp_problem *p;
    const char *path;
    const char *format;
} filing;

static perp_status write_once(void *context, perp_error *err)
{
    const filing *f = context;

    return perp_problem_write(f->p, f->path, f->format, NULL, err);
}

static perp_status read_once(void *context, perp_error *err)
{
    const filing *f = context;
    const perp_read_options opt = {.format = f->format};
    perp_problem *p = NULL;
    perp_status status = perp_problem_read(&p, f->path, &opt, NULL, err);

    return status;
}

TEST(formats_survive)
{
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);
    perp_problem *lcp = test_lcp(6, W, contact_b);
    size_t count = 0;
    const perp_format *const *all = perp_formats(&count);

    for (size_t i = 0; i < count; i++) {
        char name[64], path[1024];
        const bool cones = strcmp(all[i]->name, "ampl-nl") != 0;
        filing f = {cones ? p : lcp, path, all[i]->name};

        if (!all[i]->reads || !all[i]->writes) {
            continue;
        }
        snprintf(name, sizeof name, "memory-%s%s", all[i]->name, all[i]->extension);
        snprintf(path, sizeof path, "%s", test_scratch(name));
        scarce_everywhere(write_once, &f, all[i]->name);
        scarce_everywhere(read_once, &f, all[i]->name);
    }
}

static perp_status copy_once(void *context, perp_error *err)
{
    perp_problem *copy = NULL;
    perp_status status = perp_problem_copy(&copy, context, err);

    return status;
}

TEST(copies_survive)
{
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);

    p->name = perp_text_new("name");
    p->title = perp_text_new("title");
    p->description = perp_text_new("description");
    p->guesses = calloc(2, sizeof *p->guesses);
    p->guess_count = 2;
    p->guesses[0].z = perp_reals_new(6);
    p->guesses[1].z = perp_reals_new(6);
    p->solution = calloc(1, sizeof *p->solution);
    p->solution->z = perp_reals_new(6);
    p->solution->w = perp_reals_new(6);
    scarce_everywhere(copy_once, p, "perp_problem_copy");
}

static perp_status make_from_arrays(void *context, perp_error *err)
{
    const perp_problem *p = context;
    const perp_operator *A = p->A;
    perp_problem *made[3] = {NULL};
    perp_status status =
        perp_problem_new_bsr(&made[0], p->n, A->block_size, A->ptr, A->col, A->x, p->b,
                             p->set, p->law, PERP_COPY, err);

    if (status == PERP_OK) {
        status = perp_problem_new_bsr(&made[1], p->n, A->block_size, A->ptr, A->col, A->x,
                                      p->b, p->set, p->law, PERP_BORROW, err);
    }
    if (status == PERP_OK) { /* any numbers make a matrix */
        status = perp_problem_new_dense(&made[2], 2, A->x, 3, p->b, NULL, p->law,
                                        PERP_BORROW, err);
    }
    return status;
}

TEST(problems_from_arrays_survive)
{
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);

    test_store(p, PERP_STORAGE_BSR, 3);
    scarce_everywhere(make_from_arrays, p, "perp_problem_new_bsr");
}
