#!/usr/bin/env bash
# Checks docker-compose.yml and deploy/helm/weir: lint, every profile rendered and validated against three Kubernetes minors, unit tests, and
# values that must be refused. Builds the tools from their Go modules once and keeps them. Without Go nothing runs: with
# WEIR_CHECKS_REQUIRED=1, what cannot run is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

. tools/deploy-tools.sh
UNITTEST=github.com/helm-unittest/helm-unittest@v1.1.2
VALIDATE=sigs.k8s.io/kubectl-validate@v0.0.4
COMPOSE=github.com/compose-spec/compose-go/v2@v2.16.2
ACTIONLINT=github.com/rhysd/actionlint@v1.7.12
HELM_DOCS=github.com/norwoodj/helm-docs@v1.14.2
PROMETHEUS=github.com/prometheus/prometheus@v0.316.0
PROFILES=(default trial small production external)

# A machine without Go or without a registry is not the fault of the chart.
not_run() {
  echo "deploy checks: not run ($1)"
  [ -z "${WEIR_CHECKS_REQUIRED:-}" ] || exit 1
  exit 0
}
command -v go >/dev/null || not_run 'Go is missing'
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
for module in "$HELM" "$UNITTEST" "$VALIDATE" "$COMPOSE" "$ACTIONLINT" "$HELM_DOCS" "$PROMETHEUS" "${CRDS[@]%% *}" "${KUBERNETES[@]/#/k8s.io/kubernetes@}"; do
  go mod download "$module" >/dev/null 2>&1 || not_run "$module could not be downloaded"
done

