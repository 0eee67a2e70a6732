/* SPDX-License-Identifier: Apache-2.0
 * solve/auto.c: chooses solvers by the kind of the problem, and falls back to others.
 *
 * A global problem is made local first. The first situation of the table below that
 * applies names the solvers. Each of them starts from the best point so far, some late ones from
 * where the caller began, since a point near no solution can lead all of them astray. Each has at
 * most half of the time that is left, the last one all of it. Some steps have a budget of
 * work, a share of a cost that is predicted from the size of the problem: products and
 * factorisations are counted, so the budget does not depend on the machine. A pivoting
 * method before the last one has at most 500 pivots and 20 per row. The solution path begins with the
 * situation and lists every solver with its outcome. The answer, and a certificate, is that
 * of the solver that found it; auto computes nothing itself. A certificate that there is no
 * solution ends the chain; any other negative answer calls the next solver. When no solver
 * is left, the reason names the best and the last one. Cost and memory are those of the
 * solvers that ran. The table is learnt from a race of all solvers (make race);
 * docs/race.md lists how far auto is from the best of them in each situation. Most of them
 * are compared on contact problems in [acary-bremond-huber-2018]. */
#include <config.h>

#include "core/solvers.h"
#include "pivoting/lemke.h"

enum {
    TINY_LCP = 14,        /* rows: all 2^n active sets can be tried */
    SMALL_LCP = 64,       /* rows: a dense method pivots through them at once */
    BOX_FRICTION = 600,   /* rows: the LCP has 1400, its kernel 16 MB */
    SHORT_SPARSE = 250,   /* rows: as many pivots cost as much as 5 sparse factors */
    LONG_SPARSE = 500,    /* rows: more dense pivots cost more than 15 sparse factors */
    MANY_AT_ONE = 500,    /* rows: those of one body form a dense block of A */
    LONG_DENSE = 1000,    /* rows: the same, dense factors */
    DENSE_ROWS = 2000,    /* rows: a dense Cholesky factor has 32 MB and takes a second */
    FACTOR_CONTACTS = 20, /* the matrix of the velocities of their bodies has factors */
    MANY_CONES = 300,     /* a factorisation takes as long as 100 steps of apgd */
    FEW_CONTACTS = 50,    /* the time to factor the Newton matrix is negligible */
    SOME_CONTACTS = 100,  /* a factorisation takes as long as 300 steps of apgd-inline */
    MANY_BODIES = 3000,   /* a factorisation of a heap takes as long as 100 iterations */
    MANY_CONTACTS = 5000, /* the factors of the Newton matrix do not fit in memory */
};

/* A is sparse where fewer than this part of its entries are stored. */
static const double auto_sparse_part = 0.1;

/* Contacts whose diagonal entries differ by this ratio have masses that do. The families of
 * random masses reach 160. */
static const double auto_uneven_ratio = 300.0;

static bool auto_has(const perp_problem *p, unsigned kinds)
{
    return (perp_set_kinds(p->set) & kinds) != 0;
}

/* Entries of A, or those of its factors. */
static bool auto_is_sparse(const perp_problem *p)
{
    return (double)perp_operator_nonzeros(p->A) <
           auto_sparse_part * (double)p->n * (double)p->n;
}

/* Is there a row of a kind other than NONNEG that a pivoting method takes, too? */
static bool auto_has_bounds(const perp_problem *p)
{
    return auto_has(p, PERP_SET_BOX | PERP_SET_FREE);
}

static bool auto_rolling(const perp_problem *p)
{
    return auto_has(p, PERP_SET_ROLLING);
}

static bool auto_associated(const perp_problem *p)
{
    return auto_has(p, PERP_SET_CONE) && p->law == PERP_LAW_ASSOCIATED;
}

/* A factorisation takes as long as 100 steps of apgd, and ipm-socp needs some 13. */
static bool auto_associated_in_factors(const perp_problem *p)
{
    return auto_associated(p) && perp_operator_in_factors(p->A) &&
           perp_problem_contacts(p) > FACTOR_CONTACTS &&
           perp_operator_velocities(p->A) <= (size_t)6 * MANY_BODIES;
}

