/* SPDX-License-Identifier: Apache-2.0
 * tests/support/random_tree.c: trees of bodies for the tests. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "random_tree.h"

double *reals(size_t n)
{
    double *x = test_alloc(n + 1, sizeof *x);

    return x;
}

double *drawn(size_t n, uint64_t seed)
{
    perp_random g = {seed};
    double *x = reals(n);

    for (size_t k = 0; k < n; k++) {
        x[k] = perp_random_uniform(&g, -1.0, 1.0);
    }
    return x;
}

void put_state(perp_articulation *tree, const double *q, const double *qd)
{
    perp_error err = {0};

    memcpy(tree->q, q, tree->n * sizeof *q);
    memcpy(tree->qd, qd, tree->n * sizeof *qd);
    if (perp_articulation_update(tree, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a state");
    }
}

perp_link plain_link(const char *name, int32_t parent, const char *mobilizer)
{
    perp_link link = {
        .name = name,
        .parent = parent,
        .mobilizer = perp_mobilizer_find(mobilizer),
        .axes = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0},
        .mass = 1.0,
        .inertia = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
    };

    CU_ASSERT_PTR_NOT_NULL_FATAL(link.mobilizer);
    perp_frame_identity(&link.Ep);
    perp_frame_identity(&link.Ec);
    return link;
}

static perp_articulation *build(const perp_link *links, size_t count)
{
    perp_articulation *tree = NULL;
    perp_error err = {0};

    if (perp_articulation_new(&tree, links, count, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(tree);
    return tree;
}

static void golden_frame(const json_t *joint, const char *key, perp_frame *E)
{
    double x[16];

    golden_reals(joint, key, 16, x);
    for (size_t i = 0; i < 3; i++) {
        memcpy(E->R + 3 * i, x + 4 * i, 3 * sizeof *x);
        E->p[i] = x[4 * i + 3];
    }
}

static void golden_link(const json_t *joint, size_t k, char name[32], perp_link *link)
{
    const char *type = json_string_value(json_object_get(joint, "type"));

    snprintf(name, 32, "link %zu", k);
    *link =
        plain_link(name, (int32_t)json_integer_value(json_object_get(joint, "parent")),
                   golden_joint_type(type));
    golden_frame(joint, "Ep", &link->Ep);
    golden_frame(joint, "Ec", &link->Ec);
    link->mass = golden_real(joint, "m");
    golden_reals(joint, "I0", 9, link->inertia);
    if (link->mobilizer->axes > 0) {
        golden_reals(joint, "axis", 3, link->axes);
    }
    if (link->mobilizer->axes > 1) {
        golden_reals(joint, "axis2", 3, link->axes + 3);
    }
}

perp_articulation *golden_tree(const golden_case *c, double **f, double **tau)
{
    const json_t *joints = json_object_get(c->in, "joints");
    const size_t count = json_array_size(joints);
    perp_link *links = calloc(count + 1, sizeof *links);
    char(*names)[32] = calloc(count + 1, sizeof *names);
    perp_articulation *tree = NULL;
    double *wrench = reals(6 * count);

    CU_ASSERT_FATAL(links && names);
    for (size_t k = 0; k < count; k++) {
        golden_link(json_array_get(joints, k), k, names[k], &links[k]);
    }
    tree = build(links, count);
    free(links);
    free(names);
    golden_reals(c->in, "gravity", 3, tree->gravity);
    golden_reals(c->in, "q", tree->n, tree->q);
    golden_reals(c->in, "qd", tree->n, tree->qd);
    golden_reals(c->in, "fext", 6 * count, wrench);
    tree->switch_chart = false; /* golden values are those of the coordinates as given */
    put_state(tree, tree->q, tree->qd);
    *f = reals(6 * count);
    *tau = reals(tree->n);
    golden_reals(c->in, "tau", tree->n, *tau);
    for (size_t k = 0; k < count; k++) {
        mat3_apply(tree->E[k].R, wrench + 6 * k, *f + 6 * k + 3);
        mat3_apply(tree->E[k].R, wrench + 6 * k + 3, *f + 6 * k);
    }
    return tree;
}

static void random_frame(perp_random *g, perp_frame *E)
{
    double q[3];

    for (int k = 0; k < 3; k++) {
        q[k] = perp_random_uniform(g, -1.5, 1.5);
        E->p[k] = perp_random_uniform(g, -0.4, 0.4);
    }
    perp_exponential(q, E->R);
}