# Builds in a copy of the module, because one has replace directives, which `go install` refuses.
build() { # name, module, package, further flags
  local binary=$tools/$1-${2##*@}
  if [ ! -x "$binary" ]; then
    cp -r "$(module_dir "$2")" "$work/$1"
    chmod -R u+w "$work/$1"
    (cd "$work/$1" && go build "${@:4}" -o "$binary" "$3")
  fi
  ln -sf "$binary" "$tools/$1"
}
build helm "$HELM" ./cmd/helm
build helm-unittest "$UNITTEST" ./cmd/helm-unittest
build kubectl-validate "$VALIDATE" .
build compose-go "$COMPOSE" ./cmd
build actionlint "$ACTIONLINT" ./cmd/actionlint
build helm-docs "$HELM_DOCS" ./cmd/helm-docs
# Any version reads the rules. One that is built here has no service discovery, which takes two thirds of the time.
promtool=$(command -v promtool) || {
  build promtool "$PROMETHEUS" ./cmd/promtool -tags remove_all_sd
  promtool=$tools/promtool
}
helm=$tools/helm checked=(--kube-version 1.36.0 -f deploy/helm/checked-values.yaml)

echo "deploy checks: docker-compose.yml"
"$tools/compose-go" -no-interpolation docker-compose.yml >/dev/null
# The required variables must match those that new-env.sh creates, and no secret may have a default.
asked() { grep -oE '\$\{[A-Z_]+:\?\}' docker-compose.yml | tr -dc 'A-Z_\n' | sort -u; }
new_env=$work/new.env
sh deploy/docker/new-env.sh "$new_env" >/dev/null
made() { cut -d= -f1 "$new_env" | grep -v RECEIPT | sort -u; }
diff <(asked) <(made)
# A second run keeps the file, and --add-missing adds only what is missing.
cp "$new_env" "$work/kept.env"
if sh deploy/docker/new-env.sh "$new_env" 2>/dev/null; then
  echo 'new-env.sh replaced a file'
  exit 1
fi
cmp "$new_env" "$work/kept.env"
grep -v '^DELIVERY_' "$work/kept.env" >"$new_env"
sh deploy/docker/new-env.sh --add-missing "$new_env" >/dev/null
diff <(asked) <(made)
diff <(grep -v '^DELIVERY_' "$work/kept.env") <(grep -v '^DELIVERY_' "$new_env")
if grep -nE '(PASSWORD|TOKEN|KEY|PEPPER):-[^}]' docker-compose.yml; then exit 1; fi

echo "deploy checks: scripts, workflows, and a release that points to its images by digest"
"$tools/actionlint" -shellcheck="$(command -v shellcheck || true)"
if command -v shellcheck >/dev/null; then
  git ls-files '*.sh' .ci/run | xargs shellcheck
elif [ -n "${WEIR_CHECKS_REQUIRED:-}" ]; then
  not_run 'shellcheck is missing'
else
  echo 'Without shellcheck, scripts are not checked.'
fi
# A tag can be moved to other code, so actions of others are named by commit.
if grep -n 'uses: ' .github/workflows/*.yml | grep -vE 'uses: actions/|uses: [^ ]+@[0-9a-f]{40} # v[0-9.]+$'; then
  echo 'Name these actions by commit, with the version as a comment.'
  exit 1
fi
mkdir "$work/bin"
cat >"$work/bin/docker" <<'END'
#!/bin/sh
echo "sha256:$(printf %s "$*" | sha256sum | cut -c1-64)"
END
chmod +x "$work/bin/docker"
cp "$chart/values.yaml" "$work/pinned.yaml"
PATH="$work/bin:$PATH" REGISTRY=registry.example.com/weir tools/release/pin-images.sh "$work/pinned.yaml"
"$helm" template weir "$chart" --kube-version 1.36.0 -f "$work/pinned.yaml" --set existingSecret=weir >"$work/pinned.manifest"
if grep 'image: ' "$work/pinned.manifest" | grep -vE 'image: "?registry.example.com/weir/[a-z-]+@sha256:[0-9a-f]{64}"?$'; then exit 1; fi

echo "deploy checks: lint and render"
mkdir "$work/rendered"
for profile in "${PROFILES[@]}"; do
  values=(--set existingSecret=weir)
  [ "$profile" = default ] || values=(-f "$chart/values-$profile.yaml")
  "$helm" lint --strict --quiet "$chart" "${checked[@]}" "${values[@]}"
  "$helm" template weir "$chart" "${checked[@]}" "${values[@]}" >"$work/rendered/$profile.yaml"
done
"$helm" template weir "$chart" "${checked[@]}" -f "$chart/values-small.yaml" --set archive.enabled=true,archive.bucket=events >"$work/rendered/archive.yaml"
# Three servers of this chart, and the servers of the chart of nats-io get the password of every user.
"$helm" template weir "$chart" "${checked[@]}" -f "$chart/values-small.yaml" --set nats.embedded.replicas=3 >"$work/rendered/three-servers.yaml"
diff <(grep -oE '[A-Z]+_NATS_PASSWORD' deploy/nats/users-archive.conf | sort) <(sed -nE 's/^    ([A-Z]+_NATS_PASSWORD): .*/\1/p' deploy/nats/chart-values.yaml | sort)
# Servers read their configuration when they start, so a change of it replaces them.
nats_config() { "$helm" template weir "$chart" "${checked[@]}" -f "$chart/values-small.yaml" --set "$1" | grep -A60 '^kind: StatefulSet' | grep weir.dev/config; }
[ "$(nats_config nats.embedded.replicas=3)" != "$(nats_config nats.embedded.replicas=5)" ]
# Every key that a profile reads is one that secrets.sh creates for it, and the chart's own list is neither longer nor shorter.
read_keys() { # file, Secret
  grep -oE "secretKeyRef: \{ name: $2, key: [A-Z_]+ \}" "$1" | sed 's/.*key: //; s/ }//' | sort -u
  grep -oE 'items: \[\{ key: SANDBOX_NATS_URL' "$1" | sed 's/.*key: //' | sort -u
}
made_keys() { sh deploy/secrets.sh --print "$@" | sed -n "/name: weir,/,/^---/s/^  \([A-Z_]*\): .*/\1/p" | sort -u; }
for profile in trial small production external; do
  case $profile in
  trial) options=() ;;
  small) options=(--postgres db.internal:5432/weir) ;;
  production) options=(--postgres pooler --nats nats://weir-nats:4222) ;;
  external) options=(--postgres db.internal:5432/weir --nats tls://nats.internal:4222) ;;
  esac
  missing=$(comm -23 <(read_keys "$work/rendered/$profile.yaml" weir | sort -u) <(made_keys "${options[@]}"))
  [ -z "$missing" ] || { echo "secrets.sh makes no $missing for $profile"; exit 1; }
done
for service in gateway registry regulation runner delivery schemas; do
  sh deploy/secrets.sh --print --postgres cnpg | grep "name: weir-postgres-$service," | grep -q cnpg.io/reload || { echo "no Secret of role $service that CloudNativePG watches"; exit 1; }
done
# A Secret that exists stops secrets.sh before it creates anything.
cat >"$work/bin/kubectl" <<'END'
#!/bin/sh
case "$*" in
*'get secret weir-postgres-runner '*) [ ! -e "$TAKEN" ] || echo secret/weir-postgres-runner ;;
create*) echo "$*" >>"$CALLS" ;;
esac
END
chmod +x "$work/bin/kubectl"
secrets() { PATH="$work/bin:$PATH" TAKEN=$work/taken CALLS=$work/calls sh deploy/secrets.sh --postgres cnpg >/dev/null 2>&1; }
touch "$work/taken"
if secrets || [ -e "$work/calls" ]; then echo 'secrets.sh created Secrets beside one that exists'; exit 1; fi
rm "$work/taken"
secrets
[ "$(grep -c '^create' "$work/calls")" -eq 2 ] # the namespace, and all Secrets at once
for file in deploy/postgres/{provision.sh,provision.sql,move-delivery.sql}; do cmp "$file" "$chart/files/provision/${file##*/}"; done

