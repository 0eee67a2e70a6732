/* SPDX-License-Identifier: Apache-2.0
 * problem/reduced.c: rows of a world whose joints were eliminated.
 *
 *     A = J H^-1 J^T + C,   H^-1 = Psi^T Delta^-1 Psi   [rodriguez-1992]
 *       = E Delta^-1 E^T + C,   E = J Psi^T
 *
 * A row applies wrenches to two bodies. The wrench on a link is propagated to the base of
 * its tree; the component along each joint's motion is an entry of E. So a row has at most
 * as many entries as there are coordinates between its links and their bases. Delta is
 * block diagonal by links. A body outside trees keeps its six velocities, with 1/m and
 * I^-1 in Delta^-1. Columns: coordinates of the trees, then six for each body outside
 * trees, in the order of the bodies.
 *
 * Some rows have no effect on any coordinate: a cart on rails that touches the ground, a
 * rope between bodies of one piece. Rounding leaves 1e-16 of such a row, and the solver
 * would divide by its square. Its entries are therefore set to 0, and its softness is a
 * share of the inverse mass that the two bodies have without joints: the row then has a
 * finite impulse, which moves nothing.
 *
 * Consecutive rows on the same two bodies are propagated together, up to eight at once,
 * and store the same columns. Cost: O(depth) per row; memory: 20 bytes per entry. Springs
 * of axes are rows, so Delta belongs to H alone. */
#include <config.h>

#include <stdlib.h>

#include "problem/parts.h"

enum {
    REDUCED_TOGETHER = 8, /* rows that perp_articulation_innovations takes at once */
    REDUCED_SIX = 6,      /* velocities of a body */
    REDUCED_BLOCK = PERP_MOBILIZER_DOF * PERP_MOBILIZER_DOF
};

/* Of the response without joints: below it is rounding, of 1e-12 in the entries, which a
 * link of 1e-20 of the mass of what carries it would be; and the share that gives in: a
 * rounding of 1e-16 m/s makes no more than 1e-5 of an impulse of 1 m/s. */
static const double still_below = 1e-20;
static const double null_row_softness = 1e-11;

void system_innovations_clear(system_innovations *out)
{
    free(out->ptr);
    free(out->col);
    free(out->E);
    free(out->G);
    free(out->null_softness);
    memset(out, 0, sizeof *out);
}

void system_reduced_clear(system_reduced *r)
{
    system_innovations_clear(&r->rows);
    free(r->link);
    free(r->column);
    free(r->root);
    free(r->owner);
    free(r->inverse);
    free(r->force);
    free(r->answer);
    free(r->rates);
    free(r->index);
    free(r->value);
    memset(r, 0, sizeof *r);
}

static bool reduced_reserve(system_reduced *r, size_t bodies, size_t links, size_t n)
{
    const math_column of_bodies[] = {
        COLUMN(r->link, 1),
        COLUMN(r->column, 1),
        COLUMN(r->root, 1),
    };
    const math_column of_links[] = {
        COLUMN(r->inverse, REDUCED_BLOCK),
        COLUMN(r->force, REDUCED_SIX),
        COLUMN(r->answer, REDUCED_SIX),
    };
    const math_column of_coordinates[] = {
        COLUMN(r->owner, 1),
        COLUMN(r->rates, 1),
        COLUMN(r->index, 2),
        COLUMN(r->value, 2 * (size_t)REDUCED_TOGETHER),
    };

    return math_grow(of_bodies, 3, &r->body_room, bodies) &&
           math_grow(of_links, 3, &r->link_room, links) &&
           math_grow(of_coordinates, 4, &r->n_room, n);
}

/* Which link each body is, what couples its rows, and its columns. */
static void reduced_bodies(system_reduced *r, const perp_world *world,
                           const perp_state *state)
{
    const perp_reduced *from = world->reduced;
    const perp_articulation *tree = state->trees;
    size_t next = tree->n;

    for (size_t k = 0; k < world->body_count; k++) {
        r->link[k] = perp_world_link(world, k);
        r->column[k] = -1;
        r->root[k] = -1;
        if (r->link[k] < 0 && world_moves(world, (int32_t)k)) {
            r->root[k] = (int32_t)k;
            r->column[k] = (int32_t)next;
            next += REDUCED_SIX;
        }
    }
    for (size_t k = 0; k < tree->count; k++) { /* parents come first */
        const int32_t parent = tree->links[k].parent;

        r->root[from->body[k]] =
            parent >= 0 ? r->root[from->body[parent]] : from->body[k];
        for (size_t c = tree->first[k]; c < tree->first[k + 1]; c++) {
            r->owner[c] = (int32_t)k;
        }
        perp_articulation_inverse(tree, k, r->inverse + REDUCED_BLOCK * k);
    }
    r->n = tree->n;
    r->nv = next;
}

