/* SPDX-License-Identifier: Apache-2.0
 * reform/islands.c: the connected components of the graph of bodies and blocks of rows. */
#include <config.h>

#include "base/base.h"
#include "islands.h"
#include "matrix/storages.h"

/* part[k] := the first block of the island of block k; bodies follow the blocks. */
static void islands_connect(const perp_problem *p, int32_t *part)
{
    const perp_pair_rows *f = p->A->pairs;
    size_t count = p->set->count;

    perp_parts_start(part, count + f->at.bodies);
    for (size_t k = 0; k < count; k++) {
        const perp_block *block = &p->set->blocks[k];

        for (size_t i = 2 * block->first; i < 2 * (block->first + block->dim); i++) {
            int32_t body = perp_pairs_body(&f->at, i / 2)[i % 2];

            if (perp_pairs_moves(f, body)) {
                perp_parts_join(part, k, count + (size_t)body);
            }
        }
        if (block->kind == PERP_SET_FRICTION) {
            perp_parts_join(part, k, perp_set_block_at(p->set, block->normal));
        }
    }
    perp_parts_finish(part, count); /* roots are the least of each island: blocks */
}

/* Number the islands by their first blocks and list the blocks of each. */
static void islands_list(perp_islands *s, const perp_problem *p, int32_t *part)
{
    size_t count = p->set->count;

    for (size_t k = 0; k < count; k++) {
        bool first = (size_t)part[k] == k;

        part[k] = first ? (int32_t)s->count++ : part[part[k]];
        s->start[(size_t)part[k] + 2]++;
    }
    for (size_t i = 2; i < s->count + 2; i++) {
        s->start[i] += s->start[i - 1];
    }
    for (size_t k = 0; k < count; k++) { /* start[i+1] moves from the first to the end */
        s->block[s->start[(size_t)part[k] + 1]++] = k;
    }
}

perp_status perp_islands_find(perp_islands *s, const perp_problem *p, perp_error *err)
{
    size_t count = p->set->count;
    bool pairs = p->A && p->A->pairs;
    size_t nodes = pairs ? count + p->A->pairs->at.bodies : 0;
    int32_t *part = NULL;

    *s = (perp_islands){0};
    if (count == 0 || nodes == 0 || nodes > INT32_MAX) {
        s->count = 1;
        return PERP_OK;
    }
    part = perp_operator_array(nodes, 1, sizeof *part);
    s->start = calloc(count + 2, sizeof *s->start);
    s->block = perp_operator_array(count, 1, sizeof *s->block);
    if (!part || !s->start || !s->block) {
        free(part);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the islands of %zu blocks",
                         count);
    }
    islands_connect(p, part);
    islands_list(s, p, part);
    for (size_t k = 0; k < s->count; k++) {
        size_t rows = perp_islands_rows(s, p, k);

        s->largest = rows > s->largest ? rows : s->largest;
    }
    free(part);
    return PERP_OK;
}

void perp_islands_clear(perp_islands *s)
{
    free(s->start);
    free(s->block);
    *s = (perp_islands){0};
}

size_t perp_islands_rows(const perp_islands *s, const perp_problem *p, size_t k)
{
    size_t rows = 0;

    for (size_t i = s->start[k]; i < s->start[k + 1]; i++) {
        rows += p->set->blocks[s->block[i]].dim;
    }
    return rows;
}

void perp_islands_gather(const perp_islands *s, const perp_problem *p, size_t k,
                         const double *z, double *part)
{
    for (size_t i = s->start[k]; i < s->start[k + 1]; i++) {
        const perp_block *block = &p->set->blocks[s->block[i]];

        memcpy(part, z + block->first, block->dim * sizeof *part);
        part += block->dim;
    }
}

void perp_islands_scatter(const perp_islands *s, const perp_problem *p, size_t k,
                          const double *part, double *z)
{
    for (size_t i = s->start[k]; i < s->start[k + 1]; i++) {
        const perp_block *block = &p->set->blocks[s->block[i]];

        memcpy(z + block->first, part, block->dim * sizeof *part);
        part += block->dim;
    }
}

/* The arrays of an island. */
typedef struct islands_part {
    perp_pairs pairs;
    double *J, *frames, *C, *inverse_mass, *inverse_inertia;
    int32_t *body;
} islands_part;

