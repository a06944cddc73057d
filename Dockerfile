# Built in two stages: the first compiles the one binary, the second holds nothing but it. glibc is needed (PostgreSQL is inside),
# so the base is Debian slim and not Alpine or distroless.
FROM node:20-bookworm-slim AS build
WORKDIR /src
RUN npm install --global bun@1.4.5
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
RUN bun install --frozen-lockfile
COPY . .
# The commit and its date; the repository itself is not copied.
ARG WAXWING_BUILD_OF
RUN bun run build --release

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libssl3 libstdc++6 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /var/lib/waxwing --create-home waxwing
COPY --from=build /src/dist/waxwing /usr/local/bin/waxwing
USER waxwing
ENV DATA_DIR=/var/lib/waxwing LOG_FORMAT=json
VOLUME /var/lib/waxwing
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["waxwing", "health"]
ENTRYPOINT ["waxwing"]
CMD ["serve"]
