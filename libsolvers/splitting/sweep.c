/* SPDX-License-Identifier: Apache-2.0
 * splitting/sweep.c: one sweep: each block in turn is solved for itself (splitting/blocks.c), the
 * others being fixed. A sweep costs one product with A and reads every block row once. In
 * factored form
 *
 *     u = J_k v + C_k z_k + b_k,   z_k += dz,   v += M^-1 J_k^T dz
 *
 * with the current velocities v of the bodies, so that A is never formed; rows on two bodies have
 * their own records (splitting/bodies.h). In coloured order the blocks of a colour are stored one
 * after the other, and chunks of them are distributed to threads; the changes are summed by
 * chunks, so that the result does not depend on the number of threads. */
#include <config.h>

#include "sweep.h"

#include "base/base.h"
#include "locality.h"
#include "patches.h"

/* Blocks per chunk of a thread: so many that chunks share few cache lines. */
enum { CHUNK = 16 };

/* Sweeps after which v is recomputed, which limits rounding errors at 1 % more work. */
enum { FRESH_PASSES = 50 };

/* With more blocks the records (300 bytes each, 6 MB) do not fit into the caches. */
enum { LOCAL_LEAST = 20000 };

/* Mean distance of successive blocks, relative to the number of bodies, from which the stored
 * order is replaced: spheres stored layer by layer are 0.01 apart, in ten layers 0.02, and in a
 * random order 0.33. */
static const double jumps = 0.1;

/* u := velocities of the block at a position. */
static inline void sweep_velocity(const sweep *s, const perp_block *block,
                                  size_t position, double *u)
{
    const perp_operator *rows = s->layout.rows;
    size_t row = layout_row(&s->layout, position);
    const double *b = s->layout.b + row;

    if (s->v) {
        const double *C = perp_operator_compliance(rows) + row;

        perp_factored_rows_dot(rows, row, block->dim, s->v, u);
        for (unsigned i = 0; i < block->dim; i++) {
            u[i] += C[i] * s->z[block->first + i] + b[i];
        }
        return;
    }
    rows->type->methods->rows_dot(rows, row, block->dim, s->z, u);
    if (block->dim == 3) { /* most of them */
        u[0] += b[0];
        u[1] += b[1];
        u[2] += b[2];
        return;
    }
    for (unsigned i = 0; i < block->dim; i++) {
        u[i] += b[i];
    }
}

/* False where the block must move and cannot. */
static inline bool sweep_step(sweep *s, size_t position, double *change)
{
    const perp_block *block = &s->layout.blocks[position];
    double u[LOCAL_DIM_MAX], dz[LOCAL_DIM_MAX];

    sweep_velocity(s, block, position, u);
    if (!perp_local_blocks_step(&s->blocks, position, u, s->z, dz, change)) {
        return false;
    }
    if (s->v) {
        perp_factored_rows_add(s->layout.rows, layout_row(&s->layout, position),
                               block->dim, dz, s->v);
    }
    return true;
}

/* One block after the other, until one cannot move. */
static void sweep_pass_sequential(sweep *s)
{
    size_t count = s->p->set->count;

    if (s->paired) {
        atomic_store(&s->refused, perp_bodies_pass(&s->bodies, &s->blocks, s->sequence,
                                                   s->back, s->z, &s->change));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        size_t k = s->back ? count - 1 - i : i;
        size_t position = s->sequence ? s->sequence[k] : k;

        if (!sweep_step(s, position, &s->change)) {
            atomic_store(&s->refused, position);
            return;
        }
    }
}

/* Positions from .. to-1 until one cannot move: it, or `to`. */
static size_t sweep_run(sweep *s, size_t from, size_t to, double *change)
{
    size_t position = from;

    if (s->paired) {
        return perp_bodies_run(&s->bodies, &s->blocks, from, to, s->z, change);
    }
    while (position < to && sweep_step(s, position, change)) {
        position++;
    }
    return position;
}

