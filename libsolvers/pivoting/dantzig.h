/* SPDX-License-Identifier: Apache-2.0
 * pivoting/dantzig.h: the state that the parts of the Cottle-Dantzig method share. Private.
 *
 * dantzig_pivot.c drives one row at a time, dantzig_start.c begins from a guessed set and
 * polishes, dantzig_friction.c couples the bounds of friction rows to their normals,
 * dantzig_path.c follows the bounds from wide open to closed, dantzig.c strings them
 * together. */
#ifndef PERP_PIVOTING_DANTZIG_H
#define PERP_PIVOTING_DANTZIG_H

#include "core/solvers.h"
#include "ldlt.h"

/* A Schur complement of at most this part of its diagonal counts as singular: rounding
 * leaves 1e-14 of it where the rank is lost, data regularised at 1e-8 stay well above. */
#define DANTZIG_SINGULAR 1e-12

/* A solution to rounding: what is left of the error beside that of evaluating it. */
#define SETTLED 1e-14

/* Columns that dgetri takes at once, and changes of a kernel before it is factored again. */
enum { DANTZIG_BLOCK = 32, DANTZIG_UPDATES = 200 };

/* Where a row stands. */
enum {
    ROW_UNSEEN, /* not looked at yet */
    ROW_WAIT,   /* the same, but listed in N so that its w is known; it blocks nothing */
    ROW_IN,     /* in C: between its bounds, w = 0, factored */
    ROW_LOW,    /* in N at the lower bound, w >= 0 */
    ROW_HIGH,   /* in N at the upper bound, w <= 0 */
    ROW_FIXED,  /* lo = hi: any w is right */
};

typedef struct dantzig dantzig;

/* What is done next, one step of it per iterate. Ends r, or sets the next step. */
typedef perp_status (*dantzig_step)(dantzig *s, perp_result *r);

struct dantzig {
    const perp_problem *p;
    const double *A; /* column-major; symmetric, so columns serve as rows */
    size_t n, ld;
    size_t *row_start, *row_column; /* nonzeros of A, NULL where it is rather dense */
    double *row_value;
    double *lo, *hi;       /* n: bounds in force */
    double *scale, beta_b; /* n: s_i of the residual; max |b_i|/s_i */
    double *z, *w;         /* n: the point of the result; w of rows in N and in motion */
    int *state;            /* n: ROW_... */
    size_t *place;         /* n: where a row of C or N stands in `in` or `out` */
    size_t *order;         /* n: FREE rows, others, FRICTION rows, each by index */
    size_t next;           /* of `order`, to be looked at */
    bool by_violation;     /* drive the row that is most wrong, not the next of `order` */
    bool waiting;          /* the rows to do have been listed */

    /* C, in the order of the factor, and N. The panel holds A_NC: its rows are those of
     * `out`, the first `filled` of them up to date; its columns the slots. */
    ldlt f;
    size_t *in, *slot;
    size_t *out, out_count, filled;
    double *panel;
    size_t panel_ld;

    /* The row in motion (n: none), its direction, L^-1 A_Ci, its Schur complement. */
    size_t driven;
    double sign, pivot;
    double *y, *dz, *dz_slot, *dw, *column;

    perp_error *err;          /* of the iterate at work */
    dantzig_step step, after; /* now, and when the boxed problem is solved */
    size_t pivots, most_pivots;
    bool fresh; /* z_C is from a block solve, no pivot since */
    bool crash, warm, freeze, told, told_path;
    double tolerance;

    /* Friction. */
    bool friction, coupled, newton;
    size_t rounds, most_rounds;
    double gap;                /* of the last round, |h - mu z_normal| */
    double *h;                 /* n: bounds of the friction rows in this round */
    double *z0, *z1, *w0, *w1; /* n: points of the coupled systems */
    int *trial, *pivoting;     /* n: states of a coupled system, its row exchanges */
    size_t k, updates; /* of the kernel: rows in C; changes since it was factored */
    bool renew;        /* it must be factored */
    double *work;      /* DANTZIG_BLOCK n: of dgetri */
    double *lean;      /* n: what t adds to b */
    size_t most_events;
    dantzig_step arrive,
        abandon;      /* what follows at t = 0, and where that is not reached */
    double *open;     /* n: how far the bounds are opened per unit of t */
    double t, course; /* the place on the path and the way along it */
    /* Proximal Newton steps: A + shift I, b - shift center; 0 everywhere else. */
    double shift, eps, norm;
    double *center, *best; /* n: of the pass; the best point by RES */
    double center_error, pass_error, best_error, mark, fall;
    size_t newton_steps, passes, failures, turn, sweeps_left;
    bool told_newton;
    size_t turned, events; /* the row that changed last (n: none); how many did */
    int turned_side;
};

