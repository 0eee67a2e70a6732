/* SPDX-License-Identifier: Apache-2.0
 * collision/collider.c: from shapes to contacts.
 *
 *     1  parts and their boxes                      placed.c
 *     2  boxes that overlap                         perp_broad_run
 *     3  which of them may meet                     filter.c
 *     4  the contacts of each pair                  narrow.c
 *     5  without those at internal edges            flush.c
 *     6  of these so many as are wanted             collision/reduce.c
 *
 * Pairs come in the order of their boxes, whatever found them, so that contacts have the
 * same bits; only parts of compounds are put behind the shape they belong to. */
#include <config.h>

#include <stdlib.h>

#include "collision/collider.h"

enum { REDUCE_LEAST = 4 };

perp_status perp_collider_new(perp_collider **collider, perp_error *err)
{
    *collider = calloc(1, sizeof **collider);
    return *collider ? PERP_OK : perp_fail(err, PERP_ERR_MEMORY, "collide: no memory");
}

void perp_collider_free(perp_collider *c)
{
    if (c) {
        collide_parts_clear(&c->parts);
        collide_joints_clear(&c->joints);
        collide_peers_clear(&c->peers);
        collide_rays_clear(&c->rays);
        perp_broad_free(c->broad);
        perp_box_pairs_clear(&c->pairs);
        free(c->scratch.at);
        free(c->tally.unresolved);
        collide_team_free(c->team);
        free(c);
    }
}

const perp_collide_report *perp_collider_report(const perp_collider *c)
{
    return &c->tally.report;
}

static perp_status collider_check(const perp_collide_settings *s, perp_error *err)
{
    if (!(s->margin >= 0.0 && isfinite(s->margin))) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "collide: margin is %g, expected a number >= 0 [m]", s->margin);
    }
    if (!(s->speculative >= 0.0 && isfinite(s->speculative))) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "collide: speculative is %g, expected a time >= 0 [s]",
                         s->speculative);
    }
    if (s->reduce > 0 && s->reduce < REDUCE_LEAST) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "collide: reduce is %u, expected 0 or at least %d", s->reduce,
                         REDUCE_LEAST);
    }
    if (s->threads > PERP_SCHEME_THREADS) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "collide: threads is %u, expected at most %d", s->threads,
                         PERP_SCHEME_THREADS);
    }
    return PERP_OK;
}

/* The place of the algorithm of a pair in the registry. */
static uint8_t collider_number_of(const perp_narrow_type *wanted,
                                  const perp_shape_type *a, const perp_shape_type *b,
                                  unsigned dimension)
{
    const perp_narrow_type *const *types = perp_narrow_types(NULL);
    const perp_narrow_type *type = perp_narrow_choose(wanted, a, b, dimension);
    uint8_t k = 0;

    while (types[k] && types[k] != type) {
        k++;
    }
    return types[k] ? k : COLLIDE_NONE;
}

/* The algorithm of each pair of types. */
static void collider_choose(perp_collider *c, const perp_narrow_type *wanted,
                            unsigned dimension)
{
    const perp_shape_type *const *shapes = perp_shape_types(NULL);

    for (size_t a = 0; a < COLLIDE_KINDS && shapes[a]; a++) {
        for (size_t b = 0; b < COLLIDE_KINDS && shapes[b]; b++) {
            c->chosen[a][b] = collider_number_of(wanted, shapes[a], shapes[b], dimension);
        }
    }
}

static perp_status collider_find_pairs(perp_collider *c, const collide_search *s)
{
    const perp_broad_type *wanted =
        s->settings->broad ? s->settings->broad : perp_broad_types(NULL)[0];
    perp_error cause = {0};
    perp_status status = PERP_OK;

    if (c->broad && perp_broad_type_of(c->broad) != wanted) {
        perp_broad_free(c->broad);
        c->broad = NULL;
    }
    if (!c->broad) {
        status = perp_broad_new(&c->broad, wanted, s->err);
    }
    if (status == PERP_OK) {
        status = perp_broad_run(c->broad, c->parts.count, c->parts.boxes,
                                c->parts.immovable, &c->pairs, &cause);
        if (status == PERP_ERR_DATA) {
            status = collide_crowded_pairs(s);
        } else if (status != PERP_OK) {
            status = perp_fail(s->err, status, "%s", cause.text);
        }
    }
    return status;
}

