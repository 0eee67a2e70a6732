/* SPDX-License-Identifier: Apache-2.0
 * interop/capture/capture.h: what the shims of all engines share: the problem of a step,
 * collected row by row, the identities of its contacts, and the file.
 *
 * A shim puts itself between an engine and its solver. For each step of the engine it calls
 *
 *     capture_step_start(&engine, world, h);
 *     capture_island(rows, n, nv);     capture_entry or capture_factor, capture_answer
 *     capture_step_end();
 *
 * with an island for each problem that the engine solves in it. The islands of a step become the diagonal blocks of one item of the sequence; a step without
 * rows is not stored. Impulses [N s] and velocities [m/s]: w = A z + b.
 *
 * PERP_CAPTURE names the file, PERP_CAPTURE_STEPS the steps. Without the first, all functions
 * return at once. The first failure is one line on stderr; it ends the capture, never the
 * program. The file is written after the last step asked for, or when the program ends by exit
 * or by returning from main.
 *
 * Threads: a step and its islands are of one thread; several threads may step worlds at once. */
#ifndef PERP_COMMAND_CAPTURE_H
#define PERP_COMMAND_CAPTURE_H

#include <perp/labels.h>

PERP_BEGIN_DECLS

/** An engine, as the texts of the items describe it. */
typedef struct capture_engine {
    const char *name;        /**< "ODE dSolveLCP" */
    const char *version;     /**< "ODE 0.16.2" */
    const char *conventions; /**< what A, b and z are; one line */
} capture_engine;

/** What the block of a row is, as far as the engine says; the texts last until the step ends. */
typedef struct capture_label {
    perp_label_kind kind;
    const char *body[2], *joint; /**< names, or NULL */
    bool placed;                 /**< point, normal and gap are known, as in perp_label */
    double point[3], normal[3], gap;
} capture_label;

/** A row of an island, or the first row of a cone. */
typedef struct capture_row {
    double b;         /**< w = A z + b [m/s] */
    double c;         /**< C_ii of A = J M^-1 J^T + C; not used with capture_entry */
    double lo, hi;    /**< bounds of z [N s]; FREE, NONNEG and BOX follow from them */
    double mu;        /**< of a friction row or a cone */
    ptrdiff_t normal; /**< row of the island whose impulse bounds this one, or -1 */
    unsigned cone;    /**< 3: this row and the next two are a cone; 1: the second or third
                           row of one; else 0 */
    uint64_t key;     /**< of the block; see capture_key */
    capture_label label;
} capture_row;

/** Whether a file was asked for and steps of it are still to come. */
bool capture_on(void);
/** Start a step of this world of the engine, of length h [s]; false when its rows are not asked
 *  for. Contacts are followed in all steps. */
bool capture_step_start(const capture_engine *engine, const void *world, double h);
/** Whether a step of this thread is under way. */
bool capture_active(void);
/** Whether the rows of the present step of this thread are asked for. */
bool capture_wanted(void);
/** Add the rows of an island to the present step. The island has A as entries (velocities 0),
 *  or in factors with this many velocities; all islands of a step alike. */
void capture_island(const capture_row *rows, size_t n, size_t velocities);
/** A_ij of the island that was added last; entries of one place are summed. */
void capture_entry(size_t i, size_t j, double a);
/** J_ik and (J M^-1)_ik of the island that was added last. */
void capture_factor(size_t i, size_t k, double J, double G);
/** The engine's answer z_i [N s] of the island that was added last. */
void capture_answer(size_t i, double z);
/** n x n entries, rows of `stride` numbers, into the island; `lower`: the others mirror the
 *  lower triangle, the only one that the engine reads. */
void capture_matrix(const double *A, size_t n, size_t stride, bool lower);
/** The step ends; its item enters the sequence. */
void capture_step_end(void);
/** One line on stderr, the first time only; the capture ends. */
void capture_fail(const char *format, ...) PERP_PRINTF(1, 2);

/** A number for an object of the engine, the same as long as the program runs; numbers are
 *  given in the order of the first calls. NULL has the number 0. */
uint64_t capture_object(const void *object);
/** The number of the contact between objects a and b at x, a position relative to one that
 *  moves with it (the centre of a body, in world axes): that of the nearest contact of the same
 *  two in the last step, within PERP_CAPTURE_RADIUS (0.02 m), or a new one. */
uint64_t capture_contact(uint64_t a, uint64_t b, const double x[3]);
/** The key of row `part` (0 to 255) of the object or contact of this number; 0 for number 0. */
uint64_t capture_key(uint64_t number, size_t part);

/** The next function of this name in the order of the libraries, or NULL after a message. */
void *capture_next(const char *symbol);

PERP_END_DECLS

#endif
