/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/pairs_laws.c: whatever must hold of two solids. That a gap is right is
 * proved from both sides: the normal found has it as the distance between supporting
 * planes, and the witnesses, which lie on both surfaces, are so far apart; of overlapping
 * solids no direction of the search is better. */
#include <config.h>

#include <stdlib.h>

#include "pairs_laws.h"

/* Of positions and sizes of one scale, through two rotations and a few sums. */
static const double rounding = 1e-13;
/* Directions between points as near as a thousandth of the sizes, and what they point at,
 * lose three digits, and roots of an ellipsoid's equation some more. */
static const double turned = 1e-9;
/* Iterations of GJK and EPA end where bounds agree to this share of the size, of smooth
 * solids rarely not before the second one, which they say. */
static const double iterated = 1e-9;
static const double rough = 1e-6;
/* What is symmetrical about an axis and deep has a ring of answers; searches that give up
 * there are off by this share. */
static const double unresolved = 1e-3;
/* Those of libccd's portal refinement. */
static const double portal = 1e-3;
/* Depths along a portal, where it was found. */
static const double portal_depth = 1e-8;
/* The search over directions comes as near as this share of the size, and where it does
 * not, which is one pose in a hundred, it is no evidence against the answer. */
static const double searched = 1e-6;

static int searches;
static int misses;
static int given_up;
static int keys_changed;
static int no_twins;
static int unfinished;
static double nearly_parallel;
static double nearly_flush;
static const char *at_work = "";
static const convex *first;
static const convex *second;

static void tell_pose(const convex *s)
{
    test_note("  %s %.17g %.17g %.17g at %.17g %.17g %.17g turn %.17g %.17g %.17g %.17g",
              s->shape.type->name, s->shape.size[0], s->shape.size[1], s->shape.size[2],
              s->at.x[0], s->at.x[1], s->at.x[2], s->turn[0], s->turn[1], s->turn[2],
              s->turn[3]);
}

/* x <= y, or the pair at work is told. */
void pairs_at_most(double x, double y, const char *what)
{
    if (!(x <= y)) {
        test_note("%s: %s is %.6g, expected at most %.3g", at_work, what, x, y);
        tell_pose(first);
        tell_pose(second);
    }
    CU_ASSERT(x <= y);
}

double pairs_size(const convex *a, const convex *b)
{
    double d[3];

    /* a plane is as large as what is at its origin needs */
    if (a->shape.type->unbounded || b->shape.type->unbounded) {
        vec3_subtract(a->at.x, b->at.x, d);
        return convex_reaches(a, b) + vec3_length(d);
    }
    return convex_reaches(a, b);
}

static bool is_exact(const perp_proximity *p)
{
    return strcmp(p->ran, "analytic") == 0 || strcmp(p->ran, "sat") == 0;
}

double pairs_tolerance(const convex *a, const convex *b, const perp_proximity *p)
{
    double size = pairs_size(a, b);
    double share = fmax(iterated * size, 2.0 * p->tolerance);

    if (is_exact(p)) {
        share = rounding * size;
    } else if (strcmp(p->ran, "mpr") == 0) {
        share = portal * size;
    }
    return share + 1e-15 * (vec3_length(a->at.x) + vec3_length(b->at.x)); /* of places */
}

/* How far apart witnesses may be across the normal. A direction that is off by e costs
 * e^2 of the gap, and moves the points it finds on round surfaces by e. */
double pairs_across(const convex *a, const convex *b, const perp_proximity *p)
{
    double tolerance = pairs_tolerance(a, b, p);

    return is_exact(p) ? tolerance + nearly_parallel * pairs_size(a, b)
                       : 4.0 * sqrt(tolerance * pairs_size(a, b));
}

/* And how far their distance along it may be off: each is a sum of three points. */
static double witness_tolerance(const convex *a, const convex *b, const perp_proximity *p)
{
    return (is_exact(p) ? 1.0 : 20.0) * pairs_tolerance(a, b, p);
}

