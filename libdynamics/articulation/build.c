/* SPDX-License-Identifier: Apache-2.0
 * articulation/build.c: a tree from links in any order: checked, sorted so that parents
 * come first, copied. Links that stand behind their parents already keep their order. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include <perp/dynamics/rotation.h>

#include "articulation/articulated.h"
#include "base/base.h"

/* "links "a" -> "b" -> "a": a cycle of parents"; text that does not fit is cut. */
static perp_status build_cycle(const perp_link *links, size_t k, perp_error *err)
{
    char text[PERP_ERROR_LENGTH / 2] = "";
    size_t length = 0;
    size_t at = k;

    do {
        const int more =
            snprintf(text + length, sizeof text - length, "\"%s\" -> ", links[at].name);

        length =
            length + (size_t)more < sizeof text ? length + (size_t)more : sizeof text - 1;
        at = (size_t)links[at].parent;
    } while (at != k);
    return perp_fail(err, PERP_ERR_DATA, "links %s\"%s\": the parents form a cycle", text,
                     links[k].name);
}

/* order[new] = old, parents first: a link is placed after its ancestors. `mark` (count,
 * zero): 1 while its ancestors are visited, 2 once it is placed; `path` is scratch. */
static perp_status build_sort(const perp_link *links, size_t count, size_t *order,
                              size_t *path, uint8_t *mark, perp_error *err)
{
    size_t placed = 0;

    for (size_t k = 0; k < count; k++) {
        size_t high = 0;
        int32_t at = (int32_t)k;

        while (at >= 0 && mark[at] == 0) {
            mark[at] = 1;
            path[high++] = (size_t)at;
            at = links[at].parent;
        }
        if (at >= 0 && mark[at] == 1) {
            return build_cycle(links, (size_t)at, err);
        }
        while (high > 0) {
            order[placed] = path[--high];
            mark[order[placed++]] = 2;
        }
    }
    return PERP_OK;
}

/* Which closed form a joint has. */
static articulated_kind build_kind(const perp_mobilizer *type)
{
    return type == perp_mobilizer_find("revolute")    ? ARTICULATED_TURN
           : type == perp_mobilizer_find("prismatic") ? ARTICULATED_SLIDE
           : type == perp_mobilizer_find("fixed")     ? ARTICULATED_SLIDE
                                                      : ARTICULATED_ANY;
}

/* Ep (a a^T + cos q (E - a a^T) + sin q [a]x) Ec, or Ep Ec with a translation along a. */
static void build_joint(const perp_link *from, articulated_kind kind, const double l_p[3],
                        articulated_constants *out)
{
    const double *a = from->axes;
    const bool turns = kind == ARTICULATED_TURN;
    double along[9];
    double across[9];
    double left[9];

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            along[3 * i + j] = turns ? a[i] * a[j] : i == j ? 1.0 : 0.0;
            across[3 * i + j] = (i == j ? 1.0 : 0.0) - along[3 * i + j];
        }
    }
    mat3_multiply(from->Ep.R, along, left);
    mat3_multiply(left, from->Ec.R, out->constant);
    mat3_multiply(from->Ep.R, across, left);
    mat3_multiply(left, from->Ec.R, out->cosine);
    perp_cross_matrix(a, across);
    mat3_multiply(from->Ep.R, across, left);
    mat3_multiply(left, from->Ec.R, out->sine);
    vec3_add(from->Ep.p, 1.0, l_p, out->offset);
    mat3_apply(from->Ep.R, a, out->slide);
    mat3_apply_transposed(from->Ec.R, a, out->axis);
    mat3_apply_transposed(from->Ec.R, from->Ec.p, out->l);
}

/* Constants of all links. */
static void build_constants(perp_articulation *tree)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    articulated_own *own = articulated_of(tree);
    size_t block = 0;

    for (size_t k = 0; k < tree->count; k++) {
        const perp_link *from = &tree->links[k];
        const int32_t p = from->parent;
        const double *I = from->inertia;
        const double m = from->mass;
        const double *l = own->constants[k].l;
        articulated_link *link = &own->links[k];

        link->kind = build_kind(from->mobilizer);
        build_joint(from, link->kind, p >= 0 ? own->constants[p].l : none,
                    &own->constants[k]);
        link->parent = p;
        link->dof = from->mobilizer->dof;
        link->leaf = link->last = true;
        link->first = tree->first[k];
        link->block = block;
        block += (size_t)link->dof * link->dof;
        link->m = m;
        link->J0[0] = I[0] + m * (l[1] * l[1] + l[2] * l[2]);
        link->J0[1] = I[1] - m * l[0] * l[1];
        link->J0[2] = I[2] - m * l[0] * l[2];
        link->J0[3] = I[4] + m * (l[0] * l[0] + l[2] * l[2]);
        link->J0[4] = I[5] - m * l[1] * l[2];
        link->J0[5] = I[8] + m * (l[0] * l[0] + l[1] * l[1]);
        memcpy(own->armature + link->first, from->armature,
               link->dof * sizeof *own->armature);
    }
    for (size_t k = tree->count; k-- > 0;) {
        const int32_t p = own->links[k].parent;

        if (p >= 0) {
            own->links[k].last = own->links[p].leaf;
            own->links[p].leaf = false;
        }
    }
}

