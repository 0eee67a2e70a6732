/* SPDX-License-Identifier: Apache-2.0
 * narrow/sat.c: boxes and hulls by separating axes; see facets.c. */
#include <config.h>

#include "narrow/meeting.h"
#include "shapes/shapes.h"

static bool sat_takes(const perp_shape_type *a, const perp_shape_type *b,
                      unsigned dimension)
{
    (void)dimension;
    return a->has_corners && b->has_corners;
}

static void sat_measure(const perp_placed *a, const perp_placed *b,
                        const perp_narrow_settings *settings, perp_proximity *out)
{
    meet_measure(facets_facets, false, a, b, settings, out);
    out->ran = narrow_sat.name;
}

static void sat_meet(meeting *m)
{
    bool boxes = m->a->at.shape->type == &shape_box && m->b->at.shape->type == &shape_box;

    if (boxes && m->dimension == 3) {
        boxes_meet(m);
    } else {
        facets_facets(m);
    }
}

const perp_narrow_type narrow_sat = {
    .name = "sat",
    .summary = "boxes and hulls: normals of faces and crossed edges, faces clipped",
    .reference = "gottschalk-1996",
    .takes = sat_takes,
    .measure = sat_measure,
    .meet = sat_meet,
};