static bool auto_associated_many(const perp_problem *p)
{
    return auto_associated(p) && perp_problem_contacts(p) > MANY_CONES;
}

/* As in a stack whose boxes grow by a factor: apgd takes thousands of steps there, the conjugate
 * gradients of mpgp one or two per row. */
static bool auto_associated_uneven(const perp_problem *p)
{
    double least = INFINITY, most = 0.0;

    for (size_t k = 0; auto_associated(p) && k < p->set->count; k++) {
        double d = perp_operator_diagonal(p->A, p->set->blocks[k].first);

        least = fmin(least, d);
        most = fmax(most, d);
    }
    return most > auto_uneven_ratio * least;
}

static bool auto_contacts_in_factors(const perp_problem *p)
{
    return auto_has(p, PERP_SET_CONE) && perp_operator_in_factors(p->A) &&
           perp_problem_contacts(p) > FACTOR_CONTACTS;
}

/* As boxes at rest on four points have: ADMM solves them in as few steps at any size. */
static bool auto_redundant_contacts(const perp_problem *p)
{
    return auto_contacts_in_factors(p) && perp_operator_is_redundant(p->A);
}

static bool auto_associated_redundant(const perp_problem *p)
{
    return auto_associated(p) && auto_redundant_contacts(p);
}

/* Heaps in space: a factorisation grows with more than the square of the bodies. */
static bool auto_filling_contacts(const perp_problem *p)
{
    return auto_contacts_in_factors(p) &&
           perp_operator_velocities(p->A) > (size_t)6 * MANY_BODIES;
}

static bool auto_unfactorable_contacts(const perp_problem *p)
{
    return auto_has(p, PERP_SET_CONE) && perp_problem_contacts(p) > MANY_CONTACTS;
}

/* Sweeps pass along chains of joints slowly, and end where the forces of a mechanism are
 * not exact yet. */
static bool auto_mixed_contacts(const perp_problem *p)
{
    return auto_has(p, PERP_SET_CONE) && perp_set_kinds(p->set) != PERP_SET_CONE;
}

static bool auto_many_contacts(const perp_problem *p)
{
    return auto_has(p, PERP_SET_CONE) && perp_problem_contacts(p) > FEW_CONTACTS;
}

static bool auto_more_contacts(const perp_problem *p)
{
    return auto_has(p, PERP_SET_CONE) && perp_problem_contacts(p) > SOME_CONTACTS;
}

static bool auto_contacts(const perp_problem *p)
{
    return auto_has(p, PERP_SET_CONE);
}

static bool auto_disks(const perp_problem *p)
{
    return auto_has(p, PERP_SET_DISK);
}

static bool auto_box_friction(const perp_problem *p)
{
    return auto_has(p, PERP_SET_FRICTION);
}

static bool auto_small_box_friction(const perp_problem *p)
{
    return auto_box_friction(p) && p->n <= SMALL_LCP;
}

static bool auto_middle_box_friction(const perp_problem *p)
{
    return auto_box_friction(p) && p->n <= BOX_FRICTION;
}

static bool auto_sparse_bounds(const perp_problem *p)
{
    return auto_has_bounds(p) && p->n > SMALL_LCP && auto_is_sparse(p);
}

static bool auto_differ(const perp_operator *A, size_t i, size_t j)
{
    double upper = perp_operator_entry(A, i, j);
    double lower = perp_operator_entry(A, j, i);

    return fabs(upper - lower) > 1e-10 * fmax(fabs(upper), fabs(lower));
}

/* In a sample: each row with the next one, and with one far away. A full test would take as
 * long as the solution of a problem that is easy. */
static bool auto_asymmetric(const perp_problem *p)
{
    if (p->A->entries.known && p->A->entries.asymmetry == 0.0) {
        return false;
    }
    for (size_t i = 0; i < p->n; i++) {
        if (auto_differ(p->A, i, (i + 1) % p->n) ||
            auto_differ(p->A, i, i * 7919 % p->n)) {
            return true;
        }
    }
    return false;
}

