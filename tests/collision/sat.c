/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/sat.c: distance and depth of boxes and hulls by separating axes. */
#include <config.h>

#include "golden_couple.h"
#include "scarce.h"
#include "sides.h"

static const double unturned[7] = {0, 0, 0, 1, 0, 0, 0};

/* "A1", "B2", "A0xB2". */
static void axis_named(const char *name, const perp_placed *a, const perp_placed *b,
                       double n[3])
{
    const double *R = name[0] == 'A' ? a->R : b->R;
    int k = name[1] - '0';

    CU_ASSERT_FATAL(k >= 0 && k < 3);
    vec3_set(n, R[k], R[3 + k], R[6 + k]);
    if (name[2] == 'x') {
        double m[3];
        int l = name[4] - '0';

        CU_ASSERT_FATAL(l >= 0 && l < 3);
        vec3_set(m, b->R[l], b->R[3 + l], b->R[6 + l]);
        vec3_cross(n, m, n);
        vec3_normalize(n);
    }
}

static void check_boxes(const golden_case *c)
{
    const char *name = json_string_value(json_object_get(c->out, "axis"));
    bool overlap = json_is_true(json_object_get(c->out, "overlap"));
    golden_couple s;
    const perp_placed *a = &s.at[0];
    const perp_placed *b = &s.at[1];
    perp_proximity p;
    double axis[3];
    double gap = 0.0;
    double bound = 0.0;

    golden_couple_make(&s, c);
    p = near_by("sat", a, b, 3);
    CU_ASSERT_EQUAL(p.overlap, overlap);
    CU_ASSERT_PTR_NOT_NULL_FATAL(name);
    axis_named(name, a, b, axis);
    if (vec3_dot(axis, p.normal) < 0.0) {
        vec3_scale(-1.0, axis, axis);
    }
    bound = apart_along(a, b, axis);
    if (overlap) {
        gap = -p.gap;
        golden_agree(c, "depth", &gap, 1);
        golden_agree(c, "normal", p.normal, 3);
        test_agree("axis", axis, p.normal, 3, c->tol);
        CU_ASSERT_DOUBLE_EQUAL(bound, p.gap, c->tol);
    } else {
        golden_agree(c, "sat_separation", &bound, 1);
        golden_agree(c, "distance", &p.gap, 1);
        golden_agree(c, "dist_normal", p.normal, 3);
        golden_agree(c, "pA", p.p_a, 3);
        golden_agree(c, "pB", p.p_b, 3);
    }
}

static void check_hulls(const golden_case *c)
{
    golden_couple s;
    perp_proximity p;

    golden_couple_make(&s, c);
    p = near_by("sat", &s.at[0], &s.at[1], 3);
    CU_ASSERT_EQUAL(p.overlap, json_is_true(json_object_get(c->out, "overlap")));
    golden_agree(c, "normal", p.normal, 3);
    if (p.overlap) {
        double depth = -p.gap;

        golden_agree(c, "depth", &depth, 1);
    } else {
        golden_agree(c, "distance", &p.gap, 1);
        golden_agree(c, "pA", p.p_a, 3);
        golden_agree(c, "pB", p.p_b, 3);
    }
    golden_couple_free(&s);
}

/* The least distance of corners of either polygon from sides of the other. */
static double flat_distance(const perp_polytope *a, const perp_polytope *b)
{
    double least = INFINITY;

    for (int turn = 0; turn < 2; turn++) {
        const perp_polytope *p = turn ? b : a;
        const perp_polytope *q = turn ? a : b;

        for (size_t c = 0; c < p->corner_count * q->face_count; c++) {
            const double *x = p->corner + 3 * (c % p->corner_count);
            const int32_t *side = q->face_corner + 2 * (c / p->corner_count);
            const double *from = q->corner + 3 * (size_t)side[0];
            double d[3], e[3];

            vec3_subtract(q->corner + 3 * (size_t)side[1], from, d);
            vec3_subtract(x, from, e);
            vec3_add(e, -fmax(0.0, fmin(1.0, vec3_dot(e, d) / vec3_dot(d, d))), d, e);
            least = fmin(least, vec3_length(e));
        }
    }
    return least;
}

