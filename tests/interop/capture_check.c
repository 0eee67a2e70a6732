/* SPDX-License-Identifier: Apache-2.0
 * capture_check.c: what a captured sequence holds: capture_check FILE prints one "NAME VALUE" per
 * line, which the test compares.
 *
 *     items, rows              items, and the rows of the largest
 *     answers, keyed           items with the engine's answer, with a key for every block
 *     labelled                 items with an origin, and labels of the same keys
 *     kept                     items of the second half whose keys are those of the item before
 *     engine_median, _max      residual of the engine's answers
 *     solved, ours_max         items that `auto` solves, and its largest residual
 *     difference               largest |w - w_engine| / |b| of those (max norms), w = A z + b
 *     frozen                   the same, where the bounds of friction rows are mu times the
 *                              normal impulses of the problem without friction: what Dantzig's
 *                              method with friction indices computes
 *     failed                   items whose answer is no solution of that problem either: the
 *                              engine gave up; they do not count in `frozen`
 *
 * Items with |b| <= 1e-12 m/s, bodies in free fall, are left out of the comparisons: what stands
 * there is rounding.
 *
 * w is unique where A is symmetric positive semidefinite and no row has friction, or frozen
 * bounds; impulses are not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/perp.h>

typedef struct summary {
    size_t items, rows, answers, keyed, labelled, kept, solved, failed, judged;
    double *engine;
    double ours_max, difference, frozen;
} summary;

static void stop(const char *what)
{
    fprintf(stderr, "capture_check: %s\n", what);
    exit(2);
}

static perp_result *solve(const perp_problem *p, double tolerance)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_error err;

    if (perp_solver_parse("auto", &type, &opt, &err) != PERP_OK ||
        perp_options_set_real(&opt, "tolerance", tolerance, &err) != PERP_OK ||
        perp_result_new(&r, p->n, &err) != PERP_OK ||
        perp_solve(type, p, &opt, r, &err) != PERP_OK) {
        stop(err.text);
    }
    return r;
}

static double largest(const double *x, size_t n)
{
    double most = 0.0;

    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* max |A (y - z)| / max |b|. */
static double distance(const perp_problem *p, const double *y, const double *z)
{
    double *d = calloc(2 * p->n + 1, sizeof *d);
    double most = 0.0;

    if (!d) {
        stop("no memory");
    }
    for (size_t i = 0; i < p->n; i++) {
        d[i] = y[i] - z[i];
    }
    perp_operator_apply(p->A, d, d + p->n);
    most = largest(d + p->n, p->n);
    free(d);
    return most / largest(p->b, p->n);
}

/* p with friction rows bounded by mu |z of their normal row|; z NULL: by zero. */
static perp_problem *frozen_problem(const perp_problem *p, const double *z)
{
    perp_problem *q = NULL;
    perp_error err;

    if (perp_problem_copy(&q, p, &err) != PERP_OK) {
        stop(err.text);
    }
    for (size_t k = 0; k < q->set->count; k++) {
        perp_block *block = &q->set->blocks[k];

        if (block->kind == PERP_SET_FRICTION) {
            block->hi = z ? block->mu * fabs(z[block->normal]) : 0.0;
            block->lo = -block->hi;
            block->kind = PERP_SET_BOX;
        }
    }
    if (perp_problem_seal(q, &err) != PERP_OK) {
        stop(err.text);
    }
    return q;
}

static void check_frozen(summary *s, const perp_problem *p)
{
    perp_problem *without = frozen_problem(p, NULL), *with = NULL;
    perp_result *first = solve(without, 1e-12), *second = NULL;

    with = frozen_problem(p, first->z);
    second = solve(with, 1e-12);
    if (second->residual > 1e-8) {
        stop("a problem with frozen bounds was not solved");
    }
    if (perp_residual(with, p->solution->z) > 1e-6) {
        s->failed++;
    } else {
        s->frozen = fmax(s->frozen, distance(p, second->z, p->solution->z));
    }
    perp_result_free(first);
    perp_result_free(second);
    perp_problem_free(without);
    perp_problem_free(with);
}

static void check_item(summary *s, const perp_sequence_item *item, bool frozen)
{
    const perp_problem *p = item->problem;
    perp_result *r = solve(p, 1e-8);
    bool keyed = true, labelled = p->origin && p->origin->version && p->labels;

    for (size_t k = 0; k < p->set->count; k++) {
        keyed = keyed && item->keys[k] != 0;
        labelled = labelled && p->labels->at[k].key == item->keys[k] &&
                   p->labels->at[k].kind != PERP_LABEL_OTHER;
    }
    s->keyed += keyed;
    s->labelled += labelled;
    s->rows = p->n > s->rows ? p->n : s->rows;
    s->solved += r->outcome == PERP_SOLVED;
    s->ours_max = fmax(s->ours_max, r->residual);
    s->answers += p->solution != NULL;
    if (p->solution && largest(p->b, p->n) > 1e-12) {
        s->engine[s->judged++] = perp_residual(p, p->solution->z);
        s->difference = fmax(s->difference, distance(p, r->z, p->solution->z));
        if (frozen) {
            check_frozen(s, p);
        }
    }
    perp_result_free(r);
}

static bool same_keys(const perp_sequence_item *a, const perp_sequence_item *b)
{
    size_t n = a->problem ? a->problem->set->count : 0;

    for (size_t k = 0; k < n && n == b->problem->set->count; k++) {
        bool found = false;

        for (size_t j = 0; j < n; j++) {
            found = found || b->keys[j] == a->keys[k];
        }
        if (!found) {
            return false;
        }
    }
    return n > 0 && n == b->problem->set->count;
}

static int ascending(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;

    return (p > q) - (p < q);
}

static void print_summary(const summary *s)
{
    qsort(s->engine, s->judged, sizeof *s->engine, ascending);
    printf("items %zu\nrows %zu\nanswers %zu\nkeyed %zu\nlabelled %zu\nkept %zu\nsolved "
           "%zu\n",
           s->items, s->rows, s->answers, s->keyed, s->labelled, s->kept, s->solved);
    if (s->judged > 0) {
        printf("engine_median %.2g\nengine_max %.2g\n", s->engine[s->judged / 2],
               s->engine[s->judged - 1]);
    }
    printf("ours_max %.2g\ndifference %.2g\nfailed %zu\nfrozen %.2g\n", s->ours_max,
           s->difference, s->failed, s->frozen);
}

int main(int argc, char **argv)
{
    bool frozen = argc > 2 && strcmp(argv[2], "frozen") == 0;
    perp_sequence *sequence = NULL;
    perp_sequence_item last = {0}, item = {0};
    summary s = {0};
    perp_error err;

    if (argc < 2 || perp_sequence_open(&sequence, argv[1], &err) != PERP_OK) {
        stop(argc < 2 ? "FILE is missing" : err.text);
    }
    s.items = perp_sequence_count(sequence);
    s.engine = calloc(s.items + 1, sizeof *s.engine);
    for (size_t i = 0; i < s.items; i++) {
        if (!s.engine || perp_sequence_get(sequence, i, &item, &err) != PERP_OK) {
            stop(s.engine ? err.text : "no memory");
        }
        check_item(&s, &item, frozen);
        s.kept += i > s.items / 2 && same_keys(&last, &item);
        perp_sequence_item_clear(&last);
        last = item;
        item = (perp_sequence_item){0};
    }
    print_summary(&s);
    perp_sequence_item_clear(&last);
    perp_sequence_free(sequence);
    free(s.engine);
    return 0;
}