static void random_link(perp_random *g, const tree_how *how, size_t k, perp_link *link)
{
    size_t types = 0;
    const perp_mobilizer *const *all = perp_mobilizers(&types);
    double half[3];

    link->parent = k == 0 ? -1
                   : how->shape == TREE_CHAIN
                       ? (int32_t)k - 1
                       : (int32_t)perp_random_integer(g, -1, (long)k - 1);
    if (how->floating && link->parent < 0) {
        link->parent = k == 0 ? -1 : 0;
    }
    link->mobilizer = how->floating && k == 0 ? perp_mobilizer_find("free")
                      : how->mobilizer        ? perp_mobilizer_find(how->mobilizer)
                                       : all[perp_random_integer(g, 0, (long)types - 1)];
    CU_ASSERT_PTR_NOT_NULL_FATAL(link->mobilizer);
    random_frame(g, &link->Ep);
    random_frame(g, &link->Ec);
    for (int i = 0; i < 6; i++) {
        link->axes[i] = perp_random_uniform(g, -1.0, 1.0);
    }
    vec3_normalize(link->axes);
    vec3_add(link->axes + 3, -vec3_dot(link->axes, link->axes + 3), link->axes,
             link->axes + 3);
    vec3_normalize(link->axes + 3);
    link->mass = perp_random_uniform(g, 0.5, 2.0);
    for (int i = 0; i < 3; i++) {
        half[i] = perp_random_uniform(g, 0.05, 0.3);
    }
    perp_inertia_box(link->mass, half, link->inertia);
    if (how->passive) {
        for (unsigned i = 0; i < link->mobilizer->dof; i++) {
            link->stiffness[i] = perp_random_uniform(g, 0.0, 2.0);
            link->damping[i] = perp_random_uniform(g, 0.0, 1.0);
            link->armature[i] = perp_random_uniform(g, 0.0, 0.1);
            link->rest[i] = perp_random_uniform(g, -1.0, 1.0);
        }
    }
}

perp_articulation *random_tree(const tree_how *how)
{
    perp_random g = {how->seed};
    perp_link *links = calloc(how->count + 1, sizeof *links);
    char(*names)[32] = calloc(how->count + 1, sizeof *names);
    perp_articulation *tree = NULL;

    CU_ASSERT_FATAL(links && names);
    for (size_t k = 0; k < how->count; k++) {
        random_link(&g, how, k, &links[k]);
        snprintf(names[k], sizeof names[k], "link %zu", k);
        links[k].name = names[k];
    }
    tree = build(links, how->count);
    free(links);
    free(names);
    for (size_t k = 0; k < tree->n; k++) {
        tree->q[k] = perp_random_uniform(&g, -0.9, 0.9);
        tree->qd[k] = perp_random_uniform(&g, -1.0, 1.0);
    }
    for (int i = 0; i < 3; i++) {
        tree->gravity[i] = perp_random_uniform(&g, -10.0, 10.0);
    }
    for (size_t k = 0; how->moving && k < how->count; k++) {
        random_frame(&g, &tree->base[k]);
        for (size_t i = 0; i < 6; i++) {
            tree->base_u[6 * k + i] = perp_random_uniform(&g, -1.0, 1.0);
        }
    }
    put_state(tree, tree->q, tree->qd);
    return tree;
}

static const tree_how hows[] = {
    {.count = 1, .seed = 1},
    {.count = 8, .shape = TREE_CHAIN, .seed = 2},
    {.count = 12, .shape = TREE_BUSHY, .moving = true, .seed = 3},
    {.count = 20, .shape = TREE_BUSHY, .floating = true, .passive = true, .seed = 4},
    {.count = 40,
     .shape = TREE_CHAIN,
     .mobilizer = "revolute",
     .floating = true,
     .seed = 5},
    {.count = 60, .shape = TREE_CHAIN, .moving = true, .passive = true, .seed = 6},
    {.count = 200, .shape = TREE_BUSHY, .seed = 7},
    {.count = 200,
     .shape = TREE_BUSHY,
     .mobilizer = "prismatic",
     .floating = true,
     .seed = 8},
    {.count = 200, .shape = TREE_CHAIN, .mobilizer = "revolute", .seed = 9},
};

void each_tree(void (*check)(perp_articulation *tree))
{
    for (size_t k = 0; k < sizeof hows / sizeof *hows; k++) {
        perp_articulation *tree = random_tree(&hows[k]);

        test_note("tree %zu of seed %llu: %zu links, %zu coordinates", k,
                  (unsigned long long)hows[k].seed, tree->count, tree->n);
        check(tree);
    }
}

void apply_mass(const perp_articulation *tree, const double *x, double *y)
{
    for (size_t k = 0; k < tree->count; k++) {
        mat3_apply(tree->links[k].inertia, x + 6 * k, y + 6 * k);
        vec3_scale(tree->links[k].mass, x + 6 * k + 3, y + 6 * k + 3);
    }
}

double dot(const double *x, const double *y, size_t n)
{
    double sum = 0.0;

    for (size_t k = 0; k < n; k++) {
        sum += x[k] * y[k];
    }
    return sum;
}
