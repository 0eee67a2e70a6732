/* SPDX-License-Identifier: Apache-2.0
 * linear/block_factor.c: Cholesky and LDU factorisations of sparse matrices of square blocks.
 *
 *     P S P^T = L L^T    or    P S P^T = L D U
 *
 * Small ones are factored by columns of blocks (linear/block_column.c), those above 1e9 flops,
 * whose factors outgrow the caches, by dense panels of supernodes (linear/block_panel.c).
 * Threads, if the caller requests them, share the columns or panels of a factorisation
 * (linear/block_tasks.c) and the trees of a solve, which are the islands of the graph. Each
 * column or panel is computed from the same numbers in the same order by any number of
 * threads, so the bits are the same.
 * A column depends on those below it in the elimination tree alone, so that a change of some blocks
 * of S concerns the paths from them to the roots; on each column of a path the arithmetic is that of
 * a factorisation of all, and the bits are the same.
 * A pivot block fails as linear/block_pivot.c says, after which the factors are not usable. */
#include <config.h>

#include "base/base.h"
#include "base/threads.h"
#include "block_column.h"
#include "block_super.h"
#include "block_tasks.h"

/* Panels are faster than columns above this flops^3 / numbers^2 of a Cholesky factor. Time of panels
 * over that of columns, Cholesky and LDU: lattices of 9^3 bodies (2.7e13) 1.21, 1.09, of 10^3 (9.4e13)
 * 1.03, 0.82, of 11^3 0.98, 0.72; pyramids of 125 levels (6e13) 1.23, 1.09, of 158 1.1, 0.91. */
#define BLOCK_FACTOR_LARGE 8e13
/* A team starts within 100 us and its members wait for each other: below these flops (4 ms) of a
 * factorisation, and below these numbers (8 MB) that a solve reads, one thread is left alone. */
#define BLOCK_FACTOR_SMALL 1e8
#define BLOCK_SOLVE_SMALL  1e6

struct perp_block_factor {
    perp_workspace *run; /* that counts the memory, */
    perp_workspace *own; /* which is here */
    size_t charged;      /* bytes of `own` that are counted */
    unsigned size, area; /* s, s^2 */
    perp_block_order o;
    perp_block_factor_kind kind;
    bool done;     /* the factors are those of the last matrix */
    size_t failed; /* a block row of S */
    double *cost;  /* flops of each column or panel in a Cholesky factorisation */
    bool *stale;   /* which of them are computed, */
    double spent;  /* for so many flops */
    double *x;     /* blocks s: the permuted vector of a solve */
    double *U;     /* of the columns or the panels, while the kind is LDU */

    perp_block_factor_way way;
    perp_columns columns;
    perp_supernodes super;
    perp_panels panels;

    size_t members;              /* threads */
    perp_panel_scratch *scratch; /* of each */
    size_t *stopped;             /* members: the least step whose pivot failed */
    thread_team *team;           /* NULL: one thread */
    perp_block_tasks tasks;      /* of a factorisation */
    perp_block_tasks trees;      /* of a solve */
    const perp_block_matrix *S;  /* being factored; NULL in a solve */
};

void perp_block_factor_close(perp_block_factor *f)
{
    if (f) {
        perp_threads_free(f->team);
        perp_workspace_discharge(f->run, f->charged);
        perp_workspace_free(f->own); /* f as well */
    }
}

/* Count what `own` holds now. */
static perp_status block_factor_charge(perp_block_factor *f, perp_error *err)
{
    size_t more = perp_workspace_bytes(f->own) - f->charged;

    if (!perp_workspace_charge(f->run, more)) {
        return perp_workspace_status(f->run, err);
    }
    f->charged += more;
    return PERP_OK;
}

static bool block_factor_has_panels(const perp_block_factor *f)
{
    return f->way == PERP_BLOCK_BY_SUPERNODES;
}

/* Columns or supernodes. */
static size_t block_factor_units(const perp_block_factor *f)
{
    return block_factor_has_panels(f) ? f->super.count : f->o.blocks;
}

/* The column or supernode of a step. */
static size_t block_factor_unit_of(const perp_block_factor *f, size_t step)
{
    return block_factor_has_panels(f) ? (size_t)f->super.of[step] : step;
}

static const int32_t *block_factor_parents(const perp_block_factor *f)
{
    return block_factor_has_panels(f) ? f->super.parent : f->o.parent;
}

/* Column k, which has c blocks below the diagonal, costs s^3 (c + 1/3) by itself, and 2 s^3 per
 * product of two of its blocks where it is subtracted, half as much on the diagonal. */