perp_proximity pairs_measure(convex *a, convex *b, const perp_narrow_type *type)
{
    const perp_narrow_settings settings = {.dimension = a->dimension};
    perp_proximity p;
    perp_error err = {0};

    memset(&p, 0, sizeof p);
    if (perp_proximity_find(type, convex_at(a), convex_at(b), &settings, &p, &err) !=
        PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a pair is not taken");
    }
    return p;
}

/* Normal, witnesses and gap agree; the witnesses are on both surfaces, and planes across
 * the normal that support both are as far apart. */
static void check_proximity(const convex *a, const convex *b, const perp_proximity *p)
{
    double tolerance = pairs_tolerance(a, b, p);
    double d[3];

    pairs_at_most(p->tolerance, rough * pairs_size(a, b), "its own tolerance");
    CU_ASSERT_EQUAL(p->overlap, p->gap <= 0.0);
    pairs_at_most(fabs(vec3_length(p->normal) - 1.0), 1e-14, "the normal's length off 1");
    vec3_subtract(p->p_b, p->p_a, d);
    pairs_at_most(fabs(vec3_dot(d, p->normal) - p->gap), witness_tolerance(a, b, p),
                  "n.(p_b - p_a) off the gap");
    vec3_add(d, -p->gap, p->normal, d);
    pairs_at_most(vec3_length(d), pairs_across(a, b, p), "p_b - p_a across the normal");
    pairs_at_most(fabs(convex_outside(a, p->p_a)), pairs_across(a, b, p),
                  "p_a off the surface");
    pairs_at_most(fabs(convex_outside(b, p->p_b)), pairs_across(a, b, p),
                  "p_b off the surface");
    if (a->shape.type->unbounded || !b->shape.type->unbounded) {
        pairs_at_most(fabs(convex_apart(a, b, p->normal) - p->gap), tolerance,
                      "the distance of supporting planes off the gap");
    }
}

/* Depths that are no least ones, of loose tolerance. */
static void check_portal(const convex *a, const convex *b, const perp_proximity *p,
                         const perp_proximity *usual, double share)
{
    double tolerance = share * pairs_size(a, b) + usual->tolerance;
    convex fixed = *a;
    convex moved = *b;
    double x[3];

    pairs_at_most(fabs(vec3_length(p->normal) - 1.0), 1e-12, "the normal's length off 1");
    if (fabs(usual->gap) > tolerance) {
        CU_ASSERT_EQUAL(p->overlap, usual->overlap);
    }
    if (usual->gap < -tolerance) {
        pairs_at_most(p->gap, usual->gap + tolerance, "the gap of mpr");
        vec3_add(b->at.x, -p->gap, p->normal, x);
        convex_put(&moved, x, b->turn);
        pairs_at_most(fabs(pairs_measure(&fixed, &moved, NULL).gap), tolerance,
                      "the gap after the move that mpr tells");
    }
}

/* A search that gave up tells a bound from below, not far off; what is apart by that
 * along any direction proves it. */
static void check_bound(const convex *a, const convex *b, const perp_proximity *p,
                        double gap)
{
    pairs_at_most(p->gap,
                  fmax(gap, convex_apart(a, b, p->normal)) + iterated * pairs_size(a, b),
                  "a bound of the gap");
    pairs_at_most(gap - p->gap, fmax(unresolved * pairs_size(a, b), p->tolerance),
                  "how far a bound is off");
    CU_ASSERT(isfinite(p->normal[0] + p->p_a[0] + p->p_b[0]));
}

/* Each way to measure the pair finds the same gap, with a normal that supports it; the
 * portal within a share of the size. */