static inline bool dantzig_is_friction(const dantzig *s, size_t i)
{
    return s->p->set->blocks[i].kind == PERP_SET_FRICTION;
}

/* dantzig_pivot.c */

/* One event of the boxed problem with the bounds in force; s->after follows the last. */
perp_status dantzig_pivot(dantzig *s, perp_result *r);
/* Products with A, in parts of a whole: rows x columns of it were read. */
void dantzig_count(const dantzig *s, perp_result *r, size_t rows, size_t columns);
/* No step is possible at row i, the direction being in dz and sign: infeasible if it proves
 * that, else a singular block, of which it is the proof. */
perp_status dantzig_refuse(dantzig *s, perp_result *r, size_t i);

/* dantzig_rows.c */

/* The nonzeros of A, where they are few; again when A has changed; (A z)_i; w += A z. */
bool dantzig_rows_take(dantzig *s, perp_workspace *ws);
void dantzig_rows_fill(dantzig *s);
double dantzig_row_times(const dantzig *s, size_t i, const double *z);
void dantzig_times(const dantzig *s, const double *z, double *w);

/* dantzig_start.c */

/* Forget C and N; factor the rows marked ROW_IN as a block, put members that leave their
 * box on the bound, repeat; all others become ROW_UNSEEN. */
void dantzig_start(dantzig *s, perp_result *r);
/* One sweep of projected Gauss-Seidel over z, `coupled`: bounds of friction rows follow z;
 * how many rows came to lie between their bounds or ceased to. */
size_t dantzig_sweep(dantzig *s, perp_result *r, bool coupled);
/* The set from projected Gauss-Seidel sweeps, for a cold start. */
void dantzig_crash(dantzig *s, perp_result *r);
/* The set from the point z. */
void dantzig_guess(dantzig *s);
/* z_C from a fresh factorisation, kept if the error does not grow. */
void dantzig_polish(dantzig *s, perp_result *r);
/* Natural map at z, max_i s_i |z_i - clip(z_i - w_i/d_i)|/beta_b less the rounding that no
 * point can avoid; friction rows by their normals in z when `coupled`. w := A z + b. */
double dantzig_error(dantzig *s, perp_result *r, const double *z, double *w,
                     bool coupled);

/* dantzig_friction.c */

/* Bounds of friction row i in force at the normals of z. */
double dantzig_friction_bound(const dantzig *s, size_t i, const double *z);
/* z of the coupled system of s->trial: slipping rows have z_i = +-mu z_normal, rows ROW_IN
 * have w = 0. False when it is singular. */
bool dantzig_line(dantzig *s, perp_result *r, double *z);
/* What of z0 + t z1 does not depend on the unknowns: bounds of the rows outside C in z0, what
 * t adds to them in z1, 0 in C. */
void dantzig_line_constants(dantzig *s, double *z0, double *z1);
/* A round is over: done, another one, or the path. */
perp_status dantzig_couple(dantzig *s, perp_result *r);

/* dantzig_newton.c */

/* s->trial := the sets that the natural map sees at (z, w); false when they are as before. */
bool dantzig_trial(dantzig *s, const double *z, const double *w);
/* The rounds do not settle: sweeps and Newton steps from z, then if need be the path. */
perp_status dantzig_newton(dantzig *s, perp_result *r);

/* dantzig_kernel.c */

/* Factor the kernel of s->trial; false when it is singular. */
bool dantzig_kernel_factor(dantzig *s, perp_result *r);
/* Row i turns to another state; false when the kernel must be factored again. */
bool dantzig_kernel_turn(dantzig *s, perp_result *r, size_t i, int to);
/* z0 + t z1 and w0 + t w1 of s->trial; false when they are not accurate. */
bool dantzig_kernel_line(dantzig *s, perp_result *r);

/* dantzig_path.c */

/* Open the bounds until every friction row sticks. */
perp_status dantzig_open(dantzig *s, perp_result *r);

/* From z, which solves the problem with b + t r for some small r at t = 1, to t = 0. With
 * `slack` z is kept off the corners, where paths meet, relative to the data. */
perp_status dantzig_lean(dantzig *s, perp_result *r, double slack, dantzig_step arrive,
                         dantzig_step abandon);

/* dantzig.c */

/* The end: polish where need be, and claim a solution. */
perp_status dantzig_finish(dantzig *s, perp_result *r);

#endif