# A Job cannot be changed, so what differs must have another name, and what is the same must not.
jobs() { "$helm" template weir "$chart" "${checked[@]}" -f "$chart/values-trial.yaml" "$@" | grep -oE 'name: weir-(migrate-[a-z]+|provision)-[0-9a-f]{8}'; }
[ "$(jobs | wc -l)" -eq 7 ]
diff <(jobs) <(jobs)
if diff <(jobs) <(jobs --set-string image.tag=9.9.9) | grep -c '^<' | grep -qx 0; then exit 1; fi
# No object's name is too long, even with the longest prefix.
"$helm" template weir "$chart" "${checked[@]}" -f "$chart/values-production.yaml" --set fullnameOverride="$(printf 'n%.0s' {1..34})" |
  sed -n 's/^  name: //p' | tr -d '"' | awk 'length > 63 { print; bad = 1 } END { exit bad }'

"$helm" template weir "$chart" "${checked[@]}" -f "$chart/values-external.yaml" --set fullnameOverride=events --set gatewayApi.enabled=true \
  --set 'gatewayApi.parentRefs[0].name=public' >"$work/rendered/routes.yaml"

echo "deploy checks: every way in leads to a Service, and every pod keeps the restricted level"
node tools/manifests/check.mjs "$work"/rendered/*.yaml

echo "deploy checks: the chart's README shows every value with its meaning"
"$tools/helm-docs" --chart-search-root "$chart" --sort-values-order file --log-level warning --dry-run >"$work/chart-readme"
diff "$work/chart-readme" "$chart/README.md" || { echo "Run $tools/helm-docs --chart-search-root $chart --sort-values-order file"; exit 1; }
if grep -n '|  *|$' "$chart/README.md"; then echo 'These values have no comment.'; exit 1; fi

echo "deploy checks: values that have to be refused"
for bad in deploy/helm/bad-values/*.yaml; do
  expected=$(sed -n 's/^# expect: //p' "$bad")
  if answer=$("$helm" template weir "$chart" "${checked[@]}" -f "$bad" 2>&1); then
    echo "$bad was accepted"
    exit 1
  fi
  grep -qF -- "$expected" <<<"$answer" || { echo "$bad was refused, but not for $expected: $answer"; exit 1; }
done

echo "deploy checks: each alert fires when it should, is quiet when it should, and has its runbook"
mkdir "$work/alerts"
"$helm" template weir "$chart" --namespace prod "${checked[@]}" -f "$chart/values-production.yaml" --show-only templates/monitoring.yaml |
  sed -n '/^kind: PrometheusRule/,/^---/p' | sed -n '/^spec:/,/^---/p' | sed '1d;/^---/d;s/^  //' >"$work/alerts/rules.yaml"
cp deploy/helm/alerts_test.yaml "$work/alerts/"
diff <(sed -n 's/.*- alert: //p' "$chart/files/alerts.yaml" | sort) <(sed -n 's/^  - name: \(Weir[A-Za-z]*\).*/\1/p' deploy/helm/alerts_test.yaml | sort -u)
"$promtool" test rules "$work/alerts/alerts_test.yaml" >"$work/alerts/report" 2>&1 || { cat "$work/alerts/report"; exit 1; }
diff <(sed -n 's/.*- alert: //p' "$chart/files/alerts.yaml" | sort) <(find docs/runbooks -name 'Weir*.md' -exec basename {} .md \; | sort)

echo "deploy checks: Prometheus understands every query of the dashboards"
"$helm" template weir "$chart" "${checked[@]}" -f "$chart/values-production.yaml" --set monitoring.dashboards.enabled=true \
  --show-only templates/monitoring.yaml >"$work/alerts/dashboards.yaml"
node tools/dashboard-rules.mjs "$work/alerts/dashboards.yaml" >"$work/alerts/queries.yaml"
"$promtool" check rules "$work/alerts/queries.yaml" >"$work/alerts/report" 2>&1 || { cat "$work/alerts/report"; exit 1; }

echo "deploy checks: unit tests"
"$tools/helm-unittest" --strict --values "$PWD/deploy/helm/checked-values.yaml" "$chart"

mkdir "$work/crds"
copy_crds "$work/crds"
for version in "${KUBERNETES[@]}"; do
  echo "deploy checks: schemas of Kubernetes $version"
  node tools/kubernetes-schemas.mjs "$(module_dir "k8s.io/kubernetes@$version")/api/openapi-spec/v3" "$work/schemas-$version"
  "$tools/kubectl-validate" "$work/rendered" --version 1.30 --local-schemas "$work/schemas-$version" --local-crds "$work/crds" \
    >"$work/validation" 2>&1 || { cat "$work/validation"; exit 1; }
  [ "$(grep -c OK "$work/validation")" -eq "$(find "$work/rendered" -type f | wc -l)" ] || { cat "$work/validation"; exit 1; }
done
tools/envtest/run.sh
echo "deploy checks: passed"
