/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/trees_coordinates.c: the same problem from maximal and from reduced
 * coordinates.
 *
 *     A = A_cc - A_cj A_jj^-1 A_jc,    J^T z_c + J^T z_j  with  z_j = -A_jj^-1 A_jc z_c
 *
 * j: rows of joints that were eliminated, c: all others. Both are formulated at the
 * velocities as they are, which joints allow, with the same contacts. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "trees.h"

typedef struct side {
    perp_world *world;
    perp_system system;
    perp_scheme scheme;
} side;

typedef struct both {
    forest_trial *t;
    side whole, trees;
    perp_contacts contacts;
    size_t *row;  /* trees' rows: those of `whole` that they are */
    size_t *gone; /* rows of eliminated joints */
    size_t n, m;
    bool blocked;  /* a contact that nothing can open */
    double *A_jj;  /* its Cholesky factor, m x m */
    double *X;     /* A_jj^-1 A_jc, m x n, column-major */
    double *z, *u; /* impulses of whole, velocities of all bodies, twice */
    double push;   /* largest impulse of a solution */
} both;

static bool formulate(both *b, side *s)
{
    perp_error err = {0};

    if (perp_rows_write(&s->system.rows, s->world, s->world->start, &b->contacts,
                        &s->scheme, &err) != PERP_OK ||
        perp_system_formulate(&s->system, s->world, s->world->start, s->world->start->u,
                              &b->contacts, &s->scheme, &err) != PERP_OK) {
        torture_fault(b->t, "formulate: %s", err.text);
        return false;
    }
    return true;
}

/* Which rows are which: blocks of both follow each other in the same order. */
static bool match(both *b)
{
    const perp_rows *whole = &b->whole.system.rows;
    const perp_rows *trees = &b->trees.system.rows;
    const perp_reduced *reduced = b->trees.world->reduced;
    size_t k = 0;

    for (size_t l = 0; l < whole->block_count; l++) {
        const perp_row_block *x = &whole->blocks[l];
        const perp_row_block *y = k < trees->block_count ? &trees->blocks[k] : NULL;
        bool out = x->role == PERP_ROLE_JOINT && reduced->joint_link[x->source] >= 0;

        if (!out && y && x->key == y->key && x->role == y->role && x->dim == y->dim) {
            for (size_t r = 0; r < x->dim; r++) {
                b->row[y->first + r] = x->first + r;
            }
            k++;
        } else if (out) {
            for (size_t r = 0; r < x->dim; r++) {
                b->gone[b->m++] = x->first + r;
            }
        } else {
            b->blocked = true; /* of a body that joints hold still */
        }
    }
    b->n = trees->count;
    if (k != trees->block_count) {
        torture_fault(b->t, "rows that maximal coordinates have not");
    }
    return k == trees->block_count;
}

static double entry(const both *b, size_t i, size_t j)
{
    return perp_operator_entry(b->whole.system.problem.A, i, j);
}

static bool eliminate(both *b)
{
    const lapack_int m = (lapack_int)b->m;
    const lapack_int n = (lapack_int)b->n;

    for (size_t i = 0; i < b->m; i++) {
        for (size_t j = 0; j < b->m; j++) {
            b->A_jj[i + j * b->m] = entry(b, b->gone[i], b->gone[j]);
        }
        for (size_t j = 0; j < b->n; j++) {
            b->X[i + j * b->m] = entry(b, b->gone[i], b->row[j]);
        }
    }
    if (m > 0 && LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', m, b->A_jj, m) != 0) {
        torture_fault(b->t, "rows of joints of a tree are not independent");
        return false;
    }
    if (m > 0 && n > 0) {
        LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', m, n, b->A_jj, m, b->X, m);
    }
    return true;
}

/* Solving for the joints costs digits by the condition of their rows, which masses and
 * arms make: 1e-10 for those of one size. */
static double digits(const both *b)
{
    return 1e-10 * fmax(1.0, b->t->told.ratio / 10.0);
}

static void check_matrix(both *b)
{
    double worst = 0.0;
    double size = 0.0;

    for (size_t i = 0; i < b->n; i++) {
        for (size_t j = 0; j < b->n; j++) {
            double a = entry(b, b->row[i], b->row[j]);

            size = fmax(size, fabs(a));
            for (size_t k = 0; k < b->m; k++) {
                a -= b->X[k + i * b->m] * entry(b, b->gone[k], b->row[j]);
            }
            worst = fmax(worst,
                         fabs(a - perp_operator_entry(b->trees.system.problem.A, i, j)));
        }
    }
    torture_within(b->t, "A of both coordinates", worst, digits(b), size);
    worst = 0.0;
    size = 1.0;
    for (size_t i = 0; i < b->n; i++) {
        const double free = b->trees.system.problem.b[i];

        worst = fmax(worst, fabs(free - b->whole.system.problem.b[b->row[i]]));
        size = fmax(size, fabs(free));
    }
    torture_within(b->t, "b of both coordinates", worst, digits(b), size);
}

