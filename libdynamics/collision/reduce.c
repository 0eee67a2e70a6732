/* SPDX-License-Identifier: Apache-2.0
 * collision/reduce.c: reduction of the contacts of a pair.
 *
 * Kept are the deepest; the one farthest from it, across the mean normal; the one that
 * with these two makes the largest triangle; then again and again the one that adds the
 * largest area to the hull of those kept, x_1 ... x_k counter-clockwise across the normal
 * n:
 *
 *     A(x) = max_i (x_{i+1} - x_i) x (x - x_i).n / 2 over the sides i that x lies beyond.
 *
 * Then each of them but the deepest is dropped and chosen again, which corrects the first
 * choices. Where areas are equal to rounding, the contact with the lower key is chosen,
 * so that small motions do not change the choice. Contacts keep their order and their
 * gaps. Cost: points times the square of those kept. */
#include <config.h>

#include "collision/query.h"

/* Gaps, lengths and areas that differ by less than this share are equal. */
static const double equal = 1e-9;

/* How often the choice is looked at again: two settle those of eight. */
enum { PASSES = 2 };

typedef struct choice {
    perp_contact *at;
    size_t count;
    double n[3];
    double size; /* of the points */
    size_t kept, most;
    size_t *index; /* most: those kept, counter-clockwise from the third on */
    bool *is_kept; /* count */
} choice;

static double reduce_across(const choice *c, size_t a, size_t b, size_t x)
{
    double u[3];
    double v[3];
    double w[3];

    vec3_subtract(c->at[b].point, c->at[a].point, u);
    vec3_subtract(c->at[x].point, c->at[a].point, v);
    vec3_cross(u, v, w);
    return 0.5 * vec3_dot(w, c->n);
}

/* Squared distance seen along n. */
static double reduce_apart(const choice *c, size_t a, size_t x)
{
    double d[3];
    double up = 0.0;

    vec3_subtract(c->at[x].point, c->at[a].point, d);
    up = vec3_dot(d, c->n);
    return vec3_dot(d, d) - up * up;
}

/* What x would add: a length, squared, an area, signed for the third; and the place in
 * the order where it goes. */
static double reduce_gain(const choice *c, size_t x, size_t *place)
{
    double most = 0.0;

    *place = c->kept;
    if (c->kept == 1) {
        return reduce_apart(c, c->index[0], x);
    }
    if (c->kept == 2) {
        double area = reduce_across(c, c->index[0], c->index[1], x);

        *place = area < 0.0 ? 1 : 2; /* counter-clockwise */
        return fabs(area);
    }
    for (size_t k = 0; k < c->kept; k++) {
        double beyond = -reduce_across(c, c->index[k], c->index[(k + 1) % c->kept], x);

        if (beyond > most) {
            most = beyond;
            *place = k + 1;
        }
    }
    return most;
}

static void reduce_keep(choice *c, size_t x, size_t place)
{
    memmove(c->index + place + 1, c->index + place, (c->kept - place) * sizeof *c->index);
    c->index[place] = x;
    c->is_kept[x] = true;
    c->kept++;
}

static size_t reduce_keep_deepest(choice *c)
{
    size_t best = 0;

    for (size_t x = 1; x < c->count; x++) {
        double less = c->at[best].gap - c->at[x].gap;

        if (less > equal * c->size ||
            (less >= -equal * c->size && c->at[x].key < c->at[best].key)) {
            best = x;
        }
    }
    reduce_keep(c, best, 0);
    return best;
}

static void reduce_drop(choice *c, size_t place)
{
    c->is_kept[c->index[place]] = false;
    c->kept--;
    memmove(c->index + place, c->index + place + 1, (c->kept - place) * sizeof *c->index);
}

static void reduce_keep_next(choice *c)
{
    double most = -1.0;
    size_t best = 0;
    size_t best_place = 0;
    double unit = c->size * c->size;

    for (size_t x = 0; x < c->count; x++) {
        size_t place = 0;
        double more = 0.0;

        if (c->is_kept[x]) {
            continue;
        }
        more = reduce_gain(c, x, &place) - most;
        if (more > equal * unit ||
            (more >= -equal * unit && c->at[x].key < c->at[best].key)) {
            most += more;
            best = x;
            best_place = place;
        }
    }
    reduce_keep(c, best, best_place);
}

/* Choose each but the deepest again, from that one on around all. */
static void reduce_choose_again(choice *c, size_t deepest)
{
    for (size_t k = 1; k < c->kept; k++) {
        size_t from = 0;

        while (c->index[from] != deepest) {
            from++;
        }
        reduce_drop(c, (from + k) % c->kept);
        reduce_keep_next(c);
    }
}

/* The mean normal, and the size of what the points span. */
static void reduce_evaluate(choice *c)
{
    vec3_set(c->n, 0.0, 0.0, 0.0);
    for (size_t x = 0; x < c->count; x++) {
        double d[3];

        vec3_add(c->n, 1.0, c->at[x].normal, c->n);
        vec3_subtract(c->at[x].point, c->at[0].point, d);
        c->size = fmax(c->size, vec3_length(d));
    }
    if (vec3_normalize(c->n) == 0.0) {
        vec3_copy(c->n, c->at[0].normal);
    }
}

void query_reduce(contact_query *m, unsigned most)
{
    choice c = {.count = m->contacts->count - m->first, .most = most};
    size_t kept = 0;
    size_t deepest = 0;

    if (c.most == 0 || c.count <= c.most) {
        return;
    }
    c.index = query_scratch(m, c.most * sizeof *c.index + c.count * sizeof *c.is_kept);
    if (!c.index) {
        return;
    }
    c.is_kept = (bool *)(c.index + c.most);
    memset(c.is_kept, 0, c.count * sizeof *c.is_kept);
    c.at = m->contacts->at + m->first;
    reduce_evaluate(&c);
    deepest = reduce_keep_deepest(&c);
    while (c.kept < c.most) {
        reduce_keep_next(&c);
    }
    for (int pass = 0; pass < PASSES; pass++) {
        reduce_choose_again(&c, deepest);
    }
    for (size_t x = 0; x < c.count; x++) {
        if (c.is_kept[x]) {
            c.at[kept++] = c.at[x];
        }
    }
    m->contacts->count = m->first + kept;
}