/* A chunk of one colour. A block that cannot move is skipped, so that all threads do the same. */
static double sweep_chunk(sweep *s, size_t from, size_t to)
{
    double change = 0.0;

    for (size_t k = sweep_run(s, from, to, &change); k < to;
         k = sweep_run(s, k + 1, to, &change)) {
        size_t block = s->colors.order[k], least = atomic_load(&s->refused);

        while (block < least &&
               !atomic_compare_exchange_weak(&s->refused, &least, block)) {
        }
    }
    return change;
}

/* First chunk of a colour, in one numbering of all chunks; the last chunk of a colour may be
 * short. */
static size_t sweep_first_chunk(const sweep *s, size_t color)
{
    return s->colors.from[color] / CHUNK + color;
}

/* A colour at work. */
typedef struct sweep_shade {
    sweep *s;
    size_t from, first_chunk;
} sweep_shade;

static void sweep_shade_chunk(void *context, size_t first, size_t last)
{
    const sweep_shade *c = context;

    c->s->partial[c->first_chunk + first / CHUNK] =
        sweep_chunk(c->s, c->from + first, c->from + last);
}

static void sweep_color(sweep *s, size_t color, size_t member)
{
    size_t from = s->colors.from[color], to = s->colors.from[color + 1];
    sweep_shade c = {s, from, sweep_first_chunk(s, color)};

    perp_threads_share(s->team, member, to - from, CHUNK, sweep_shade_chunk, &c);
}

/* The result of the tail depends on its order: one thread sweeps it. */
static void sweep_tail(sweep *s)
{
    size_t from = s->colors.from[s->colors.count], count = s->p->set->count;

    double change = 0.0;

    for (size_t i = from; i < count; i++) {
        size_t position = s->back ? from + count - 1 - i : i;

        change += sweep_chunk(s, position, position + 1);
    }
    s->partial[sweep_first_chunk(s, s->colors.count)] = change;
}

/* The part of one thread in a sweep: all colours, with a barrier after each. */
static void sweep_pass_colors(void *context, size_t member)
{
    sweep *s = context;
    size_t count = s->colors.count;

    for (size_t i = 0; i <= count; i++) {
        size_t color = s->back ? count - i : i;

        if (color < count) {
            sweep_color(s, color, member);
        } else if (member == 0) {
            sweep_tail(s);
        }
        if (i < count) {
            perp_threads_barrier(s->team);
        }
    }
}

/* The sum of the changes of the chunks, in their order. */
static double sweep_sum_changes(const sweep *s)
{
    double change = 0.0;

    for (size_t i = 0; i <= sweep_first_chunk(s, s->colors.count); i++) {
        change += s->partial[i];
    }
    return change;
}

static void sweep_shuffle(sweep *s)
{
    for (size_t i = s->p->set->count; i > 1; i--) {
        size_t j = (size_t)(perp_random_next(&s->random) % i);
        size_t swap = s->sequence[i - 1];

        s->sequence[i - 1] = s->sequence[j];
        s->sequence[j] = swap;
    }
}

/* First row of the block that was refused; colours note its number in the set. */
static size_t sweep_refused_row(sweep *s)
{
    size_t refused = atomic_load(&s->refused);

    return s->order == SWEEP_COLORED ? s->p->set->blocks[refused].first
                                     : s->layout.blocks[refused].first;
}

static perp_status sweep_pass(sweep *s, perp_result *r, bool back, perp_error *err)
{
    s->z = r->z;
    s->back = back;
    atomic_store(&s->refused, SIZE_MAX);
    if ((s->v || s->paired) && (!s->velocities_known || s->fresh == FRESH_PASSES)) {
        if (s->paired) {
            perp_bodies_velocities(&s->bodies, r->z);
        } else {
            perp_factored_velocity(s->p->A, r->z, s->v);
        }
        r->work.products += 0.5;
        s->velocities_known = true;
        s->fresh = 0;
    }
    s->fresh++;
    if (s->order == SWEEP_SHUFFLED && !back) {
        sweep_shuffle(s);
    }
    if (s->order == SWEEP_COLORED) {
        perp_threads_run(s->team, sweep_pass_colors, s);
        s->change += sweep_sum_changes(s);
    } else {
        sweep_pass_sequential(s);
    }
    if (atomic_load(&s->refused) != SIZE_MAX) {
        return perp_refuse_diagonal(r, sweep_refused_row(s), err);
    }
    r->work.products += 1.0;
    r->work.projections += (double)s->p->set->count;
    return PERP_OK;
}

