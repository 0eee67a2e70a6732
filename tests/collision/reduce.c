/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/reduce.c: the contacts of a pair made fewer. */
#include <config.h>

#include <stdlib.h>

#include "collision/query.h"
#include "poses.h"

enum { POINTS = 12 };

/* Corners of a convex polygon of n corners, in a plane anywhere, in any order; gaps
 * drawn. */
static void draw_manifold(perp_random *g, size_t n, perp_contacts *contacts)
{
    double angle[POINTS], r[3], q[4];
    double flat = perp_random_uniform(g, 0.2, 1.0);

    draw_pose(g, 3.0, r, q);
    contacts->count = 0;
    for (size_t k = 0; k < n; k++) {
        angle[k] = perp_random_uniform(g, -M_PI, M_PI);
    }
    for (size_t k = 0; k < n; k++) {
        const double p[3] = {cos(angle[k]), flat * sin(angle[k]), 0.0};
        const double up[3] = {0, 0, 1};
        perp_contact *c = perp_contacts_add(contacts);

        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        perp_quat_rotate(q, p, c->point);
        vec3_add(c->point, 1.0, r, c->point);
        perp_quat_rotate(q, up, c->normal);
        c->gap = perp_random_uniform(g, -1e-3, 1e-3);
        c->key = perp_random_next(g) | 1;
    }
}

static void reduce(perp_contacts *contacts, size_t first, unsigned most)
{
    scratch own = {0};
    contact_query m = {.contacts = contacts, .first = first, .scratch = &own};

    query_reduce(&m, most);
    CU_ASSERT_FALSE(m.no_memory);
    free(own.at);
}

/* A ring of 700 points: as many stay as are asked for, the deepest among them. */
TEST(any_number_of_contacts_can_be_asked_for)
{
    static const unsigned most[] = {4, 511, 513, 600, 699, 1000000};
    enum { RING = 700 };

    for (size_t n = 0; n < sizeof most / sizeof *most; n++) {
        perp_contacts contacts = {0};
        double deepest = 0.0;

        for (int k = 0; k < RING; k++) {
            perp_contact *c = perp_contacts_add(&contacts);

            CU_ASSERT_PTR_NOT_NULL_FATAL(c);
            vec3_set(c->point, cos(2.0 * M_PI * k / RING), sin(2.0 * M_PI * k / RING),
                     0.0);
            vec3_set(c->normal, 0.0, 0.0, 1.0);
            c->gap = k == 123 ? -2e-3 : -1e-3;
            c->key = (uint64_t)k + 1;
        }
        reduce(&contacts, 0, most[n]);
        CU_ASSERT_EQUAL(contacts.count, most[n] < RING ? most[n] : RING);
        for (size_t k = 0; k < contacts.count; k++) {
            deepest = fmin(deepest, contacts.at[k].gap);
        }
        CU_ASSERT_EQUAL(deepest, -2e-3);
    }
}

