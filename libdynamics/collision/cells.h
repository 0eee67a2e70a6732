/* SPDX-License-Identifier: Apache-2.0
 * collision/cells.h: boxes in whole cells of a grid, two words each, compared by two
 * subtractions. Private.
 *
 * The grid has 2^20 - 1 cells along the longest axis of the scene, of the same width
 * along the others. A word holds three coordinates of 20 bits, each with a guard bit
 * above it:
 *
 *     bit   63    62   42..61   41   21..40   20   0..19
 *           moves g_z    z      g_y    y      g_x    x
 *
 * The guards of `hi` are set, those of `lo` are not, so no field of hi - lo borrows from
 * the next one, and its guard is still set where hi >= lo. Coordinates are rounded down,
 * which keeps their order: boxes that overlap do so in cells; boxes that overlap in
 * cells, with nothing equal, do overlap. Only what is equal needs a look at the boxes
 * themselves. */
#ifndef PERP_COLLISION_CELLS_H
#define PERP_COLLISION_CELLS_H

#include <perp/dynamics/geometry.h>

enum { CELL_BITS = 20, CELL_WIDTH = 21 };

#define CELL_FIELD ((UINT64_C(1) << CELL_BITS) - 1)
#define CELL_ONES                                                                        \
    (UINT64_C(1) | UINT64_C(1) << CELL_WIDTH | UINT64_C(1) << 2 * CELL_WIDTH)
#define CELL_GUARDS (CELL_ONES << CELL_BITS)
#define CELL_MOVES  (UINT64_C(1) << 63)
#define CELL_FIELDS (CELL_ONES * CELL_FIELD)
/* The last cell is kept free for what overlaps nothing. */
#define CELL_MOST (CELL_FIELD - 1)

typedef struct cell_box {
    uint64_t lo, hi;
} cell_box;

/* Overlaps no box of the grid. */
static const cell_box cell_nothing = {.lo = CELL_FIELDS, .hi = CELL_GUARDS};

static inline uint64_t cell_pack(uint64_t x, uint64_t y, uint64_t z)
{
    return x | y << CELL_WIDTH | z << 2 * CELL_WIDTH;
}

static inline uint64_t cell_coordinate(uint64_t word, int axis)
{
    return word >> axis * CELL_WIDTH & CELL_FIELD;
}

/* Closed boxes overlap, and one of them moves. */
static inline bool cell_meet(const cell_box *a, const cell_box *b)
{
    uint64_t apart = (a->hi - b->lo) & (b->hi - a->lo) & CELL_GUARDS;

    return (apart | ((a->hi | b->hi) & CELL_MOVES)) == (CELL_GUARDS | CELL_MOVES);
}

/* Open boxes overlap: so do the boxes that they stand for. */
static inline bool cell_meet_surely(const cell_box *a, const cell_box *b)
{
    uint64_t apart = (a->hi - b->lo - CELL_ONES) & (b->hi - a->lo - CELL_ONES);

    return (apart & CELL_GUARDS) == CELL_GUARDS;
}

/* Ones in the fields where a >= b; neither has guards. */
static inline uint64_t cell_not_less(uint64_t a, uint64_t b)
{
    uint64_t guards = ((a | CELL_GUARDS) - b) & CELL_GUARDS;

    return guards - (guards >> CELL_BITS);
}

/* a := the union of a and b; it moves if one of them does. */
static inline void cell_join(cell_box *a, const cell_box *b)
{
    uint64_t ha = a->hi & CELL_FIELDS;
    uint64_t hb = b->hi & CELL_FIELDS;
    uint64_t m = cell_not_less(a->lo, b->lo);

    a->lo = (b->lo & m) | (a->lo & ~m);
    m = cell_not_less(ha, hb);
    a->hi = (ha & m) | (hb & ~m) | CELL_GUARDS | ((a->hi | b->hi) & CELL_MOVES);
}

/* Cells of n > 0 finite boxes. Returns the longest edge of a box, the least of all, in
 * cells, up to a factor of two. */
uint64_t cells_round(size_t n, const perp_aabb *boxes, const bool *immovable,
                     cell_box *cells);
/* Keys of boxes on a curve that keeps neighbours together: the bits of their centres
 * interleaved, but for the last ones, which tell nothing about boxes whose least edge is
 * `least`; and numbers from 0. Returns how many bits a key has. */
int cells_along_curve(size_t n, const cell_box *cells, uint64_t least, uint64_t *key,
                      uint32_t *box);

#endif
