#!/usr/bin/env bash
# Builds the images of the apps and prints their sizes: tools/build-images.sh [app …], all by default.
#   ENGINE       docker (the default if it is available), podman, or another with the same `build` and `image` commands
#   REGISTRY     prefix of the app names (default: localhost/weir, which nobody else can publish)
#   TAG          image tag (default: the version in the app's package.json)
#   NODE_IMAGE   base image, preferably pinned: node:24-trixie@sha256:…
#   NPMRC        npm settings for a private registry (no image layer keeps them)
#   BUILD_FLAGS  further flags of the engine, such as --network host
set -euo pipefail
cd "$(dirname "$0")/.."

all_apps() { grep -l '"type:app"' apps/*/package.json | cut -d/ -f2; }

find_engine() {
  for engine in docker podman; do
    if "$engine" info >/dev/null 2>&1; then echo "$engine" && return; fi
  done
}
engine=${ENGINE:-$(find_engine)}
if [ -z "$engine" ] || ! command -v "$engine" >/dev/null; then
  echo "No container engine answers${ENGINE:+ to ENGINE=$ENGINE}: install docker or podman and start it, or name another with ENGINE." >&2
  exit 1
fi
# The Dockerfile mounts a secret, which requires BuildKit.
export DOCKER_BUILDKIT=1
# The format of OCI has no health checks, and podman would leave them out.
export BUILDAH_FORMAT=docker
read -ra flags <<<"${BUILD_FLAGS:-}"
[ -z "${NODE_IMAGE:-}" ] || flags+=(--build-arg "NODE_IMAGE=$NODE_IMAGE")
[ -z "${NPMRC:-}" ] || flags+=(--secret "id=npmrc,src=$NPMRC")

mapfile -t apps < <(all_apps)
[ $# -gt 0 ] || set -- "${apps[@]}"
for app in "$@"; do
  [ -f "apps/$app/package.json" ] || { echo "There is no app $app: ${apps[*]}" >&2; exit 1; }
  image=${REGISTRY:-localhost/weir}/$app:${TAG:-$(node -p "require('./apps/$app/package.json').version")}
  "$engine" build --file deploy/docker/Dockerfile --build-arg "APP=$app" --tag "$image" "${flags[@]}" .
  built+=("$image")
done
for image in "${built[@]}"; do
  printf '%s\t%s MB\n' "$image" "$("$engine" image inspect --format '{{.Size}}' "$image" | awk '{ printf "%.0f", $1 / 1e6 }')"
done