perp_status perp_sweep_iterate(void *state, perp_result *r, perp_error *err)
{
    sweep *s = state;
    bool back = s->alternates && s->backward;
    perp_status status = PERP_OK;

    s->change = 0.0;
    status = sweep_pass(s, r, back, err);
    if (s->symmetric && status == PERP_OK && r->outcome == PERP_RUNNING) {
        status = sweep_pass(s, r, !back, err);
    }
    s->backward = !s->backward;
    return status;
}

perp_status perp_sweep_resume(void *state, double shift, perp_result *r, perp_error *err)
{
    (void)r;
    (void)err;
    perp_sweep_refresh(state, shift);
    return PERP_OK;
}

void perp_sweep_moved(sweep *s)
{
    s->velocities_known = false;
}

void perp_sweep_weights(const sweep *s, double *weight)
{
    const local_blocks *blocks = &s->blocks;

    for (size_t position = 0; position < blocks->count; position++) {
        const perp_block *block = &blocks->at[position];

        for (unsigned i = 0; i < block->dim; i++) {
            weight[block->first + i] = blocks->weight[position];
        }
    }
}

void perp_sweep_refresh(sweep *s, double shift)
{
    perp_layout_refresh(&s->layout, shift != 0.0);
    if (s->paired) {
        perp_bodies_refresh(&s->bodies, &s->blocks, shift != 0.0);
    }
    if (shift != 0.0) {
        perp_local_blocks_refresh(&s->blocks);
    }
    perp_sweep_moved(s);
}

/* Blocks next to their neighbours; in dense storage all blocks are neighbours. */
static perp_status sweep_setup_local(sweep *s, const char *name, bool asked,
                                     perp_workspace *ws, perp_result *r, perp_error *err)
{
    size_t *order = NULL;

    TRY(perp_locality_order(s->p, &order, ws, err));
    s->positions = order;
    if (!order) {
        s->order = SWEEP_NATURAL;
        perp_result_log(r, "%s: natural order: a dense matrix has no local one", name);
    } else {
        perp_result_log(r, "%s: blocks in the order of their bodies%s", name,
                        asked ? "" : ": the stored order jumps");
    }
    return PERP_OK;
}

/* The data of the order, apart from the blocks. */
static perp_status sweep_setup_order(sweep *s, perp_workspace *ws, perp_error *err)
{
    size_t count = s->p->set->count;

    if (s->order == SWEEP_SHUFFLED) {
        s->sequence = perp_workspace_sizes(ws, count);
        for (size_t k = 0; s->sequence && k < count; k++) {
            s->sequence[k] = k;
        }
    } else if (s->order == SWEEP_COLORED) {
        TRY(perp_colors_make(&s->colors, s->p, COLORS_LEAST, ws, err));
        s->partial = perp_workspace_reals(ws, count / CHUNK + COLORS_MAX + 2);
        s->positions = s->colors.order;
    }
    if ((s->order == SWEEP_SHUFFLED && !s->sequence) ||
        (s->order == SWEEP_COLORED && !s->partial)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the order of %zu blocks",
                         count);
    }
    return PERP_OK;
}

static perp_status sweep_setup_threads(sweep *s, const char *name, size_t threads,
                                       perp_workspace *ws, perp_result *r,
                                       perp_error *err)
{
    /* a tail alone is swept by one thread */
    s->team = perp_workspace_team(ws, s->colors.count > 0 ? threads : 1);
    if (!s->team) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a team of %zu threads",
                         threads);
    }
    perp_result_log(r, "%s: %zu colour%s, %zu block%s in the tail, threads: %zu", name,
                    s->colors.count, perp_plural(s->colors.count),
                    s->p->set->count - s->colors.from[s->colors.count],
                    perp_plural(s->p->set->count - s->colors.from[s->colors.count]),
                    perp_threads_size(s->team));
    return PERP_OK;
}

