/* SPDX-License-Identifier: Apache-2.0
 * collision/patch.c: the contacts that two patches have in common.
 *
 * Two polygons are clipped against each other, as by Sutherland and Hodgman. The contacts
 * are the vertices of the clipped polygon: corners of either polygon within the other (*),
 * and proper crossings of their outlines (x).
 *
 *          +-----------+
 *          |  a        |
 *          |     *-----x----+
 *          |     |     |    |
 *          +-----x-----*    |
 *                |       b  |
 *                +----------+
 *
 * A corner closer than `place` to the line of a side is on that line: it counts as within
 * and as not crossing. Of corners of both at one place, that of a makes the contact. Which
 * corners are within, on or across a side is kept in masks: bit k is corner k of a polygon,
 * or its side from corner k to the next. */
#include <config.h>

#include "collision/patch.h"

/* The ends of the overlap are then 1e-4 of their length off the line between both, and
 * the gaps right to the square of that. */
const double patch_side_by_side = 1e-4;

/* A mask of corners, or of sides. */
enum { BITS = 64, WORDS = (PERP_FACE_CORNERS + BITS - 1) / BITS };

/* The corners of one polygon, classified by the sides of the other. */
typedef struct clip_mask {
    uint64_t within[WORDS]; /* corners on the inner side of all sides */
    uint64_t on[WORDS];     /* corners on the line of a side */
    /* for side k of the other: sides of the one that cross its line */
    uint64_t crossing[PERP_FACE_CORNERS][WORDS];
} clip_mask;

static inline size_t patch_words_of(size_t count)
{
    return (count + BITS - 1) / BITS;
}

/* Word w of the mask with all `count` bits set. */
static inline uint64_t patch_all_of(size_t count, size_t w)
{
    return count >= BITS * (w + 1) ? UINT64_MAX : ((uint64_t)1 << (count - BITS * w)) - 1;
}

/* The number of the first corner after word w. */
static inline size_t patch_end_of(size_t count, size_t w)
{
    return count < BITS * (w + 1) ? count : BITS * (w + 1);
}

static inline bool patch_has(const uint64_t *mask, size_t k)
{
    return mask[k / BITS] >> k % BITS & 1;
}

/* Word w of a mask, shifted so that bit k is that of corner k + 1. */
static inline uint64_t patch_next_of(const uint64_t *mask, size_t w)
{
    return mask[w] >> 1 | mask[w + 1] << (BITS - 1);
}

void patch_frame(patch_pair *p, const double n[3], const double origin[3])
{
    vec3_copy(p->n, n);
    vec3_copy(p->origin, origin);
    if (p->query->dimension == 2) {
        vec3_set(p->s, n[1], -n[0], 0.0);
        vec3_set(p->t, 0.0, 0.0, 0.0);
    } else {
        vec3_tangents(n, p->s, p->t);
    }
}

void patch_put(const patch_pair *p, patch *f, size_t k, const double x[3], uint32_t id)
{
    double d[3];

    vec3_subtract(x, p->origin, d);
    f->x[k] = vec3_dot(p->s, d);
    f->y[k] = vec3_dot(p->t, d);
    f->height[k] = vec3_dot(p->n, d);
    f->id[k] = id;
}

void patch_close(const patch_pair *p, patch *f, double winding, const double normal[3])
{
    double along = vec3_dot(p->n, normal);

    f->slope[0] = -vec3_dot(p->s, normal) / along;
    f->slope[1] = -vec3_dot(p->t, normal) / along;
    for (size_t k = 0; k < f->count; k++) {
        size_t next = k + 1 < f->count ? k + 1 : 0;
        double d = f->x[next] - f->x[k];
        double e = f->y[next] - f->y[k];
        double length = sqrt(d * d + e * e);
        double scale = length > 0.0 ? winding / length : 0.0;

        f->u[k] = -scale * e;
        f->v[k] = scale * d;
        f->c[k] = f->u[k] * f->x[k] + f->v[k] * f->y[k];
    }
}

/* How far a point is within side k of a polygon: negative outside. */
static inline double patch_inside(const patch *f, size_t k, double x, double y)
{
    return f->u[k] * x + f->v[k] * y - f->c[k];
}