/* Of pairs with the same shape a: by shape b, then by part of a, then of b. */
static bool collider_pair_after(const collide_parts *p, perp_box_pair x, perp_box_pair y)
{
    if (p->at[x.j].number != p->at[y.j].number) {
        return p->at[x.j].number > p->at[y.j].number;
    }
    return x.i != y.i ? x.i > y.i : x.j > y.j;
}

static void collider_sift(const collide_parts *p, perp_box_pair *heap, size_t at,
                          size_t count)
{
    perp_box_pair moving = heap[at];

    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && collider_pair_after(p, heap[child + 1], heap[child])) {
            child++;
        }
        if (!collider_pair_after(p, heap[child], moving)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

/* In place, so that nothing is allocated. */
static void collider_heap_sort(const collide_parts *p, perp_box_pair *heap, size_t count)
{
    for (size_t k = count / 2; k > 0; k--) {
        collider_sift(p, heap, k - 1, count);
    }
    for (size_t k = count; k > 1; k--) {
        perp_box_pair last = heap[k - 1];

        heap[k - 1] = heap[0];
        heap[0] = last;
        collider_sift(p, heap, 0, k - 1);
    }
}

static void order_pairs(const collide_parts *p, perp_box_pairs *pairs)
{
    for (size_t k = 0; p->compounds && k < pairs->count;) {
        size_t first = k;
        size_t shape = p->at[pairs->at[k].i].number;
        bool several = false;

        for (; k < pairs->count && p->at[pairs->at[k].i].number == shape; k++) {
            several = several || pairs->at[k].i != pairs->at[first].i;
        }
        if (several) {
            collider_heap_sort(p, pairs->at + first, k - first);
        }
    }
}

/* Whether a half-space is within the margin of the box, which half of the margin grew. */
static bool collider_near_plane(const collide_search *s, const placed *plane,
                                const perp_aabb *box)
{
    unsigned up = s->world->dimension == 2 ? 1 : 2;
    double least = 0.0;

    for (int k = 0; k < 3; k++) {
        double n = plane->at.R[3 * k + (int)up];

        least += n * ((n > 0.0 ? box->lo[k] : box->hi[k]) - plane->at.x[k]);
    }
    return least <= s->m.margin;
}

static bool collider_come_near(const collide_search *s, size_t i, size_t j)
{
    const placed *a = &s->c->parts.at[i];
    const placed *b = &s->c->parts.at[j];
    bool unbounded_a = a->at.shape->type->unbounded;
    bool unbounded_b = b->at.shape->type->unbounded;

    if (unbounded_a == unbounded_b) {
        return true;
    }
    return unbounded_a ? collider_near_plane(s, a, &s->c->parts.boxes[j])
                       : collider_near_plane(s, b, &s->c->parts.boxes[i]);
}

/* That of the table, or, of types that are not of the registry, looked up. */
static uint8_t collider_algorithm(const collide_search *s, size_t i, size_t j)
{
    const collide_parts *p = &s->c->parts;
    uint8_t a = p->kind[i];
    uint8_t b = p->kind[j];

    return a < COLLIDE_KINDS && b < COLLIDE_KINDS
               ? s->c->chosen[a][b]
               : collider_number_of(s->settings->narrow, p->at[i].at.shape->type,
                                    p->at[j].at.shape->type, s->world->dimension);
}

static perp_status collider_unsuitable(const collide_search *s, const placed *a,
                                       const placed *b)
{
    char *const *name = s->world->name;

    return perp_fail(s->err, PERP_ERR_UNSUITABLE,
                     "collide: shape %zu, a %s on \"%.64s\", comes near shape %zu, a %s "
                     "on \"%.64s\": no algorithm supports this pair",
                     a->number, a->at.shape->type->name, name[a->body], b->number,
                     b->at.shape->type->name, name[b->body]);
}

static perp_status collider_no_memory(const collide_search *s)
{
    return perp_fail(s->err, PERP_ERR_MEMORY, "collide: no memory for %zu contacts",
                     s->m.contacts->count + 1);
}

bool collide_tally_add(collide_tally *tally, const perp_unresolved *pair)
{
    bool ok = GROW(tally->unresolved, tally->unresolved_room,
                   tally->report.unresolved_count + 1);

    tally->report.unresolved = tally->unresolved;
    if (ok) {
        tally->unresolved[tally->report.unresolved_count++] = *pair;
    }
    return ok;
}

/* Contacts so close that no velocity is asked for, as a part of the margin. */
static const double close_share = 0.1;

/* Put those of the contacts from `first` on that are open behind the others, whose order stays. */
static void collider_part(perp_contacts *list, size_t first)
{
    const size_t last = list->count;
    size_t kept = first;

    for (size_t k = first; k < last; k++) {
        if (list->at[k].open) {
            continue;
        }
        if (k != kept) {
            const perp_contact c = list->at[k];

            list->at[k] = list->at[kept];
            list->at[kept] = c;
        }
        kept++;
    }
    list->count = kept;
    list->open = last - kept;
}

/* Mark contacts of parts i and j that stay open: rows without an impulse, of which a leaning
 * pile has as many as others. */
static void collider_mark_open(collide_search *s, size_t i, size_t j)
{
    const perp_contacts *found = s->m.contacts;
    const double *g = s->world->gravity;
    double least = close_share * s->settings->margin, dt = s->settings->closing;
    double closing = -1.0; /* not known yet */

    for (size_t k = s->m.first; k < found->count; k++) {
        perp_contact *c = &found->at[k];

        if (c->gap > least && closing < 0.0) {
            closing = collide_closing(&s->c->parts, s->state, s->settings, i, j);
        }
        c->open = c->gap > least &&
                  !(c->gap <= least + closing + dt * dt * fabs(vec3_dot(c->normal, g)));
    }
}

/* Of the contacts of a pair that are not open as many as are wanted; whether there is one. */
static bool collider_reduce(collide_search *s)
{
    contact_query *m = &s->m;
    perp_contacts *list = m->contacts;
    size_t before = 0;
    size_t open = 0;
    bool touching = false;

    collider_part(list, m->first);
    before = list->count;
    open = list->open;
    if (s->settings->reduce > 0) {
        query_reduce(m, s->settings->reduce);
    }
    touching = list->count > m->first;
    if (open > 0) {
        memmove(&list->at[list->count], &list->at[before], open * sizeof *list->at);
        list->count += open;
    }
    list->open = 0;
    return touching;
}

static perp_status collider_find_contacts(collide_search *s, size_t i, size_t j)
{
    const perp_collider *c = s->c;
    contact_query *m = &s->m;
    uint8_t k = collider_algorithm(s, i, j);

    if (k == COLLIDE_NONE) {
        return collider_unsuitable(s, &c->parts.at[i], &c->parts.at[j]);
    }
    s->tally->report.ran[k]++;
    query_begin(m, &c->parts.at[i], &c->parts.at[j]);
    perp_narrow_types(NULL)[k]->meet(m);
    collide_flush(s, m, i, j, perp_narrow_types(NULL)[k]->meet);
    if (!m->no_memory && s->settings->closing > 0.0) {
        collider_mark_open(s, i, j);
    }
    if (!m->no_memory) {
        s->tally->report.touching += collider_reduce(s);
    }
    if (m->no_memory) {
        return collider_no_memory(s);
    }
    return m->unresolved && !collide_tally_add(s->tally, &m->who) ? collider_no_memory(s)
                                                                  : PERP_OK;
}

/* Leave out pairs that the filter refuses; it is not asked of others that may not meet. */
static void collider_apply_filter(perp_collider *c, const collide_search *s)
{
    const perp_collide_settings *settings = s->settings;
    size_t kept = 0;

    for (size_t k = 0; settings->filter && k < c->pairs.count; k++) {
        perp_box_pair p = c->pairs.at[k];
        size_t a = c->parts.at[p.i].number;
        size_t b = c->parts.at[p.j].number;

        if (collide_may_meet(&c->joints, s->world, a, b) &&
            settings->filter(settings->filter_context, s->world, a, b)) {
            c->pairs.at[kept++] = p;
        }
    }
    c->pairs.count = settings->filter ? kept : c->pairs.count;
}

perp_status collide_find_contacts(collide_search *s, size_t first, size_t last)
{
    const perp_box_pair *pair = s->c->pairs.at;
    const placed *at = s->c->parts.at;
    perp_status status = PERP_OK;

    for (size_t k = first; k < last && status == PERP_OK; k++) {
        size_t i = pair[k].i;
        size_t j = pair[k].j;

        if (!collide_may_meet(&s->c->joints, s->world, at[i].number, at[j].number)) {
            continue;
        }
        s->tally->report.looked_at++;
        s->m.margin = collide_margin(&s->c->parts, s->world, s->state, s->settings, i, j);
        if (collider_come_near(s, i, j)) {
            status = collider_find_contacts(s, i, j);
        }
        if (status == PERP_OK && s->m.contacts->count > s->most) {
            status = PERP_ERR_DATA;
        }
    }
    return status;
}

static perp_status collider_run(perp_collider *c, collide_search *s)
{
    perp_status status = collider_check(s->settings, s->err);

    if (status == PERP_OK) {
        status = world_state_check(s->state, s->world, s->err);
    }
    if (status == PERP_OK) {
        status = collide_place(c, s->world, s->state, s->settings, s->err);
    }
    if (status == PERP_OK && !collide_joints_read(&c->joints, s->world)) {
        status = perp_fail(s->err, PERP_ERR_MEMORY, "collide: no memory for %zu joints",
                           s->world->joint_count);
    }
    if (status == PERP_OK) {
        collider_choose(c, s->settings->narrow, s->world->dimension);
        status = collider_find_pairs(c, s);
    }
    if (status == PERP_OK) {
        order_pairs(&c->parts, &c->pairs);
        c->tally.report.boxes = c->parts.count;
        c->tally.report.pairs = c->pairs.count;
        collider_apply_filter(c, s);
        if (!collide_peers_list(c, s->world)) {
            return perp_fail(s->err, PERP_ERR_MEMORY, "collide: no memory for %zu pairs",
                             c->pairs.count);
        }
        s->most = collide_most_contacts(c);
        status = s->settings->threads > 1 ? collide_team_meet(c, s)
                                          : collide_find_contacts(s, 0, c->pairs.count);
        status = status == PERP_ERR_DATA ? collide_crowded(s) : status;
    }
    return status;
}

perp_status perp_collider_run(perp_collider *c, const perp_world *world,
                              const perp_state *state,
                              const perp_collide_settings *settings,
                              perp_contacts *contacts, perp_error *err)
{
    collide_search s = {
        .c = c,
        .world = world,
        .state = state,
        .settings = settings,
        .m = {.world = world,
              .dimension = world->dimension,
              .settings = {.dimension = world->dimension,
                           .iterations = settings->iterations},
              .contacts = contacts,
              .scratch = &c->scratch},
        .tally = &c->tally,
        .err = err,
    };
    perp_status status = PERP_OK;

    contacts->count = contacts->open = 0;
    c->tally.report = (perp_collide_report){0};
    status = collider_run(c, &s);
    if (status != PERP_OK) {
        contacts->count = 0;
    }
    collider_part(contacts, 0);
    c->tally.report.contacts = contacts->count;
    return status;
}

perp_status perp_collide(const perp_world *world, const perp_state *state, double margin,
                         perp_contacts *contacts, perp_error *err)
{
    const perp_collide_settings settings = {.margin = margin};
    perp_collider *c = NULL;
    perp_status status = perp_collider_new(&c, err);

    contacts->count = contacts->open = 0;
    if (status == PERP_OK) {
        status = perp_collider_run(c, world, state, &settings, contacts, err);
    }
    perp_collider_free(c);
    return status;
}
