#!/usr/bin/env bash
# Builds the servers of a Kubernetes control plane from their Go modules, for run.sh: API server, controllers, etcd and kubectl. Takes
# some minutes, once for each version.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/deploy-tools.sh

version=${KUBERNETES[0]} folder=$tools/envtest-${KUBERNETES[0]}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
module=$(module_dir "k8s.io/kubernetes@$version")
# `go install` refuses the replace directives of this module, so it is built as a dependency. Its parts are published as v0.x.
(
  cd "$work"
  go mod init envtest 2>/dev/null
  go mod edit -require="k8s.io/kubernetes@$version"
  sed -n 's/^\t\(k8s.io\/[a-z-]*\) => .*/\1/p' "$module/go.mod" | while read -r part; do
    go mod edit -replace="$part=$part@v0${version#v1}"
  done
  stamp="-X k8s.io/component-base/version.gitVersion=$version -X k8s.io/component-base/version.gitMajor=1"
  stamp="$stamp -X k8s.io/component-base/version.gitMinor=$(cut -d. -f2 <<<"$version")"
  for command in kube-apiserver kube-controller-manager kubectl; do
    go build -ldflags "-s -w $stamp" -o "$folder.part/" "k8s.io/kubernetes/cmd/$command"
  done
  go build -ldflags '-s -w' -o "$folder.part/etcd" go.etcd.io/etcd/server/v3
)
mv "$folder.part" "$folder"
echo "built in $folder"
