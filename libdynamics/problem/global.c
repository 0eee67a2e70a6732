/* SPDX-License-Identifier: Apache-2.0
 * problem/global.c: the problem of a step with its velocities, every row named.
 *
 *     M v = H r + G l + f,   u = H^T v + b_u,   0 = G^T v + b_l
 *
 * Contacts come first, H = J^T of them, G = J^T of joints. v are the velocities of the
 * bodies that impulses move, three or (in the plane) x, y and the angle of each,
 * f = M u_free, and the velocities of kinematic bodies are in b_u and b_l.
 *
 * Under implicit forces M is M* (problem/effective.h), one block per group of bodies.
 *
 * Of a tree in reduced coordinates v are innovations, qd = qd_free + Psi^T v: its part of
 * M is Delta, block diagonal by links, that of H^T and G^T is E (problem/reduced.c), that
 * of f is 0, and what its rows do by qd_free is in b_u and b_l. */
#include <config.h>

#include <lapacke.h>
#include <stdlib.h>

#include <perp/blas.h>
#include <perp/triplets.h>

#include "base/base.h"
#include "problem/effective.h"
#include "problem/parts.h"

/* All that is on the way to a global problem. */
typedef struct global_work {
    const perp_system *system;
    const perp_world *world;
    const perp_contacts *contacts;
    const system_reduced *reduced; /* NULL: there are no trees */
    size_t *first; /* bodies: first velocity; SIZE_MAX: it has none of its own */
    size_t n_v, n_r;
    size_t *order; /* rows of the system: contacts first */
    perp_triplets M, H, G;
} global_work;

/* Velocities of a body that the problem has: 3-D all six; plane x, y and the angle. */
static const unsigned global_space[] = {0, 1, 2, 3, 4, 5};
static const unsigned global_plane[] = {0, 1, 5};

static const unsigned *global_parts(const global_work *w, size_t *count)
{
    *count = w->world->dimension == 2 ? 3 : 6;
    return w->world->dimension == 2 ? global_plane : global_space;
}

static void global_close(global_work *w)
{
    free(w->first);
    free(w->order);
    perp_triplets_free(&w->M);
    perp_triplets_free(&w->H);
    perp_triplets_free(&w->G);
}

static perp_status global_suits(const perp_system *system, perp_error *err)
{
    const perp_rows *rows = &system->rows;
    const system_own *own = system->own;

    if (own->model == PERP_MODEL_PYRAMID) {
        return perp_fail(
            err, PERP_ERR_UNSUITABLE,
            "system: a global problem cannot have auxiliary rows of a pyramid");
    }
    if (rows->any_soft) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "system: a global problem cannot have soft rows");
    }
    for (size_t k = 0; k < rows->block_count - rows->contact_blocks; k++) {
        const perp_row_block *b = &rows->blocks[k];

        for (size_t r = b->first; r < b->first + b->dim; r++) {
            if (isfinite(rows->lo[r]) || isfinite(rows->hi[r])) {
                return perp_fail(err, PERP_ERR_UNSUITABLE,
                                 "system: a global problem cannot have limits or motors, "
                                 "row %zu is one",
                                 r);
            }
        }
    }
    return PERP_OK;
}

/* Which velocities and rows there are, and memory for what they make. */
static bool global_open(global_work *w)
{
    const perp_rows *rows = &w->system->rows;
    const size_t joints = rows->block_count - rows->contact_blocks;
    const size_t start =
        rows->contact_blocks > 0 ? rows->blocks[joints].first : rows->count;
    const size_t links = w->reduced ? w->reduced->tree->count : 0;
    const size_t entries = w->reduced ? w->reduced->rows.ptr[rows->count] : 0;
    size_t parts = 0;

    global_parts(w, &parts);
    w->n_r = rows->count - start;
    w->n_v = w->reduced ? w->reduced->tree->n : 0;
    w->first = math_alloc(w->system->bodies, sizeof *w->first);
    w->order = math_alloc(rows->count, sizeof *w->order);
    if (!w->first || !w->order) {
        return false;
    }
    for (size_t k = 0; k < w->system->bodies; k++) {
        const bool own =
            w->system->inverse_mass[k] > 0.0 && !(w->reduced && w->reduced->link[k] >= 0);

        w->first[k] = own ? w->n_v : SIZE_MAX;
        w->n_v += own ? parts : 0;
    }
    for (size_t r = 0; r < rows->count; r++) {
        w->order[r] = r < w->n_r ? start + r : r - w->n_r;
    }
    perp_triplets_init(&w->M, w->n_v, w->n_v, 12 * w->system->bodies + 36 * links);
    perp_triplets_init(&w->H, w->n_v, w->n_r, 12 * w->n_r + entries);
    perp_triplets_init(&w->G, w->n_v, start, 24 * start + entries);
    return true;
}