static bool auto_asymmetric_bounds(const perp_problem *p)
{
    return auto_has_bounds(p) && auto_asymmetric(p);
}

/* The rows of joints, stored sparse, may be redundant: fb spreads the forces evenly. */
static bool auto_dense_asymmetric_bounds(const perp_problem *p)
{
    return auto_asymmetric_bounds(p) && p->A->type->storage == PERP_STORAGE_DENSE;
}

/* As hundreds of balls on a moving plate have, or the joints of a long chain in reduced
 * coordinates: what forms A takes as long as 100 steps in the velocities. */
static bool auto_crowded(const perp_problem *p)
{
    return perp_operator_largest_degree(p->A) > MANY_AT_ONE && !auto_asymmetric(p);
}

static bool auto_tiny_lcp(const perp_problem *p)
{
    return p->n <= TINY_LCP;
}

static bool auto_small_lcp(const perp_problem *p)
{
    return p->n <= SMALL_LCP;
}

static bool auto_zero_diagonal(const perp_problem *p)
{
    for (size_t i = 0; i < p->n && p->n <= DENSE_ROWS; i++) {
        if (perp_operator_diagonal(p->A, i) == 0.0) {
            return true;
        }
    }
    return false;
}

static void auto_add_size(void *sum, size_t j, double a)
{
    (void)j;
    *(double *)sum += fabs(a);
}

/* Is every diagonal entry at least the sum of the others in its row, up to rounding? */
static bool auto_dominant(const perp_problem *p)
{
    for (size_t i = 0; i < p->n; i++) {
        double sum = 0.0;

        perp_operator_row_visit(p->A, i, auto_add_size, &sum);
        if (perp_operator_diagonal(p->A, i) < (0.5 - 1e-12) * sum) {
            return false;
        }
    }
    return true;
}

static bool auto_large(const perp_problem *p)
{
    return p->n > DENSE_ROWS;
}

static bool auto_sparse_dominant(const perp_problem *p)
{
    return auto_is_sparse(p) && auto_dominant(p);
}

static bool auto_asymmetric_dominant(const perp_problem *p)
{
    return auto_asymmetric(p) && auto_sparse_dominant(p);
}

static bool auto_stored_sparse(const perp_problem *p)
{
    return p->A->type->storage != PERP_STORAGE_DENSE;
}

static bool auto_short_sparse(const perp_problem *p)
{
    return p->n <= SHORT_SPARSE && auto_stored_sparse(p);
}

static bool auto_long_sparse(const perp_problem *p)
{
    return p->n > LONG_SPARSE && auto_stored_sparse(p);
}

static bool auto_long(const perp_problem *p)
{
    return p->n > LONG_DENSE;
}

static bool auto_always(const perp_problem *p)
{
    (void)p;
    return true;
}

/* As many products as there are rows, after which conjugate gradients would be exact. */
static double auto_flops_products(const perp_problem *p)
{
    return 2.0 * (double)perp_operator_nonzeros(p->A) * (double)p->n;
}

static const perp_cost auto_products = {"n products", auto_flops_products};

/* Twelve steps of ipm-socp with W stored. The time of a step is that of 60 n^2 flops of products,
 * within a factor of two from 15 to 600 rows: in small ones what is not counted matters, in
 * large ones W is sparse. */
static double auto_flops_path(const perp_problem *p)
{
    return 12.0 * 60.0 * (double)p->n * (double)p->n;
}

static const perp_cost auto_path = {"12 interior steps", auto_flops_path};

/* n pivots of a dense tableau of the rows: those of lemke where it solves box friction, whose LCP
 * has more rows but a sparse start. */
static double auto_flops_pivots(const perp_problem *p)
{
    return 2.0 * (double)p->n * (double)p->n * (double)p->n;
}

static const perp_cost auto_pivots = {"n dense pivots", auto_flops_pivots};

/* Few block exchanges, which suffice where A is well conditioned; else the next solver. */
#define AUTO_BLOCKS "bpp patience=3,singles=1,max-iterations=40,on-singular=none"
/* Single exchanges of an asymmetric or sparse A factor again: 30 of them cost as much as 5 n
 * exchanges of a tableau. */
