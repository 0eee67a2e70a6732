/* SPDX-License-Identifier: Apache-2.0
 * articulation/inertia.c: inertias of links in world axes.
 *
 *     rigid, about o:   M = m E,  H = -m [rho]x,  J = R J0 R^T
 *     X^T I X:          M' = M,   H' = H - M [d]x,   J' = J - H^T [d]x + [d]x H' */
#include <config.h>

#include "articulation/articulated.h"

void articulated_turn(const perp_articulation *tree)
{
    articulated_own *own = articulated_of(tree);

    for (size_t k = 0; !own->turned && k < tree->count; k++) {
        sym3_turn(tree->E[k].R, own->links[k].J0, own->links[k].J);
    }
    own->turned = true;
}