static void check_polygons(const golden_case *c)
{
    golden_couple s;
    perp_proximity p;
    double stored = golden_real(c->out, "min_overlap");

    golden_couple_make(&s, c);
    p = near_by("sat", &s.at[0], &s.at[1], 2);
    CU_ASSERT_EQUAL(p.overlap, json_is_true(json_object_get(c->out, "overlap")));
    CU_ASSERT(p.normal[2] == 0.0 && p.p_a[2] == 0.0 && p.p_b[2] == 0.0);
    if (p.overlap) {
        double depth = -p.gap;

        golden_agree(c, "min_overlap", &depth, 1);
        golden_agree(c, "normal", p.normal, 2);
    } else {
        /* sides of both bound the distance, which corners may exceed */
        CU_ASSERT(p.gap >= -stored - c->tol);
        CU_ASSERT_DOUBLE_EQUAL(
            p.gap, flat_distance(s.shape[0].polytope, s.shape[1].polytope), c->tol);
    }
    golden_couple_free(&s);
}

TEST(golden_pairs_are_as_far_apart_or_deep_as_stored)
{
    golden_each("collision_obb", NULL, check_boxes);
    golden_each("collision_hulls", NULL, check_hulls);
    golden_each("collision_2d", NULL, check_polygons);
}

/* Overlap and normal of their contacts; `depth` bounds that of every one. */
static void check_contacts(const golden_case *c)
{
    const bool overlap = json_is_true(json_object_get(c->out, "overlap"));
    perp_world *world = test_world(3, 0.0);
    perp_contacts contacts = {0};
    golden_couple s;

    golden_couple_make(&s, c);
    for (int k = 0; k < 2; k++) {
        double q[4] = {1.0, 0.0, 0.0, 0.0};

        if (!s.shape[k].polytope) {
            golden_reals(c->in, k ? "q_j" : "q_i", 4, q);
        }
        put(world, k ? "j" : "i", 1.0, &s.shape[k], s.at[k].x, q);
    }
    collide(world, 0.0, &contacts);
    CU_ASSERT_EQUAL_FATAL(contacts.count > 0, overlap);
    if (overlap) {
        golden_agree(c, "normal", deepest(&contacts)->normal, 3);
        CU_ASSERT(-deepest(&contacts)->gap <=
                  golden_real(c->out, "depth") * (1.0 + c->tol));
    }
    golden_couple_free(&s);
}

TEST(golden_boxes_and_hulls_overlap_as_stored)
{
    golden_each("collision_obb", NULL, check_contacts);
    golden_each("collision_hulls", NULL, check_contacts);
}

/* Of a and b in space: what holds of any answer, and of its mirror. */
static void check_answer(const perp_placed *a, const perp_placed *b, double size)
{
    perp_proximity p = near_by("sat", a, b, 3);
    perp_proximity back = near_by("sat", b, a, 3);
    double far = vec3_length(a->x) + vec3_length(b->x);

    /* coordinates round to 1e-16 of where things are; normals and witnesses follow from
     * a few of them, and closest features may be taken for others as near as 1e-14 */
    if (!holds(a, b, &p, 3e-14 * (size + far))) {
        CU_FAIL_FATAL("an answer that does not hold");
    }
    CU_ASSERT_DOUBLE_EQUAL(p.gap, back.gap, 1e-14 * (size + far));
    /* where two axes are equally good each order may take another */
    if (fabs(vec3_dot(p.normal, back.normal) + 1.0) < 1e-6) {
        vec3_scale(-1.0, back.normal, back.normal);
        test_agree("normal of the other order", back.normal, p.normal, 3, 1e-4);
    }
}