static inline double patch_plane_height(const patch *f, double x, double y)
{
    return f->height[0] + f->slope[0] * (x - f->x[0]) + f->slope[1] * (y - f->y[0]);
}

static double patch_height_at(const patch *f, double x, double y)
{
    double d = 0.0;
    double e = 0.0;
    double share = 0.0;

    if (f->count > 2) {
        return patch_plane_height(f, x, y);
    }
    d = f->x[1] - f->x[0];
    e = f->y[1] - f->y[0];
    share = ((x - f->x[0]) * d + (y - f->y[0]) * e) / (d * d + e * e);
    share = fmax(0.0, fmin(1.0, share));
    return f->height[0] + share * (f->height[1] - f->height[0]);
}

/* A contact at (x, y), where the cores have these heights. */
static inline void patch_add_contact(patch_pair *p, double x, double y, double height_a,
                                     double height_b, uint64_t feature)
{
    double low = height_a + p->a.radius;
    double high = height_b - p->b.radius;
    double up = 0.5 * (low + high);
    double gap = high - low;
    double point[3];

    for (int k = 0; k < 3; k++) {
        point[k] = p->origin[k] + x * p->s[k] + y * p->t[k] + up * p->n[k];
    }
    p->least = gap < p->least ? gap : p->least;
    query_add(p->query, point, p->n, gap, feature);
}

static uint64_t patch_edges_feature(uint64_t a, uint64_t b)
{
    return query_feature(PATCH_EDGES, a, b);
}

static uint64_t side_id(const patch *f, size_t k)
{
    return patch_edge_id(f->id[k], f->id[k + 1 < f->count ? k + 1 : 0]);
}

/* Classify all corners of `one` by side k of f, on whose line some of them are. */
static void patch_classify_on_line(const patch *f, size_t k, const patch *one,
                                   double place, const uint64_t *beyond, clip_mask *s)
{
    const size_t n = one->count;
    uint64_t on[WORDS + 1] = {0};

    for (size_t l = 0; l < n; l++) {
        bool near = fabs(patch_inside(f, k, one->x[l], one->y[l])) <= place;

        on[l / BITS] |= (uint64_t)near << l % BITS;
    }
    on[n / BITS] |= (on[0] & 1) << n % BITS;
    for (size_t w = 0; w < patch_words_of(n); w++) {
        s->within[w] &= ~beyond[w] | on[w];
        s->on[w] |= patch_all_of(n, w) & on[w];
        s->crossing[k][w] = patch_all_of(n, w) & (beyond[w] ^ patch_next_of(beyond, w)) &
                            ~(on[w] | patch_next_of(on, w));
    }
}

/* Classify the first n corners of `one` by the first `sides` sides of f. */
static inline __attribute__((always_inline)) void patch_classify(
    const patch *f, size_t sides, const patch *one, size_t n, double place, clip_mask *s)
{
    const size_t words = patch_words_of(n);

    for (size_t w = 0; w < words; w++) {
        s->within[w] = patch_all_of(n, w);
        s->on[w] = 0;
    }
    for (size_t k = 0; k < sides; k++) {
        uint64_t beyond[WORDS + 1] = {0};
        double least = INFINITY;

        for (size_t w = 0; w < words; w++) {
            for (size_t l = patch_end_of(n, w); l-- > BITS * w;) {
                double d = patch_inside(f, k, one->x[l], one->y[l]);

                beyond[w] = beyond[w] << 1 | (signbit(d) != 0);
                least = fabs(d) < least ? fabs(d) : least;
            }
        }
        beyond[n / BITS] |= (beyond[0] & 1) << n % BITS; /* the first one again */
        if (least <= place) {
            patch_classify_on_line(f, k, one, place, beyond, s);
            continue;
        }
        for (size_t w = 0; w < words; w++) {
            s->within[w] &= ~beyond[w];
            s->crossing[k][w] =
                patch_all_of(n, w) & (beyond[w] ^ patch_next_of(beyond, w));
        }
    }
}

/* Whether all corners are within all sides, and none on one. */
static bool patch_all_inside(const clip_mask *s, size_t count)
{
    for (size_t w = 0; w < patch_words_of(count); w++) {
        if (s->within[w] != patch_all_of(count, w) || s->on[w] != 0) {
            return false;
        }
    }
    return true;
}

