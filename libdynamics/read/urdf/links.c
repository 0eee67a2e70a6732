/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/links.c: links: their inertials, collision shapes and names.
 *
 * An inertial has a centre and axes for its inertia, which is stored as R I R^T in the
 * axes of the link. Mass 0 with inertia 0 means none. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "read/urdf/urdf.h"

static int links_compare_names(const void *a, const void *b)
{
    const urdf_name *x = a;
    const urdf_name *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

void urdf_names_sort(urdf_name *names, size_t count, size_t *first, size_t *twice)
{
    *twice = urdf_none;
    if (count > 0) {
        qsort(names, count, sizeof *names, links_compare_names);
    }
    for (size_t k = 1; k < count; k++) {
        if (strcmp(names[k - 1].name, names[k].name) == 0 && names[k].index < *twice) {
            *first = names[k - 1].index;
            *twice = names[k].index;
        }
    }
}

size_t urdf_names_find(const urdf_name *names, size_t count, const char *name)
{
    const urdf_name key = {name, 0};
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (links_compare_names(&names[middle], &key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && strcmp(names[low].name, name) == 0 ? names[low].index
                                                             : urdf_none;
}

/* Six numbers of an element into a matrix, all of them needed. */
static perp_status links_read_moments(urdf_reader *rd, const urdf_element *e, double I[9])
{
    static const struct moment {
        const char *name;
        size_t one, two; /* places in the matrix */
    } moments[] = {{"ixx", 0, 0}, {"ixy", 1, 3}, {"ixz", 2, 6},
                   {"iyy", 4, 4}, {"iyz", 5, 7}, {"izz", 8, 8}};
    perp_status status = PERP_OK;

    for (size_t k = 0; k < 6 && status == PERP_OK; k++) {
        status = urdf_need_reals(rd, e, moments[k].name, 1, "a number [kg m^2]",
                                 &I[moments[k].one]);
        I[moments[k].two] = I[moments[k].one];
    }
    return status;
}

static bool links_is_zero(const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (x[k] != 0.0) {
            return false;
        }
    }
    return true;
}

static perp_status links_check_mass(urdf_reader *rd, const urdf_element *mass,
                                    const urdf_element *inertia, const urdf_link *link,
                                    const double I[9])
{
    const double rounded = 1e-12; /* of doubles, which is no rounding of a file */
    perp_error cause = {0};
    double moments[3];
    double R[9];

    if (link->mass < 0.0) {
        return urdf_unexpected(rd, mass, "value", "a number >= 0 [kg]");
    }
    if (link->mass == 0.0) {
        return links_is_zero(I, 9) ? PERP_OK
                                   : urdf_fail(rd, mass, PERP_ERR_DATA,
                                               "mass is 0 and inertia is not, expected a "
                                               "positive mass [kg] or no inertia");
    }
    TRY(urdf_fail_in(rd, inertia, perp_inertia_check(I, &cause), &cause));
    TRY(perp_inertia_principal(I, moments, R, rd->err));
    if (moments[2] > (moments[0] + moments[1]) * (1.0 + rounded)) {
        TRY(urdf_note(rd, inertia,
                      "principal moments are %.9g, %.9g, %.9g, the last above the "
                      "sum of the others by "
                      "rounding: taken as they are",
                      moments[0], moments[1], moments[2]));
    }
    return PERP_OK;
}

static perp_status links_read_inertial(urdf_reader *rd, const urdf_element *e,
                                       urdf_link *link)
{
    const urdf_element *mass = NULL;
    const urdf_element *inertia = NULL;
    urdf_pose pose;
    double I[9] = {0};
    double R[9];
    perp_status status = urdf_need_child(rd, e, "mass", &mass);

    status = status ? status : urdf_need_child(rd, e, "inertia", &inertia);
    status = status ? status : urdf_origin(rd, e, &pose);
    status =
        status ? status
               : urdf_need_reals(rd, mass, "value", 1, "a number >= 0 [kg]", &link->mass);
    status = status ? status : links_read_moments(rd, inertia, I);
    status = status ? status : links_check_mass(rd, mass, inertia, link, I);
    if (status != PERP_OK) {
        return status;
    }
    vec3_copy(link->center, pose.r);
    if (links_is_zero(pose.q + 1, 3)) {
        memcpy(link->inertia, I, sizeof I);
    } else {
        perp_rotation_matrix(pose.q, R);
        perp_inertia_rotate(I, R, link->inertia);
    }
    return PERP_OK;
}

/* A kind of geometry: its numbers, and what they are here. */
typedef struct geometry {
    const char *name, *type;
    const char *first; /* of `count` numbers */
    size_t count;
    const char *second; /* of one; NULL: none */
    double factor;      /* from them to sizes */
} geometry;

static const geometry geometries[] = {
    {"box", "box", "size", 3, NULL, 0.5}, /* half extents */
    {"cylinder", "cylinder", "radius", 1, "length", 1.0},
    {"capsule", "capsule", "radius", 1, "length", 1.0},
    {"sphere", "sphere", "radius", 1, NULL, 1.0},
};

static perp_status links_read_sizes(urdf_reader *rd, const geometry *g, urdf_solid *s)
{
    const char *three = "three positive numbers [m]";
    const char *one = "a positive number [m]";
    const char *expected = g->count == 3 ? three : one;
    perp_status status =
        urdf_need_reals(rd, s->at, g->first, g->count, expected, s->size);

    for (size_t k = 0; k < g->count && status == PERP_OK; k++) {
        if (!(s->size[k] > 0.0)) {
            status = urdf_unexpected(rd, s->at, g->first, expected);
        }
        s->size[k] *= g->factor;
    }
    if (status == PERP_OK && g->second) {
        status = urdf_need_reals(rd, s->at, g->second, 1, one, &s->size[1]);
        if (status == PERP_OK && !(s->size[1] > 0.0)) {
            status = urdf_unexpected(rd, s->at, g->second, one);
        }
    }
    return status;
}

static bool links_ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);

    return length >= strlen(end) && strcasecmp(text + length - strlen(end), end) == 0;
}

