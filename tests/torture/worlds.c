/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/worlds.c: worlds of two to six shapes of all types, of sizes between 1e-3
 * and 1e3 and ratios up to 1e4, that lie anyhow, aligned, nearly aligned, at one place,
 * one in the other, or touch exactly. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worlds.h"

enum { SHAPES_MOST = 6, PARTS_MOST = 3, CORNERS_MOST = 40, GRID = 4 };

typedef enum place {
    ANYHOW,
    ALIGNED,
    NEARLY_ALIGNED,
    AT_ONE_PLACE,
    INSIDE,
    TOUCHING,
    PLACES
} place;

static const char *const place_names[PLACES] = {
    "anyhow", "aligned", "nearly aligned", "at one place", "inside", "touching"};

/* A shape with what it is made of, and where its body is. */
typedef struct drawn {
    perp_shape shape;
    double corners[3 * CORNERS_MOST];
    perp_shape parts[PARTS_MOST];
    double part_corners[PARTS_MOST][3 * CORNERS_MOST];
    double r[3], q[4];
    bool still;
} drawn;

typedef struct draw {
    perp_random g;
    unsigned dimension;
    double unit, spread; /* sizes are unit 10^(+-spread) */
    torture_world *told;
    perp_error *err;
} draw;

static double uniform(draw *d, double low, double high)
{
    return perp_random_uniform(&d->g, low, high);
}

static long pick(draw *d, long count)
{
    return perp_random_integer(&d->g, 0, count - 1);
}

static double power(draw *d, double low, double high)
{
    return pow(10.0, uniform(d, low, high));
}

static void draw_rotation(draw *d, place how, double q[4])
{
    static const double quarter[4][4] = {
        {1, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 1}};
    const double *start = quarter[pick(d, 4)];
    double tilt = how == NEARLY_ALIGNED ? power(d, -12.0, -3.0) : 0.0;

    for (int k = 0; k < 4; k++) {
        q[k] = how == ANYHOW ? uniform(d, -1.0, 1.0)
                             : start[k] + tilt * uniform(d, -1.0, 1.0);
    }
    if (d->dimension == 2) {
        q[0] += q[1] != 0.0 && q[0] == 0.0;
        q[1] = q[2] = 0.0;
    }
    perp_quat_normalize(q);
}

/* Points of a ball, of a lattice (many in one plane, many twice), or of a prism. */
static size_t draw_corners(draw *d, double size, double *p)
{
    size_t n = 5 + (size_t)pick(d, CORNERS_MOST - 4);
    long kind = pick(d, 3);
    double squash[3] = {1.0, power(d, -1.0, 0.0), power(d, -1.0, 0.0)};

    for (size_t k = 0; k < n; k++) {
        double angle = 2.0 * M_PI * (double)(k / 2) / (double)((n + 1) / 2);

        for (int x = 0; x < 3; x++) {
            p[3 * k + (size_t)x] =
                kind == 1 ? (double)pick(d, 3) - 1.0 : uniform(d, -1.0, 1.0);
        }
        if (kind == 2) {
            p[3 * k] = cos(angle);
            p[3 * k + 1] = sin(angle);
            p[3 * k + 2] = k % 2 ? 1.0 : -1.0;
        }
        for (int x = 0; x < 3; x++) {
            p[3 * k + (size_t)x] *= size * squash[x];
        }
    }
    for (size_t k = 0; k < 4; k++) { /* some that span a volume, and an area */
        for (size_t x = 0; x < 3; x++) {
            p[3 * k + x] = size * squash[x] * (x + 1 == k ? 1.0 : -1.0);
        }
    }
    return n;
}

/* A convex shape of about that size. */
static void draw_convex(draw *d, double size, perp_shape *s, double *corners)
{
    static const char *const space[] = {"sphere", "box",       "capsule", "cylinder",
                                        "cone",   "ellipsoid", "hull"};
    static const char *const plane[] = {"sphere", "box", "hull"};
    const char *name = d->dimension == 2 ? plane[pick(d, 3)] : space[pick(d, 7)];
    double slender = pick(d, 8) == 0 ? 2.0 : 0.7;

    s->type = perp_shape_type_find(name);
    for (unsigned k = 0; k < s->type->sizes; k++) {
        s->size[k] = size * power(d, -slender, 0.0);
    }
    if (strcmp(name, "hull") == 0) {
        s->corner_count = draw_corners(d, size, corners);
        s->corners = corners;
    }
}

