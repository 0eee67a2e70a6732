# SPDX-License-Identifier: Apache-2.0
# Motions in memory: the viewer, pictures and films, exports.
experiments_libexperiments_la_SOURCES += %D%/film.h %D%/formats.h %D%/mesh.h %D%/motion.h %D%/pack.h
experiments_libexperiments_la_SOURCES += %D%/mesh.c
