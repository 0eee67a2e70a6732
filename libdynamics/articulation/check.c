/* SPDX-License-Identifier: Apache-2.0
 * articulation/check.c: checks of a list of links before it becomes a tree. */
#include <config.h>

#include <stdlib.h>

#include "articulation/articulated.h"

/* How far axes and frames that were computed in doubles may be from unit and square. */
static const double unit_tolerance = 1e-9;

static perp_status check_frame(const perp_link *link, const perp_frame *E,
                               const char *which, perp_error *err)
{
    double worst = fabs(mat3_determinant(E->R) - 1.0);

    if (!math_finite(E->R, 9) || !math_finite(E->p, 3)) {
        return perp_fail(err, PERP_ERR_DATA, "link \"%s\": %s is not finite", link->name,
                         which);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            const double dot = vec3_dot(E->R + 3 * i, E->R + 3 * j);

            worst = fmax(worst, fabs(dot - (i == j ? 1.0 : 0.0)));
        }
    }
    if (worst > unit_tolerance) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "link \"%s\": %s is no rotation: its error is %.3g, expected at most %g",
            link->name, which, worst, unit_tolerance);
    }
    return PERP_OK;
}

static perp_status check_axes(const perp_link *link, perp_error *err)
{
    const perp_mobilizer *type = link->mobilizer;

    for (unsigned k = 0; k < type->axes; k++) {
        const double length = vec3_length(link->axes + 3 * k);

        if (!(fabs(length - 1.0) <= unit_tolerance)) {
            return perp_fail(err, PERP_ERR_DATA,
                             "link \"%s\": %s axis %u has length %g, expected 1",
                             link->name, type->name, k + 1, length);
        }
    }
    if (type->axes == 2 && type->square) {
        const double dot = vec3_dot(link->axes, link->axes + 3);

        if (fabs(dot) > unit_tolerance) {
            return perp_fail(err, PERP_ERR_DATA,
                             "link \"%s\": cosine between its two %s axes is %g, "
                             "expected 0",
                             link->name, type->name, dot);
        }
    }
    return PERP_OK;
}

/* Whether A is symmetric without negative moments. One moment may exceed the sum of the
 * others, which no solid has but rotors and idealised bodies have. */
static bool check_inertia_can_be(const double A[9])
{
    const double size = fabs(A[0]) + fabs(A[4]) + fabs(A[8]);
    const double small = unit_tolerance * size;
    const double minors[3] = {A[0] * A[4] - A[1] * A[1], A[0] * A[8] - A[2] * A[2],
                              A[4] * A[8] - A[5] * A[5]};

    for (int i = 0; i < 3; i++) {
        if (A[4 * i] < 0.0 || minors[i] < -small * size) {
            return false;
        }
    }
    return fabs(A[1] - A[3]) <= small && fabs(A[2] - A[6]) <= small &&
           fabs(A[5] - A[7]) <= small && mat3_determinant(A) >= -small * size * size;
}

static perp_status check_mass(const perp_link *link, perp_error *err)
{
    const char *names[] = {"stiffness", "damping", "armature"};
    const double *values[] = {link->stiffness, link->damping, link->armature};

    if (!(link->mass >= 0.0) || isinf(link->mass)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "link \"%s\": mass is %g, expected a number >= 0 [kg]",
                         link->name, link->mass);
    }
    if (!math_finite(link->inertia, 9) || !check_inertia_can_be(link->inertia)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "link \"%s\": inertia is not symmetric or has negative moments "
                         "(%g, %g, %g on the diagonal)",
                         link->name, link->inertia[0], link->inertia[4],
                         link->inertia[8]);
    }
    for (unsigned i = 0; i < link->mobilizer->dof; i++) {
        for (int k = 0; k < 3; k++) {
            if (!(values[k][i] >= 0.0) || isinf(values[k][i])) {
                return perp_fail(err, PERP_ERR_DATA,
                                 "link \"%s\": %s of coordinate %u is %g, "
                                 "expected a number >= 0",
                                 link->name, names[k], i, values[k][i]);
            }
        }
        if (!isfinite(link->rest[i])) {
            return perp_fail(err, PERP_ERR_DATA,
                             "link \"%s\": rest of coordinate %u is not finite",
                             link->name, i);
        }
    }
    return PERP_OK;
}

static perp_status check_link(const perp_link *link, size_t k, size_t count,
                              perp_error *err)
{
    perp_status status = PERP_OK;

    if (!link->name || !link->name[0]) {
        return perp_fail(err, PERP_ERR_DATA, "links[%zu]: no name", k);
    }
    if (!link->mobilizer) {
        return perp_fail(err, PERP_ERR_DATA, "link \"%s\": no joint type", link->name);
    }
    if (link->parent < -1 || link->parent >= (int64_t)count) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "link \"%s\": parent is links[%d], expected one of %zu links or -1",
            link->name, (int)link->parent, count);
    }
    if ((status = check_frame(link, &link->Ep, "Ep", err)) == PERP_OK &&
        (status = check_frame(link, &link->Ec, "Ec", err)) == PERP_OK &&
        (status = check_axes(link, err)) == PERP_OK) {
        status = check_mass(link, err);
    }
    return status;
}

typedef struct check_name {
    const char *name;
    size_t k;
} check_name;

static int check_compare(const void *a, const void *b)
{
    const check_name *x = a;
    const check_name *y = b;
    const int order = strcmp(x->name, y->name);

    return order != 0 ? order : x->k < y->k ? -1 : 1;
}

static perp_status check_names(const perp_link *links, size_t count, perp_error *err)
{
    check_name *sorted = math_alloc(count, sizeof *sorted);
    perp_status status = PERP_OK;

    if (!sorted) {
        return perp_fail(err, PERP_ERR_MEMORY, "articulation: no memory for %zu names",
                         count);
    }
    for (size_t k = 0; k < count; k++) {
        sorted[k] = (check_name){links[k].name, k};
    }
    qsort(sorted, count, sizeof *sorted, check_compare);
    for (size_t k = 1; k < count && status == PERP_OK; k++) {
        if (strcmp(sorted[k - 1].name, sorted[k].name) == 0) {
            status = perp_fail(err, PERP_ERR_DATA,
                               "link \"%s\": links[%zu] and links[%zu] have this name",
                               sorted[k].name, sorted[k - 1].k, sorted[k].k);
        }
    }
    free(sorted);
    return status;
}

perp_status articulated_check(const perp_link *links, size_t count, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        status = check_link(&links[k], k, count, err);
    }
    return status == PERP_OK ? check_names(links, count, err) : status;
}

perp_status articulated_weigh(const perp_articulation *tree, uint8_t *heavy,
                              perp_error *err)
{
    for (size_t k = tree->count; k-- > 0;) {
        const perp_link *link = &tree->links[k];
        bool rotor = true;

        for (unsigned i = 0; i < link->mobilizer->dof; i++) {
            rotor = rotor && link->armature[i] > 0.0;
        }
        for (int i = 0; i < 9; i++) {
            heavy[k] |= link->inertia[i] != 0.0;
        }
        heavy[k] |= link->mass > 0.0;
        if (!heavy[k] && !rotor) {
            return perp_fail(err, PERP_ERR_DATA,
                             "link \"%s\": moves, but neither it nor a link that it "
                             "carries has a mass",
                             link->name);
        }
        if (link->parent >= 0) {
            heavy[link->parent] |= heavy[k];
        }
    }
    return PERP_OK;
}