/* A closed box of triangles, or a bumpy ground that only a still body has. */
static perp_status draw_mesh(draw *d, double size, bool still, perp_mesh **mesh)
{
    static const int32_t box[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double points[3 * (GRID + 1) * (GRID + 1)];
    int32_t corner[6 * GRID * GRID];
    double high = pick(d, 2) ? 0.3 * size : 0.0;
    size_t count = 0;

    if (!still || pick(d, 2)) {
        for (size_t k = 0; k < 24; k++) {
            points[k] = (k / 3) >> (k % 3) & 1 ? size : -size;
        }
        return perp_mesh_new(mesh, 8, points, 12, box, d->err);
    }
    for (size_t k = 0; k < (GRID + 1) * (GRID + 1); k++) {
        points[3 * k] = size * ((double)(k % (GRID + 1)) / (0.5 * GRID) - 1.0);
        points[3 * k + 1] = size * ((double)(k / (GRID + 1)) / (0.5 * GRID) - 1.0);
        points[3 * k + 2] = high * uniform(d, -1.0, 1.0);
    }
    for (int32_t k = 0; k < GRID * GRID; k++) {
        int32_t c = k + k / GRID;
        const int32_t two[6] = {c, c + 1, c + GRID + 2, c, c + GRID + 2, c + GRID + 1};

        memcpy(corner + count, two, sizeof two);
        count += 6;
    }
    return perp_mesh_new(mesh, (GRID + 1) * (GRID + 1), points, count / 3, corner,
                         d->err);
}

static perp_status draw_shape(draw *d, drawn *s, bool ground)
{
    double size = d->unit * power(d, -d->spread, d->spread);
    long kind = pick(d, 12);

    size = fmin(fmax(size, 1e-3), 1e3);
    d->told->size = fmax(d->told->size, size);
    if (ground && kind < 3) {
        s->shape.type = perp_shape_type_find("plane");
        s->still = true;
    } else if (d->dimension == 3 && (ground ? kind < 6 : kind < 1)) {
        s->shape.type = perp_shape_type_find("mesh");
        return draw_mesh(d, size, s->still, &s->shape.mesh);
    } else if (kind == 11) {
        s->shape.type = perp_shape_type_find("compound");
        s->shape.part_count = 1 + (size_t)pick(d, PARTS_MOST);
        s->shape.parts = s->parts;
        for (size_t k = 0; k < s->shape.part_count; k++) {
            draw_convex(d, size, &s->parts[k], s->part_corners[k]);
            draw_rotation(d, (place)pick(d, 2), s->parts[k].turn);
            for (unsigned x = 0; x < d->dimension; x++) {
                s->parts[k].at[x] = size * uniform(d, -1.0, 1.0);
            }
        }
    } else {
        draw_convex(d, size, &s->shape, s->corners);
    }
    return PERP_OK;
}

/* How far the world's shape, as it stands, reaches along +-axis from its origin. */
static double extent(const perp_world *w, size_t k, unsigned axis, bool up)
{
    const perp_shape *s = &w->shapes[k];
    double R[9];
    double x[3];
    perp_aabb box;

    perp_shape_pose(w->start, s, R, x);
    if (s->type->unbounded) {
        return 0.0;
    }
    s->type->bounds(s, w->dimension, R, x, &box);
    return up ? box.hi[axis] - x[axis] : x[axis] - box.lo[axis];
}

static double reach_of(const perp_world *w, size_t k)
{
    const perp_shape *s = &w->shapes[k];

    return s->type->unbounded ? 0.0 : s->type->reach(s);
}

/* Shape k against the one before. */
static void stand(draw *d, perp_world *w, size_t k, place how)
{
    double *r = perp_body_pose(w->start, k);
    const double *before = perp_body_pose(w->start, k - 1);
    double far = reach_of(w, k) + reach_of(w, k - 1);
    unsigned axis = (unsigned)pick(d, (long)d->dimension);
    double share =
        how == INSIDE ? 0.3 * fabs(reach_of(w, k) - reach_of(w, k - 1)) / far : 0.8;

    for (unsigned x = 0; x < d->dimension; x++) {
        double way = uniform(d, -1.0, 1.0) * share * far;

        r[x] = before[x] + (how == AT_ONE_PLACE || how == TOUCHING ? 0.0 : way);
    }
    if (how == TOUCHING) {
        r[axis] = before[axis] + extent(w, k - 1, axis, true) + extent(w, k, axis, false);
    } else if (how != ANYHOW && how != AT_ONE_PLACE && pick(d, 2)) {
        r[axis] = before[axis];
    }
}

static perp_status add(draw *d, perp_world *w, drawn *s, size_t number)
{
    perp_body body = {.motion = s->still ? PERP_MOTION_STATIC : PERP_MOTION_DYNAMIC,
                      .mass = 1.0,
                      .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    char name[32];
    perp_status status = PERP_OK;

    snprintf(name, sizeof name, "body %zu", number);
    body.name = name;
    memcpy(body.r, s->r, sizeof body.r);
    memcpy(body.q, s->q, sizeof body.q);
    status = perp_world_add_body(w, &body, &s->shape.body, d->err);
    return status == PERP_OK ? perp_world_add_shape(w, &s->shape, NULL, d->err) : status;
}

/* All in one world, in which they find their places; then again in the order wanted. */
static perp_status assemble(draw *d, drawn *s, size_t count, place how, bool reversed,
                            perp_world *w[2])
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        status = draw_shape(d, &s[k], k == 0 && s[0].still);
        draw_rotation(d, how == TOUCHING ? ALIGNED : how, s[k].q);
        snprintf(d->told->what + strlen(d->told->what),
                 sizeof d->told->what - strlen(d->told->what), "%s%s", k ? ", " : " ",
                 s[k].shape.type->name);
        if (status == PERP_OK) {
            status = add(d, w[0], &s[k], k);
        }
        if (status == PERP_OK && k > 0) {
            stand(d, w[0], k, how);
        }
    }
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        size_t from = reversed ? count - 1 - k : k;

        memcpy(s[from].r, perp_body_pose(w[0]->start, from), sizeof s[from].r);
        status = add(d, w[1], &s[from], k);
    }
    return status;
}