/* Runs of ancestors of the coordinates of a link, from those of its first coordinate, and
 * the start of their rows in a sparse H. */
static void build_rows(const perp_articulation *tree, const articulated_link *link)
{
    articulated_run *runs = articulated_of(tree)->runs;
    const int32_t first = (int32_t)link->first;
    const articulated_run up = runs[first];
    size_t level = up.above < 0 ? 0 : tree->row[up.above + 1] - tree->row[up.above];

    for (int32_t i = first; i < first + (int32_t)link->dof; i++) {
        if (i > first) {
            runs[i].above = i - 1;
            runs[i].start = up.above >= 0 && up.above + 1 == first ? up.start : first;
        }
        tree->above[i] = runs[i].above;
        tree->row[i + 1] = tree->row[i] + ++level;
    }
}

/* Runs of coordinates without gap, from each coordinate towards the base. */
static void build_runs(const perp_articulation *tree)
{
    articulated_own *own = articulated_of(tree);

    for (size_t k = 0; k < tree->count; k++) {
        const articulated_link *link = &own->links[k];
        const articulated_link *up = link;
        articulated_run *run = &own->runs[link->first];

        if (link->dof == 0) { /* a long chain of such links is not climbed from each */
            continue;
        }
        do {
            up = up->parent < 0 ? NULL : &own->links[up->parent];
        } while (up && up->dof == 0);
        run->above = run->start = -1;
        if (up) {
            const articulated_run *before = &own->runs[up->first];
            const bool gap = before->above + 1 != (int32_t)up->first || before->above < 0;

            run->above = (int32_t)(up->first + up->dof) - 1;
            run->start = gap ? (int32_t)up->first : before->start;
        }
        build_rows(tree, link);
    }
}

static void *build_alloc(size_t count, size_t size, bool *enough)
{
    void *memory = math_alloc(count, size);

    *enough = *enough && memory;
    return memory;
}

bool articulated_moving(perp_articulation *tree, size_t count, size_t n, size_t blocks)
{
    articulated_own *own = articulated_of(tree);
    bool enough = true;

    tree->q = build_alloc(n, sizeof *tree->q, &enough);
    tree->qd = build_alloc(n, sizeof *tree->qd, &enough);
    tree->base = build_alloc(count, sizeof *tree->base, &enough);
    tree->base_u = build_alloc(6 * count, sizeof *tree->base_u, &enough);
    tree->E = build_alloc(count, sizeof *tree->E, &enough);
    tree->u = build_alloc(6 * count, sizeof *tree->u, &enough);
    own->links = build_alloc(count, sizeof *own->links, &enough);
    own->loads = build_alloc(count, sizeof *own->loads, &enough);
    own->bodies = build_alloc(count, sizeof *own->bodies, &enough);
    own->T = build_alloc(6 * n, sizeof *own->T, &enough);
    own->S = build_alloc(6 * n, sizeof *own->S, &enough);
    own->G = build_alloc(6 * n, sizeof *own->G, &enough);
    own->inverse = build_alloc(blocks, sizeof *own->inverse, &enough);
    own->x = build_alloc(n, sizeof *own->x, &enough);
    own->y = build_alloc(n, sizeof *own->y, &enough);
    return enough;
}

/* Allocate everything for these links. */
static bool build_memory(perp_articulation *tree, const perp_link *links, size_t count)
{
    articulated_own *own = tree->own = calloc(1, sizeof *own);
    bool enough = own != NULL;
    size_t n = 0;

    if (!own) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        n += links[k].mobilizer->dof;
        own->blocks += (size_t)links[k].mobilizer->dof * links[k].mobilizer->dof;
    }
    tree->n = n;
    tree->links = build_alloc(count, sizeof *tree->links, &enough);
    tree->place = build_alloc(count, sizeof *tree->place, &enough);
    tree->first = build_alloc(count + 1, sizeof *tree->first, &enough);
    tree->depth = build_alloc(count, sizeof *tree->depth, &enough);
    tree->row = build_alloc(n + 1, sizeof *tree->row, &enough);
    tree->above = build_alloc(n, sizeof *tree->above, &enough);
    own->constants = build_alloc(count, sizeof *own->constants, &enough);
    own->runs = build_alloc(n, sizeof *own->runs, &enough);
    own->armature = build_alloc(n, sizeof *own->armature, &enough);
    own->names = build_alloc(2 * count, sizeof *own->names, &enough);
    return articulated_moving(tree, count, n, own->blocks) && enough;
}

