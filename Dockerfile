# docker build --build-arg BASE=ubuntu:24.04 --tag perp . && docker run perp build/perp solve --help
ARG BASE=debian:13
FROM ${BASE}
COPY . /perp
WORKDIR /perp
RUN ./quickstart build