perp_world *torture_world_draw(uint64_t seed, size_t index, bool reversed,
                               torture_world *told, perp_error *err)
{
    draw d = {
        .g = {seed ^ (0xd1342543de82ef95u * (index + 1))}, .told = told, .err = err};
    place how = (place)pick(&d, PLACES);
    size_t count = pick(&d, 2) ? 2 : 2 + (size_t)pick(&d, SHAPES_MOST - 1);
    drawn *s = calloc(SHAPES_MOST, sizeof *s);
    perp_world *w[2] = {NULL, NULL};
    perp_status status = s ? PERP_OK : PERP_ERR_MEMORY;

    d.dimension = pick(&d, 5) ? 3 : 2;
    d.spread = pick(&d, 2) ? 2.0 : 0.3;
    d.unit = power(&d, -3.0 + d.spread, 3.0 - d.spread);
    *told = (torture_world){.generic = how == ANYHOW};
    snprintf(told->what, sizeof told->what, "%u-D %s:", d.dimension, place_names[how]);
    for (int k = 0; k < 2 && status == PERP_OK; k++) {
        status = perp_world_new(&w[k], d.dimension, err);
    }
    if (status == PERP_OK) {
        s[0].still = pick(&d, 2);
        for (unsigned x = 0; pick(&d, 3) == 0 && x < d.dimension; x++) {
            s[0].r[x] = d.unit * power(&d, -1.0, 2.0);
        }
        status = assemble(&d, s, count, how, reversed, w);
    }
    for (size_t k = 0; k < count && s; k++) {
        perp_mesh_free(s[k].shape.mesh);
    }
    free(s);
    perp_world_free(w[0]);
    if (status != PERP_OK) {
        perp_world_free(w[1]);
        return NULL;
    }
    perp_world_refresh(w[1], w[1]->start);
    return w[1];
}

void torture_world_stir(perp_world *w, uint64_t seed, double size)
{
    perp_random g = {seed};

    for (size_t k = 0; k < w->body_count; k++) {
        double *pose = perp_body_pose(w->start, k);

        for (unsigned x = 0; x < w->dimension; x++) {
            pose[x] += 0.01 * size * perp_random_uniform(&g, -1.0, 1.0);
        }
        pose[6] += 0.01 * perp_random_uniform(&g, -1.0, 1.0);
        perp_quat_normalize(pose + 3);
    }
    perp_world_refresh(w, w->start);
}