static void check_types(convex *a, convex *b, const perp_proximity *usual, double share)
{
    const perp_narrow_type *const *types = perp_narrow_types(NULL);
    /* flat sides end a search of boxes, and but for poses where answers are many of hulls */
    const bool boxes =
        a->shape.type->core == PERP_CORE_BOX && b->shape.type->core == PERP_CORE_BOX;
    const bool sides = boxes || (share == portal_depth && a->shape.type->is_polytope &&
                                 b->shape.type->is_polytope);

    for (size_t k = 0; types[k]; k++) {
        perp_proximity p;

        if (!types[k]->takes(a->shape.type, b->shape.type, a->dimension)) {
            continue;
        }
        p = pairs_measure(a, b, types[k]);
        unfinished += !p.converged && sides && strcmp(types[k]->name, "mpr") != 0;
        if (p.converged && strcmp(types[k]->name, "mpr") == 0) {
            check_portal(a, b, &p, usual, share);
        } else if (!p.converged || p.tolerance > rough * pairs_size(a, b)) {
            check_bound(a, b, &p, usual->gap);
        } else {
            check_proximity(a, b, &p);
            pairs_at_most(fabs(p.gap - usual->gap),
                          pairs_tolerance(a, b, &p) + pairs_tolerance(a, b, usual),
                          types[k]->name);
        }
    }
}

/* False: the usual type did not converge, and told a bound. */
static bool check_usual(convex *a, convex *b, const perp_proximity *p)
{
    double n[3];
    double best = convex_gap(a, b, n);

    if (!p->converged) {
        check_bound(a, b, p, best);
        return false;
    }
    check_proximity(a, b, p);
    pairs_at_most(best - p->gap, pairs_tolerance(a, b, p),
                  "how much better a direction is");
    searches++;
    misses += p->gap - best > searched * pairs_size(a, b);
    return true;
}

static void check_again(convex *a, convex *b, const perp_proximity *p)
{
    perp_proximity q = pairs_measure(a, b, NULL);

    CU_ASSERT_EQUAL(memcmp(&q.gap, &p->gap, sizeof q.gap), 0);
    CU_ASSERT_EQUAL(memcmp(q.normal, p->normal, sizeof q.normal), 0);
    CU_ASSERT_EQUAL(memcmp(q.p_a, p->p_a, sizeof q.p_a), 0);
}

/* What ends early, by its iterations or beyond a limit, is a bound from below. */
static void check_limits(convex *a, convex *b, const perp_proximity *p, int pose)
{
    const perp_narrow_type *const *types = perp_narrow_types(NULL);
    double size = pairs_size(a, b);

    for (size_t k = 0; types[k]; k++) {
        const perp_narrow_settings settings = {.dimension = a->dimension,
                                               .iterations = (unsigned)(1 + pose % 4) % 4,
                                               .beyond = pose % 4 < 3 ? 0.0 : 0.1 * size};
        bool deep = strcmp(types[k]->name, "mpr") == 0;
        double slack = pairs_tolerance(a, b, p) + (deep ? portal_depth * size : 0.0);
        perp_proximity q;

        if (perp_proximity_find(types[k], convex_at(a), convex_at(b), &settings, &q,
                                NULL) != PERP_OK) {
            continue;
        }
        CU_ASSERT(isfinite(q.gap));
        pairs_at_most(fabs(vec3_length(q.normal) - 1.0), 1e-12,
                      "the normal's length off 1");
        pairs_at_most(q.gap - p->gap, slack + (q.converged ? q.tolerance : 0.0),
                      "an early bound above the gap");
        if (settings.iterations > 0) {
            CU_ASSERT(q.iterations <= 2 * settings.iterations || is_exact(&q));
        } else if (!deep && p->gap - q.gap > slack + q.tolerance) {
            CU_ASSERT(q.gap > settings.beyond); /* only beyond the limit */
        }
        if (!q.converged && !deep) {
            pairs_at_most(fabs(convex_apart(a, b, q.normal) - q.gap), rounding * size,
                          "a bound off the planes across its normal");
        }
    }
}

/* Of (b, a) what (a, b) has, the other way round; at random poses there is one answer. */
static void check_swapped(convex *a, convex *b, const perp_proximity *p)
{
    perp_proximity q = pairs_measure(b, a, NULL);
    double tolerance = pairs_tolerance(a, b, p);
    double back[3];

    pairs_at_most(fabs(p->gap - q.gap), tolerance, "the gap of the other order off");
    vec3_scale(-1.0, q.normal, back);
    pairs_at_most(fabs(convex_apart(a, b, back) - p->gap), tolerance,
                  "the other order's normal: supporting planes off the gap");
    if (is_exact(p)) {
        vec3_subtract(back, p->normal, back);
        pairs_at_most(vec3_length(back), turned, "the other order's normal off");
        vec3_subtract(q.p_a, p->p_b, back);
        pairs_at_most(vec3_length(back), turned * pairs_size(a, b), "its p_a off p_b");
        vec3_subtract(q.p_b, p->p_a, back);
        pairs_at_most(vec3_length(back), turned * pairs_size(a, b), "its p_b off p_a");
    }
}

