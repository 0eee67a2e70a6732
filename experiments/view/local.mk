# SPDX-License-Identifier: Apache-2.0
# Motions in memory: the viewer, pictures and films, exports.
experiments_libexperiments_la_SOURCES += \
    %D%/film.h %D%/formats.h %D%/mesh.h %D%/pack.h \
    %D%/motion.c %D%/motion.h %D%/motion_parts.h \
    %D%/motion_colours.c \
    %D%/motion_frames.c \
    %D%/motion_model.c \
    %D%/motion_problem.c
