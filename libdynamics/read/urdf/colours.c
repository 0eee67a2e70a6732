/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/colours.c: the colours of links, from <material><color rgba="r g b a"/>.
 *
 * A material is defined where it is used or at the first occurrence of its name: among
 * the children of the robot, or in another <visual>. The mechanics does not depend on it,
 * so that a colour that cannot be read is ignored. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "read/urdf/urdf.h"

/* The number at the start of a text that ends at white space; false: no number. */
static bool colours_number(const char **at, double *x)
{
    static const char white[] = " \t\r\n";
    size_t length = 0;
    bool good = false;

    *at += strspn(*at, white);
    length = strcspn(*at, white);
    good = length > 0 && perp_quantity_number(*at, length, x) == PERP_OK;
    *at += length;
    return good;
}

/* Red, green and blue from 0 to 1; opacity is not read unless it is 0. */
static uint32_t colours_of_material(const urdf_element *material)
{
    const urdf_element *color = urdf_child(material, "color");
    const char *at = color ? urdf_text(color, "rgba") : NULL;
    uint32_t colour = 0;
    double x = 0.0;

    for (size_t k = 0; k < 3; k++) {
        if (!at || !colours_number(&at, &x)) {
            return 0;
        }
        colour = colour << 8 | (uint32_t)lround(255.0 * fmin(fmax(x, 0.0), 1.0));
    }
    return colours_number(&at, &x) && x <= 0.0 ? 0 : PERP_COLOUR | colour;
}

/* Take the materials among the children of an element, and those of its links and
 * visuals, which have a name and a colour; `to`: NULL: only count them. */
static size_t colours_list(const urdf_element *e, urdf_name *to, uint32_t *colour,
                           size_t count)
{
    for (const urdf_element *c = e->first; c; c = c->next) {
        const char *name = urdf_text(c, "name");

        if (strcmp(c->name, "link") == 0 || strcmp(c->name, "visual") == 0) {
            count = colours_list(c, to, colour, count);
        } else if (strcmp(c->name, "material") == 0 && name && colours_of_material(c)) {
            if (to) {
                to[count] = (urdf_name){name, count};
                colour[count] = colours_of_material(c);
            }
            count++;
        }
    }
    return count;
}

perp_status urdf_read_colours(urdf_reader *rd, const urdf_element *robot)
{
    const size_t count = colours_list(robot, NULL, NULL, 0);
    size_t first = 0, twice = 0;

    rd->materials = urdf_alloc(rd, count, sizeof *rd->materials);
    rd->colours = urdf_alloc(rd, count, sizeof *rd->colours);
    if (!rd->materials || !rd->colours) {
        return urdf_no_memory(rd);
    }
    rd->material_count = colours_list(robot, rd->materials, rd->colours, 0);
    urdf_names_sort(rd->materials, count, &first,
                    &twice); /* of equal names the first counts */
    return PERP_OK;
}

uint32_t urdf_colour(const urdf_reader *rd, const urdf_element *e)
{
    const urdf_element *material = urdf_child(e, "material");
    const char *name = material ? urdf_text(material, "name") : NULL;
    uint32_t colour = material ? colours_of_material(material) : 0;
    size_t k = urdf_none;

    if (!colour && name) {
        k = urdf_names_find(rd->materials, rd->material_count, name);
    }
    return k == urdf_none ? colour : rd->colours[k];
}
