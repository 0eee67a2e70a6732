/* SPDX-License-Identifier: Apache-2.0
 * splitting/sweep.c: solve each block for itself (splitting/blocks.c), the others held, in
 * turn. Each pass costs one product with A, reading every block row once; in factored form
 *
 *     u = J_k v + C_k z_k + b_k,   z_k += dz,   v += M^-1 J_k^T dz
 *
 * with the velocities v of the bodies kept up to date, so that A is never formed; rows of two
 * bodies have a form of their own for that (splitting/bodies.h). In coloured
 * order the blocks of a colour stand one after the other, and chunks of them are dealt out to
 * threads; what they add up is added by chunks, so that no bit depends on who did which. */
#include <config.h>

#include "sweep.h"

#include "locality.h"

/* Blocks that one thread takes together: enough that neighbours share few cache lines. */
enum { CHUNK = 16 };

/* After so many passes v is formed anew, lest roundings add up: 1 % more work. */
enum { FRESH_PASSES = 50 };

/* More blocks than the caches hold: records of 300 bytes, 6 MB. */
enum { LOCAL_LEAST = 20000 };

/* Storage jumps where the next block is so far off, as a part of the bodies: spheres found layer
 * by layer are 0.01 apart, in ten layers 0.02, and 0.33 in an order drawn at random. */
static const double jumps = 0.1;

