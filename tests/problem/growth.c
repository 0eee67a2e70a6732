/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/growth.c: how the work of a direction grows from ten bodies to ten thousand.
 *
 * Nothing is timed. The work of a solver in the space of velocities is counted in factorisations of
 * S, one block per body and one per pair of bodies that touch, and in numbers of its factors, each
 * of which a solve reads twice. For n bodies, an elimination order without waste has
 *
 *                numbers       operations
 *     chain      n             n
 *     pyramid    n log n       n^(3/2)       a planar graph
 *     heap       n^(4/3)       n^2           a lattice in space */
#include <config.h>

#include <stdio.h>

#include "linear/velocity.h"
#include "world_run.h"

enum { DECADES = 4 };

/* Balls of radius 1/2 that just touch, and the ground under the lowest. */
typedef struct growth {
    perp_world *world;
    perp_contacts contacts;
    perp_system system;
} growth;

static void growth_ball(perp_world *world, size_t k, double x, double y, double z)
{
    char name[32];

    snprintf(name, sizeof name, "ball %zu", k);
    run_ball(world, name, 1.0, 0.5, x, y, z);
}

/* In a row on the ground. */
static void growth_chain(perp_world *world, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        growth_ball(world, k, (double)k, 0.0, 0.5);
    }
}

/* Each on two of the row below, as many as make whole rows, n at most. */
static void growth_pyramid(perp_world *world, size_t n)
{
    size_t rows = 0, k = 0;

    while ((rows + 1) * (rows + 2) / 2 <= n) {
        rows++;
    }
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i + row < rows; i++) {
            growth_ball(world, k++, (double)i + 0.5 * (double)row, 0.0,
                        0.5 + sqrt(0.75) * (double)row);
        }
    }
}

/* A cubic lattice, as many as make whole layers of an edge of cbrt(n), n at most. */
static void growth_heap(perp_world *world, size_t n)
{
    size_t edge = (size_t)(cbrt((double)n) + 1e-9);

    for (size_t k = 0; k < n / (edge * edge) * edge * edge; k++) {
        growth_ball(world, k, (double)(k % edge), (double)(k / edge % edge),
                    0.5 + (double)(k / (edge * edge)));
    }
}

static growth growth_new(void (*place)(perp_world *world, size_t n), size_t n)
{
    growth g = {.world = test_world(3, 9.81)};
    perp_scheme scheme = run_scheme(1.0 / 60.0);

    run_ground(g.world);
    place(g.world, n);
    perp_world_refresh(g.world, g.world->start);
    for (size_t k = 1; k < g.world->body_count; k++) {
        g.world->start->u[6 * k] = 0.02;
        g.world->start->u[6 * k + 2] = -0.1; /* all fall, but for the ground */
    }
    OK(perp_collide(g.world, g.world->start, 1e-6, &g.contacts, NULL));
    OK(perp_rows_write(&g.system.rows, g.world, g.world->start, &g.contacts, &scheme,
                       NULL));
    OK(perp_system_formulate(&g.system, g.world, g.world->start, g.world->start->u,
                             &g.contacts, &scheme, NULL));
    return g;
}

static void growth_free(growth *g)
{
    perp_system_clear(&g->system);
    perp_contacts_clear(&g->contacts);
}

/* Of the factors of S. */
typedef struct size {
    double bodies, rows, fill, flops[2]; /* flops by kind */
} size;

static size growth_measure(const growth *g)
{
    size m = {.bodies = (double)g->world->body_count - 1.0,
              .rows = (double)g->system.problem.n};
    perp_workspace *ws = NULL;
    perp_velocity s = {0};

    OK(perp_workspace_new(&ws, 0, NULL));
    OK(perp_velocity_setup(&s, g->system.problem.A, g->system.problem.set, true, ws,
                           NULL));
    m.fill = perp_block_factor_fill(s.factor, PERP_BLOCK_CHOLESKY);
    m.flops[0] = perp_block_factor_flops(s.factor, PERP_BLOCK_CHOLESKY);
    m.flops[1] = perp_block_factor_flops(s.factor, PERP_BLOCK_LDU);
    perp_velocity_close(&s);
    return m;
}

