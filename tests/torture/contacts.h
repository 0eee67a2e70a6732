/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/contacts.h: a case of the torture of contacts, and what must hold. */
#ifndef PERP_TORTURE_CONTACTS_H
#define PERP_TORTURE_CONTACTS_H

#include "cases.h"
#include "worlds.h"

/* What the worker has done, shared with its parent. */
typedef struct progress {
    torture_cases cases;
    size_t runs, contacts, pairs, unsuitable, unresolved;
} progress;

/* A case at work. */
typedef struct trial {
    uint64_t seed;
    size_t index;
    torture_world told;
    perp_world *world;
    perp_collide_settings settings;
    progress *at;
    const char *when; /* of its world */
    char fault[400];
} trial;

/** Say what is wrong; the first one is kept. */
void torture_wrong(trial *t, const char *format, ...) PERP_PRINTF(2, 3);
/** Where shape k stands. */
perp_placed torture_place(const perp_world *w, size_t k);
/** By how much contacts of the two may differ in gap [m]. */
double torture_slack(const perp_placed *a, const perp_placed *b);
/** Whether the collider's last search gave up on shapes i and j. */
bool torture_is_unresolved(const perp_collider *c, size_t i, size_t j);
/** The deepest contact of bodies i and j, or NULL. */
const perp_contact *torture_deepest(const perp_contacts *all, size_t i, size_t j);
/** All contacts that `from` found, by themselves. */
void torture_check_contacts(trial *t, const perp_collider *from,
                            const perp_contacts *all);
/** Those of shapes i and j against what is measured. */
void torture_check_pair(trial *t, const perp_contacts *all, size_t i, size_t j);

#endif
