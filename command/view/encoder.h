/* SPDX-License-Identifier: Apache-2.0
 * view/encoder.h: pictures as a film, by ffmpeg. */
#ifndef PERP_VIEW_ENCODER_H
#define PERP_VIEW_ENCODER_H

#include <perp/base.h>

typedef struct encoder encoder;

/** Whether films of this path and size can be made: an extension that is known, a size that its
 *  format takes, ffmpeg on the PATH. */
perp_status encoder_check(const char *path, int width, int height, perp_error *err);
/** Start a film of `rate` pictures per second. Nothing is at the path before encoder_finish. */
perp_status encoder_open(encoder **e, const char *path, double rate, perp_error *err);
/** The next picture, a PNG. */
perp_status encoder_add(encoder *e, const unsigned char *png, size_t size,
                        perp_error *err);
/** Write the film whole or not at all. */
perp_status encoder_finish(encoder *e, perp_error *err);
/** Remove what encoder_finish has not written; NULL is allowed (no-op). */
void encoder_free(encoder *e);

#endif