perp_status system_reduce(system_reduced *r, const perp_world *world,
                          const perp_state *state, perp_error *err)
{
    perp_articulation *tree = world && world->reduced ? state->trees : NULL;
    perp_status status = PERP_OK;

    r->tree = NULL;
    r->rows.rows = 0;
    if (!tree) {
        return PERP_OK;
    }
    if (!reduced_reserve(r, world->body_count, tree->count, tree->n)) {
        return perp_fail(err, PERP_ERR_MEMORY, "system: no memory for %zu coordinates",
                         tree->n);
    }
    status = perp_articulation_factor(tree, 0.0, err);
    if (status == PERP_OK) {
        r->tree = tree;
        reduced_bodies(r, world, state);
    }
    return status;
}

/* Rows that follow each other and name the same two bodies. */
typedef struct row_run {
    const perp_pairs *pairs;
    size_t first, end;
    int32_t body[2], link[2];
} row_run;

static row_run run_from(const system_reduced *r, const perp_pairs *pairs, size_t first)
{
    row_run run = {.pairs = pairs, .first = first, .end = first + 1};

    for (size_t s = 0; s < 2; s++) {
        run.body[s] = perp_pairs_bodies(pairs, first)[s];
        run.link[s] = run.body[s] < 0 ? -1 : r->link[run.body[s]];
    }
    while (run.end < pairs->rows &&
           memcmp(perp_pairs_bodies(pairs, run.end), run.body, sizeof run.body) == 0) {
        run.end++;
    }
    return run;
}

/* Columns of one of its rows, at most. */
static size_t run_width(const system_reduced *r, const row_run *run)
{
    size_t width = 0;

    for (size_t s = 0; s < 2; s++) {
        if (run->link[s] >= 0) {
            width += r->tree->depth[run->link[s]];
        } else if (run->body[s] >= 0 && r->column[run->body[s]] >= 0) {
            width += REDUCED_SIX;
        }
    }
    return width;
}

bool system_innovations_reserve(system_innovations *out, size_t rows, size_t entries)
{
    const math_column of_rows[] = {
        COLUMN(out->null_softness, 1),
        COLUMN(out->ptr, 1),
    };
    const math_column of_entries[] = {
        COLUMN(out->col, 1),
        COLUMN(out->E, 1),
        COLUMN(out->G, 1),
    };

    out->rows = out->null_count = 0;
    return math_grow(of_rows, 2, &out->row_room, rows + 1) &&
           math_grow(of_entries, 3, &out->room, entries);
}

static bool innovations_reserve(const system_reduced *r, const perp_pairs *pairs,
                                system_innovations *out)
{
    size_t entries = 0;

    for (size_t i = 0; i < pairs->rows;) {
        row_run run = run_from(r, pairs, i);

        entries += (run.end - i) * run_width(r, &run);
        i = run.end;
    }
    return system_innovations_reserve(out, pairs->rows, entries);
}

/* Columns of the links that rows first .. first + count - 1 move, r->index, and their
 * entries, r->value; how many. */
static size_t run_links(const system_reduced *r, const row_run *run, size_t first,
                        size_t count)
{
    double force[2][REDUCED_SIX * REDUCED_TOGETHER];

    if (run->link[0] < 0 && run->link[1] < 0) {
        return 0;
    }
    for (size_t k = 0; k < count; k++) {
        double made[12];
        const double *J = perp_pairs_row(run->pairs, first + k, made);

        memcpy(force[0] + REDUCED_SIX * k, J, REDUCED_SIX * sizeof *J);
        memcpy(force[1] + REDUCED_SIX * k, J + REDUCED_SIX, REDUCED_SIX * sizeof *J);
    }
    return perp_articulation_innovations(r->tree, run->link[0], run->link[1], count,
                                         force[0], force[1], r->index, r->value);
}

/* G of one row: Delta^-1 times its entries, link by link; columns of a link are adjacent. */
static void row_divide(const system_reduced *r, const int32_t *col, size_t count,
                       const double *E, double *G)
{
    for (size_t k = 0; k < count;) {
        const size_t link = (size_t)r->owner[col[k]];
        const size_t dof = r->tree->first[link + 1] - r->tree->first[link];
        const double *inverse = r->inverse + REDUCED_BLOCK * link;

        for (size_t i = 0; i < dof; i++) {
            G[k + i] = 0.0;
            for (size_t j = 0; j < dof; j++) {
                G[k + i] += inverse[i + j * dof] * E[k + j];
            }
        }
        k += dof;
    }
}

/* The six columns of a body in no tree. */
static size_t row_body(const system_reduced *r, const perp_pairs *pairs, int32_t body,
                       const double *J, int32_t *col, double *E, double *G)
{
    if (body < 0 || r->column[body] < 0) {
        return 0;
    }
    for (int32_t c = 0; c < REDUCED_SIX; c++) {
        col[c] = r->column[body] + c;
        E[c] = J[c];
    }
    system_inverse(pairs->inverse_mass[body], pairs->inverse_inertia + 9 * (size_t)body,
                   J, G);
    return REDUCED_SIX;
}

