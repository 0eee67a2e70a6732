/* SPDX-License-Identifier: Apache-2.0
 * collision/query.c: adds contacts to a query, with their keys.
 *
 * A key is mixed from the ids of the two shapes, the numbers of their parts, and from the
 * features that touch, so it does not depend on other shapes. */
#include <config.h>

#include <stdlib.h>

#include "collision/query.h"

void query_begin(contact_query *m, const placed *a, const placed *b)
{
    m->a = a;
    m->b = b;
    m->swapped = false;
    m->first = m->contacts->count;
    m->combined = false;
    m->unresolved = false;
}

void query_give_up(contact_query *m, const perp_proximity *p)
{
    const placed *low = m->swapped ? m->b : m->a;
    const placed *high = m->swapped ? m->a : m->b;

    if (!m->unresolved) {
        m->unresolved = true;
        m->who = (perp_unresolved){low->number, high->number, low->part,
                                   high->part,  p->gap,       p->ran};
    }
}

void *query_scratch(contact_query *m, size_t bytes)
{
    scratch *s = m->scratch;

    if (s->bytes < bytes) {
        free(s->at);
        s->at = math_alloc(bytes, 1);
        s->bytes = s->at ? bytes : 0;
        m->no_memory = !s->at;
    }
    return s->at;
}

/* The id of a shape, and the number of a part of it above; the first part is the shape's.
 * */
static uint64_t query_identity(const placed *s)
{
    return (uint64_t)s->id | (uint64_t)s->part << 32;
}

/* Keep the least gap; its witnesses lie half of it on either side. */
static void query_keep_nearest(perp_proximity *out, bool swapped, const double point[3],
                               const double normal[3], double gap)
{
    double n[3];

    if (!(gap < out->gap)) {
        return;
    }
    vec3_scale(swapped ? -1.0 : 1.0, normal, n);
    out->gap = gap;
    vec3_copy(out->normal, n);
    vec3_add(point, -0.5 * gap, n, out->p_a);
    vec3_add(point, 0.5 * gap, n, out->p_b);
}

/* Most pairs of boxes that overlap have no contact, and those that do have several:
 * so at the first of them. Most are of the same two materials as the pair before. */
static void query_combine(contact_query *m, const placed *low, const placed *high)
{
    if (!m->is_mixed || m->mixed[0] != low->material || m->mixed[1] != high->material) {
        perp_world_combine(m->world, low->material, high->material, &m->material);
        m->mixed[0] = low->material;
        m->mixed[1] = high->material;
        m->is_mixed = true;
    }
    m->pair = query_feature(0, query_identity(low), query_identity(high));
    m->combined = true;
}

/* A place for one more contact, all of which is to be set. */
static perp_contact *query_next_contact(perp_contacts *contacts)
{
    return contacts->count < contacts->room ? &contacts->at[contacts->count++]
                                            : perp_contacts_add(contacts);
}

void query_add(contact_query *m, const double point[3], const double normal[3],
               double gap, uint64_t feature)
{
    const placed *low = m->swapped ? m->b : m->a;
    const placed *high = m->swapped ? m->a : m->b;
    double sign = m->swapped ? -1.0 : 1.0;
    perp_contact *c = NULL;
    uint64_t key = 0;

    if (!(gap <= m->margin)) {
        return;
    }
    if (m->nearest) {
        query_keep_nearest(m->nearest, m->swapped, point, normal, gap);
        return;
    }
    c = query_next_contact(m->contacts);
    if (!c) {
        m->no_memory = true;
        return;
    }
    if (!m->combined) {
        query_combine(m, low, high);
    }
    key = query_mix(feature ^ m->pair);
    c->i = low->body;
    c->j = high->body;
    vec3_copy(c->point, point);
    vec3_scale(sign, normal, c->normal);
    c->gap = gap;
    c->mu = m->material.mu;
    c->restitution = m->material.restitution;
    c->mu_rolling = m->material.mu_rolling;
    c->erp = m->material.erp;
    c->cfm = m->material.cfm;
    c->key = key + (key == 0);
    c->shape_i = (uint32_t)low->number;
    c->shape_j = (uint32_t)high->number;
    c->part_i = (uint32_t)low->part;
    c->part_j = (uint32_t)high->part;
    c->open = false;
}

static placed query_place(const perp_placed *at, size_t number)
{
    return (placed){.at = *at,
                    .number = number,
                    .id = (uint32_t)number,
                    .reach = at->shape->type->reach(at->shape)};
}

void query_measure(pair_call *call, bool swapped, const perp_placed *a,
                   const perp_placed *b, const perp_narrow_settings *settings,
                   perp_proximity *out)
{
    const placed one = query_place(a, 0);
    const placed two = query_place(b, 1);
    perp_contacts none = {0};
    scratch room = {0};
    contact_query m = {
        .dimension = settings->dimension == 2 ? 2 : 3,
        .margin = INFINITY,
        .settings = *settings,
        .a = swapped ? &two : &one,
        .b = swapped ? &one : &two,
        .swapped = swapped,
        .contacts = &none,
        .nearest = out,
        .scratch = &room,
    };

    *out = (perp_proximity){.gap = INFINITY, .converged = true};
    call(&m);
    out->converged = !m.no_memory && !m.unresolved;
    perp_contacts_clear(&none);
    free(room.at);
}
