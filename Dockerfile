# Image with forge-harvey, and with Node and npm, which run compilers if no native solc can be downloaded.
#
#   docker build --tag forge-harvey .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/project" forge-harvey test
#
# The images have the same version of Debian, because the program needs the glibc with which it was built.

FROM rust:1.95-slim-bookworm AS build
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/source/target \
    cargo build --release --locked && cp target/release/forge-harvey /forge-harvey

# The workflow of a release puts its own programs in the place of this stage, one directory for each architecture.
FROM scratch AS programs
ARG TARGETARCH
COPY --from=build /forge-harvey /$TARGETARCH/forge-harvey

# Certificates for nodes of chains and servers of compilers, and a home that any user may write. These files fit every
# architecture.
FROM --platform=$BUILDPLATFORM debian:bookworm-slim AS files
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir -p /files/etc/ssl/certs /files/home/harvey \
    && cp /etc/ssl/certs/ca-certificates.crt /files/etc/ssl/certs/ \
    && chmod 1777 /files/home/harvey

FROM node:24-bookworm-slim
ARG TARGETARCH
COPY LICENSE-APACHE LICENSE-MIT /usr/share/doc/forge-harvey/
COPY --from=files /files /
COPY --from=programs /$TARGETARCH/forge-harvey /usr/local/bin/forge-harvey
# Fetched compilers are kept in the home.
ENV HOME=/home/harvey
WORKDIR /project
# The user `node`.
USER 1000:1000
ENTRYPOINT ["forge-harvey"]