/* Both carried by one motion. */
static void check_moved(const convex *a, const convex *b, const perp_proximity *p,
                        perp_random *g)
{
    convex moved[2] = {*a, *b};
    perp_proximity q;
    double turn[4], n[3];

    convex_carry(&moved[0], &moved[1], pairs_size(a, b), g, turn);
    q = pairs_measure(&moved[0], &moved[1], NULL);
    pairs_at_most(fabs(q.gap - p->gap), 2.0 * pairs_tolerance(a, b, p),
                  "the gap of moved solids off");
    perp_quat_rotate(turn, p->normal, n);
    pairs_at_most(fabs(convex_apart(&moved[0], &moved[1], n) - q.gap),
                  2.0 * pairs_tolerance(a, b, p), "the moved normal: planes off the gap");
}

/* d gap/d x_b = n, by differences of step h: n turns by at most 1/gap a metre, and jumps
 * in that where other features come nearest, so that h/gap and tolerance/h remain. */
static void check_differences(const convex *a, const convex *b, const perp_proximity *p)
{
    double size = pairs_size(a, b);
    double h = 1e-5 * size;
    double error = p->tolerance + rounding * size;

    if (p->gap < 0.05 * size) {
        return;
    }
    for (unsigned k = 0; k < a->dimension; k++) {
        convex one = *a;
        convex two = *b;
        double ahead = 0.0;
        double rate = 0.0;

        two.at.x[k] = b->at.x[k] + h;
        ahead = pairs_measure(&one, &two, NULL).gap;
        two.at.x[k] = b->at.x[k] - h;
        rate = (ahead - pairs_measure(&one, &two, NULL).gap) / (2.0 * h);
        pairs_at_most(fabs(rate - p->normal[k]), h / p->gap + 2.0 * error / h,
                      "differences of the gap off the normal");
    }
}

double pairs_flush(void)
{
    return nearly_flush;
}

void pairs_begin(double parallel, double flush)
{
    searches = misses = given_up = keys_changed = no_twins = unfinished = 0;
    nearly_parallel = parallel;
    nearly_flush = flush;
}

void pairs_check(convex *a, convex *b, const char *where, perp_random *g)
{
    static int pose;
    perp_proximity p = pairs_measure(a, b, NULL);

    at_work = where;
    first = a;
    second = b;
    check_limits(a, b, &p, pose++);
    if (!check_usual(a, b, &p)) {
        given_up++;
        return;
    }
    check_again(a, b, &p);
    check_types(a, b, &p, g ? portal_depth : portal);
    pairs_check_contacts(a, b, &p);
    pairs_check_meshes(a, b, &p);
    if (g) {
        no_twins += !pairs_have_twins(a, b, &p);
        check_swapped(a, b, &p);
        check_moved(a, b, &p, g);
        check_differences(a, b, &p);
        keys_changed += !pairs_keep_keys(a, b, g);
    }
}

void pairs_end(const char *name)
{
    if (getenv("PERP_TEST_NOTES")) {
        test_note("%s: %d searches, %d fell short; %d given up; %d changed keys; %d of "
                  "other contacts than their hulls",
                  name, searches, misses, given_up, keys_changed, no_twins);
    }
    CU_ASSERT(misses <= 1 + searches / 25); /* the search is one to be asked */
    CU_ASSERT(given_up <= 1 + searches / 1000);
    CU_ASSERT(keys_changed <= 1 + searches / 50);
    CU_ASSERT(unfinished <= searches / 3000);
    CU_ASSERT(no_twins <= 1 + searches / 2000); /* two answers as good */
}
