/* SPDX-License-Identifier: Apache-2.0
 * core/workspace.c: a stack of zeroed, aligned pieces of memory under one limit.
 *
 * Zeros come from calloc, which knows which pages the system has just cleared: what a solver
 * takes for its worst case and does not touch then costs nothing. A workspace that keeps its
 * memory hands the piece at the same place of the stack out again: a solve like the last one
 * finds all its pieces. */
#include <config.h>

#include <stdio.h>

#include "base/threads.h"
#include "core/solvers.h"

enum { ALIGNMENT = 64 };

typedef struct piece {
    void *memory; /* as allocated; the caller's part begins at the next aligned address */
    size_t bytes; /* in use */
    size_t room;  /* as allocated */
} piece;

/* Teams of threads, by their sizes. */
typedef struct workspace_team {
    size_t members;
    perp_workspace *own; /* its memory, which is not counted */
    thread_team *team;
    struct workspace_team *next;
} workspace_team;

struct perp_workspace {
    piece *pieces;
    size_t count, room;
    size_t bytes, peak, limit;
    size_t refused; /* bytes of the first request that was refused; 0: none was */
    bool keeps;     /* released pieces stay in the list, behind `count` */
    workspace_team *teams;
};

perp_status perp_workspace_new(perp_workspace **ws, size_t limit, perp_error *err)
{
    if (perp_check_arguments(ws, "perp_workspace_new", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    *ws = calloc(1, sizeof **ws);
    if (!*ws) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a workspace");
    }
    (*ws)->limit = limit;
    return PERP_OK;
}

static void workspace_free_team(workspace_team *t)
{
    if (t) {
        perp_threads_free(t->team);
        perp_workspace_free(t->own);
        free(t);
    }
}

void perp_workspace_free(perp_workspace *ws)
{
    if (ws) {
        while (ws->teams) {
            workspace_team *t = ws->teams;

            ws->teams = t->next;
            workspace_free_team(t);
        }
        for (size_t k = 0; k < ws->room; k++) {
            free(ws->pieces[k].memory);
        }
        free(ws->pieces);
        free(ws);
    }
}

/* Room for one more piece in the list. */
static bool workspace_grow(perp_workspace *ws)
{
    size_t room = ws->room ? 2 * ws->room : 16;
    piece *pieces = NULL;

    if (ws->count < ws->room) {
        return true;
    }
    pieces = realloc(ws->pieces, room * sizeof *pieces);
    if (!pieces) {
        return false;
    }
    memset(pieces + ws->room, 0, (room - ws->room) * sizeof *pieces);
    ws->pieces = pieces;
    ws->room = room;
    return true;
}

/* Would `bytes` more exceed the limit? */
static bool workspace_allows(const perp_workspace *ws, size_t bytes)
{
    return !ws->limit || (ws->bytes < ws->limit && bytes <= ws->limit - ws->bytes);
}

static void workspace_count(perp_workspace *ws, size_t bytes)
{
    ws->bytes += bytes;
    ws->peak = ws->bytes > ws->peak ? ws->bytes : ws->peak;
}

/* The first refusal is kept: later requests fail because of it or are smaller. */
static void *workspace_refuse(perp_workspace *ws, size_t bytes)
{
    ws->refused = ws->refused ? ws->refused : bytes;
    return NULL;
}

/* The caller's part of the next piece, which has room for `bytes` and is zeroed on request; NULL
 * without memory. */
static void *workspace_piece(perp_workspace *ws, size_t bytes, bool zero)
{
    piece *next = &ws->pieces[ws->count];
    size_t room = bytes + ALIGNMENT + (ws->keeps ? bytes / 8 : 0);
    bool found = next->memory && next->room >= bytes + ALIGNMENT;
    char *part = NULL;

    if (!found) {
        free(next->memory);
        *next = (piece){.memory = zero ? calloc(1, room) : malloc(room), .room = room};
    }
    if (!next->memory) {
        return NULL;
    }
    next->bytes = bytes;
    part = next->memory;
    part += (ALIGNMENT - (uintptr_t)part % ALIGNMENT) % ALIGNMENT;
    if (found && zero) {
        memset(part, 0, bytes);
    }
    return part;
}

static void *workspace_take(perp_workspace *ws, size_t count, size_t size, bool zero)
{
    size_t bytes = 0;
    void *part = NULL;

    if (!perp_mul(count, size, &bytes) || bytes > SIZE_MAX - 2 * ALIGNMENT) {
        return workspace_refuse(ws, SIZE_MAX);
    }
    bytes = bytes ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
    if (!workspace_allows(ws, bytes) || !workspace_grow(ws)) {
        return workspace_refuse(ws, bytes);
    }
    part = workspace_piece(ws, bytes, zero);
    if (!part) {
        return workspace_refuse(ws, bytes);
    }
    ws->count++;
    workspace_count(ws, bytes);
    return part;
}

void *perp_workspace_alloc(perp_workspace *ws, size_t count, size_t size)
{
    return workspace_take(ws, count, size, true);
}

void *perp_workspace_raw(perp_workspace *ws, size_t count, size_t size)
{
    return workspace_take(ws, count, size, false);
}

thread_team *perp_workspace_team(perp_workspace *ws, size_t members)
{
    workspace_team *t = ws->teams;

    while (t && t->members != members) {
        t = t->next;
    }
    if (t) {
        return t->team;
    }
    t = calloc(1, sizeof *t);
    if (t && perp_workspace_new(&t->own, 0, NULL) == PERP_OK) {
        t->team = perp_threads_new(members, t->own);
    }
    if (!t || !t->team) {
        workspace_free_team(t);
        return workspace_refuse(ws, sizeof *t);
    }
    t->members = members;
    t->next = ws->teams;
    ws->teams = t;
    return t->team;
}

void perp_workspace_keep(perp_workspace *ws)
{
    ws->keeps = true;
}

void perp_workspace_restart(perp_workspace *ws, size_t limit)
{
    ws->limit = limit;
    ws->peak = ws->bytes;
}

perp_status perp_workspace_status(const perp_workspace *ws, perp_error *err)
{
    char limit[48] = "";

    if (!ws->refused) {
        return PERP_OK;
    }
    if (ws->limit) {
        snprintf(limit, sizeof limit, ", of %zu allowed", ws->limit);
    }
    return perp_fail(err, PERP_ERR_MEMORY,
                     "no memory for %zu bytes more than the %zu held%s", ws->refused,
                     ws->bytes, limit);
}

bool perp_workspace_charge(perp_workspace *ws, size_t bytes)
{
    if (!workspace_allows(ws, bytes)) {
        workspace_refuse(ws, bytes);
        return false;
    }
    workspace_count(ws, bytes);
    return true;
}

void perp_workspace_discharge(perp_workspace *ws, size_t bytes)
{
    ws->bytes -= bytes < ws->bytes ? bytes : ws->bytes;
}

size_t perp_workspace_mark(const perp_workspace *ws)
{
    return ws->count;
}

void perp_workspace_release(perp_workspace *ws, size_t mark)
{
    ws->refused = 0;
    while (ws->count > mark) {
        piece *last = &ws->pieces[--ws->count];

        ws->bytes -= last->bytes;
        if (!ws->keeps) {
            free(last->memory);
            *last = (piece){0};
        }
    }
}

size_t perp_workspace_bytes(const perp_workspace *ws)
{
    return ws->bytes;
}

size_t perp_workspace_peak(const perp_workspace *ws)
{
    return ws->peak;
}
