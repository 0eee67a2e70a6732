/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/collisions.c: contacts of thousands of small worlds that are hard on
 * purpose.
 *
 *     collisions COUNT [SEED [CASE]]     without arguments: a test of 300, speaks TAP
 *
 * Cases run in a process of their own, so that a signal is counted and not the end. Each
 * world is searched with every broad and every narrow type. Wrong is a failure but for
 * pairs that nothing takes; contacts that depend on the broad phase or on what a collider
 * remembers; a number that is not finite, a normal that is not of length 1, a gap beyond
 * the margin, a key that is 0 or twice, an order of pairs that is none, a witness outside
 * the shape's box; a deepest contact that is not what perp_proximity_find finds, in one
 * order of the shapes or the other; types that differ where they are exact; shapes that
 * still overlap when moved apart by their depth; a pair that was not resolved and whose
 * scene does not say so again. Exit status 1 if there was one. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contacts.h"

enum { TEST_COUNT = 300, TYPES_MOST = 8 };

static bool met(const perp_world *w, size_t i, size_t j)
{
    return (w->motion[i] == PERP_MOTION_DYNAMIC || w->motion[j] == PERP_MOTION_DYNAMIC) &&
           !w->shapes[i].type->has_parts && !w->shapes[j].type->has_parts;
}

/* False: it failed, which is wrong unless nothing takes a pair. */
static bool search(trial *t, perp_collider *c, const perp_world *w, perp_contacts *all)
{
    perp_error err = {0};
    perp_status status = perp_collider_run(c, w, w->start, &t->settings, all, &err);

    t->at->runs++;
    t->at->contacts += all->count;
    t->at->unsuitable += status == PERP_ERR_UNSUITABLE;
    if (status != PERP_OK && status != PERP_ERR_UNSUITABLE) {
        torture_wrong(t, "%s", err.text);
    }
    return status == PERP_OK;
}

static void check_unresolved(trial *t, const perp_collider *from)
{
    const perp_collide_report *report = perp_collider_report(from);
    perp_contacts again = {0};
    perp_collider *c = NULL;

    t->at->unresolved += t->settings.iterations == 0 ? report->unresolved_count : 0;
    for (size_t k = 0; k < report->unresolved_count; k++) {
        const perp_unresolved *pair = &report->unresolved[k];
        char *text = NULL;
        perp_scene *scene = NULL;
        perp_error err = {0};
        bool same = false;

        if (perp_unresolved_print(t->world, t->world->start, NULL, pair, &text, &err) !=
                PERP_OK ||
            perp_scene_parse(&scene, text, strlen(text), "pair", &err) != PERP_OK ||
            perp_collider_new(&c, &err) != PERP_OK) {
            torture_wrong(t, "scene of an unresolved pair: %s", err.text);
        } else if (search(t, c, scene->world, &again)) {
            const perp_collide_report *r = perp_collider_report(c);

            for (size_t l = 0; l < r->unresolved_count; l++) {
                same = same || (r->unresolved[l].gap == pair->gap &&
                                r->unresolved[l].part_a == pair->part_a);
            }
        }
        if (!same) {
            torture_wrong(t, "%zu and %zu were not resolved, and their scene is",
                          pair->shape_a, pair->shape_b);
        }
        perp_collider_free(c);
        c = NULL;
        perp_scene_free(scene);
        free(text);
    }
    perp_contacts_clear(&again);
}

/* The same shapes in the other order have the same depths. */
static void check_reversed(trial *t, const perp_collider *from, const perp_contacts *all)
{
    size_t last = t->world->shape_count - 1;
    torture_world told;
    perp_world *w = torture_world_draw(t->seed, t->index, true, &told, NULL);
    perp_contacts other = {0};
    perp_collider *c = NULL;

    if (w && perp_collider_new(&c, NULL) == PERP_OK && search(t, c, w, &other)) {
        for (size_t i = 0; i < last; i++) {
            for (size_t j = i + 1; j <= last; j++) {
                const perp_placed a = torture_place(t->world, i);
                const perp_placed b = torture_place(t->world, j);
                const perp_contact *x = torture_deepest(all, i, j);
                const perp_contact *y = torture_deepest(&other, last - j, last - i);
                double near = torture_slack(&a, &b);
                double least = t->settings.margin - near;

                if (torture_is_unresolved(from, i, j) ||
                    torture_is_unresolved(c, last - j, last - i)) {
                    continue;
                }
                if ((x && y && !(fabs(x->gap - y->gap) <= near)) ||
                    (x && !y && x->gap <= least) || (y && !x && y->gap <= least)) {
                    torture_wrong(
                        t, "%s %zu and %s %zu: gap %.12g, in the other order %.12g",
                        a.shape->type->name, i, b.shape->type->name, j,
                        x ? x->gap : INFINITY, y ? y->gap : INFINITY);
                }
            }
        }
    }
    perp_contacts_clear(&other);
    perp_collider_free(c);
    perp_world_free(w);
}