/* Its inertia in world axes, from the inverse as it was. */
static void global_inertia(const double inverse[9], double inertia[9])
{
    double d = mat3_determinant(inverse);

    for (int c = 0; c < 3; c++) { /* rows of the adjugate of a symmetric matrix */
        vec3_cross(inverse + 3 * ((c + 1) % 3), inverse + 3 * ((c + 2) % 3),
                   inertia + 3 * c);
        vec3_scale(1.0 / d, inertia + 3 * c, inertia + 3 * c);
    }
}

/* M* of each group of bodies that implicit forces couple, and f = M* u_free. */
static perp_status global_groups(global_work *w, double *f, perp_error *err)
{
    const perp_effective_mass *mass = w->system->mass;
    size_t count = 0;
    const unsigned *parts = global_parts(w, &count);

    for (size_t g = 0; mass && g < mass->groups; g++) {
        const size_t n = effective_size(mass, g);
        const size_t all = count * (mass->first[g + 1] - mass->first[g]);
        const int32_t *body = mass->member + mass->first[g];
        double *M = math_alloc(n * n, sizeof *M);

        if (!M) {
            return perp_fail(err, PERP_ERR_MEMORY,
                             "system: no memory for M of %zu bodies", n / 6);
        }
        if (!effective_multiply(mass, g, M)) {
            free(M);
            return perp_fail(
                err, PERP_ERR_UNSUITABLE,
                "system: a global problem needs a symmetric positive definite M, but "
                "with the implicit forces on body \"%s\" M is not",
                w->world->name[body[0]]);
        }
        for (size_t e = 0; e < all * all; e++) {
            const size_t i = e / all;
            const size_t j = e % all;
            const double x = M[6 * (i / count) + parts[i % count] +
                               (6 * (j / count) + parts[j % count]) * n];

            perp_triplets_add(&w->M, w->first[body[i / count]] + i % count,
                              w->first[body[j / count]] + j % count, x);
            f[w->first[body[i / count]] + i % count] +=
                x * w->system->u_free[6 * body[j / count] + (int32_t)parts[j % count]];
        }
        free(M);
    }
    return PERP_OK;
}

/* M, and f = M u_free. */
static void global_mass(global_work *w, double *f)
{
    const perp_effective_mass *mass = w->system->mass;

    for (size_t k = 0; k < w->system->bodies; k++) {
        const double *inverse = w->system->inverse_inertia + 9 * k;
        const double *u = w->system->u_free + 6 * k;
        const double m = 1.0 / w->system->inverse_mass[k];
        const size_t at = w->first[k];
        const size_t lengths = w->world->dimension;
        double inertia[9];

        if (at == SIZE_MAX || (mass && mass->group[k] >= 0)) {
            continue;
        }
        for (size_t c = 0; c < lengths; c++) {
            perp_triplets_add(&w->M, at + c, at + c, m);
            f[at + c] = m * u[c];
        }
        if (lengths == 2) {
            perp_triplets_add(&w->M, at + 2, at + 2, 1.0 / inverse[8]);
            f[at + 2] = u[5] / inverse[8];
            continue;
        }
        global_inertia(inverse, inertia);
        for (size_t c = 0; c < 9; c++) {
            perp_triplets_add(&w->M, at + 3 + c / 3, at + 3 + c % 3, inertia[c]);
        }
        mat3_apply(inertia, u + 3, f + at + 3);
    }
}

/* Delta of the trees, link by link, from its inverse. */
static perp_status global_trees(global_work *w, perp_error *err)
{
    const perp_articulation *tree = w->reduced ? w->reduced->tree : NULL;

    for (size_t k = 0; tree && k < tree->count; k++) {
        const size_t first = tree->first[k];
        const size_t dof = tree->first[k + 1] - first;
        const lapack_int n = (lapack_int)dof;
        lapack_int info = 0;
        double D[36];

        memcpy(D, w->reduced->inverse + 36 * k, dof * dof * sizeof *D);
        perp_blas_hold();
        if (dof > 0) {
            info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, D, n);
        }
        if (dof > 0 && info == 0) {
            info = LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', n, D, n);
        }
        perp_blas_release();
        if (info != 0) {
            return perp_fail(err, PERP_ERR_LIBRARY,
                             "system: LAPACK failed with %d at link \"%s\"", (int)info,
                             tree->links[k].name);
        }
        for (size_t e = 0; e < dof * dof; e++) {
            const size_t i = e % dof;
            const size_t j = e / dof;

            perp_triplets_add(&w->M, first + i, first + j,
                              i >= j ? D[i + j * dof] : D[j + i * dof]);
        }
    }
    return PERP_OK;
}

/* What row r does to the trees. */
static void global_innovations(const global_work *w, size_t r, size_t column,
                               perp_triplets *t)
{
    const system_innovations *rows = &w->reduced->rows;

    for (size_t e = rows->ptr[r]; e < rows->ptr[r + 1]; e++) {
        if ((size_t)rows->col[e] < w->reduced->tree->n) {
            perp_triplets_add(t, (size_t)rows->col[e], column, rows->E[e]);
        }
    }
}