/* Links in their new order, with names of their own; false without memory. */
static bool build_copy(perp_articulation *tree, const perp_link *links,
                       const size_t *order, size_t count)
{
    char **names = articulated_of(tree)->names;

    for (size_t k = 0; k < count; k++) {
        tree->place[order[k]] = k;
    }
    for (size_t k = 0; k < count; k++) {
        perp_link *link = &tree->links[k];
        size_t above = 0;

        *link = links[order[k]];
        tree->count = k + 1; /* so many names to free */
        link->name = names[2 * k] = math_text(link->name);
        if (link->joint) {
            link->joint = names[2 * k + 1] = math_text(link->joint);
        } else {
            link->joint = link->name;
        }
        if (!link->name || !link->joint) {
            return false;
        }
        if (link->parent >= 0) {
            link->parent = (int32_t)tree->place[link->parent];
            above = tree->depth[link->parent];
        }
        tree->depth[k] = above + link->mobilizer->dof;
        tree->first[k + 1] = tree->first[k] + link->mobilizer->dof;
        perp_frame_identity(&tree->base[k]);
        perp_frame_identity(&tree->E[k]);
    }
    return true;
}

static perp_status build_tree(perp_articulation *tree, const perp_link *links,
                              size_t count, perp_error *err)
{
    size_t *order = math_alloc(count, sizeof *order);
    size_t *path = math_alloc(count, sizeof *path);
    uint8_t *mark = math_alloc(count, sizeof *mark);
    perp_status status = PERP_OK;

    if (!order || !path || !mark || !build_memory(tree, links, count)) {
        status = perp_fail(err, PERP_ERR_MEMORY, "articulation: no memory for %zu links",
                           count);
    } else if ((status = build_sort(links, count, order, path, mark, err)) == PERP_OK) {
        if (!build_copy(tree, links, order, count)) {
            status =
                perp_fail(err, PERP_ERR_MEMORY,
                          "articulation: no memory for the names of %zu links", count);
        } else {
            memset(mark, 0, count);
            status = articulated_weigh(tree, mark, err);
        }
    }
    free(order);
    free(path);
    free(mark);
    return status;
}

perp_status perp_articulation_new(perp_articulation **tree, const perp_link *links,
                                  size_t count, perp_error *err)
{
    perp_status status = PERP_OK;

    *tree = NULL;
    if (count > INT32_MAX) {
        return perp_fail(err, PERP_ERR_DATA, "articulation: %zu links are too many",
                         count);
    }
    TRY(articulated_check(links, count, err));
    *tree = calloc(1, sizeof **tree);
    if (!*tree) {
        return perp_fail(err, PERP_ERR_MEMORY, "articulation: no memory for it");
    }
    status = build_tree(*tree, links, count, err);
    if (status != PERP_OK) {
        perp_articulation_free(*tree);
        *tree = NULL;
        return status;
    }
    (*tree)->switch_chart = true;
    build_constants(*tree);
    build_runs(*tree);
    return PERP_OK;
}

/* Free the constant data, which a copy borrows. */
static void build_free_model(perp_articulation *tree)
{
    articulated_own *own = articulated_of(tree);

    for (size_t k = 0; own && k < 2 * tree->count && own->names; k++) {
        free(own->names[k]);
    }
    if (own) {
        free(own->names);
        free(own->constants);
        free(own->runs);
        free(own->armature);
    }
    free(tree->links);
    free(tree->place);
    free(tree->first);
    free(tree->depth);
    free(tree->row);
    free(tree->above);
}

void perp_articulation_free(perp_articulation *tree)
{
    articulated_own *own = tree ? tree->own : NULL;

    if (!tree) {
        return;
    }
    if (!own || !own->borrows) {
        build_free_model(tree);
    }
    if (own) {
        free(own->links);
        free(own->loads);
        free(own->bodies);
        free(own->T);
        free(own->S);
        free(own->G);
        free(own->inverse);
        free(own->x);
        free(own->y);
        free(own);
    }
    free(tree->q);
    free(tree->qd);
    free(tree->base);
    free(tree->base_u);
    free(tree->E);
    free(tree->u);
    free(tree);
}

int32_t perp_articulation_find(const perp_articulation *tree, const char *name)
{
    for (size_t k = 0; k < tree->count; k++) {
        if (strcmp(tree->links[k].name, name) == 0) {
            return (int32_t)k;
        }
    }
    return -1;
}
