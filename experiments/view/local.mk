# SPDX-License-Identifier: Apache-2.0
# Motions in memory: the viewer, pictures and films, exports.
experiments_libexperiments_la_SOURCES += %D%/encoder.c %D%/encoder.h \
    %D%/film.c %D%/film.h %D%/formats.h %D%/mesh.h %D%/motion.h %D%/pack.h