/* J M^-1 J^T of one row on its bodies alone. */
static double row_alone(const perp_pairs *pairs, size_t row)
{
    double sum = 0.0;
    double made[12];
    const double *row_J = perp_pairs_row(pairs, row, made);

    for (size_t s = 0; s < 2; s++) {
        const int32_t body = perp_pairs_bodies(pairs, row)[s];
        const double *J = row_J + REDUCED_SIX * s;
        double G[REDUCED_SIX];

        if (body >= 0) {
            system_inverse(pairs->inverse_mass[body],
                           pairs->inverse_inertia + 9 * (size_t)body, J, G);
            for (size_t c = 0; c < REDUCED_SIX; c++) {
                sum += J[c] * G[c];
            }
        }
    }
    return sum;
}

/* The row as it is, or, where nothing answers it, none. */
static void row_settle(const perp_pairs *pairs, size_t row, system_innovations *out)
{
    const size_t first = out->ptr[row];
    const size_t end = out->ptr[row + 1];
    const double alone = row_alone(pairs, row);
    double sum = 0.0;

    for (size_t k = first; k < end; k++) {
        sum += out->E[k] * out->G[k];
    }
    out->null_softness[row] = 0.0;
    if (sum <= still_below * alone) {
        memset(out->E + first, 0, (end - first) * sizeof *out->E);
        memset(out->G + first, 0, (end - first) * sizeof *out->G);
        out->null_softness[row] = null_row_softness * alone;
        out->null_count++;
    }
}

/* Rows first .. first + count - 1 of a run, behind those that are there. */
static void run_write(const system_reduced *r, const row_run *run, size_t first,
                      size_t count, system_innovations *out)
{
    const size_t links = run_links(r, run, first, count);
    const bool turned = run->body[0] > run->body[1]; /* columns ascend with the bodies */

    for (size_t k = 0; k < count; k++) {
        double made[12];
        const double *J = perp_pairs_row(run->pairs, first + k, made);
        size_t at = out->ptr[first + k];

        memcpy(out->col + at, r->index, links * sizeof *out->col);
        for (size_t c = 0; c < links; c++) {
            out->E[at + c] = r->value[c * count + k];
        }
        row_divide(r, out->col + at, links, out->E + at, out->G + at);
        at += links;
        for (size_t s = 0; s < 2; s++) {
            const size_t side = turned ? 1 - s : s;

            at += row_body(r, run->pairs, run->body[side], J + REDUCED_SIX * side,
                           out->col + at, out->E + at, out->G + at);
        }
        out->ptr[first + k + 1] = at;
        row_settle(run->pairs, first + k, out);
    }
}

perp_status system_innovate(const system_reduced *r, const perp_pairs *pairs,
                            system_innovations *out, perp_error *err)
{
    out->nv = r->nv;
    if (!innovations_reserve(r, pairs, out)) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "system: no memory for %zu rows in reduced coordinates",
                         pairs->rows);
    }
    out->ptr[0] = 0;
    for (size_t i = 0; i < pairs->rows;) {
        const row_run run = run_from(r, pairs, i);

        for (; i < run.end; i += REDUCED_TOGETHER) {
            const size_t left = run.end - i;

            run_write(r, &run, i, left < REDUCED_TOGETHER ? left : REDUCED_TOGETHER, out);
        }
        i = run.end;
    }
    out->rows = pairs->rows;
    return PERP_OK;
}

perp_status system_innovations_operator(const system_innovations *from, const double *C,
                                        perp_operator **A, perp_error *err)
{
    const perp_arrays E = {.storage = PERP_STORAGE_CSR,
                           .rows = from->rows,
                           .cols = from->nv,
                           .block_size = 1,
                           .count = from->ptr[from->rows],
                           .ptr = from->ptr,
                           .col = from->col,
                           .x = from->E};

    return perp_operator_new_factors(A, &E, from->G, C, err);
}

perp_status system_operator_of(const perp_system *system, const perp_pairs *pairs,
                               perp_operator **A, perp_error *err)
{
    system_innovations rows = {0};
    perp_status status = PERP_OK;

    *A = NULL;
    if (!system_is_reduced(system) && !system->mass && system->rows.second_count == 0) {
        return perp_operator_new_pairs(A, pairs, err);
    }
    status = system_rows_of(system, pairs, &rows, err);
    if (status == PERP_OK) {
        status = system_innovations_operator(&rows, pairs->C, A, err);
    }
    system_innovations_clear(&rows);
    return status;
}

void system_respond(const system_reduced *r, size_t bodies, double *du)
{
    for (size_t k = 0; k < bodies; k++) {
        if (r->link[k] >= 0) {
            memcpy(r->force + REDUCED_SIX * (size_t)r->link[k], du + REDUCED_SIX * k,
                   REDUCED_SIX * sizeof *du);
        }
    }
    perp_articulation_solve_mass(r->tree, NULL, r->force, r->rates, r->answer);
    for (size_t k = 0; k < bodies; k++) {
        if (r->link[k] >= 0) {
            memcpy(du + REDUCED_SIX * k, r->answer + REDUCED_SIX * (size_t)r->link[k],
                   REDUCED_SIX * sizeof *du);
        }
    }
}