static void block_factor_costs(perp_block_factor *f)
{
    const perp_block_order *o = &f->o;
    double cube = (double)f->area * f->size;

    for (size_t k = 0; k < o->blocks; k++) {
        size_t end = o->ptr[k + 1];

        f->cost[block_factor_unit_of(f, k)] +=
            cube * ((double)(end - o->ptr[k]) + 1.0 / 3.0);
        for (size_t p = o->ptr[k]; p < end; p++) {
            size_t row = (size_t)o->row[p];

            f->cost[block_factor_unit_of(f, row)] +=
                cube * (2.0 * (double)(end - p) - 1.0);
        }
    }
}

/* Scratch of so many threads. */
static perp_status block_factor_take_scratch(perp_block_factor *f, size_t members,
                                             perp_error *err)
{
    perp_panel_scratch *w = perp_workspace_alloc(f->own, members, sizeof *w);
    size_t *stopped = perp_workspace_sizes(f->own, members);
    perp_status status = perp_workspace_status(f->own, err);

    for (size_t m = 0; m < members && status == PERP_OK; m++) {
        if (block_factor_has_panels(f)) {
            status = perp_panel_scratch_take(&w[m], &f->super, f->own, err);
        } else {
            w[m].at = perp_workspace_alloc(f->own, f->o.blocks, sizeof *w[m].at);
            status = perp_workspace_status(f->own, err);
        }
    }
    if (status == PERP_OK) {
        f->scratch = w;
        f->stopped = stopped;
    }
    return status;
}

/* Memory that both kinds need. */
static perp_status block_factor_take(perp_block_factor *f, perp_error *err)
{
    size_t n = f->o.blocks;
    perp_columns *c = &f->columns;
    perp_status status = PERP_OK;

    f->x = perp_workspace_alloc(f->own, n, f->size * sizeof *f->x);
    f->cost = perp_workspace_reals(f->own, n);
    f->stale = perp_workspace_alloc(f->own, n, sizeof *f->stale);
    if (block_factor_has_panels(f)) {
        status = perp_supernodes_find(&f->super, &f->o, f->size, f->own, err);
    } else {
        c->o = &f->o;
        c->kernel = perp_block_kernel_find(f->size);
        c->size = f->size;
        c->D = perp_workspace_alloc(f->own, n, f->area * sizeof *c->D);
        status = perp_workspace_status(f->own, err);
    }
    if (status == PERP_OK) {
        status = perp_block_tasks_single(&f->tasks, block_factor_units(f), f->own, err);
    }
    return status == PERP_OK ? block_factor_take_scratch(f, 1, err) : status;
}

/* `way` NULL: by the measure above. */
static perp_status block_factor_analyse(perp_block_factor *f, const perp_block_matrix *S,
                                        const perp_block_factor_way *way, perp_error *err)
{
    perp_status status = perp_block_order_find(&f->o, S, f->own, err);
    double flops = 0.0;
    double share = 0.0;

    if (status != PERP_OK) {
        return status;
    }
    flops = perp_block_factor_flops(f, PERP_BLOCK_CHOLESKY);
    share = flops / perp_block_factor_fill(f, PERP_BLOCK_CHOLESKY);
    if (way) {
        f->way = *way;
    } else if (flops * share * share > BLOCK_FACTOR_LARGE) {
        f->way = PERP_BLOCK_BY_SUPERNODES;
    }
    TRY(block_factor_take(f, err));
    block_factor_costs(f);
    return block_factor_charge(f, err);
}

static perp_status block_factor_open(perp_block_factor **out, const perp_block_matrix *S,
                                     const perp_block_factor_way *way, perp_workspace *ws,
                                     perp_error *err)
{
    perp_block_factor *f = NULL;
    perp_workspace *own = NULL;
    perp_status status = perp_workspace_new(&own, 0, err);

    *out = NULL;
    if (status != PERP_OK) {
        return status;
    }
    f = perp_workspace_alloc(own, 1, sizeof *f);
    if (!f) {
        status = perp_workspace_status(own, err);
        perp_workspace_free(own);
        return status;
    }
    f->own = own;
    f->run = ws;
    f->size = S->size;
    f->area = S->size * S->size;
    f->failed = SIZE_MAX;
    f->members = 1;
    status = block_factor_analyse(f, S, way, err);
    if (status != PERP_OK) {
        perp_block_factor_close(f);
        return status;
    }
    *out = f;
    return PERP_OK;
}

perp_status perp_block_factor_new(perp_block_factor **f, const perp_block_matrix *S,
                                  perp_workspace *ws, perp_error *err)
{
    return block_factor_open(f, S, NULL, ws, err);
}

perp_status perp_block_factor_new_by(perp_block_factor **f, const perp_block_matrix *S,
                                     perp_block_factor_way way, perp_workspace *ws,
                                     perp_error *err)
{
    return block_factor_open(f, S, &way, ws, err);
}