/* The rows of the blocks in the order of the sweep, and the velocities of a factored A. */
static perp_status sweep_setup_rows(sweep *s, perp_workspace *ws, perp_error *err)
{
    const perp_problem *p = s->p;

    TRY(perp_layout_setup(&s->layout, p, s->positions, ws, err));
    s->blocks.p = p;
    s->blocks.at = s->layout.blocks;
    s->blocks.count = p->set->count;
    if (s->passes) {
        TRY(perp_bodies_setup(&s->bodies, &s->blocks, s->order == SWEEP_LOCAL, ws,
                              &s->paired, err));
    }
    if (s->paired && s->patches && s->order != SWEEP_COLORED &&
        s->order != SWEEP_SHUFFLED) {
        TRY(perp_patches_setup(&s->bodies, ws, err));
    }
    if (s->passes && perp_operator_in_factors(p->A) && !s->paired) {
        s->v = perp_workspace_reals(ws, perp_operator_velocities(p->A));
        if (!s->v) {
            return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu velocities",
                             perp_operator_velocities(p->A));
        }
    }
    return PERP_OK;
}

perp_status perp_sweep_setup_blocks(sweep *s, const perp_problem *p, perp_workspace *ws,
                                    perp_result *r, perp_error *err)
{
    s->p = p;
    TRY(sweep_setup_rows(s, ws, err));
    TRY(perp_local_blocks_setup(&s->blocks, ws, err));
    if (s->paired) {
        perp_bodies_set_weights(&s->bodies, &s->blocks);
    }
    for (size_t k = 0; k < p->set->count; k++) {
        if (p->set->blocks[k].dim > 1) {
            perp_set_project(p->set, k, r->z); /* relaxed steps must stay in the set */
        }
    }
    return PERP_OK;
}

bool perp_sweep_applies(const perp_problem *p, const perp_options *opt)
{
    const unsigned scalar =
        PERP_SET_FREE | PERP_SET_NONNEG | PERP_SET_BOX | PERP_SET_FRICTION;

    return (perp_set_kinds(p->set) & ~scalar) != 0 || perp_operator_in_factors(p->A) ||
           perp_options_choice(opt, "order") != SWEEP_NATURAL ||
           perp_options_integer(opt, "threads") > 1;
}

perp_status perp_sweep_setup(sweep *s, const char *name, const perp_problem *p,
                             const perp_options *opt, perp_workspace *ws, perp_result *r,
                             perp_error *err)
{
    size_t threads = (size_t)perp_options_integer(opt, "threads");
    bool asked = false;

    s->p = p;
    s->passes = true;
    s->order = (sweep_order)perp_options_choice(opt, "order");
    asked = perp_options_given(opt, "order");
    s->alternates = s->order == SWEEP_ALTERNATING;
    if ((!asked || s->alternates) && p->set->count > LOCAL_LEAST &&
        perp_bodies_apply_to(p) && perp_locality_jump(p) > jumps) {
        s->order = SWEEP_LOCAL;
    }
    s->random.state = (uint64_t)perp_options_integer(opt, "seed");
    s->blocks.omega = perp_options_real(opt, "relaxation");
    if (threads > 1 && s->order != SWEEP_COLORED) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "%s: option \"threads\" is %zu, expected 1 unless \"order\" is "
                         "\"colored\"",
                         name, threads);
    }
    TRY(s->order == SWEEP_LOCAL ? sweep_setup_local(s, name, asked, ws, r, err)
                                : sweep_setup_order(s, ws, err));
    TRY(perp_sweep_setup_blocks(s, p, ws, r, err));
    if (s->order == SWEEP_COLORED) {
        TRY(sweep_setup_threads(s, name, threads, ws, r, err));
    }
    return PERP_OK;
}

size_t perp_sweep_check_every(const perp_options *opt, const perp_solver_type *type)
{
    long every = perp_options_integer(opt, "check-every");

    return every > 0 ? (size_t)every : type->check_every;
}
