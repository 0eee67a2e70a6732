/* SPDX-License-Identifier: Apache-2.0
 * view/motion.h: the motion of a run in memory: bodies, shapes, joints, and the frames with poses,
 * contacts and metrics. What draws or exports a motion reads nothing else.
 *
 * SI units. Poses are x, y, z, then the quaternion w, x, y, z from body to world axes; the origin
 * of body axes is the centre of mass. */
#ifndef PERP_VIEW_MOTION_H
#define PERP_VIEW_MOTION_H

#include <stdint.h>

#include <perp/dynamics/shape.h>
#include <perp/problem.h>

#include "command/simulate/trajectory.h"

/** What a contact does in a frame. */
typedef enum motion_status {
    MOTION_OPEN,     /**< no impulse */
    MOTION_STICKING, /**< the impulse is inside the friction cone */
    MOTION_SLIDING, /**< the impulse is on the surface of the cone, or there is no friction */
} motion_status;

typedef struct motion_body {
    const char *name;
    bool fixed;        /**< does not move by impulses */
    double mass;       /**< [kg]; 0 when fixed or unknown */
    double inertia[9]; /**< about the centre of mass, body axes [kg m^2] */
} motion_body;

/** A convex shape, a mesh or a plane; compounds are given by their parts. A moving body without
 *  shapes, or with points for shapes, has a ball at its centre and rods to them and to its joints. */
typedef struct motion_shape {
    const perp_shape_type *type; /**< one of the registry */
    size_t body;
    double pose[7];  /**< on the body, body axes */
    double size[3];  /**< as in perp_shape */
    uint32_t colour; /**< 0xRRGGBB, that of the scene or one that was chosen */
    size_t first_vertex, vertex_count; /**< hull, mesh: rows of `vertices`, which shapes
                                             *   with the same surface share */
    size_t first_triangle, triangle_count; /**< rows of `triangles` */
} motion_shape;

typedef struct motion_joint {
    const char *name, *type;
    int32_t body[2];     /**< -1: the world */
    double anchor[2][3]; /**< on each body, body axes */
    double axis[2][3];   /**< unit, body axes; 0 where the joint has none */
} motion_joint;

/** A contact of a frame, at the poses at the start of its step. */
typedef struct motion_contact {
    int32_t body[2];
    double point[3], normal[3]; /**< normal: unit, from body 0 to body 1 */
    double impulse[3];          /**< on body 1, world axes [N s] */
    double gap, mu;
    double residual; /**< natural-map residual of its block; NAN: unknown */
    motion_status status;
} motion_contact;

/** A metric of perp info metrics: a value at the start and one per step. */
typedef struct motion_metric {
    const char *name, *unit;
    double *value; /**< step_count; step 0 first */
} motion_metric;

typedef struct motion {
    char *title;                      /**< name of the scene */
    char *source;                     /**< the path it was read from */
    const char *solver, *coordinates; /**< "" when unknown */
    unsigned dimension;               /**< 2 or 3 */
    double up[3];                     /**< against gravity; (0, 0, 1) without gravity */
    double dt;                        /**< of a step [s] */

    size_t body_count, shape_count, joint_count;
    motion_body *bodies;
    motion_shape *shapes;
    motion_joint *joints;
    size_t vertex_count, triangle_count;
    double *vertices; /**< 3 each, axes of the shape */
    uint32_t
        *triangles; /**< 3 each, counted from first_vertex of the shape; counter-clockwise
                          *   from outside */

    size_t frame_count;
    double *time;     /**< frame_count [s] */
    uint64_t *step;   /**< frame_count; 0: the start */
    double *poses;    /**< frame_count x body_count x 7 */
    double *velocity; /**< frame_count x body_count x 6: linear, angular, world axes */
    uint64_t *contact_end; /**< frame_count: those of frame f end before contact_end[f] */
    motion_contact *contacts;

    size_t step_count, metric_count; /**< step_count counts step 0, the start */
    double *step_time;               /**< step_count: ends of the steps [s] */
    motion_metric *metrics;

    char **texts; /**< names; owned */
    size_t text_count, text_room;
} motion;

/** Read the trajectory of a run: trajectory.h5, or the folder that has it, also of a run at work
 *  or killed. Release with motion_free. PERP_ERR_READ, PERP_ERR_FORMAT (no trajectory, or of a
 *  layout without shapes), PERP_ERR_DATA: no frames. */
perp_status motion_read(motion **m, const char *path, perp_error *err);
/** A problem of contacts as one frame without bodies: the labels give points and normals, z the
 *  impulses (NULL: none, and all contacts are open). Directions of friction are those of perp; a
 *  problem of another program (its origin says so) has the normal part of its impulses only.
 *  Residuals are NAN for a global problem. PERP_ERR_UNSUITABLE: no label has a place. */
perp_status motion_of_problem(motion **m, const perp_problem *p, const double *z,
                              const char *title, perp_error *err);
void motion_free(motion *m); /* NULL is allowed (no-op) */

/** Is it the trajectory of a run, by its first bytes, or a folder with one? */
bool motion_is_trajectory(const char *path);
/** First contact of a frame. */
static inline uint64_t motion_first_contact(const motion *m, size_t frame)
{
    return frame ? m->contact_end[frame - 1] : 0;
}
/** The smallest box around all bounded shapes in all frames, and the contacts; of surfaces with
 *  many vertices a slightly larger one. Where there is nothing, -1 .. 1. */
void motion_bounds(const motion *m, double low[3], double high[3]);

#endif