static void block_factor_alloc_panels(perp_block_factor *f)
{
    size_t numbers = f->super.panel[f->super.count];
    perp_panels *n = &f->panels;

    if (!n->L) {
        n->L = perp_workspace_reals(f->own, numbers);
    }
    if (f->kind == PERP_BLOCK_LDU && !n->pivot) {
        f->U = perp_workspace_reals(f->own, numbers);
        n->pivot = perp_workspace_alloc(f->own, f->o.blocks, f->size * sizeof *n->pivot);
        n->scale = perp_workspace_alloc(f->own, f->o.blocks, f->size * sizeof *n->scale);
    }
    n->U = f->kind == PERP_BLOCK_LDU ? f->U : NULL;
}

static void block_factor_alloc_columns(perp_block_factor *f)
{
    size_t entries = f->o.ptr[f->o.blocks];
    perp_columns *c = &f->columns;
    size_t bytes = f->area * sizeof *c->L;

    if (!c->L) {
        c->L = perp_workspace_alloc(f->own, entries, bytes);
    }
    if (f->kind == PERP_BLOCK_LDU && !c->pivot) {
        f->U = perp_workspace_alloc(f->own, entries, bytes);
        c->pivot = perp_workspace_alloc(f->own, f->o.blocks, f->size * sizeof *c->pivot);
    }
    c->U = f->kind == PERP_BLOCK_LDU ? f->U : NULL;
}

/* Memory for the kind, where it is not there yet. */
static perp_status block_factor_alloc(perp_block_factor *f, perp_error *err)
{
    if (block_factor_has_panels(f)) {
        block_factor_alloc_panels(f);
    } else {
        block_factor_alloc_columns(f);
    }
    TRY(perp_workspace_status(f->own, err));
    return block_factor_charge(f, err);
}

/* Cut the forest into tasks of a factorisation, or its trees into those of a solve. */
static perp_status block_factor_cut(perp_block_factor *f, perp_block_tasks *t, bool whole,
                                    perp_error *err)
{
    return perp_block_tasks_find(t, block_factor_units(f), block_factor_parents(f),
                                 f->cost, whole, f->own, err);
}

/* What becomes of unit k; the step whose pivot failed is noted. */
static perp_block_state block_factor_unit(perp_block_factor *f, size_t member, size_t k)
{
    perp_panel_scratch *w = &f->scratch[member];
    perp_block_state state = PERP_BLOCK_WAITING;
    size_t step = k;

    if (block_factor_has_panels(f)) {
        state = perp_panel_factor(&f->super, &f->panels, k, f->S, &f->tasks, w, &step);
    } else {
        state = perp_column_factor(&f->columns, k, f->S, &f->tasks, w->at);
    }
    if (state == PERP_BLOCK_FAILED && step < f->stopped[member]) {
        f->stopped[member] = step;
    }
    return state;
}

/* A team also factors the units that do not need the one that failed, so that it names the
 * step that one thread would name. */
static void block_factor_run_tasks(perp_block_factor *f, size_t member)
{
    size_t first = 0;
    size_t end = 0;

    while (perp_block_tasks_take(&f->tasks, &first, &end)) {
        for (size_t k = first; k < end; k++) {
            perp_block_state state =
                f->stale[k] ? block_factor_unit(f, member, k) : PERP_BLOCK_READY;

            perp_block_tasks_end(&f->tasks, k, state);
            if (state != PERP_BLOCK_READY && f->members == 1) {
                return;
            }
        }
    }
}

static void block_factor_solve_units(perp_block_factor *f, size_t member, size_t first,
                                     size_t end)
{
    perp_panel_scratch *w = &f->scratch[member];

    if (block_factor_has_panels(f)) {
        perp_panels_forward(&f->super, &f->panels, f->x, first, end, w);
        perp_panels_backward(&f->super, &f->panels, f->x, first, end, w);
    } else {
        perp_columns_forward(&f->columns, f->x, first, end);
        perp_columns_backward(&f->columns, f->x, first, end);
    }
}

static void block_factor_member(void *context, size_t member)
{
    perp_block_factor *f = context;
    size_t first = 0;
    size_t end = 0;

    if (f->S) {
        block_factor_run_tasks(f, member);
        return;
    }
    while (perp_block_tasks_take(&f->trees, &first, &end)) {
        block_factor_solve_units(f, member, first, end);
    }
}

perp_status perp_block_factor_threads(perp_block_factor *f, size_t n, perp_error *err)
{
    if (n <= 1 || f->team || f->o.flops < BLOCK_FACTOR_SMALL) {
        return PERP_OK;
    }
    TRY(block_factor_take_scratch(f, n, err));
    TRY(block_factor_cut(f, &f->tasks, false, err));
    TRY(block_factor_cut(f, &f->trees, true, err));
    f->team = perp_threads_new(n, f->own);
    if (!f->team) {
        return perp_workspace_status(f->own, err);
    }
    f->members = perp_threads_size(f->team);
    return block_factor_charge(f, err);
}

