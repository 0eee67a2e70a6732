/* SPDX-License-Identifier: Apache-2.0
 * tests/support/golden_couple.h: the two shapes of a golden case. */
#ifndef PERP_TEST_GOLDEN_COUPLE_H
#define PERP_TEST_GOLDEN_COUPLE_H

#include "contact_queries.h"

/** A case of collision_hulls, collision_obb or collision_2d: its two shapes, placed. */
typedef struct golden_couple {
    perp_shape shape[2];
    perp_placed at[2];
    unsigned dimension;
} golden_couple;

static inline void golden_cloud(golden_couple *s, int k, const golden_case *c,
                                const char *key, size_t numbers)
{
    static const double origin[3] = {0};
    double points[3 * 256] = {0};
    double flat[3 * 256];
    size_t n = golden_count(c->in, key) / numbers;

    CU_ASSERT_FATAL(n <= 256);
    golden_reals(c->in, key, numbers * n, flat);
    for (size_t i = 0; i < n; i++) {
        memcpy(points + 3 * i, flat + numbers * i, numbers * sizeof *flat);
    }
    s->shape[k] = hull_of(n, points, numbers == 2 ? 2 : 3);
    s->at[k] = placed_at(&s->shape[k], origin, NULL);
}

static inline void golden_couple_make(golden_couple *s, const golden_case *c)
{
    memset(s, 0, sizeof *s);
    s->dimension = 3;
    if (json_object_get(c->in, "A")) {
        golden_cloud(s, 0, c, "A", 3);
        golden_cloud(s, 1, c, "B", 3);
    } else if (json_object_get(c->in, "P")) {
        s->dimension = 2;
        golden_cloud(s, 0, c, "P", 2);
        golden_cloud(s, 1, c, "Q", 2);
    } else {
        for (int k = 0; k < 2; k++) {
            char key[4] = {'c', '_', k ? 'j' : 'i', 0};
            double x[3];
            double q[4];

            s->shape[k] = shape_of("box", 0, 0, 0);
            golden_reals(c->in, key, 3, x);
            key[0] = 'q';
            golden_reals(c->in, key, 4, q);
            key[0] = 'h';
            golden_reals(c->in, key, 3, s->shape[k].size);
            s->at[k] = placed_at(&s->shape[k], x, q);
        }
    }
}

static inline void golden_couple_free(golden_couple *s)
{
    perp_polytope_free(s->shape[0].polytope);
    perp_polytope_free(s->shape[1].polytope);
}

#endif