static inline void patch_add_corner(patch_pair *p, bool of_b, size_t k)
{
    const patch *f = of_b ? &p->b : &p->a;
    double other = patch_plane_height(of_b ? &p->a : &p->b, f->x[k], f->y[k]);

    patch_add_contact(p, f->x[k], f->y[k], of_b ? other : f->height[k],
                      of_b ? f->height[k] : other, patch_corner(of_b, f->id[k]));
}

/* Whether a corner of a that is within b is at the place of corner l of b. */
static bool patch_is_corner_of_a(const patch_pair *p, const clip_mask *of_a, size_t l)
{
    for (size_t k = 0; k < p->a.count; k++) {
        double d = p->a.x[k] - p->b.x[l];
        double e = p->a.y[k] - p->b.y[l];

        if (patch_has(of_a->within, k) && d * d + e * e <= p->place * p->place) {
            return true;
        }
    }
    return false;
}

/* Side k of a and side l of b. */
static void patch_add_crossing(patch_pair *p, size_t k, size_t l)
{
    const patch *b = &p->b;
    size_t next = l + 1 < b->count ? l + 1 : 0;
    double before = patch_inside(&p->a, k, b->x[l], b->y[l]);
    double after = patch_inside(&p->a, k, b->x[next], b->y[next]);
    double share = before / (before - after);
    double x = b->x[l] + share * (b->x[next] - b->x[l]);
    double y = b->y[l] + share * (b->y[next] - b->y[l]);

    patch_add_contact(p, x, y, patch_plane_height(&p->a, x, y),
                      patch_plane_height(b, x, y),
                      patch_edges_feature(side_id(&p->a, k), side_id(b, l)));
}

static inline __attribute__((always_inline)) void patch_clip_polygons(patch_pair *p,
                                                                      size_t count_a,
                                                                      size_t count_b)
{
    clip_mask of_a;
    clip_mask of_b;
    bool contained = false;

    patch_classify(&p->a, count_a, &p->b, count_b, p->place, &of_b);
    contained = patch_all_inside(&of_b, count_b);
    if (!contained) {
        patch_classify(&p->b, count_b, &p->a, count_a, p->place, &of_a);
    }
    for (size_t k = 0; !contained && k < count_a; k++) {
        if (patch_has(of_a.within, k)) {
            patch_add_corner(p, false, k);
        }
    }
    for (size_t l = 0; l < count_b; l++) {
        if (patch_has(of_b.within, l) &&
            !(patch_has(of_b.on, l) && patch_is_corner_of_a(p, &of_a, l))) {
            patch_add_corner(p, true, l);
        }
    }
    for (size_t k = 0; !contained && k < count_a; k++) {
        for (size_t w = 0; w < patch_words_of(count_b); w++) {
            uint64_t both = 0;

            for (size_t l = patch_end_of(count_b, w); l-- > BITS * w;) {
                both = both << 1 | patch_has(of_a.crossing[l], k);
            }
            both &= of_b.crossing[k][w];
            for (size_t l = BITS * w; both != 0; l++, both >>= 1) {
                if (both & 1) {
                    patch_add_crossing(p, k, l);
                }
            }
        }
    }
}

/* Contacts of segments, each place once. */
typedef struct places {
    size_t count;
    double at[4][2];
} places;

static void patch_add_once(patch_pair *p, places *made, double x, double y,
                           uint64_t feature)
{
    for (size_t k = 0; k < made->count; k++) {
        double d = made->at[k][0] - x;
        double e = made->at[k][1] - y;

        if (d * d + e * e <= p->place * p->place) {
            return;
        }
    }
    made->at[made->count][0] = x;
    made->at[made->count++][1] = y;
    patch_add_contact(p, x, y, patch_height_at(&p->a, x, y), patch_height_at(&p->b, x, y),
                      feature);
}