/* SIZE_MAX, or the first step whose pivot failed. */
static size_t block_factor_run(perp_block_factor *f, const perp_block_matrix *S)
{
    size_t failed = SIZE_MAX;

    f->S = S;
    for (size_t m = 0; m < f->members; m++) {
        f->stopped[m] = SIZE_MAX;
    }
    perp_block_tasks_start(&f->tasks);
    if (f->team && f->spent >= BLOCK_FACTOR_SMALL) {
        perp_threads_run(f->team, block_factor_member, f);
    } else {
        block_factor_run_tasks(f, 0);
    }
    for (size_t m = 0; m < f->members; m++) {
        failed = f->stopped[m] < failed ? f->stopped[m] : failed;
    }
    f->S = NULL;
    return failed;
}

/* Mark the units whose numbers follow from these block rows, NULL: from all: their own and those
 * above them in the forest. */
static void block_factor_mark(perp_block_factor *f, const bool *changed)
{
    const int32_t *parent = block_factor_parents(f);
    size_t units = block_factor_units(f);

    memset(f->stale, !changed, units * sizeof *f->stale);
    for (size_t j = 0; changed && j < f->o.blocks; j++) {
        f->stale[block_factor_unit_of(f, j)] |= changed[f->o.order[j]];
    }
    f->spent = 0.0;
    for (size_t k = 0; k < units; k++) {
        if (f->stale[k]) {
            f->spent += f->kind == PERP_BLOCK_LDU ? 2.0 * f->cost[k] : f->cost[k];
            if (parent[k] >= 0) {
                f->stale[parent[k]] = true;
            }
        }
    }
}

perp_status perp_block_factor_update(perp_block_factor *f, const perp_block_matrix *S,
                                     perp_block_factor_kind kind, const bool *changed,
                                     bool *done, perp_error *err)
{
    bool kept = f->done && f->kind == kind;
    size_t failed = 0;

    *done = f->done = false;
    f->kind = kind;
    f->failed = SIZE_MAX;
    TRY(block_factor_alloc(f, err));
    block_factor_mark(f, kept ? changed : NULL);
    failed = block_factor_run(f, S);
    *done = f->done = failed == SIZE_MAX;
    f->failed = *done ? SIZE_MAX : (size_t)f->o.order[failed];
    return PERP_OK;
}

perp_status perp_block_factor_matrix(perp_block_factor *f, const perp_block_matrix *S,
                                     perp_block_factor_kind kind, bool *done,
                                     perp_error *err)
{
    return perp_block_factor_update(f, S, kind, NULL, done, err);
}

void perp_block_factor_solve(perp_block_factor *f, double *x)
{
    size_t bytes = f->size * sizeof *x;

    for (size_t j = 0; j < f->o.blocks; j++) {
        memcpy(f->x + j * f->size, x + (size_t)f->o.order[j] * f->size, bytes);
    }
    if (f->team && f->trees.count > 1 &&
        perp_block_factor_fill(f, f->kind) >= BLOCK_SOLVE_SMALL) {
        perp_block_tasks_start(&f->trees);
        perp_threads_run(f->team, block_factor_member, f);
    } else {
        block_factor_solve_units(f, 0, 0, block_factor_units(f));
    }
    for (size_t j = 0; j < f->o.blocks; j++) {
        memcpy(x + (size_t)f->o.order[j] * f->size, f->x + j * f->size, bytes);
    }
}

bool perp_block_factor_negative(const perp_block_factor *f)
{
    return f->kind == PERP_BLOCK_LDU &&
           (block_factor_has_panels(f) ? perp_panels_negative(&f->super, &f->panels)
                                       : perp_columns_negative(&f->columns));
}

size_t perp_block_factor_failed(const perp_block_factor *f)
{
    return f->failed;
}

double perp_block_factor_flops(const perp_block_factor *f, perp_block_factor_kind kind)
{
    return kind == PERP_BLOCK_LDU ? 2.0 * f->o.flops : f->o.flops;
}

double perp_block_factor_spent(const perp_block_factor *f)
{
    return f->spent;
}

double perp_block_factor_fill(const perp_block_factor *f, perp_block_factor_kind kind)
{
    double entries = (double)f->o.ptr[f->o.blocks] * (double)f->area;
    double s = f->size;

    return kind == PERP_BLOCK_LDU ? (double)f->o.blocks * s * s + 2.0 * entries
                                  : (double)f->o.blocks * s * (s + 1.0) / 2.0 + entries;
}