/* Any impulses, with those of joints that answer them: the same velocities. */
static void check_response(both *b)
{
    const size_t all = 6 * b->whole.world->body_count;
    perp_random g = {b->t->seed + 7 * b->t->index};
    double *z = b->z + b->whole.system.problem.n;

    memset(b->z, 0, b->whole.system.problem.n * sizeof *b->z);
    for (size_t i = 0; i < b->n; i++) {
        z[i] = b->z[b->row[i]] = perp_random_uniform(&g, -1.0, 1.0);
        for (size_t k = 0; k < b->m; k++) {
            b->z[b->gone[k]] -= b->X[k + i * b->m] * z[i];
        }
    }
    perp_system_impulses(&b->whole.system, b->z, b->u);
    perp_system_impulses(&b->trees.system, z, b->u + all);
    torture_within(b->t, "velocities that impulses make",
                   torture_apart(b->u, b->u + all, all), digits(b),
                   1.0 + torture_largest(b->u, all) +
                       torture_largest(b->z, b->whole.system.problem.n));
}

/* u+ of the problem, or false where it was not solved. */
static bool velocities(both *b, side *s, double *u)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_error err = {0};
    perp_result *r = NULL;
    bool ok = perp_result_new(&r, s->system.problem.n, &err) == PERP_OK &&
              perp_solver_parse("auto", &type, &opt, &err) == PERP_OK &&
              perp_options_set(&opt, "tolerance", "1e-13", &err) == PERP_OK &&
              perp_solve(type, &s->system.problem, &opt, r, &err) == PERP_OK;
    bool solved = ok && (r->outcome == PERP_SOLVED || r->residual <= 1e-12) &&
                  torture_largest(r->z, s->system.problem.n) < torture_sound;

    if (!ok) {
        torture_fault(b->t, "solve: %s", err.text);
    } else {
        perp_system_velocities(&s->system, r->z, u);
        b->push = fmax(b->push, torture_largest(r->z, s->system.problem.n));
    }
    perp_result_free(r);
    return solved;
}

/* Where loops and limits leave hardly any freedom, many velocities are a solution to
 * 1e-12: a few in a thousand worlds are apart by more than 1e-8, and counted. */
static const double solution_share = 1e-4;

/* Both laws are convex: u+ is one. Solved is relative to the impulses. */
static void check_solved(both *b)
{
    const size_t all = 6 * b->whole.world->body_count;
    bool solved = false;

    if (b->n == 0 || b->blocked) {
        return;
    }
    solved = velocities(b, &b->whole, b->u) && velocities(b, &b->trees, b->u + all);
    if (solved) {
        const double miss = torture_apart(b->u, b->u + all, all);
        const double size = 1.0 + torture_largest(b->u, all) + b->push;

        b->t->at->solved++;
        b->t->at->apart += miss > 1e-8 * size;
        torture_within(b->t, "velocities after a solution", miss, solution_share, size);
    } else {
        b->t->at->unsolved++;
    }
}

static bool room(both *b)
{
    const size_t n = b->whole.system.rows.count;

    b->row = calloc(n + 1, sizeof *b->row);
    b->gone = calloc(n + 1, sizeof *b->gone);
    b->A_jj = calloc(n * n + 1, sizeof *b->A_jj);
    b->X = calloc(n * n + 1, sizeof *b->X);
    b->z = calloc(2 * n + 1, sizeof *b->z);
    b->u = calloc(12 * b->whole.world->body_count, sizeof *b->u);
    if (!b->row || !b->gone || !b->A_jj || !b->X || !b->z || !b->u) {
        torture_fault(b->t, "no memory");
        return false;
    }
    return true;
}

void torture_check_coordinates(forest_trial *t, perp_world *maximal, perp_world *reduced)
{
    static const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                            PERP_STORAGE_BSR, PERP_STORAGE_FACTORED};
    both b = {.t = t,
              .whole = {.world = maximal, .scheme = t->told.scheme},
              .trees = {.world = reduced, .scheme = t->told.scheme}};
    perp_error err = {0};

    b.whole.scheme.storage = PERP_STORAGE_DENSE;
    b.trees.scheme.storage = storages[t->index % 4];
    memcpy(maximal->start->u, reduced->start->u,
           6 * maximal->body_count * sizeof *maximal->start->u);
    if (perp_collide(maximal, maximal->start, t->told.scheme.margin, &b.contacts, &err) !=
        PERP_OK) {
        torture_fault(t, "contacts: %s", err.text);
    } else if (formulate(&b, &b.whole) && formulate(&b, &b.trees) && room(&b) &&
               match(&b) && eliminate(&b)) {
        t->at->rows += b.n;
        t->at->contacts += b.contacts.count;
        check_matrix(&b);
        check_response(&b);
        check_solved(&b);
    }
    perp_system_clear(&b.whole.system);
    perp_system_clear(&b.trees.system);
    perp_contacts_clear(&b.contacts);
    free(b.row);
    free(b.gone);
    free(b.A_jj);
    free(b.X);
    free(b.z);
    free(b.u);
}
