# SPDX-License-Identifier: Apache-2.0
# Motions in memory: the viewer, pictures and films, exports.
experiments_libexperiments_la_SOURCES += \
    %D%/film.h %D%/pack.h \
    %D%/motion.c %D%/motion.h %D%/motion_parts.h \
    %D%/motion_colours.c \
    %D%/motion_frames.c \
    %D%/motion_model.c \
    %D%/motion_problem.c
experiments_libexperiments_la_SOURCES += %D%/formats.c %D%/formats.h %D%/mesh.c %D%/mesh.h
experiments_libexperiments_la_SOURCES += %D%/gltf.c %D%/gltf_file.c %D%/gltf_file.h
experiments_libexperiments_la_SOURCES += %D%/gltf_keys.c %D%/gltf_keys.h %D%/paraview.c
experiments_libexperiments_la_SOURCES += %D%/surfaces.c %D%/surfaces.h %D%/vtp.c %D%/vtp.h
