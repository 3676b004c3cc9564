#!/usr/bin/env bash
# Installs every profile of the chart in a real API server, upgrades it from the version before, rolls back and uninstalls. The namespaces
# enforce the restricted Pod Security level. Controllers create the pods; nodes.mjs reports them as ready. build.sh makes the servers.
# Usage: tools/envtest/run.sh [profile...]. WEIR_TEST_BEFORE_REF: the commit to upgrade from, by default the one before the last change of
# what the chart renders.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/deploy-tools.sh

bin=$tools/envtest-${KUBERNETES[0]} helm=$tools/helm
if [ ! -x "$bin/etcd" ]; then
  echo "chart in an API server: not run (tools/envtest/build.sh makes the servers)"
  [ -z "${WEIR_CHECKS_REQUIRED:-}" ] || exit 1
  exit 0
fi
[ -x "$helm" ] || { echo 'Run tools/check-deploy.sh first: it builds helm.'; exit 1; }
profiles=("$@")
[ $# -gt 0 ] || profiles=(default trial small production external)

work=$(mktemp -d) pids=()
cleanup() {
  # In the order of their dependence: etcd, which began first, ends last.
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
    kill "${pids[i]}" 2>/dev/null || true
    wait "${pids[i]}" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap cleanup EXIT
fail() {
  echo "chart in an API server: $1"
  tail -n 5 "$work"/*.log
  exit 1
}
start() { # name, command...
  "${@:2}" >"$work/$1.log" 2>&1 &
  pids+=($!)
}
within() { # seconds, command...: until it succeeds
  local end=$((SECONDS + $1))
  until "${@:2}" >"$work/waiting" 2>&1; do
    [ $SECONDS -lt $end ] || fail "waited in vain for ${*:2}: $(cat "$work/waiting")"
    sleep 0.3
  done
}
free_ports() { node -e 'const n=require("net");const s=Array.from({length:+process.argv[1]},()=>n.createServer().listen(0,"127.0.0.1"));setImmediate(()=>{console.log(s.map(x=>x.address().port).join(" "));s.forEach(x=>x.close())})' "$1"; }

read -r etcd peer api proxy <<<"$(free_ports 4)"
openssl genrsa -out "$work/accounts.key" 2048 2>/dev/null
token=$(openssl rand -hex 16)
echo "$token,admin,admin,system:masters" >"$work/tokens"
start etcd "$bin/etcd" --data-dir "$work/etcd" --listen-client-urls "http://127.0.0.1:$etcd" --advertise-client-urls "http://127.0.0.1:$etcd" \
  --listen-peer-urls "http://127.0.0.1:$peer" --initial-advertise-peer-urls "http://127.0.0.1:$peer" --initial-cluster "default=http://127.0.0.1:$peer" --unsafe-no-fsync
start api "$bin/kube-apiserver" --etcd-servers "http://127.0.0.1:$etcd" --bind-address 127.0.0.1 --secure-port "$api" --cert-dir "$work/api" \
  --service-account-issuer https://kubernetes.default.svc --service-account-key-file "$work/accounts.key" --service-account-signing-key-file "$work/accounts.key" \
  --service-cluster-ip-range 10.96.0.0/16 --endpoint-reconciler-type none --token-auth-file "$work/tokens" --authorization-mode RBAC
export KUBECONFIG=$work/kubeconfig PATH=$bin:$PATH
kubectl config set-cluster envtest --server "https://127.0.0.1:$api" --insecure-skip-tls-verify=true >/dev/null
kubectl config set-credentials admin --token "$token" >/dev/null
kubectl config set-context envtest --cluster envtest --user admin >/dev/null
kubectl config use-context envtest >/dev/null
within 60 kubectl get --raw /readyz
start controllers "$bin/kube-controller-manager" --kubeconfig "$KUBECONFIG" --leader-elect=false --bind-address 127.0.0.1 --secure-port 0 \
  --service-account-private-key-file "$work/accounts.key" --root-ca-file "$work/api/apiserver.crt" --use-service-account-credentials=false
start proxy kubectl proxy --port "$proxy"
: >"$work/failing"
start nodes node tools/envtest/nodes.mjs "http://127.0.0.1:$proxy" "$work/failing"
mkdir "$work/crds"
copy_crds "$work/crds"
find "$work/crds" -name '*.yaml' ! -exec grep -q '^kind: CustomResourceDefinition' {} \; -delete
kubectl apply --server-side -f "$work/crds" >/dev/null
kubectl wait --for condition=established --timeout 60s crd --all >/dev/null

# Its documents and tests do not count as changes.
ref=${WEIR_TEST_BEFORE_REF:-$(git log -1 --skip=1 --format=%H -- "$chart/templates" "$chart/files" "$chart/values*.yaml")}
mkdir "$work/before"
git archive "${ref:-HEAD}" "$chart" | tar -x -C "$work/before"
before=$work/before/$chart

values_of() { # chart, profile: its options
  printf -- '-f\ndeploy/helm/checked-values.yaml\n'
  [ "$2" = default ] || printf -- '-f\n%s\n' "$1/values-$2.yaml"
}
make_secrets() { # profile, file for the values
  local own=(--postgres db.internal:5432/weir --save "$2") options=()
  case $1 in
  small) options=("${own[@]}") ;;
  production) options=(--postgres pooler --nats nats://weir-nats:4222) ;;
  default | external) options=("${own[@]}" --nats tls://nats.internal:4222) ;;
  esac
  sh deploy/secrets.sh --namespace "$namespace" "${options[@]}" >"$work/said" 2>&1
}
# Nothing of what Helm says may be a warning, such as one about Pod Security.
release() { # helm's arguments
  "$helm" "$@" --namespace "$namespace" >"$work/said" 2>&1 || return 1
  ! grep -E '^W[0-9]|[Ww]arning' "$work/said"
}
installed() { # what, chart, tag, command...
  local options
  mapfile -t options < <(values_of "$2" "$profile")
  release "${@:4}" weir "$2" "${options[@]}" --set-string "image.tag=$3" --wait --wait-for-jobs --timeout 120s || fail "$profile: $1: $(cat "$work/said")"
  images=$(kubectl -n "$namespace" get deployments -o jsonpath='{range .items[*]}{.spec.template.spec.containers[*].image}{"\n"}{end}' | tr ' ' '\n' | sed 's/.*://' | sort -u)
  [ "$images" = "$3" ] || fail "$profile: $1: Deployments run $images"
  refused=$(kubectl -n "$namespace" get events --field-selector type=Warning -o jsonpath='{range .items[*]}{.reason}: {.message}{"\n"}{end}' | grep '^FailedCreate:' || true)
  [ -z "$refused" ] || fail "$profile: $1: $refused"
  echo "chart in an API server: $profile: $1, $(kubectl -n "$namespace" get pods --no-headers | wc -l) pods"
}

readonly KINDS=all,networkpolicies,ingresses,poddisruptionbudgets,configmaps,servicemonitors,prometheusrules,scaledobjects,clusters.postgresql.cnpg.io,poolers.postgresql.cnpg.io,httproutes
nothing_left() {
  local left
  left=$(kubectl -n "$namespace" get "$KINDS" -o name | grep -v /kube-root-ca.crt || true)
  echo "$left"
  [ -z "$left" ]
}

for profile in "${profiles[@]}"; do
  namespace=weir-$profile
  # The chart refuses a release whose Secret is missing or incomplete, and secrets.sh makes a complete one, once.
  mapfile -t options < <(values_of "$chart" "$profile")
  if release install weir "$chart" "${options[@]}" --create-namespace; then fail "$profile was installed without its Secret"; fi
  grep -q 'deploy/secrets.sh' "$work/said" || fail "$profile: $(cat "$work/said")"
  kubectl delete namespace "$namespace" --ignore-not-found --wait >/dev/null
  make_secrets "$profile" "$work/$profile.env" || fail "$profile: $(cat "$work/said")"
  kubectl get namespace "$namespace" -o jsonpath='{.metadata.labels.pod-security\.kubernetes\.io/enforce}' | grep -qx restricted
  if make_secrets "$profile" "$work/$profile.again"; then fail 'secrets.sh replaced a Secret'; fi
  # The namespace is there before its controllers have filled it, and no pod begins without them.
  within 30 kubectl -n "$namespace" get configmap kube-root-ca.crt
  within 30 kubectl -n "$namespace" get serviceaccount default

  installed 'install of the version before' "$before" 1.0.0 install
  installed upgrade "$chart" 2.0.0 upgrade
  installed 'upgrade to the same' "$chart" 2.0.0 upgrade
  release rollback weir 1 --wait --wait-for-jobs --timeout 120s || fail "$profile: rollback: $(cat "$work/said")"
  installed 'upgrade after a rollback' "$chart" 3.0.0 upgrade
  if [ "$profile" = external ]; then
    # Migrations of this profile run before the processes. One that fails ends the upgrade, and everything runs on as it was.
    echo migrate-schemas >"$work/failing"
    if release upgrade weir "$chart" "${options[@]}" --set-string image.tag=4.0.0 --timeout 60s; then fail 'a failed migration was ignored'; fi
    grep -q 'pre-upgrade hooks failed' "$work/said" || fail "$(cat "$work/said")"
    kubectl -n "$namespace" get deployments -o yaml | grep -q ':4.0.0' && fail 'processes were replaced after a failed migration'
    : >"$work/failing"
    installed 'upgrade after a failed migration' "$chart" 4.0.1 upgrade
  fi
  if [ "$profile" = trial ]; then
    # Here they run beside the processes, named by their content. One that gave up begins again when it is deleted (WeirMigrationFailed.md).
    echo migrate-schemas >"$work/failing"
    if release upgrade weir "$chart" "${options[@]}" --set-string image.tag=4.0.0 --wait --wait-for-jobs --timeout 60s; then fail 'a failed migration was ignored'; fi
    : >"$work/failing"
    kubectl -n "$namespace" delete jobs --field-selector status.successful=0 --wait >/dev/null
    installed 'upgrade after a failed migration' "$chart" 4.0.0 upgrade
  fi
  release uninstall weir --wait --timeout 120s || fail "$profile: uninstall: $(cat "$work/said")"
  # Pods and replica sets go after their Deployment.
  within 60 nothing_left
  echo "chart in an API server: $profile: uninstalled"
done
echo "chart in an API server: passed (Kubernetes ${KUBERNETES[0]}, upgraded from ${ref:-HEAD})"