static int order(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* Of the corners of a convex polygon, those whose bit is set: by their angles about their
 * middle. */
static double area_of(const perp_contacts *all, unsigned set)
{
    const double *n = all->at[0].normal;
    double middle[3] = {0};
    double t[3], s[3], turned[POINTS][3];
    double area = 0.0;
    size_t count = 0;

    vec3_tangents(n, t, s);
    for (size_t k = 0; k < all->count; k++) {
        if (set >> k & 1) {
            vec3_add(middle, 1.0, all->at[k].point, middle);
            count++;
        }
    }
    vec3_scale(1.0 / (double)count, middle, middle);
    count = 0;
    for (size_t k = 0; k < all->count; k++) {
        if (set >> k & 1) {
            double d[3];

            vec3_subtract(all->at[k].point, middle, d);
            turned[count][1] = vec3_dot(d, t);
            turned[count][2] = vec3_dot(d, s);
            turned[count][0] = atan2(turned[count][2], turned[count][1]);
            count++;
        }
    }
    qsort(turned, count, sizeof *turned, order);
    for (size_t k = 0; k < count; k++) {
        const double *p = turned[k];
        const double *q = turned[(k + 1) % count];

        area += 0.5 * (p[1] * q[2] - p[2] * q[1]);
    }
    return area;
}

/* Which of all are in `some`, by their keys. */
static unsigned which(const perp_contacts *all, const perp_contacts *some)
{
    unsigned set = 0;
    size_t next = 0;

    for (size_t k = 0; k < all->count && next < some->count; k++) {
        if (all->at[k].key == some->at[next].key) {
            CU_ASSERT(memcmp(&all->at[k], &some->at[next], sizeof *all->at) == 0);
            set |= 1U << k;
            next++;
        }
    }
    CU_ASSERT_EQUAL(next, some->count); /* all, in their order */
    return set;
}

static size_t bits(unsigned set)
{
    size_t count = 0;

    for (; set; set &= set - 1) {
        count++;
    }
    return count;
}

static void copy(const perp_contacts *from, perp_contacts *to)
{
    to->count = 0;
    for (size_t k = 0; k < from->count; k++) {
        perp_contact *c = perp_contacts_add(to);

        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        *c = from->at[k];
    }
}

static unsigned place_of(const perp_contacts *all, const perp_contact *c)
{
    return 1U << (c - all->at);
}

TEST(four_points_keep_the_deepest_and_most_of_the_area)
{
    perp_random g = {131};
    perp_contacts all = {0};
    perp_contacts some = {0};
    double worst = 1.0;
    double sum = 0.0;
    int draws = 0;

    for (; draws < 1000; draws++) {
        size_t n = (size_t)perp_random_integer(&g, 5, 8);
        unsigned set = 0;
        double best = 0.0;
        double kept = 0.0;
        unsigned deep = 0;

        draw_manifold(&g, n, &all);
        deep = place_of(&all, deepest(&all));
        copy(&all, &some);
        reduce(&some, 0, 4);
        CU_ASSERT_EQUAL_FATAL(some.count, 4);
        set = which(&all, &some);
        CU_ASSERT((set & deep) != 0);
        kept = area_of(&all, set);
        for (unsigned other = 0; other < 1U << n; other++) {
            if (bits(other) == 4 && (other & deep)) {
                best = fmax(best, area_of(&all, other));
            }
        }
        worst = fmin(worst, kept / best);
        sum += kept / area_of(&all, (1U << n) - 1);
    }
    test_note("four of up to eight keep %.3f of the area, at least %.3f of what the best "
              "four do",
              sum / draws, worst);
    /* no four of a regular octagon keep more than 0.71 */
    CU_ASSERT(sum / draws >= 0.8);
    CU_ASSERT(worst >= 0.9);
}

TEST(the_choice_does_not_depend_on_the_order_or_small_motion)
{
    perp_random g = {137};
    perp_contacts all = {0};
    perp_contacts some = {0};
    perp_contacts other = {0};

    for (int draw = 0; draw < 300; draw++) {
        uint64_t sum[2] = {0, 0};

        draw_manifold(&g, POINTS, &all);
        copy(&all, &some);
        copy(&all, &other);
        for (size_t k = 0; k < POINTS; k++) {
            other.at[k] = all.at[POINTS - 1 - k];
            for (int c = 0; c < 3; c++) {
                other.at[k].point[c] += perp_random_uniform(&g, -1e-12, 1e-12);
            }
        }
        reduce(&some, 0, 6);
        reduce(&other, 0, 6);
        CU_ASSERT_EQUAL_FATAL(some.count, 6);
        CU_ASSERT_EQUAL_FATAL(other.count, 6);
        for (size_t k = 0; k < 6; k++) {
            sum[0] += some.at[k].key;
            sum[1] += other.at[k].key;
        }
        CU_ASSERT(sum[0] == sum[1]);
    }
}

TEST(few_points_and_other_pairs_stay)
{
    perp_random g = {139};
    perp_contacts all = {0};
    perp_contacts some = {0};

    draw_manifold(&g, POINTS, &all);
    copy(&all, &some);
    reduce(&some, 0, POINTS);
    CU_ASSERT_EQUAL(which(&all, &some), (1U << POINTS) - 1);
    reduce(&some, POINTS - 4, 4);
    CU_ASSERT_EQUAL(which(&all, &some), (1U << POINTS) - 1);
    reduce(&some, POINTS - 5, 4);
    CU_ASSERT_EQUAL(some.count, POINTS - 1);
    CU_ASSERT_EQUAL(which(&all, &some) & ((1U << (POINTS - 5)) - 1),
                    (1U << (POINTS - 5)) - 1);
}

/* All in one place, and all in one line: any will do, but so many, and the deepest. */
TEST(points_that_span_no_area_are_reduced_too)
{
    perp_random g = {149};
    perp_contacts all = {0};
    perp_contacts some = {0};

    for (int line = 0; line < 2; line++) {
        draw_manifold(&g, POINTS, &all);
        for (size_t k = 0; k < POINTS; k++) {
            vec3_set(all.at[k].point, line ? (double)k : 0.0, 0, 0);
        }
        copy(&all, &some);
        reduce(&some, 0, 4);
        CU_ASSERT_EQUAL(some.count, 4);
        CU_ASSERT((which(&all, &some) & place_of(&all, deepest(&all))) != 0);
    }
}
