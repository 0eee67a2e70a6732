/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke.h: what the parts of Lemke's method share. Private.
 *
 *     w = q + M z + D z0,   0 <= z _|_ w >= 0,   z0 -> 0
 *
 * lemke.c       the path from its start to its end, the solver type
 * lemke_howson.c     the start rule of bimatrix games
 * lemke_attempts.c   the judgement of points, further paths
 * lemke_path.c  one pivot: ratio test, lexicographic ties, the step
 * lemke_tableau.c, lemke_kernel.c and lemke_exchange.c   the two forms of a basis
 *
 * Variables are numbered w_i = i, z_i = n + i, z0 = 2n. A basis has n basic variables,
 * each at a position 0 .. n-1; nonbasic ones are zero. A form decides which position it
 * gives to a variable and how it finds the rates at which basic variables fall; the path
 * does not know how. The same path is taken in both forms, up to rounding. */
#ifndef PERP_PIVOTING_LEMKE_H
#define PERP_PIVOTING_LEMKE_H

#include "core/solvers.h"

typedef struct lemke lemke;
typedef struct lemke_howson lemke_howson;

/** How an exchange went. */
typedef enum lemke_exchange {
    LEMKE_EXCHANGED,
    LEMKE_RENEWED, /* not made: the basis was inaccurate and has been factored afresh */
    LEMKE_BASIS_LOST, /* the basis is singular or infeasible to working accuracy */
} lemke_exchange;

/** The covering vector of the first attempts; the others vary it at random. */
enum { COVER_ONES, COVER_ROWS, COVER_DATA, COVER_RANDOM };

/** A representation of the basis. */
typedef struct lemke_form {
    const char *name; /* for the solution path */
    /** Take memory from ws; lend s->scratch. */
    perp_status (*setup)(lemke *s, perp_workspace *ws, perp_error *err);
    /** The basis that has z_i for the pairs with s->swapped and w_i for the others; fills
     *  c, label, place, and a covering column that raises every basic variable of the pair
     *  i at the rate d_i. False if there is no such basis. */
    bool (*start)(lemke *s);
    /** a (n, by position) := the rates at which basic variables fall while the nonbasic
     *  variable `entering` grows. */
    void (*rates)(lemke *s, int entering, double *a);
    /** The same at `count` positions only: out[k] belongs to at[k]. Leaves alone what
     *  `rates` has left for `exchange`. */
    void (*rates_at)(lemke *s, int entering, const int *at, int count, double *out);
    /** The variable of the last `rates` takes the place of that at position `leaving`,
     *  with the value t. Others have moved already (c is up to date), s->a is as it was
     *  filled. */
    lemke_exchange (*exchange)(lemke *s, int entering, int leaving, double t);
} lemke_form;

extern const lemke_form perp_lemke_tableau;
extern const lemke_form perp_lemke_kernel;

struct lemke {
    const perp_problem *p;
    const lemke_form *form;
    void *basis;          /* of the form */
    lemke_howson *howson; /* of the start rule of games; or NULL */
    int n;

    /* The basis. */
    double *c;  /* n: values of basic variables, by position */
    int *label; /* n: the variable at each position */
    int *place; /* 2n+1: position of a basic variable; < 0 for a nonbasic one */

    /* The path. */
    double *d;     /* n: covering vector, by pair */
    char *swapped; /* n: the path began with z_i basic */
    int entering;
    bool covered; /* z0 has entered */
    double zero;  /* rates below it, relative to the largest, are rounding */
    double noise; /* error of the rates, where the form knows it, otherwise 0 */
    bool refined; /* the rates were refined */
    int ties;     /* how many variables blocked together in the last pivot */
    double
        size; /* max -q, or 1: what a ratio is compared with; a slack row has no part in it */
    double *a;                    /* n: rates of the entering variable */
    int *candidate;               /* n: positions that block */
    double *ratio;                /* n: and where they do */
    int *tied;                    /* n: those of them that block first */
    char *is_tied;                /* n: by position, all 0 between pivots */
    double factorizations, flops; /* of the form, not yet in the result */

    /* The attempts. */
    perp_judge *judge;
    perp_random random;
    double tolerance;
    int attempt, attempts; /* from 0, or LEMKE_WARM; how many are allowed */
    int cover;             /* which covering vector: COVER_... */
    double pivots, max_pivots;
    bool limited;       /* a path was stopped by max_pivots */
    double judge_below; /* the point is judged once z0 is below this */
    double leave_after; /* pivots after which a path that has passed a solution is left */
    double best;        /* least residual of the points that were judged */
    char ray[160];      /* where the first ray was met, or empty */
    bool has_ray;
    double *ray_z, ray_z0;   /* n: the first ray from d > 0: its first point, */
    double *ray_dz, ray_dz0; /* n: its direction, */
    double *ray_cover;       /* n: the covering vector */
    double *z;               /* n: the point to judge */
    double *polish;          /* n: the polished point, first its basic part */
    double *scratch;         /* n*n, lent by the form once a path has ended: M_FF */
    int *basic;              /* n: F */
    int *ipiv;               /* n */
};

enum {
    LEMKE_WARM = -1,   /* the attempt from the basis of the start */
    LEMKE_ATTEMPTS = 6 /* most of those from w = q */
};

/** What a pivot led to. */
typedef enum lemke_step {
    LEMKE_GOES_ON,
    LEMKE_AT_SOLUTION, /* z0 is zero: basic variables are nonnegative */
    LEMKE_AT_RAY,      /* nothing blocks; s->a holds the ray */
    LEMKE_STUCK,       /* the basis was lost */
} lemke_step;

/* lemke_attempts.c */

/** The zero tolerance, the covering vector and the first basis of this attempt; false if there
 *  is no such basis. */
bool perp_lemke_start_path(lemke *s);
/** Judge z (n), which becomes the answer so far if it is better. */
void perp_lemke_judge_point(lemke *s, const double *z, perp_result *r);
/** A path has ended at a point or near one: solved, after a new factorisation, or the next
 *  attempt. */
perp_status perp_lemke_end_path(lemke *s, perp_result *r, perp_error *err);
/** Start the next attempt; when none is left, r ends with what stood in the way. */
perp_status perp_lemke_next_attempt(lemke *s, perp_result *r, perp_error *err);

/* lemke_howson.c */

/** PERP_ERR_UNSUITABLE: no game. */
perp_status perp_lemke_howson_setup(lemke *s, perp_workspace *ws, perp_error *err);
/** The path of the next label. */
perp_status perp_lemke_howson_iterate(lemke *s, perp_result *r, perp_error *err);

/* lemke_path.c */

/** The values of the basic variables are nonnegative from the start. */
bool perp_lemke_path_is_feasible(const lemke *s);
/** One pivot; *count is raised if a variable was exchanged. */
lemke_step perp_lemke_path_step(lemke *s, double *count);
/** The value of z0; infinity before it enters. */
double perp_lemke_path_covering(const lemke *s);
/** z (n) of the basis; a variable at rounding level below zero is zero. */
void perp_lemke_path_point(const lemke *s, double *z);
/** The direction (n) of z on a ray, scaled so that its largest entry, or that of z0, is 1;
 *  returns the direction of z0. */
double perp_lemke_path_ray(const lemke *s, double *y);

/** Whether p is a bimatrix game: an LCP with M = [0 A; B^T 0], A, B > 0, rows in any order, and q < 0. */
bool perp_problem_is_game(const perp_problem *p);

#endif