/* u := velocities of the block at a place. */
static inline void velocity(const sweep *s, const perp_block *block, size_t place,
                            double *u)
{
    const perp_operator *rows = s->layout.rows;
    size_t row = layout_row(&s->layout, place);
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
static inline bool visit(sweep *s, size_t place, double *change)
{
    const perp_block *block = &s->layout.blocks[place];
    double u[LOCAL_DIM_MAX], dz[LOCAL_DIM_MAX];

    if (s->paired) {
        return perp_bodies_step(&s->bodies, &s->blocks, place, s->z, change);
    }
    velocity(s, block, place, u);
    if (!perp_local_blocks_step(&s->blocks, place, u, s->z, dz, change)) {
        return false;
    }
    if (s->v) {
        perp_factored_rows_add(s->layout.rows, layout_row(&s->layout, place), block->dim,
                               dz, s->v);
    }
    return true;
}

/* In turn, until one refuses. */
static void pass_in_turn(sweep *s)
{
    size_t count = s->p->set->count;

    if (s->paired) {
        atomic_store(&s->refused, perp_bodies_pass(&s->bodies, &s->blocks, s->sequence,
                                                   s->back, s->z, &s->change));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        size_t k = s->back ? count - 1 - i : i;
        size_t place = s->sequence ? s->sequence[k] : k;

        if (!visit(s, place, &s->change)) {
            atomic_store(&s->refused, place);
            return;
        }
    }
}

/* A chunk of one colour. What refuses is passed by, so that all threads see the same. */
static double visit_chunk(sweep *s, size_t from, size_t to)
{
    double change = 0.0;

    for (size_t place = from; place < to; place++) {
        if (!visit(s, place, &change)) {
            size_t block = s->colors.order[place], least = atomic_load(&s->refused);

            while (block < least &&
                   !atomic_compare_exchange_weak(&s->refused, &least, block)) {
            }
        }
    }
    return change;
}

/* First chunk of a colour, all colours' chunks being counted on; a colour may leave its last
 * one short. */
static size_t chunk_of(const sweep *s, size_t color)
{
    return s->colors.from[color] / CHUNK + color;
}

static void sweep_color(sweep *s, size_t color, size_t member, size_t members)
{
    size_t from = s->colors.from[color], to = s->colors.from[color + 1];
    size_t chunks = (to - from + CHUNK - 1) / CHUNK;

    for (size_t c = chunks * member / members; c < chunks * (member + 1) / members; c++) {
        size_t begin = from + c * CHUNK;
        size_t end = begin + CHUNK < to ? begin + CHUNK : to;

        s->partial[chunk_of(s, color) + c] = visit_chunk(s, begin, end);
    }
}

/* The tail depends on its order: one thread sweeps it. */
static void sweep_tail(sweep *s)
{
    size_t from = s->colors.from[s->colors.count], count = s->p->set->count;

    double change = 0.0;

    for (size_t i = from; i < count; i++) {
        size_t place = s->back ? from + count - 1 - i : i;

        change += visit_chunk(s, place, place + 1);
    }
    s->partial[chunk_of(s, s->colors.count)] = change;
}

/* A member's part of a pass: all colours, the others being at the same one. */
static void pass_by_colors(void *context, size_t member)
{
    sweep *s = context;
    size_t members = perp_team_size(s->team), count = s->colors.count;

    for (size_t i = 0; i <= count; i++) {
        size_t color = s->back ? count - i : i;

        if (color < count) {
            sweep_color(s, color, member, members);
        } else if (member == 0) {
            sweep_tail(s);
        }
        if (i < count && members > 1) {
            perp_team_wait(s->team);
        }
    }
}

/* What the chunks added to the change, in their order. */
static double gather_change(const sweep *s)
{
    double change = 0.0;

    for (size_t i = 0; i <= chunk_of(s, s->colors.count); i++) {
        change += s->partial[i];
    }
    return change;
}

static void shuffle(sweep *s)
{
    for (size_t i = s->p->set->count; i > 1; i--) {
        size_t j = (size_t)(perp_random_next(&s->random) % i);
        size_t swap = s->sequence[i - 1];

        s->sequence[i - 1] = s->sequence[j];
        s->sequence[j] = swap;
    }
}

perp_status perp_sweep_refuse(sweep *s, size_t place, perp_result *r, perp_error *err)
{
    size_t row = s->layout.blocks[place].first;
    perp_status status = PERP_OK;

    memset(s->proof, 0, s->p->n * sizeof *s->proof);
    s->proof[row] = 1.0; /* x.A x = A_ii <= 0 */
    status = perp_result_certify_singular(r, s->proof, err);
    if (status != PERP_OK) {
        return status;
    }
    return perp_result_refuse(
        r, PERP_SINGULAR_BLOCK, row,
        "the diagonal entry of a row that must move is not positive");
}

static perp_status pass(sweep *s, perp_result *r, bool back, perp_error *err)
{
    s->z = r->z;
    s->back = back;
    atomic_store(&s->refused, SIZE_MAX);
    if ((s->v || s->paired) && (!s->drawn || s->fresh == FRESH_PASSES)) {
        if (s->paired) {
            perp_bodies_draw(&s->bodies, r->z);
        } else {
            perp_factored_velocity(s->p->A, r->z, s->v);
        }
        r->work.products += 0.5;
        s->drawn = true;
        s->fresh = 0;
    }
    s->fresh++;
    if (s->order == SWEEP_SHUFFLED && !back) {
        shuffle(s);
    }
    if (s->order == SWEEP_COLORED) {
        perp_team_run(s->team);
        s->change += gather_change(s);
    } else {
        pass_in_turn(s);
    }
    if (atomic_load(&s->refused) != SIZE_MAX) {
        size_t found = atomic_load(&s->refused), place = 0;

        while (s->order == SWEEP_COLORED && s->colors.order[place] != found) {
            place++;
        }
        return perp_sweep_refuse(s, s->order == SWEEP_COLORED ? place : found, r, err);
    }
    r->work.products += 1.0;
    r->work.projections += (double)s->p->set->count;
    return PERP_OK;
}

perp_status perp_sweep_run(sweep *s, perp_result *r, perp_error *err)
{
    perp_status status;

    s->change = 0.0;
    status = pass(s, r, s->order == SWEEP_ALTERNATING && s->backward, err);
    if (s->symmetric && status == PERP_OK && r->outcome == PERP_RUNNING) {
        status = pass(s, r, !(s->order == SWEEP_ALTERNATING && s->backward), err);
    }
    s->backward = !s->backward;
    return status;
}

void perp_sweep_moved(sweep *s)
{
    s->drawn = false;
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

/* Blocks beside their neighbours; in dense storage all are, and nothing is gained. */
static perp_status setup_local(sweep *s, const char *name, bool asked, perp_workspace *ws,
                               perp_result *r, perp_error *err)
{
    size_t *order = NULL;
    perp_status status = perp_locality_order(s->p, &order, ws, err);

    if (status != PERP_OK) {
        return status;
    }
    s->places = order;
    if (!order) {
        s->order = SWEEP_NATURAL;
        perp_result_log(r, "%s: order natural: a dense matrix has no other neighbours",
                        name);
    } else {
        perp_result_log(r, "%s: contacts in the order of their bodies%s", name,
                        asked ? "" : ": stored order jumps");
    }
    return PERP_OK;
}

/* What the order needs beside the blocks. */
static perp_status setup_order(sweep *s, perp_workspace *ws, perp_error *err)
{
    size_t count = s->p->set->count;
    perp_status status = PERP_OK;

    if (s->order == SWEEP_SHUFFLED) {
        s->sequence = perp_workspace_sizes(ws, count);
        for (size_t k = 0; s->sequence && k < count; k++) {
            s->sequence[k] = k;
        }
    } else if (s->order == SWEEP_COLORED) {
        status = perp_colors_make(&s->colors, s->p, COLORS_LEAST, ws, err);
        s->partial = perp_workspace_reals(ws, count / CHUNK + COLORS_MAX + 2);
        s->places = s->colors.order;
    }
    if (status == PERP_OK && ((s->order == SWEEP_SHUFFLED && !s->sequence) ||
                              (s->order == SWEEP_COLORED && !s->partial))) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for the order of %zu blocks",
                           count);
    }
    return status;
}