/* Half a row on two bodies, in its column of H or G; what moves by itself in *rate. */
static void global_half(const global_work *w, const double J[12], const size_t body[2],
                        size_t column, perp_triplets *to, double *rate)
{
    size_t count = 0;
    const unsigned *parts = global_parts(w, &count);

    for (size_t e = 0; e < 2 * count; e++) {
        const size_t side = e / count;
        const unsigned c = parts[e % count];
        const double x = J[6 * side + c];

        if (w->first[body[side]] == SIZE_MAX) {
            *rate += x * w->system->u_free[6 * body[side] + c];
        } else {
            perp_triplets_add(to, w->first[body[side]] + e % count, column, x);
        }
    }
}

/* H, G and b: rows of J where bodies move, their rate where they move by themselves. */
static void global_rows(global_work *w, double *b)
{
    const perp_rows *rows = &w->system->rows;

    for (size_t k = 0; k < rows->block_count; k++) {
        const perp_row_block *block = &rows->blocks[k];
        const bool contact = block->role == PERP_ROLE_CONTACT;
        size_t body[2] = {0, 0};

        system_bodies(block, w->world, w->contacts, &body[0], &body[1]);
        for (size_t r = block->first; r < block->first + block->dim; r++) {
            double made[12];
            const perp_row_second *second = perp_rows_second(rows, r);
            const size_t column = contact ? r - (rows->count - w->n_r) : r;
            double *at = b + (contact ? column : w->n_r + column);
            perp_triplets *to = contact ? &w->H : &w->G;

            if (w->reduced) {
                global_innovations(w, r, column, to);
            }
            *at = -rows->bias[r];
            global_half(w, perp_rows_row(rows, r, made), body, column, to, at);
            if (second) {
                const size_t on[2] = {(size_t)second->on[0], (size_t)second->on[1]};

                global_half(w, second->J, on, column, to, at);
            }
        }
    }
}

/* K with the blocks of contacts first. */
static perp_status global_set(const global_work *w, perp_set **set, perp_error *err)
{
    const perp_set *from = w->system->problem.set;
    const size_t start = w->system->rows.count - w->n_r;
    perp_status status = perp_set_new(set, from->count, err);

    for (int pass = 0; pass < 2 && status == PERP_OK; pass++) {
        for (size_t k = 0; k < from->count; k++) {
            perp_block b = from->blocks[k];

            if ((b.first >= start) == (pass == 0)) {
                b.first = (*set)->n;
                b.normal = b.kind == PERP_SET_FRICTION ? b.normal - start : 0;
                (*set)->n += b.dim;
                (*set)->blocks[(*set)->count++] = b;
            }
        }
    }
    return status;
}

static perp_status global_fill(global_work *w, perp_problem *p, perp_error *err)
{
    const size_t n = w->system->rows.count;
    const system_own *own = w->system->own;
    perp_global *g = NULL;

    w->reduced = own->reduced.tree ? &own->reduced : NULL;
    if (!global_open(w)) {
        return perp_fail(err, PERP_ERR_MEMORY, "system: no memory to export %zu rows", n);
    }
    g = p->global = calloc(1, sizeof *g);
    p->n = n;
    p->law = w->system->problem.law;
    p->b = perp_reals_new(n);
    p->title = system_title(w->system);
    p->description = system_names(w->system, w->world, w->contacts, w->order, n);
    if (g) {
        g->f = perp_reals_new(w->n_v);
    }
    if (!g || !g->f || !p->b || !p->title || !p->description) {
        return perp_fail(err, PERP_ERR_MEMORY, "system: no memory to export %zu rows", n);
    }
    global_mass(w, g->f);
    global_rows(w, p->b);
    TRY(global_trees(w, err));
    TRY(global_groups(w, g->f, err));
    TRY(global_set(w, &p->set, err));
    TRY(system_labels(w->system, w->world, w->contacts, p->set, w->order, &p->labels,
                      err));
    TRY(system_origin(&p->origin, err));
    TRY(perp_triplets_finish(&g->M, &w->M, err));
    TRY(perp_triplets_finish(&g->H, &w->H, err));
    if (n > w->n_r) {
        TRY(perp_triplets_finish(&g->G, &w->G, err));
    }
    return PERP_OK;
}

perp_status perp_system_export_global(const perp_system *system, const perp_world *world,
                                      const perp_contacts *contacts, perp_problem **p,
                                      perp_error *err)
{
    global_work w = {.system = system, .world = world, .contacts = contacts};
    perp_status status = system_ready(system, err);

    *p = NULL;
    if (status == PERP_OK) {
        status = global_suits(system, err);
    }
    if (status == PERP_OK) {
        status = perp_problem_new(p, err);
    }
    if (status == PERP_OK) {
        status = global_fill(&w, *p, err);
    }
    if (status != PERP_OK) {
        perp_problem_free(*p);
        *p = NULL;
    }
    global_close(&w);
    return status;
}
