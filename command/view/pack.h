/* SPDX-License-Identifier: Apache-2.0
 * view/pack.h: a motion as the data of a viewer page: a head of JSON and arrays of numbers,
 * quantised.
 *
 * The head, "perp-view/1":
 *
 *   title, source, solver, coordinates, dimension, up, dt
 *   bodies    [{name, fixed, mass}]
 *   shapes    [{type, body, pose: 7, size: 3, colour: "#rrggbb", vertices, triangles}]; the last
 *             two, flat lists, for hulls and meshes only
 *   joints    [{name, type, bodies: 2, anchor: 2 x 3, axis: 2 x 3}]
 *   bounds    [low: 3, high: 3]
 *   frames    number of frames
 *   errors    {position [m], angle [rad]}: the largest that quantising made
 *   contacts  {frames: [numbers of the frames that have their contacts], box: [low, high],
 *             impulse: largest [N s], position_error [m]}; frames beside those were left out to
 *             keep the page small
 *   metrics   [{name, unit}]
 *   arrays    {NAME: {type, shape, start, planes}}: where an array stands in the block of bytes
 *
 * Arrays, little-endian; `type` is f32, u32, i32, u16, i16 or u8:
 *
 *   time        f32 frames               origin     f32 bodies x 3, of positions
 *   step        u32 frames               scale      f32 bodies
 *   position    u16 frames x bodies x 3: x = origin + scale q
 *   turn        i16 frames x bodies x 4: (w, x, y, z) 32767
 *   speed       u16 frames x bodies: 0 is 0, else 10^(-6 + 12 (q - 1)/65534) m/s of the centre
 *   energy      u16 frames x bodies: kinetic, the same in J; absent without masses
 *   contact_end u32 kept frames
 *   contact_body i32 contacts x 2        contact_point  u16 contacts x 3: low + (high - low) q/65535
 *   contact_normal i16 contacts x 3: 32767 n
 *   contact_impulse f32 contacts x 3     contact_gap    f32
 *   contact_mu      f32                  contact_residual f32, NaN: unknown
 *   contact_status  u8: 0 open, 1 sticking, 2 sliding
 *   step_time   f32 steps                metric_NAME    f32 steps
 *
 * `planes`: the array was changed to compress well. Along its first extent each row is the
 * difference from the row before it, modulo the size of its type; then all first bytes of its
 * numbers stand together, then all second ones, and so on. */
#ifndef PERP_VIEW_PACK_H
#define PERP_VIEW_PACK_H

#include <jansson.h>

#include "command/view/motion.h"

typedef struct view_pack {
    json_t *head;
    unsigned char *bytes;
    size_t size, room;
} view_pack;

/** Pack a motion. Contacts of frames are left out evenly where all of them would take more than
 *  `contact_bytes`. */
perp_status view_pack_make(view_pack *pack, const motion *m, size_t contact_bytes,
                           perp_error *err);
void view_pack_free(view_pack *pack); /* no-op when zeroed */

#endif
