/* SPDX-License-Identifier: Apache-2.0
 * collision/repeated.c: drops contacts of a pair at one place with one normal, except the
 * first: triangles of a mesh that share a side or a corner make them.
 *
 * Contacts are listed by the cells of a grid, so that the cost is linear in their number.
 * */
#include <config.h>

#include "collision/query.h"

/* Cosine of normals that are one. */
static const double same_normal = 1.0 - 1e-6;

/* Contacts by the cells of a grid, four times as wide as `place`. */
typedef struct places {
    perp_contact *at;
    double place;
    size_t mask;  /* one less than the lists, a power of two */
    size_t *list; /* one more than the last contact of each, or 0 */
    size_t *next; /* of each contact the same */
} places;

static size_t repeated_places_list(const places *p, const double cell[3])
{
    uint64_t bits[3];

    memcpy(bits, cell, sizeof bits);
    return (size_t)query_feature(bits[0], bits[1], bits[2]) & p->mask;
}

/* The cell of x moved by `by` along every axis. */
static void repeated_places_cell(const places *p, const double x[3], double by,
                                 double cell[3])
{
    for (int k = 0; k < 3; k++) {
        cell[k] = floor((x[k] + by) / (4.0 * p->place)) + 0.0; /* there is no -0 */
    }
}

/* Whether a contact in the list of a cell is c. */
static bool repeated_places_listed(const places *p, const double cell[3],
                                   const perp_contact *c)
{
    for (size_t l = p->list[repeated_places_list(p, cell)]; l != 0; l = p->next[l - 1]) {
        double d[3];

        vec3_subtract(p->at[l - 1].point, c->point, d);
        if (vec3_dot(d, d) <= p->place * p->place &&
            vec3_dot(p->at[l - 1].normal, c->normal) >= same_normal) {
            return true;
        }
    }
    return false;
}

static bool repeated_places_have(const places *p, const perp_contact *c)
{
    double ends[2][3];

    repeated_places_cell(p, c->point, -p->place, ends[0]);
    repeated_places_cell(p, c->point, p->place, ends[1]);
    for (unsigned corner = 0; corner < 8; corner++) {
        double cell[3];
        bool again = false; /* the same cell as of another corner */

        for (int k = 0; k < 3; k++) {
            cell[k] = ends[corner >> k & 1][k];
            again = again || ((corner >> k & 1) && ends[0][k] == ends[1][k]);
        }
        if (!again && repeated_places_listed(p, cell, c)) {
            return true;
        }
    }
    return false;
}

static void repeated_places_add(places *p, size_t k)
{
    double cell[3];
    size_t list = 0;

    repeated_places_cell(p, p->at[k].point, 0.0, cell);
    list = repeated_places_list(p, cell);
    p->next[k] = p->list[list];
    p->list[list] = k + 1;
}

void query_drop_repeated(contact_query *m, double place)
{
    size_t count = m->contacts->count - m->first;
    size_t lists = 1;
    size_t kept = 0;
    places p = {.place = place};

    while (lists < count) {
        lists *= 2;
    }
    p.at = m->contacts->at + m->first;
    p.mask = lists - 1;
    p.list = count > 1 ? query_scratch(m, (lists + count) * sizeof *p.list) : NULL;
    if (!p.list) {
        return;
    }
    p.next = p.list + lists;
    memset(p.list, 0, lists * sizeof *p.list);
    for (size_t k = 0; k < count; k++) {
        if (!repeated_places_have(&p, &p.at[k])) {
            p.at[kept] = p.at[k];
            repeated_places_add(&p, kept++);
        }
    }
    m->contacts->count = m->first + kept;
}
