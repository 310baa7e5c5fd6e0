# Storefleet as an image: `docker build -t storefleet .`, then see compose.yaml and docs/containers.md.

FROM docker.io/library/swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libzmq3-dev libssl-dev libsqlite3-dev \
       libmicrohttpd-dev libcurl4-openssl-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /storefleet
COPY . .
# The build folder outlives the build, so that the next one compiles what changed and no more.
RUN --mount=type=cache,target=/storefleet/.build \
    swift build --configuration release --static-swift-stdlib --product storefleet \
    && strip -o /usr/local/bin/storefleet .build/release/storefleet

FROM docker.io/library/debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends libzmq5 libssl3 libsqlite3-0 libmicrohttpd12 libcurl4 \
       libfaketime ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --home-dir /data --shell /usr/sbin/nologin storefleet \
    && install -d -o storefleet -g storefleet -m 700 /data
COPY --from=build /usr/local/bin/storefleet /usr/local/bin/storefleet
COPY LICENSE /usr/share/doc/storefleet/
USER storefleet
# A server node's journal and keys, a client node's phones: mount a volume here to keep them. None is declared, since
# every client container would then leave a nameless one behind.
WORKDIR /data
# Where commands in the container, the health check first, find their server node.
ENV STOREFLEET_CONNECT=tcp://127.0.0.1:5555
EXPOSE 5555 5556
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["storefleet", "ping"]
ENTRYPOINT ["storefleet"]
CMD ["help"]
