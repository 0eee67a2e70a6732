# SPDX-License-Identifier: Apache-2.0
# Motions in memory: the viewer, pictures and films, exports.
command_libcommand_la_SOURCES += \
    %D%/difference.c %D%/difference.h \
    %D%/encoder.c %D%/encoder.h \
    %D%/film.c %D%/film.h \
    %D%/formats.c %D%/formats.h \
    %D%/gltf.c \
    %D%/gltf_file.c %D%/gltf_file.h \
    %D%/gltf_keys.c %D%/gltf_keys.h \
    %D%/mesh.c %D%/mesh.h \
    %D%/motion.c %D%/motion.h \
    %D%/motion_colours.c \
    %D%/motion_frames.c \
    %D%/motion_model.c \
    %D%/motion_parts.h \
    %D%/motion_problem.c \
    %D%/motion_sticks.c \
    %D%/pack.c %D%/pack.h \
    %D%/pack_arrays.c %D%/pack_arrays.h \
    %D%/pack_contacts.c \
    %D%/pack_poses.c \
    %D%/page.c %D%/page.h \
    %D%/paraview.c \
    %D%/surfaces.c %D%/surfaces.h \
    %D%/vtp.c %D%/vtp.h
