#!/bin/sh
# Creates the Secrets of a Weir release with a new value for every credential. It never replaces a Secret that exists.
set -eu
umask 077
here=$(cd "$(dirname "$0")" && pwd)

usage() {
  cat <<'END'
Usage: sh deploy/secrets.sh [options]

  --namespace NAME   namespace of the release; created if it is missing (default: weir)
  --release NAME     name of the release, or its `fullnameOverride` in the values (default: weir)
  --secret NAME      name of the Secret, `existingSecret` in the values (default: weir)
  --postgres WHERE   embedded (default), cnpg, pooler (cnpg behind its pooler), or host:port/database of your own server
  --nats WHERE       embedded (default), or nats://host:port or tls://host:port of your own servers
  --save FILE        also writes the values to FILE. Required with your own PostgreSQL, to create its roles
  --print            prints the manifests instead of creating them; needs no cluster

Examples:
  sh deploy/secrets.sh --namespace weir                                       everything in the chart (values-trial.yaml)
  sh deploy/secrets.sh --postgres db.internal:5432/weir --save weir.env       your own PostgreSQL (values-small.yaml)
  sh deploy/secrets.sh --postgres pooler --nats nats://weir-nats:4222         CloudNativePG and the chart of nats-io (values-production.yaml)
END
}
fail() {
  echo "secrets.sh: $1" >&2
  exit "${2:-1}"
}

namespace=weir release=weir secret=weir postgres=embedded nats=embedded save='' print=''
while [ $# -gt 0 ]; do
  case $1 in
  --print) print=yes ;;
  --help | -h) usage && exit 0 ;;
  --namespace | --release | --secret | --postgres | --nats | --save)
    [ -n "${2:-}" ] || fail "$1 needs a value" 2
    case $1 in
    --namespace) namespace=$2 ;;
    --release) release=$2 ;;
    --secret) secret=$2 ;;
    --postgres) postgres=$2 ;;
    --nats) nats=$2 ;;
    --save) save=$2 ;;
    esac
    shift
    ;;
  *) fail "unknown option $1; see --help" 2 ;;
  esac
  shift
done

case $postgres in
embedded) database=$release-postgres:5432/weir ;;
cnpg) database=$release-postgres-rw:5432/weir ;;
pooler) database=$release-postgres-pooler:5432/weir ;;
*://* | *@*) fail '--postgres takes host:port/database, without a scheme and without credentials' 2 ;;
?*:?*/?*)
  database=$postgres
  [ -n "$save$print" ] || fail 'your own PostgreSQL needs --save FILE: deploy/postgres/provision.sh reads the passwords of the roles from it' 2
  ;;
*) fail '--postgres takes embedded, cnpg, pooler or host:port/database' 2 ;;
esac
case $nats in
embedded) broker=nats://$release-nats:4222 ;;
*@*) fail '--nats takes no credentials: every process gets a user of its own' 2 ;;
nats://?*:?* | tls://?*:?*) broker=$nats ;;
*) fail '--nats takes embedded, nats://host:port or tls://host:port' 2 ;;
esac
[ -z "$save" ] || [ ! -e "$save" ] || fail "$save exists, and is kept"
command -v openssl >/dev/null || fail 'openssl is not installed'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh "$here/docker/new-env.sh" "$folder/values" >/dev/null
# shellcheck disable=SC1091
. "$folder/values"
services='GATEWAY REGISTRY REGULATION RUNNER DELIVERY SCHEMAS'
users='MIGRATE GATEWAY REGISTRY REGULATION FILTER ERASER RUNNER DELIVERY DELIVERER FETCHER SCHEMAS COLLECTOR SANDBOX'
value() { eval "printf '%s' \"\$$1\""; }
lower() { printf '%s' "$1" | tr '[:upper:]' '[:lower:]'; }

# Every key with its value: what compose needs, and the addresses with the same passwords.
pairs() {
  while IFS= read -r line; do
    case $line in
    POSTGRES_PASSWORD=* | *_DB_PASSWORD=*) [ "$postgres" != embedded ] || printf '%s\n' "$line" ;;
    *) printf '%s\n' "$line" ;;
    esac
  done <"$folder/values"
  for service in $services; do
    echo "${service}_DATABASE_URL=postgres://weir_$(lower "$service"):$(value "${service}_DB_PASSWORD")@$database"
  done
  for user in $users; do
    echo "${user}_NATS_URL=${broker%%://*}://$(lower "$user"):$(value "${user}_NATS_PASSWORD")@${broker#*://}"
  done
}

manifest() { # name, type, labels; pairs on standard input
  printf -- '---\napiVersion: v1\nkind: Secret\nmetadata: { name: %s, namespace: %s, labels: { %s } }\ntype: %s\nstringData:\n' "$1" "$namespace" "${3:-}" "$2"
  sed "s/^\([^=]*\)=\(.*\)$/  \1: '\2'/"
}
manifests() {
  pairs | manifest "$secret" Opaque
  case $postgres in cnpg | pooler) ;; *) return 0 ;; esac
  for service in $services; do
    name=$(lower "$service")
    printf 'username=weir_%s\npassword=%s\n' "$name" "$(value "${service}_DB_PASSWORD")" |
      manifest "$release-postgres-$name" kubernetes.io/basic-auth 'cnpg.io/reload: "true"' # a new password counts at once
  done
}
manifests >"$folder/manifests"
if [ -n "$print" ]; then
  cat "$folder/manifests"
  exit 0
fi

command -v kubectl >/dev/null || fail 'kubectl is not installed; --print shows the manifests'
names=$(sed -n 's/^metadata: { name: \([^,]*\),.*/\1/p' "$folder/manifests")
for name in $names; do
  if [ -n "$(kubectl -n "$namespace" get secret "$name" --ignore-not-found -o name)" ]; then
    fail "Secret $name exists in namespace $namespace, so nothing was changed: its keys open what is stored"
  fi
done
if [ -z "$(kubectl get namespace "$namespace" --ignore-not-found -o name)" ]; then
  kubectl create namespace "$namespace"
  kubectl label namespace "$namespace" pod-security.kubernetes.io/enforce=restricted
fi
if [ -n "$save" ]; then cp "$folder/values" "$save"; fi
kubectl create -f "$folder/manifests"

echo "Keys of $secret: $(pairs | cut -d= -f1 | tr '\n' ' ')"
echo 'Keep a copy of the Secret with your backups. Without WEIR_ENCRYPTION_KEY, REGULATION_PEPPER and SCHEMA_PEPPER, stored data'
echo 'cannot be used.'
if [ -n "$save" ]; then
  # dash and zsh look for a name without a folder in PATH
  case $save in */*) saved=$save ;; *) saved=./$save ;; esac
  echo "The values are in $save. Create the roles of your own PostgreSQL with them, as its administrator:"
  echo "  (set -a; . $saved; PGHOST=… PGUSER=… PGPASSWORD=… PGDATABASE=${database##*/} sh deploy/postgres/provision.sh)"
fi
if [ "$nats" != embedded ]; then
  echo "Give your NATS servers the users of deploy/nats/users.conf, and as environment the keys *_NATS_PASSWORD of $secret."
fi