static perp_status links_read_mesh(urdf_reader *rd, urdf_solid *s)
{
    static const char expected[] = "three nonzero numbers";
    perp_status status =
        urdf_need_text(rd, s->at, "filename", "the name of a file", &s->file);

    if (status == PERP_OK && !links_ends_with(s->file, ".stl") &&
        !links_ends_with(s->file, ".obj")) {
        return urdf_unknown(rd, s->at, "the shape is left out",
                            "mesh \"%.120s\", expected a file .stl or .obj", s->file);
    }
    s->type =
        perp_shape_type_find(rd->opt->meshes == PERP_URDF_MESHES_HULL ? "hull" : "mesh");
    vec3_set(s->scale, 1.0, 1.0, 1.0);
    if (status == PERP_OK) {
        status = urdf_reals(rd, s->at, "scale", 3, expected, s->scale);
    }
    if (status == PERP_OK &&
        (s->scale[0] == 0.0 || s->scale[1] == 0.0 || s->scale[2] == 0.0)) {
        status = urdf_unexpected(rd, s->at, "scale", expected);
    }
    return status;
}

/* The shape in a geometry; type NULL: left out. */
static perp_status links_read_shape(urdf_reader *rd, const urdf_element *e, urdf_solid *s)
{
    perp_status status = PERP_OK;

    s->at = e;
    s->type = NULL;
    if (strcmp(e->name, "mesh") == 0) {
        status = urdf_check(rd, e);
        return status ? status : links_read_mesh(rd, s);
    }
    for (size_t k = 0; k < sizeof geometries / sizeof *geometries; k++) {
        if (strcmp(geometries[k].name, e->name) == 0) {
            s->type = perp_shape_type_find(geometries[k].type);
            status = urdf_check(rd, e);
            return status ? status : links_read_sizes(rd, &geometries[k], s);
        }
    }
    return urdf_unknown(rd, e, "the shape is left out",
                        "<%.60s> in <geometry>, expected one of: box, cylinder, capsule, "
                        "sphere, mesh",
                        e->name);
}

static perp_status links_read_collision(urdf_reader *rd, const urdf_element *e,
                                        size_t link)
{
    urdf_solid *s = &rd->solids[rd->solid_count];
    const urdf_element *g = NULL;
    perp_status status = urdf_need_child(rd, e, "geometry", &g);

    *s = (urdf_solid){.link = link, .colour = urdf_colour(rd, e)};
    s->colour = s->colour ? s->colour : rd->links[link].colour;
    status = status ? status : urdf_origin(rd, e, &s->pose);
    if (status == PERP_OK && (!g->first || g->first->next)) {
        status = urdf_fail(rd, g, PERP_ERR_FORMAT, "%s shape in a geometry, expected one",
                           g->first ? "more than one" : "no");
    }
    status = status ? status : links_read_shape(rd, g->first, s);
    rd->solid_count += status == PERP_OK && s->type;
    return status;
}

static perp_status links_read_link(urdf_reader *rd, const urdf_element *e,
                                   urdf_link *link)
{
    const urdf_element *inertial = urdf_child(e, "inertial");
    size_t number = (size_t)(link - rd->links);
    perp_status status = PERP_OK;

    *link = (urdf_link){.at = e, .up = urdf_none, .first = urdf_none, .last = urdf_none};
    status = urdf_need_text(rd, e, "name", "a unique name", &link->name);
    if (status == PERP_OK && inertial) {
        status = links_read_inertial(rd, inertial, link);
    }
    for (const urdf_element *c = e->first; c && !link->colour; c = c->next) {
        link->colour = strcmp(c->name, "visual") == 0 ? urdf_colour(rd, c) : 0;
    }
    for (const urdf_element *c = e->first; c && status == PERP_OK; c = c->next) {
        if (strcmp(c->name, "collision") == 0) {
            status = links_read_collision(rd, c, number);
        }
    }
    return status;
}

/* How many links and collisions there are, so that memory is taken once. */
static void links_count(const urdf_element *robot, size_t *links, size_t *solids)
{
    for (const urdf_element *e = robot->first; e; e = e->next) {
        bool is_link = strcmp(e->name, "link") == 0;

        *links += is_link;
        for (const urdf_element *c = e->first; is_link && c; c = c->next) {
            *solids += strcmp(c->name, "collision") == 0;
        }
    }
}

perp_status urdf_read_links(urdf_reader *rd, const urdf_element *robot)
{
    size_t links = 0;
    size_t solids = 0;
    perp_status status = PERP_OK;

    links_count(robot, &links, &solids);
    if (links == 0) {
        return urdf_fail(rd, robot, PERP_ERR_FORMAT, "robot has no link, expected one");
    }
    rd->links = urdf_alloc(rd, links, sizeof *rd->links);
    rd->solids = urdf_alloc(rd, solids, sizeof *rd->solids);
    if (!rd->links || !rd->solids) {
        return urdf_no_memory(rd);
    }
    status = urdf_read_colours(rd, robot);
    for (const urdf_element *e = robot->first; e && status == PERP_OK; e = e->next) {
        if (strcmp(e->name, "link") == 0) {
            status = links_read_link(rd, e, &rd->links[rd->link_count]);
            rd->link_count++;
        }
    }
    return status;
}