typedef struct family {
    const char *name;
    void (*place)(perp_world *world, size_t n);
    double fill, flops; /* largest exponents of the last decade */
    size_t solved;      /* decades of which problems are solved, too */
} family;

/* From 10^3 to 10^4 bodies. Minimum degree and METIS are not optimal, and small graphs have more
 * boundary, so that exponents are up to 0.2 above those of the bounds (n log n: 1.12). Measured:
 * 1.00 and 1.00, 1.26 and 1.68, 1.50 and 2.16; without METIS 1.28 and 1.75, 1.56 and 2.33; those of
 * dense factors are 2 and 3. */
static const family families[] = {
    {"chain", growth_chain, 1.01, 1.01, 4},
#ifdef HAVE_METIS
    {"pyramid", growth_pyramid, 1.3, 1.7, 3},
    {"heap", growth_heap, 4.0 / 3.0 + 0.2, 2.2, 2},
#else
    {"pyramid", growth_pyramid, 1.3, 1.8, 3},
    {"heap", growth_heap, 1.6, 2.4, 2},
#endif
};

TEST(factors_grow_as_those_of_their_graphs)
{
    for (size_t k = 0; k < sizeof families / sizeof *families; k++) {
        size m[DECADES];
        double fill = 0.0, flops = 0.0, decade = 0.0;

        for (int d = 0; d < DECADES; d++) {
            growth g = growth_new(families[k].place, (size_t)pow(10.0, d + 1));

            m[d] = growth_measure(&g);
            growth_free(&g);
            test_note("%s of %g: %g contacts, %.3g numbers, %.3g flops", families[k].name,
                      m[d].bodies, m[d].rows / 3.0, m[d].fill, m[d].flops[0]);
        }
        decade = log(m[DECADES - 1].bodies / m[DECADES - 2].bodies);
        fill = log(m[DECADES - 1].fill / m[DECADES - 2].fill) / decade;
        flops = log(m[DECADES - 1].flops[0] / m[DECADES - 2].flops[0]) / decade;
        test_note("%s: n^%.2f, n^%.2f", families[k].name, fill, flops);
        CU_ASSERT(fill <= families[k].fill);
        CU_ASSERT(flops <= families[k].flops);
    }
}

/* A few iterations; all that is counted is counted per iteration. */
enum { ITERATIONS = 2 };

static const double rounding = 1e-12; /* of sums over columns */

static void check_solver(const char *name, const family *f, const growth *g,
                         const size *m)
{
    perp_result *r =
        test_solve(&g->system.problem, name, "max-iterations=2", "tolerance=1e-14", NULL);
    double each = r->work.flops_factor / fmax(r->work.factorizations, 1.0);
    double numbers = (double)r->bytes / sizeof(double) / (m->rows + m->fill);

    test_note("%s, %s of %g: %g factorisations, %g products, %.1f numbers of memory each",
              name, f->name, m->bodies, r->work.factorizations, r->work.products,
              numbers);
    CU_ASSERT(r->work.factorizations >= 1.0);
    CU_ASSERT(r->work.factorizations <= 2.0 * ITERATIONS);
    CU_ASSERT(r->work.products <= 10.0 * ITERATIONS); /* with those of a line search */
    /* of S, by Cholesky or LDU: factors of W take another number of operations; the second one is an
     * update of the columns that changed */
    CU_ASSERT(each <= (1.0 + rounding) * m->flops[1]);
    CU_ASSERT(r->work.flops_factor >= (1.0 - rounding) * m->flops[0]);
    CU_ASSERT(numbers <= 40.0); /* the smallest ones have most: 29 */
}

TEST(directions_take_a_few_factorisations_of_the_body_graph)
{
    static const char *const solvers[] = {"prox-newton", "admm-ncp", "ipm-coulomb",
                                          "ipm-socp"};

    for (size_t k = 0; k < sizeof families / sizeof *families; k++) {
        for (size_t d = 0; d < families[k].solved; d++) {
            growth g = growth_new(families[k].place, (size_t)pow(10.0, (double)d + 1.0));
            size m = growth_measure(&g);

            for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
                check_solver(solvers[s], &families[k], &g, &m);
            }
            growth_free(&g);
        }
    }
}