static void islands_part_free(islands_part *t)
{
    free(t->J);
    free(t->frames);
    free(t->C);
    free(t->inverse_mass);
    free(t->inverse_inertia);
    free(t->body);
}

/* An island of n rows has at most 2 n bodies. */
static bool islands_part_new(islands_part *t, size_t n)
{
    t->J = perp_operator_array(n, 12, sizeof *t->J);
    t->frames = perp_operator_array(n, 5, sizeof *t->frames);
    t->C = perp_operator_array(n, 1, sizeof *t->C);
    t->inverse_mass = perp_operator_array(n, 2, sizeof *t->inverse_mass);
    t->inverse_inertia = perp_operator_array(n, 18, sizeof *t->inverse_inertia);
    t->body = perp_operator_array(n, 2, sizeof *t->body);
    return t->J && t->frames && t->C && t->inverse_mass && t->inverse_inertia && t->body;
}

/* The bodies of the rows of island k, ascending and without repetition, in `list`. */
static size_t islands_bodies(const perp_islands *s, const perp_problem *p, size_t k,
                             int32_t *list)
{
    const perp_pair_rows *f = p->A->pairs;
    size_t count = 0;
    size_t out = 0;

    for (size_t i = s->start[k]; i < s->start[k + 1]; i++) {
        const perp_block *block = &p->set->blocks[s->block[i]];

        for (size_t e = 2 * block->first; e < 2 * (block->first + block->dim); e++) {
            int32_t body = perp_pairs_body(&f->at, e / 2)[e % 2];

            if (perp_pairs_moves(f, body)) {
                list[count++] = body;
            }
        }
    }
    qsort(list, count, sizeof *list, perp_compare_int32);
    for (size_t i = 0; i < count; i++) {
        if (out == 0 || list[out - 1] != list[i]) {
            list[out++] = list[i];
        }
    }
    return out;
}

static int32_t islands_find_body(const int32_t *list, size_t count, int32_t body)
{
    const int32_t *at =
        count > 0 ? bsearch(&body, list, count, sizeof *list, perp_compare_int32) : NULL;

    return at ? (int32_t)(at - list) : -1;
}

/* Whether a block of K is a contact that is kept as a frame. */
static bool islands_framed(const perp_pairs *p, const perp_block *block)
{
    return perp_pairs_framed(p, block->first) && block->dim == 3 &&
           (block->first - p->frames_from) % 3 == 0;
}

/* Whether the blocks of island k that have a frame are its last. */
static bool islands_keep_frames(const perp_islands *s, const perp_problem *p, size_t k)
{
    bool framed = false;

    for (size_t i = s->start[k]; i < s->start[k + 1]; i++) {
        bool next = islands_framed(&p->A->pairs->at, &p->set->blocks[s->block[i]]);

        if (framed && !next) {
            return false;
        }
        framed = next;
    }
    return framed;
}

/* Rows, C and bodies of the next block. */
static void islands_fill_block(const perp_pair_rows *f, const perp_block *block,
                               bool frames, const int32_t *list, size_t bodies,
                               islands_part *t)
{
    perp_pairs *to = &t->pairs;
    bool framed = frames && islands_framed(&f->at, block);
    int32_t *body = t->body + 2 * to->frames_from;

    if (framed) {
        size_t contact = (to->rows - to->frames_from) / 3;

        memcpy(t->frames + 15 * contact, perp_pairs_frame(&f->at, block->first),
               15 * sizeof *t->frames);
        body += 2 * contact;
    }
    for (size_t i = 0; i < block->dim; i++) {
        const int32_t *from = perp_pairs_body(&f->at, block->first + i);

        t->C[to->rows++] = f->C[block->first + i];
        if (!framed) {
            double made[12];

            memcpy(t->J + 12 * to->frames_from++,
                   perp_pairs_row(&f->at, block->first + i, made), sizeof made);
        }
        if (!framed || i == 0) {
            *body++ = islands_find_body(list, bodies, from[0]);
            *body++ = islands_find_body(list, bodies, from[1]);
        }
    }
}

