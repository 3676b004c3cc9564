#!/usr/bin/env bash
# Checks docker-compose.yml and deploy/helm/weir: lint, every profile rendered and validated against three Kubernetes minors, unit tests, and
# values that must be refused. Builds the tools from their Go modules once and keeps them. Without Go nothing runs.
set -euo pipefail
cd "$(dirname "$0")/.."

HELM=helm.sh/helm/v3@v3.22.0
UNITTEST=github.com/helm-unittest/helm-unittest@v1.1.2
VALIDATE=sigs.k8s.io/kubectl-validate@v0.0.4
COMPOSE=github.com/compose-spec/compose-go/v2@v2.16.2
KUBERNETES=(v1.36.3 v1.35.4 v1.34.4)
# Custom resources that profiles use: the module that defines them, and the path in it.
CRDS=(
  "github.com/kedacore/keda/v2@v2.21.0 config/crd/bases"
  "github.com/prometheus-operator/prometheus-operator@v0.85.0 example/prometheus-operator-crd"
  "github.com/cloudnative-pg/cloudnative-pg@v1.30.0 config/crd/bases"
  "sigs.k8s.io/gateway-api@v1.5.0 config/crd/standard"
)
PROFILES=(default small production external)
tools=${WEIR_TOOLS_DIR:-$HOME/.cache/weir/deploy-tools}

if ! command -v go >/dev/null; then
  echo "deploy checks: not run (Go is missing)"
  exit 0
fi
# Ignores the toolchain lines of modules. Everything is compiled with the installed Go.
export GOTOOLCHAIN=local GOFLAGS=-mod=mod
mkdir -p "$tools"
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

# An unavailable registry is not the fault of the chart.
not_run() {
  echo "deploy checks: not run ($1)"
  exit 0
}
module_dir() { go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'; }
for module in "$HELM" "$UNITTEST" "$VALIDATE" "$COMPOSE" "${CRDS[@]%% *}" "${KUBERNETES[@]/#/k8s.io/kubernetes@}"; do
  go mod download "$module" >/dev/null 2>&1 || not_run "$module could not be downloaded"
done

# Builds in a copy of the module, because one has replace directives, which `go install` refuses.
build() { # name, module, package
  local binary=$tools/$1-${2##*@}
  if [ ! -x "$binary" ]; then
    cp -r "$(module_dir "$2")" "$work/$1"
    chmod -R u+w "$work/$1"
    (cd "$work/$1" && go build -o "$binary" "$3")
  fi
  ln -sf "$binary" "$tools/$1"
}
build helm "$HELM" ./cmd/helm
build helm-unittest "$UNITTEST" ./cmd/helm-unittest
build kubectl-validate "$VALIDATE" .
build compose-go "$COMPOSE" ./cmd
helm=$tools/helm
chart=deploy/helm/weir

echo "deploy checks: docker-compose.yml"
"$tools/compose-go" -no-interpolation docker-compose.yml >/dev/null
# The required variables must match those that new-env.sh creates, and no secret may have a default.
asked() { grep -oE '\$\{[A-Z_]+:\?\}' docker-compose.yml | tr -dc 'A-Z_\n' | sort -u; }
made() { sh deploy/docker/new-env.sh | cut -d= -f1 | sort -u; }
diff <(asked) <(made)
if grep -nE '(PASSWORD|TOKEN|KEY|PEPPER):-[^}]' docker-compose.yml; then exit 1; fi

echo "deploy checks: lint and render"
mkdir "$work/rendered"
for profile in "${PROFILES[@]}"; do
  values=(--set existingSecret=weir)
  [ "$profile" = default ] || values=(-f "$chart/values-$profile.yaml")
  "$helm" lint --strict --quiet --kube-version 1.36.0 "$chart" "${values[@]}"
  "$helm" template weir "$chart" --kube-version 1.36.0 "${values[@]}" >"$work/rendered/$profile.yaml"
done
"$helm" template weir "$chart" --kube-version 1.36.0 --set existingSecret=weir --set gatewayApi.enabled=true \
  --set 'gatewayApi.parentRefs[0].name=public' --show-only templates/gateway-api.yaml >"$work/rendered/routes.yaml"

echo "deploy checks: values that have to be refused"
for bad in deploy/helm/bad-values/*.yaml; do
  expected=$(sed -n 's/^# expect: //p' "$bad")
  if answer=$("$helm" template weir "$chart" --kube-version 1.36.0 -f "$bad" 2>&1); then
    echo "$bad was accepted"
    exit 1
  fi
  grep -qF -- "$expected" <<<"$answer" || { echo "$bad was refused, but not for $expected: $answer"; exit 1; }
done

echo "deploy checks: unit tests"
"$tools/helm-unittest" --strict "$chart"

mkdir "$work/crds"
for crd in "${CRDS[@]}"; do
  read -r module folder <<<"$crd"
  cp "$(module_dir "$module")/$folder"/*.yaml "$work/crds/"
done
for version in "${KUBERNETES[@]}"; do
  echo "deploy checks: schemas of Kubernetes $version"
  node tools/kubernetes-schemas.mjs "$(module_dir "k8s.io/kubernetes@$version")/api/openapi-spec/v3" "$work/schemas-$version"
  "$tools/kubectl-validate" "$work/rendered" --version 1.30 --local-schemas "$work/schemas-$version" --local-crds "$work/crds" \
    >"$work/validation" 2>&1 || { cat "$work/validation"; exit 1; }
  [ "$(grep -c OK "$work/validation")" -eq "$(ls "$work/rendered" | wc -l)" ] || { cat "$work/validation"; exit 1; }
done
echo "deploy checks: passed"
