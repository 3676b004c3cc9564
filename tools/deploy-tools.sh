# Sourced by check-deploy.sh and envtest/: where the tools are, which versions they have, and how they are built from their Go modules.
# shellcheck shell=bash disable=SC2034

HELM=helm.sh/helm/v3@v3.22.0
# Custom resources that profiles use: the module that defines them, and the path in it.
CRDS=(
  "github.com/kedacore/keda/v2@v2.21.0 config/crd/bases"
  "github.com/prometheus-operator/prometheus-operator@v0.85.0 example/prometheus-operator-crd"
  "github.com/cloudnative-pg/cloudnative-pg@v1.30.0 config/crd/bases"
  "sigs.k8s.io/gateway-api@v1.5.0 config/crd/standard"
)
KUBERNETES=(v1.36.3 v1.35.4 v1.34.4)
tools=${WEIR_TOOLS_DIR:-$HOME/.cache/weir/deploy-tools}
chart=deploy/helm/weir
mkdir -p "$tools"

# Ignores the toolchain lines of modules. Everything is compiled with the installed Go.
export GOTOOLCHAIN=local GOFLAGS=-mod=mod GOWORK=off

module_dir() { go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'; }

copy_crds() { # folder
  local crd module folder
  for crd in "${CRDS[@]}"; do
    read -r module folder <<<"$crd"
    cp "$(module_dir "$module")/$folder"/*.yaml "$1/"
  done
}