/* Rows, and the bodies of `list`, with numbers of their own. */
static void islands_fill(const perp_islands *s, const perp_problem *p, size_t k,
                         const int32_t *list, size_t bodies, islands_part *t)
{
    const perp_pair_rows *f = p->A->pairs;
    const bool frames = islands_keep_frames(s, p, k);

    t->pairs = (perp_pairs){.J = t->J,
                            .body = t->body,
                            .C = t->C,
                            .bodies = bodies,
                            .inverse_mass = t->inverse_mass,
                            .inverse_inertia = t->inverse_inertia,
                            .frames = frames ? t->frames : NULL};
    for (size_t i = s->start[k]; i < s->start[k + 1]; i++) {
        islands_fill_block(f, &p->set->blocks[s->block[i]], frames, list, bodies, t);
    }
    for (size_t m = 0; m < bodies; m++) {
        t->inverse_mass[m] = f->at.inverse_mass[list[m]];
        memcpy(t->inverse_inertia + 9 * m, f->at.inverse_inertia + 9 * list[m],
               9 * sizeof *t->inverse_inertia);
    }
}

/* A matrix that owns its arrays, scaled as that of p is. */
static perp_status islands_operator(perp_operator **A, const perp_islands *s,
                                    const perp_problem *p, size_t k, perp_error *err)
{
    const perp_pair_rows *f = p->A->pairs;
    size_t n = perp_islands_rows(s, p, k);
    islands_part t = {0};
    perp_operator *borrowing = NULL;
    int32_t *list = perp_operator_array(n, 2, sizeof *list);
    double *scale = perp_operator_array(n, 2, sizeof *scale);
    perp_status status = PERP_OK;

    *A = NULL;
    if (!list || !scale || !islands_part_new(&t, n)) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "no memory for an island of %zu rows", n);
    } else {
        islands_fill(s, p, k, list, islands_bodies(s, p, k, list), &t);
        status = perp_operator_new_pairs(&borrowing, &t.pairs, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_copy(A, borrowing, err);
    }
    if (status == PERP_OK && f->scaled) { /* C is scaled already */
        perp_islands_gather(s, p, k, f->left, scale);
        perp_islands_gather(s, p, k, f->right, scale + n);
        memset((*A)->pairs->C, 0, n * sizeof *t.C);
        perp_operator_scale(*A, scale, scale + n);
        memcpy((*A)->pairs->C, t.C, n * sizeof *t.C);
    }
    perp_operator_free(borrowing);
    islands_part_free(&t);
    free(list);
    free(scale);
    return status;
}

static int islands_compare_blocks(const void *a, const void *b)
{
    const size_t *s = a;
    const size_t *t = b;

    return (*s > *t) - (*s < *t);
}

/* The blocks, with rows of the island. */
static perp_status islands_set(perp_set **set, const perp_islands *s,
                               const perp_problem *p, size_t k, perp_error *err)
{
    size_t blocks = s->start[k + 1] - s->start[k];
    const size_t *list = s->block + s->start[k];

    TRY(perp_set_new(set, blocks, err));

    for (size_t i = 0; i < blocks; i++) {
        perp_block *block = &(*set)->blocks[(*set)->count++];

        *block = p->set->blocks[list[i]];
        block->first = (*set)->n;
        (*set)->n += block->dim;
    }
    for (size_t i = 0; i < blocks; i++) {
        perp_block *block = &(*set)->blocks[i];

        if (block->kind == PERP_SET_FRICTION) {
            size_t normal = perp_set_block_at(p->set, block->normal);
            const size_t *at =
                bsearch(&normal, list, blocks, sizeof *list, islands_compare_blocks);

            block->normal = (*set)->blocks[at - list].first;
        }
    }
    return PERP_OK;
}

perp_status perp_islands_problem(perp_problem **out, const perp_islands *s,
                                 const perp_problem *p, size_t k, perp_error *err)
{
    perp_operator *A = NULL;
    perp_set *set = NULL;
    double *b = perp_reals_new(perp_islands_rows(s, p, k));
    perp_status status = PERP_OK;

    *out = NULL;
    if (!b) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for an island");
    }
    perp_islands_gather(s, p, k, p->b, b);
    status = islands_operator(&A, s, p, k, err);
    if (status == PERP_OK) {
        status = islands_set(&set, s, p, k, err);
    }
    if (status == PERP_OK) {
        return perp_problem_new_take(out, A, b, set, p->law, err);
    }
    perp_operator_free(A);
    perp_set_free(set);
    free(b);
    return status;
}
