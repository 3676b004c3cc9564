#!/usr/bin/env bash
# Sets image.registry and the digest of every app's image in the chart's values: REGISTRY=… tools/release/pin-images.sh <values.yaml>
# Each app has its own version, the one in its package.json. An image that was not published ends the release.
set -euo pipefail
cd "$(dirname "$0")/../.."
values=$1

digest_of() { docker buildx imagetools inspect --format '{{ .Manifest.Digest }}' "$1"; }

apps=$(grep -l '"type:app"' apps/*/package.json | cut -d/ -f2)
digests=
for app in $apps; do
  image=$REGISTRY/$app:$(node -p "require('./apps/$app/package.json').version")
  digest=$(digest_of "$image")
  [[ $digest =~ ^sha256:[0-9a-f]{64}$ ]] || { echo "$image has no digest: $digest" >&2; exit 1; }
  digests+="${digests:+, }$app: '$digest'"
done
sed -i "s|^  registry: ''$|  registry: $REGISTRY|; s|^  digests: {}$|  digests: { $digests }|" "$values"
for line in "  registry: $REGISTRY" "  digests: { $digests }"; do
  grep -qxF -- "$line" "$values" || { echo "$values has no empty place for: $line" >&2; exit 1; }
done
