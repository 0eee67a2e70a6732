/* SPDX-License-Identifier: Apache-2.0
 * collision/team.c: the contacts of all pairs by several threads.
 *
 * Pairs are divided into blocks. Each thread takes the next block until none is left, and
 * keeps its contacts in a list of its own; then all copy their contacts to the common
 * list in the order of the blocks. Pairs are independent, so that the contacts are those
 * of one thread, bit by bit; the error of the first pair is returned. Threads and lists
 * are kept for the next search. */
#include <config.h>

#include <stdatomic.h>
#include <stdlib.h>

#include "base/threads.h"
#include "collision/collider.h"

enum { TEAM_BLOCK = 32 /* pairs: some ten microseconds */ };

typedef struct team_member {
    perp_contacts contacts;
    scratch scratch;
    collide_tally tally;
} team_member;

/* Where a thread has put what it found, and where it goes. */
typedef struct team_block {
    size_t member;
    size_t first, count, to; /* contacts */
    size_t unresolved, unresolved_count;
    perp_status status;
    perp_error err;
} team_block;

struct collide_team {
    size_t wanted; /* threads; there may be fewer */
    perp_workspace *ws;
    thread_team *threads;
    team_member *members;
    team_block *blocks;
    size_t block_room, block_count;
    const collide_search *search;
    atomic_size_t next;
    size_t total; /* contacts */
    bool copies;  /* there is room for them */
};

void collide_team_free(collide_team *t)
{
    if (!t) {
        return;
    }
    perp_threads_free(t->threads);
    for (size_t k = 0; t->members && k < t->wanted; k++) {
        perp_contacts_clear(&t->members[k].contacts);
        free(t->members[k].scratch.at);
        free(t->members[k].tally.unresolved);
    }
    perp_workspace_free(t->ws);
    free(t->members);
    free(t->blocks);
    free(t);
}

static void team_search(collide_team *t, size_t member, team_block *block, size_t k)
{
    team_member *own = &t->members[member];
    const size_t pairs = t->search->c->pairs.count;
    const size_t first = k * TEAM_BLOCK;
    collide_search s = *t->search;

    *block = (team_block){.member = member,
                          .first = own->contacts.count,
                          .unresolved = own->tally.report.unresolved_count};
    s.m.contacts = &own->contacts;
    s.m.scratch = &own->scratch;
    s.tally = &own->tally;
    s.err = &block->err;
    if (own->contacts.count > s.most) { /* a block before this one was too many */
        block->status = PERP_ERR_DATA;
        return;
    }
    block->status = collide_find_contacts(
        &s, first, pairs - first < TEAM_BLOCK ? pairs : first + TEAM_BLOCK);
    block->count = own->contacts.count - block->first;
    block->unresolved_count = own->tally.report.unresolved_count - block->unresolved;
}

/* Where the contacts of each block go. */
static void team_place(collide_team *t)
{
    perp_contacts *contacts = t->search->m.contacts;

    t->total = 0;
    for (size_t k = 0; k < t->block_count; k++) {
        t->blocks[k].to = t->total;
        t->total += t->blocks[k].count;
    }
    t->copies = GROW(contacts->at, contacts->room, t->total);
}

static void team_copy(const collide_team *t, size_t member)
{
    const perp_contacts *own = &t->members[member].contacts;
    perp_contact *to = t->search->m.contacts->at;

    for (size_t k = 0; k < t->block_count; k++) {
        const team_block *block = &t->blocks[k];

        if (block->member == member && block->count > 0) {
            memcpy(to + block->to, own->at + block->first, block->count * sizeof *to);
        }
    }
}

/* What each thread does. */
static void team_work(void *context, size_t member)
{
    collide_team *t = context;
    size_t k = 0;

    t->members[member].contacts.count = 0;
    t->members[member].tally.report = (perp_collide_report){0};
    while ((k = atomic_fetch_add(&t->next, 1)) < t->block_count) {
        team_search(t, member, &t->blocks[k], k);
    }
    perp_threads_barrier(t->threads);
    if (member == 0) {
        team_place(t);
    }
    perp_threads_barrier(t->threads);
    if (t->copies) {
        team_copy(t, member);
    }
}

static collide_team *team_new(size_t wanted)
{
    collide_team *t = calloc(1, sizeof *t);
    bool ok = t != NULL;

    if (ok) {
        t->wanted = wanted;
        t->members = calloc(wanted, sizeof *t->members);
        ok = t->members && perp_workspace_new(&t->ws, 0, NULL) == PERP_OK;
    }
    if (ok) {
        t->threads = perp_threads_new(wanted, t->ws);
        ok = t->threads != NULL;
    }
    if (!ok) {
        collide_team_free(t);
        return NULL;
    }
    return t;
}

static bool team_ready(perp_collider *c, size_t wanted)
{
    const size_t blocks = (c->pairs.count + TEAM_BLOCK - 1) / TEAM_BLOCK;

    if (c->team && c->team->wanted != wanted) {
        collide_team_free(c->team);
        c->team = NULL;
    }
    if (!c->team) {
        c->team = team_new(wanted);
    }
    if (!c->team) {
        return false;
    }
    c->team->block_count = blocks;
    return GROW(c->team->blocks, c->team->block_room, blocks);
}

/* The first error, and what all threads have found. */
static perp_status team_gather(const collide_team *t, const collide_search *s)
{
    perp_collide_report *report = &s->tally->report;
    perp_status status = PERP_OK;

    for (size_t k = 0; k < t->block_count && status == PERP_OK; k++) {
        const team_block *block = &t->blocks[k];
        const perp_unresolved *pair = t->members[block->member].tally.unresolved;

        status = block->status;
        if (status != PERP_OK && s->err) {
            *s->err = block->err;
        }
        for (size_t u = 0; u < block->unresolved_count && status == PERP_OK; u++) {
            if (!collide_tally_add(s->tally, &pair[block->unresolved + u])) {
                status = perp_fail(s->err, PERP_ERR_MEMORY,
                                   "collide: no memory for the pairs unresolved");
            }
        }
    }
    for (size_t k = 0; k < perp_threads_size(t->threads); k++) {
        const perp_collide_report *own = &t->members[k].tally.report;

        report->looked_at += own->looked_at;
        report->touching += own->touching;
        for (size_t r = 0; r < PERP_NARROW_MOST; r++) {
            report->ran[r] += own->ran[r];
        }
    }
    return status;
}

perp_status collide_team_meet(perp_collider *c, const collide_search *s)
{
    perp_contacts *contacts = s->m.contacts;
    perp_status status = PERP_OK;
    collide_team *t = NULL;

    if (!team_ready(c, s->settings->threads)) {
        return perp_fail(s->err, PERP_ERR_MEMORY, "collide: no memory for %u threads",
                         s->settings->threads);
    }
    t = c->team;
    t->search = s;
    atomic_store(&t->next, 0);
    perp_threads_run(t->threads, team_work, t);
    status = team_gather(t, s);
    if (status == PERP_OK && t->total > s->most) {
        status = PERP_ERR_DATA;
    }
    if (status == PERP_OK && !t->copies) {
        status = perp_fail(s->err, PERP_ERR_MEMORY, "collide: no memory for %zu contacts",
                           t->total);
    }
    contacts->count = status == PERP_OK ? t->total : 0;
    return status;
}