#define AUTO_EXCHANGES "bpp singles=30"
/* A path of some 25 steps, and where it slows 200 of Newton's method. */
#define AUTO_PATH "ipm-coulomb max-iterations=300"
/* Six rounds of sweeps and Newton's method; after other solvers, from their best point, twice as
 * many iterations. */
#define AUTO_ROLLING      "nsgs+newton max-iterations=15000"
#define AUTO_MORE_ROLLING "nsgs+newton max-iterations=30000"
/* Rounds of Newton's method for as long as the path does not help. */
#define AUTO_ROUNDS "prox-newton eps=0.1,max-iterations=3000"
/* Sweeps alone solve most problems that are not hyperstatic; from where these end Newton's
 * method needs half the time in the mean. */
#define AUTO_SWEEPS "anderson max-iterations=100"

/* Gradients solve half of the larger hyperstatic problems, and cycle near a solution of others, which
 * Newton's method reaches from there within 300 steps or not at all. */
#define AUTO_GRADIENTS "apgd-inline max-iterations=40000"
#define AUTO_NEWTON    "nsgs+newton max-iterations=300"

/* Sets of modes around the best point, which is near a solution where a path or splitting
 * ends in a cycle or stalls: mu of 50 and more, redundant contacts that touch without impulse. */
#define AUTO_MODES      "prox-newton modes=300"
#define AUTO_MORE_MODES "prox-newton modes=900"
/* The same around the point where rounds from the caller's start end: the best point may be
 * near no solution. */
#define AUTO_FRESH_MODES "prox-newton modes=1500,max-iterations=2000"

/* Each row applies to what the rows above it leave. A is symmetric where a sample of its
 * entries is; the solvers test the rest themselves. */