TEST(pairs_of_hulls_have_answers_that_hold)
{
    static const size_t corners[] = {4, 8, 20, 60, 200};
    perp_random g = {107};
    size_t overlaps = 0;
    size_t faces = 0;

    for (int draw = 0; draw < 300; draw++) {
        perp_shape one = draw_hull(&g, corners[draw % 5], 1.0);
        perp_shape two = draw_hull(&g, corners[draw / 5 % 4], 0.6);
        perp_shape box = shape_of("box", 0.3, 0.4, 0.5);
        double pose[2][7];
        perp_placed a, b, c;

        draw_pose(&g, 0.8, pose[0], pose[0] + 3);
        draw_pose(&g, 0.8, pose[1], pose[1] + 3);
        a = place(&one, pose[0]);
        b = place(&two, pose[1]);
        c = place(&box, pose[1]);
        check_answer(&a, &b, 1.6);
        check_answer(&a, &c, 1.6);
        overlaps += near_by("sat", &a, &b, 3).overlap;
        faces = one.polytope->face_count > faces ? one.polytope->face_count : faces;
    }
    CU_ASSERT(overlaps > 50 && overlaps < 250 && faces > 64);
}

/* Two hulls, and the gap that there is. */
typedef struct large_hulls {
    perp_placed at[2];
    double gap;
} large_hulls;

static perp_status measure_large(void *context, perp_error *err)
{
    const large_hulls *two = context;
    perp_proximity p;
    perp_status status = perp_proximity_find(perp_narrow_find("sat"), &two->at[0],
                                             &two->at[1], NULL, &p, err);

    if (status == PERP_OK && !p.converged) {
        CU_ASSERT(p.gap <= two->gap); /* a bound from below */
        CU_ASSERT_DOUBLE_EQUAL(vec3_length(p.normal), 1.0, 1e-15);
        return perp_fail(err, PERP_ERR_MEMORY, "sat: gave a bound");
    }
    return status;
}

/* Beside each other, and in one place, where there is no direction. */
TEST(without_memory_large_hulls_are_bounded)
{
    perp_random g = {127};
    perp_shape one = draw_hull(&g, 250, 1.0);
    perp_shape two = draw_hull(&g, 250, 0.5);

    for (double x = 0.0; x <= 3.0; x += 3.0) {
        const double beside[7] = {x, 0, 0, 1, 0, 0, 0};
        large_hulls h = {{place(&one, unturned), place(&two, beside)}, 0.0};

        h.gap = near_by("sat", &h.at[0], &h.at[1], 3).gap;
        scarce_everywhere(measure_large, &h, "sat");
    }
}

static perp_status collide_hulls(void *context, perp_error *err)
{
    perp_contacts contacts = {0};
    perp_status status =
        perp_collide(context, ((perp_world *)context)->start, 0.1, &contacts, err);

    CU_ASSERT(status != PERP_OK || contacts.count > 0);
    return status;
}

TEST(contacts_of_hulls_survive_failing_memory)
{
    const double origin[3] = {0};
    const double above[3] = {0.2, 0.1, 1.0};
    perp_world *world = test_world(3, 0.0);
    double room[24];
    perp_shape hull = hull_of_box(0.5, 0.6, 0.5, room);

    put(world, "a", 1.0, &hull, origin, NULL);
    put(world, "b", 1.0, &hull, above, NULL);
    scarce_everywhere(collide_hulls, world, "collide");
}

TEST(unsupported_pairs_are_refused_by_name)
{
    perp_shape ball = shape_of("sphere", 1, 0, 0);
    perp_shape plane = shape_of("plane", 0, 0, 0);
    perp_placed at[2] = {place(&ball, unturned), place(&plane, unturned)};
    perp_proximity p;
    perp_error err = {0};

    CU_ASSERT_PTR_NULL(perp_narrow_find("sap"));
    CU_ASSERT_EQUAL(
        perp_proximity_find(perp_narrow_find("sat"), &at[0], &at[1], NULL, &p, &err),
        PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.text, "sat does not support the pair sphere and plane, expected"));
    memset(&err, 0, sizeof err);
    CU_ASSERT_EQUAL(perp_proximity_find(NULL, &at[1], &at[1], NULL, &p, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.text, "the automatic choice does not support the pair plane"));
}
