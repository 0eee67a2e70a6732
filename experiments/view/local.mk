# SPDX-License-Identifier: Apache-2.0
# Motions in memory: the viewer, pictures and films, exports.
experiments_libexperiments_la_SOURCES += %D%/film.h %D%/formats.h %D%/mesh.h %D%/motion.h %D%/pack.h
experiments_libexperiments_la_SOURCES += %D%/formats.c %D%/gltf.c %D%/gltf_file.c %D%/gltf_file.h %D%/gltf_keys.c %D%/gltf_keys.h
experiments_libexperiments_la_SOURCES += %D%/mesh.c %D%/paraview.c %D%/surfaces.c %D%/surfaces.h %D%/vtp.c %D%/vtp.h