static const perp_chain_row auto_rows[] = {
    {"rolling contacts", auto_rolling,
     .steps = {AUTO_ROLLING, "admm-ncp", "nsgs", "ds:spg", AUTO_MORE_ROLLING,
               AUTO_FRESH_MODES},
     .cold = {[5] = true}},
    {"cones of the associated law in factors, more than 20 contacts, twice as many rows "
     "as velocities",
     auto_associated_redundant,
     .steps = {"admm-ncp max-iterations=60", "ipm-socp max-iterations=200",
               "apgd max-iterations=20000", "admm", "nsgs"}},
    {"cones of the associated law in factors, more than 20 contacts, at most 3000 bodies",
     auto_associated_in_factors,
     .steps = {"apgd max-iterations=300", "ipm-socp", "apgd max-iterations=20000", "admm",
               "nsgs"},
     .warm = "ipm-socp max-iterations=60"},
    {"cones of the associated law, more than 300 contacts", auto_associated_many,
     .steps = {"apgd max-iterations=20000", "ipm-socp", "admm", "nsgs"}},
    {"cones of the associated law, masses that differ by 300 and more",
     auto_associated_uneven,
     .steps = {"mpgp", "ipm-socp", AUTO_MODES, "apgd max-iterations=20000", "admm",
               AUTO_MODES, "ac", "nsgs", AUTO_FRESH_MODES},
     .cold = {[6] = true, [8] = true}, .share = {3.0}, .cost = &auto_products},
    {"cones of the associated law", auto_associated,
     .steps = {"apgd", "ipm-socp", AUTO_MODES, "apgd max-iterations=20000", "admm",
               AUTO_MODES, "ac", "nsgs", AUTO_FRESH_MODES},
     .cold = {[6] = true, [8] = true}, .share = {1.0}, .cost = &auto_path},
    {"frictional contact in factors, more than 20 contacts, twice as many rows as "
     "velocities",
     auto_redundant_contacts,
     .steps = {"admm-ncp max-iterations=100", AUTO_PATH,
               "apgd-inline max-iterations=3000", AUTO_ROUNDS,
               "nsgs+newton max-iterations=5000", "ipm-coulomb", "admm-ncp",
               "nsgs relaxation=0.7"},
     .warm = "prox-newton max-iterations=12"},
    {"frictional contact in factors, more than 3000 bodies, whose factors fill",
     auto_filling_contacts,
     .steps = {"nncg max-iterations=5000", "apgd-inline max-iterations=5000",
               "admm-ncp max-iterations=2000", "nsgs"}},
    {"frictional contact in factors, more than 20 contacts", auto_contacts_in_factors,
     .steps = {"ipm-coulomb max-iterations=60", "apgd-inline max-iterations=10000",
               AUTO_PATH, AUTO_ROUNDS, "nsgs+newton max-iterations=5000",
               "admm-ncp max-iterations=1000", "ipm-coulomb", "admm-ncp"},
     .warm = "prox-newton max-iterations=12"},
    {"frictional contact, more than 5000 contacts, too many to factor",
     auto_unfactorable_contacts, .steps = {"nsgs", "nncg", "ds:spg"}},
    {"frictional contact with joints, motors or limits", auto_mixed_contacts,
     .steps = {"ipm-coulomb max-iterations=100", "nsgs+newton max-iterations=2000",
               "ipm-socp max-iterations=200", AUTO_MODES, "admm-ncp", "nsgs+newton",
               "nsgs relaxation=0.7", "ipm-socp", AUTO_MODES, AUTO_FRESH_MODES},
     .cold = {[7] = true, [9] = true}},
    {"frictional contact, more than 100 contacts", auto_more_contacts,
     .steps = {"anderson max-iterations=1000", AUTO_GRADIENTS, AUTO_NEWTON,
               AUTO_GRADIENTS, AUTO_NEWTON, "ipm-coulomb",
               "nsgs+newton max-iterations=30000", "admm-ncp"}},
    {"frictional contact, more than 50 contacts", auto_many_contacts,
     .steps = {AUTO_SWEEPS, "nsgs+newton max-iterations=500",
               "ipm-coulomb max-iterations=40", "nsgs+newton max-iterations=2000",
               "ipm-socp max-iterations=200", AUTO_MODES, "admm-ncp", "nsgs+newton",
               "nsgs relaxation=0.7", "ipm-socp", AUTO_MODES},
     .cold = {[8] = true}},
    {"frictional contact, at most 50 contacts", auto_contacts,
     .steps = {AUTO_SWEEPS, "ipm-coulomb max-iterations=40",
               "nsgs+newton max-iterations=2000", "ipm-socp max-iterations=200",
               AUTO_MODES, "admm-ncp", "nsgs+newton", "nsgs", "ipm-socp", AUTO_MORE_MODES,
               "admm", "spg-inline", AUTO_FRESH_MODES},
     .cold = {[8] = true, [10] = true, [11] = true, [12] = true}},
    {"disks", auto_disks, .steps = {"mpgp", "admm", "nsgs"}},
    {"box friction, at most 64 rows", auto_small_box_friction,
     .steps = {"lemke", "tresca:dantzig", "nsgs+newton max-iterations=30000", AUTO_MODES,
               "friction-path max-iterations=500", "lemke cover=rows",
               "prox:friction-path epsilon=1e-3", AUTO_FRESH_MODES},
     .cold = {[7] = true}},
    {"box friction, at most 600 rows", auto_middle_box_friction,
     .steps = {AUTO_SWEEPS, "prox-newton", "anderson", "lemke",
               "nsgs+newton max-iterations=30000", "tresca:dantzig", "lemke cover=rows",
               "prox:friction-path epsilon=1e-3"},
     .share = {0.0, 1.0, 0.5}, .cost = &auto_pivots},
    {"box friction", auto_box_friction,
     .steps = {AUTO_SWEEPS, "prox-newton", "anderson", "nsgs+newton max-iterations=30000",
               "tresca:dantzig", "friction-path max-iterations=500", "lemke cover=rows",
               "prox:friction-path epsilon=1e-3"},
     .share = {0.0, 1.0, 0.5}, .cost = &auto_pivots},
    {"bounds and free rows, A asymmetric and stored dense", auto_dense_asymmetric_bounds,
     .steps = {AUTO_BLOCKS, "fb", "minmap", AUTO_EXCHANGES, "ipm", "lemke", AUTO_MODES}},
    {"bounds and free rows, A asymmetric", auto_asymmetric_bounds,
     .steps = {"fb", "minmap", AUTO_EXCHANGES, "ipm", "lemke", AUTO_MODES}},
    {"rows in factors, A symmetric, more than 500 rows act on one body", auto_crowded,
     .steps = {"prox-newton", "mpgp max-iterations=5000", "admm", AUTO_BLOCKS, "ipm",
               "fb", "lemke"}},
    {"more than 64 rows with bounds and free rows, A symmetric and sparse",
     auto_sparse_bounds,
     .steps = {AUTO_BLOCKS, "ipm", "dantzig", "prox:dantzig", AUTO_EXCHANGES, "fb",
               "lemke"}},
    {"bounds and free rows, A symmetric", auto_has_bounds,
     .steps = {AUTO_BLOCKS, "dantzig", "prox:dantzig", AUTO_EXCHANGES, "fb", "lemke",
               AUTO_MODES}},
    {"a bimatrix game", perp_problem_is_game,
     .steps = {"lemke rule=lemke-howson", "lemke", "fb", "ipm", AUTO_MODES}},
    {"an LCP of at most 14 rows", auto_tiny_lcp,
     .steps = {"lemke", "fb", "keller", "bpp", "ipm", "enumerate"}},
    {"an LCP of at most 64 rows", auto_small_lcp,
     .steps = {"lemke", "fb", "keller", "ipm", "bpp", AUTO_MODES}},
    {"an LCP with a zero diagonal, at most 2000 rows", auto_zero_diagonal,
     .steps = {"lemke", "ipm", "fb", "keller", "prox:bpp", AUTO_MODES}},
    {"an LCP, A asymmetric, sparse and diagonally dominant", auto_asymmetric_dominant,
     .steps = {"bpp max-iterations=6", "ipm", AUTO_EXCHANGES, "fb", "lemke"}},
    {"an LCP, A sparse and diagonally dominant", auto_sparse_dominant,
     .steps = {"mpgp max-iterations=60", "bpp max-iterations=20", "ipm", AUTO_EXCHANGES,
               "mpgp", "fb", "lemke"}},
    {"an LCP of more than 2000 rows", auto_large,
     .steps = {AUTO_BLOCKS, "ipm", "psor", "mpgp", "fb", "lemke"}},
    {"an LCP of at most 250 rows, A stored sparse", auto_short_sparse,
     .steps = {"lemke", "dantzig", AUTO_EXCHANGES, "ipm", "fb"}},
    {"an LCP of more than 500 rows, A stored sparse", auto_long_sparse,
     .steps = {AUTO_BLOCKS, "ipm", "lemke", "dantzig", "mpgp", "fb"}},
    {"an LCP of more than 1000 rows", auto_long,
     .steps = {AUTO_BLOCKS, "ipm", "dantzig", "lemke", "fb", "prox:bpp"}},
    {"an LCP, A asymmetric", auto_asymmetric,
     .steps = {"lemke", AUTO_EXCHANGES, "fb", "ipm"}},
    {"an LCP, A symmetric", auto_always,
     .steps = {AUTO_BLOCKS, "lemke", "dantzig", "ipm", "prox:bpp"}, .stalled = "dantzig"},
    {.situation = NULL},
};

static const perp_option auto_options[] = {
    PERP_INTEGER(
        "threads", 1, 1, 256,
        "number of threads that solve islands, or share factorisations and steps"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_auto = {
    .name = "auto",
    .family = "chain",
    .summary = "chooses solvers by the kind of the problem, and falls back to others",
    .reference = "cottle-pang-stone-2009",
    .algorithm = "no published algorithm: a chain of the solvers of this list",
    .additions = "the choice of the chain",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE, RAY, SINGULAR, CYCLE),
    .options = auto_options,
    .chain = auto_rows,
};