static perp_status setup_team(sweep *s, const char *name, size_t threads,
                              perp_workspace *ws, perp_result *r, perp_error *err)
{
    /* a tail alone is for one */
    s->team = perp_team_new(s->colors.count > 0 ? threads : 1, pass_by_colors, s, ws);
    if (!s->team) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a team of %zu threads",
                         threads);
    }
    perp_result_log(r, "%s: %zu colours, %zu blocks in turn, threads: %zu", name,
                    s->colors.count, s->p->set->count - s->colors.from[s->colors.count],
                    perp_team_size(s->team));
    return PERP_OK;
}

/* The rows of the blocks in the order of the sweep; velocities of a factored A beside. */
static perp_status setup_rows(sweep *s, perp_workspace *ws, perp_error *err)
{
    const perp_problem *p = s->p;
    perp_status status = perp_layout_setup(&s->layout, p, s->places, ws, err);

    s->blocks.p = p;
    s->blocks.at = s->layout.blocks;
    s->blocks.count = p->set->count;
    if (status == PERP_OK && s->passes) {
        status = perp_bodies_setup(&s->bodies, &s->blocks, s->order == SWEEP_LOCAL, ws,
                                   &s->paired, err);
    }
    if (status == PERP_OK && s->passes && perp_operator_in_factors(p->A) && !s->paired) {
        s->v = perp_workspace_reals(ws, perp_operator_velocities(p->A));
        if (!s->v) {
            return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu velocities",
                             perp_operator_velocities(p->A));
        }
    }
    return status;
}

perp_status perp_sweep_setup_blocks(sweep *s, const perp_problem *p, perp_workspace *ws,
                                    perp_result *r, perp_error *err)
{
    perp_status status = PERP_OK;

    s->p = p;
    status = setup_rows(s, ws, err);
    s->proof = perp_workspace_reals(ws, p->n);
    if (status == PERP_OK && !s->proof) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "no memory for a proof of %zu rows", p->n);
    }
    if (status == PERP_OK) {
        status = perp_local_blocks_setup(&s->blocks, ws, err);
    }
    if (status == PERP_OK && s->paired) {
        perp_bodies_weigh(&s->bodies, &s->blocks);
    }
    for (size_t k = 0; status == PERP_OK && k < p->set->count; k++) {
        if (p->set->blocks[k].dim > 1) {
            perp_set_project(p->set, k, r->z); /* mixing old and new must stay inside */
        }
    }
    return status;
}

perp_status perp_sweep_setup(sweep *s, const char *name, const perp_problem *p,
                             const perp_options *opt, perp_workspace *ws, perp_result *r,
                             perp_error *err)
{
    size_t threads = (size_t)perp_options_integer(opt, "threads");
    perp_status status = PERP_OK;
    bool asked = false;

    s->p = p;
    s->passes = true;
    s->order = (sweep_order)perp_options_choice(opt, "order");
    asked = perp_options_given(opt, "order");
    if (!asked && p->set->count > LOCAL_LEAST && perp_bodies_suit(p) &&
        perp_locality_jump(p) > jumps) {
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
    status = s->order == SWEEP_LOCAL ? setup_local(s, name, asked, ws, r, err)
                                     : setup_order(s, ws, err);
    if (status == PERP_OK) {
        status = perp_sweep_setup_blocks(s, p, ws, r, err);
    }
    if (status == PERP_OK && s->order == SWEEP_COLORED) {
        status = setup_team(s, name, threads, ws, r, err);
    }
    return status;
}

void perp_sweep_close(sweep *s)
{
    perp_team_free(s->team);
    s->team = NULL;
}

size_t perp_sweep_check_every(const perp_options *opt, const perp_solver_type *type)
{
    long every = perp_options_integer(opt, "check-every");

    return every > 0 ? (size_t)every : type->check_every;
}