/* Contacts at the two ends of the part of the segment f that is inside the polygon g. */
static void patch_clip_segment(patch_pair *p, bool of_b)
{
    const patch *f = of_b ? &p->b : &p->a;
    const patch *g = of_b ? &p->a : &p->b;
    double share[2] = {0.0, 1.0};
    size_t side[2] = {g->count, g->count};
    places made = {0};

    for (size_t k = 0; k < g->count; k++) {
        double from = patch_inside(g, k, f->x[0], f->y[0]);
        double to = patch_inside(g, k, f->x[1], f->y[1]);
        double cut = from / (from - to);

        if (from < -p->place && to < -p->place) {
            return;
        }
        if (from < -p->place && cut > share[0]) {
            share[0] = cut;
            side[0] = k;
        }
        if (to < -p->place && cut < share[1]) {
            share[1] = cut;
            side[1] = k;
        }
    }
    for (size_t end = 0; end < 2 && share[0] <= share[1]; end++) {
        uint64_t feature = patch_corner(of_b, f->id[end]);

        if (side[end] < g->count) {
            uint64_t one = side_id(f, 0);
            uint64_t two = side_id(g, side[end]);

            feature =
                of_b ? patch_edges_feature(two, one) : patch_edges_feature(one, two);
        }
        patch_add_once(p, &made, f->x[0] + share[end] * (f->x[1] - f->x[0]),
                       f->y[0] + share[end] * (f->y[1] - f->y[0]), feature);
    }
}

/* The ends of a segment that lie beside the other, halfway between both. */
static void patch_clip_ends(patch_pair *p, bool of_b, places *made)
{
    const patch *f = of_b ? &p->b : &p->a;
    const patch *g = of_b ? &p->a : &p->b;
    const double along[2] = {g->x[1] - g->x[0], g->y[1] - g->y[0]};
    const double length = hypot(along[0], along[1]);

    for (size_t end = 0; end < 2; end++) {
        const double d[2] = {f->x[end] - g->x[0], f->y[end] - g->y[0]};
        const double s = (d[0] * along[0] + d[1] * along[1]) / length;

        if (s >= -p->place && s <= length + p->place) {
            const double off = 0.5 * (along[0] * d[1] - along[1] * d[0]) / length;

            patch_add_once(p, made, f->x[end] + off * along[1] / length,
                           f->y[end] - off * along[0] / length,
                           patch_corner(of_b, f->id[end]));
        }
    }
}

static void patch_clip_segments(patch_pair *p)
{
    const double d[2] = {p->a.x[1] - p->a.x[0], p->a.y[1] - p->a.y[0]};
    const double e[2] = {p->b.x[1] - p->b.x[0], p->b.y[1] - p->b.y[0]};
    const double lengths =
        sqrt((d[0] * d[0] + d[1] * d[1]) * (e[0] * e[0] + e[1] * e[1]));
    places made = {0};

    if (fabs(d[0] * e[1] - d[1] * e[0]) <= patch_side_by_side * lengths) {
        patch_clip_ends(p, false, &made);
        patch_clip_ends(p, true, &made);
    }
}

void patch_clip(patch_pair *p)
{
    p->least = INFINITY;
    if (p->a.count == 1 || p->b.count == 1) {
        return;
    }
    if (p->a.count == 4 && p->b.count == 4) {
        patch_clip_polygons(p, 4, 4);
    } else if (p->a.count > 2 && p->b.count > 2) {
        patch_clip_polygons(p, p->a.count, p->b.count);
    } else if (p->a.count > 2 || p->b.count > 2) {
        patch_clip_segment(p, p->a.count > 2);
    } else {
        patch_clip_segments(p);
    }
}

double patch_cross_edges(contact_query *m, const double n[3], const patch_edge *a,
                         const patch_edge *b, double place)
{
    const perp_placed *at = &m->a->at;
    double x[3];
    double y[3];
    double d[3];
    double normal[3];
    double gap = 0.0;

    query_segments(a->from, a->to, b->from, b->to, x, y);
    vec3_subtract(y, x, d);
    gap = vec3_dot(n, d);
    vec3_add(x, 0.5, d, x);
    mat3_apply(at->R, x, x);
    vec3_add(x, 1.0, at->x, x);
    mat3_apply(at->R, n, normal);
    query_add(m, x, normal, gap,
              patch_edges_feature(patch_edge_id(a->id[0], a->id[1]),
                                  patch_edge_id(b->id[0], b->id[1])));
    return vec3_length(d) <= fabs(gap) + place ? gap : INFINITY;
}