static bool same_bits(const perp_contacts *x, const perp_contacts *y)
{
    return x->count == y->count &&
           (x->count == 0 || memcmp(x->at, y->at, x->count * sizeof *x->at) == 0);
}

/* One narrow type with all broad types, whose colliders remember other searches. */
static void check_narrow(trial *t, perp_collider *const *old)
{
    const perp_broad_type *const *broads = perp_broad_types(NULL);
    perp_contacts first = {0};
    perp_contacts next = {0};
    perp_collider *c = NULL;
    bool ok = perp_collider_new(&c, NULL) == PERP_OK;
    bool done = false;

    t->settings.broad = NULL;
    done = ok && search(t, c, t->world, &first);
    for (size_t k = 0; ok && broads[k]; k++) {
        t->settings.broad = broads[k];
        if (search(t, old[k], t->world, &next) != done || !same_bits(&first, &next)) {
            torture_wrong(t, "other contacts by %s", broads[k]->name);
        }
    }
    t->settings.broad = NULL;
    if (done) {
        torture_check_contacts(t, c, &first);
        check_unresolved(t, c);
        for (size_t i = 0; i < t->world->shape_count; i++) {
            for (size_t j = i + 1;
                 t->settings.iterations == 0 && j < t->world->shape_count; j++) {
                if (met(t->world, i, j)) {
                    torture_check_pair(t, &first, i, j);
                }
            }
        }
    }
    perp_contacts_clear(&first);
    perp_contacts_clear(&next);
    perp_collider_free(c);
}

/* Settings of a case, and its world searched with every type, then again after all bodies
 * have moved a little. */
static void check_world(trial *t, perp_random *g, perp_collider *const *old)
{
    const perp_narrow_type *const *narrows = perp_narrow_types(NULL);
    const double margins[3] = {0.0, 0.01 * t->told.size, t->told.size};

    t->settings.margin = margins[perp_random_integer(g, 0, 2)];
    t->settings.reduce = perp_random_integer(g, 0, 2) ? 0 : 4;
    t->settings.iterations = perp_random_integer(g, 0, 9) ? 0 : 2;
    t->settings.speculative = perp_random_integer(g, 0, 4) ? 0.0 : 0.01;
    check_narrow(t, old);
    for (size_t k = 0; narrows[k]; k++) {
        t->settings.narrow = narrows[k];
        check_narrow(t, old);
    }
    t->settings.narrow = NULL;
    if (t->settings.iterations == 0) {
        perp_collider *c = NULL;
        perp_contacts all = {0};

        if (perp_collider_new(&c, NULL) == PERP_OK && search(t, c, t->world, &all)) {
            check_reversed(t, c, &all);
        }
        perp_contacts_clear(&all);
        perp_collider_free(c);
    }
    t->when = "moved";
    torture_world_stir(t->world, t->index, t->told.size);
    check_narrow(t, old);
}

static void run_case(uint64_t seed, torture_cases *cases)
{
    perp_random g = {seed + 77 * cases->index};
    trial t = {
        .seed = seed, .index = cases->index, .at = (progress *)cases, .when = "as drawn"};
    perp_collider *old[TYPES_MOST] = {NULL};
    const perp_broad_type *const *broads = perp_broad_types(NULL);
    perp_error err = {0};
    bool ok = true;

    for (size_t k = 0; broads[k] && k < TYPES_MOST; k++) {
        ok = ok && perp_collider_new(&old[k], &err) == PERP_OK;
    }
    t.world = torture_world_draw(seed, t.index, false, &t.told, &err);
    if (!t.world || !ok) {
        torture_wrong(&t, "%s", err.text);
    } else {
        check_world(&t, &g, old);
    }
    if (t.fault[0]) {
        torture_cases_wrong(cases, seed, t.told.what, t.fault);
    }
    for (size_t k = 0; k < TYPES_MOST; k++) {
        perp_collider_free(old[k]);
    }
    perp_world_free(t.world);
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : TEST_COUNT;
    uint64_t seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    progress *at = torture_shared(sizeof *at);

    if (!at) {
        fputs("collisions: no memory\n", stderr);
        return 2;
    }
    at->cases.index = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    torture_cases_run(&at->cases, seed, argc > 3 ? at->cases.index + 1 : count, run_case);
    if (argc < 2) {
        printf("%s 1 - torture: contacts of %d hard worlds are sound\n1..1\n",
               at->cases.wrong ? "not ok" : "ok", TEST_COUNT);
    } else {
        printf("%zu worlds, %zu searches (%zu of what nothing takes), %zu contacts, %zu "
               "pairs measured, %zu unresolved: %zu wrong\n",
               at->cases.index, at->runs, at->unsuitable, at->contacts, at->pairs,
               at->unresolved, at->cases.wrong);
    }
    return at->cases.wrong > 0;
}
