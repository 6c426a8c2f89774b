# The image of Tributary. The role is the argument: all (default), api, ingest, jobs, keeper or migrate.
#
#   docker build --build-arg COMMIT=$(git rev-parse HEAD) --tag tributary .
#
# Without access to a registry of images, `npm run image -- --local` builds both base images from Debian packages.
ARG BUILD_BASE=docker.io/library/node:24-bookworm
ARG RUNTIME_BASE=gcr.io/distroless/cc-debian12

FROM ${BUILD_BASE} AS build
WORKDIR /build
COPY . .
# The first installation has the tools that build the dashboard, and Node.js in the locked version.
RUN npm ci --no-audit --loglevel=error \
  && npm run --silent dashboard:build \
  && mkdir -p /image/usr/local/bin \
  && cp node_modules/node/bin/node /image/usr/local/bin/node \
  && strip --strip-unneeded /image/usr/local/bin/node
# The second one has only what the service runs.
RUN npm ci --no-audit --loglevel=error --omit=dev --omit=peer --omit=optional --ignore-scripts \
  --workspace packages/server --include-workspace-root=false
ARG COMMIT=""
RUN /image/usr/local/bin/node deploy/image/assemble.ts /image --commit "${COMMIT}"

FROM ${RUNTIME_BASE}
ARG COMMIT=""
ARG VERSION=""
LABEL org.opencontainers.image.title="Tributary" \
  org.opencontainers.image.description="Self-hosted health data service: one explained canonical value per metric and day" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${COMMIT}"
COPY --from=build /image/ /
# A container is reached through its network, so both servers listen on all of its addresses. Publish only PORT.
ENV HOST=0.0.0.0 METRICS_HOST=0.0.0.0 PORT=8080 METRICS_PORT=9464 \
  NODE_ENV=production NODE_OPTIONS=--disable-warning=ExperimentalWarning
WORKDIR /app
USER 10001:10001
EXPOSE 8080 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/usr/local/bin/node", "/app/packages/server/src/main.ts", "health"]
ENTRYPOINT ["/usr/local/bin/node", "/app/packages/server/src/main.ts"]
CMD ["all"]
