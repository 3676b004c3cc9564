#!/bin/sh
# Writes the `.env` of docker-compose.yml, with a new value for every secret. It never replaces a value that exists.
#   sh deploy/docker/new-env.sh [--add-missing] [file]
# --add-missing adds the secrets that a file of an earlier release lacks. The file defaults to `.env`.
set -eu
umask 077
mode=new
if [ "${1:-}" = --add-missing ]; then
  mode=add
  shift
fi
file=${1:-.env}
case $file in
-*)
  echo "Usage: sh deploy/docker/new-env.sh [--add-missing] [file]" >&2
  exit 2
  ;;
esac
if [ "$mode" = new ] && [ -e "$file" ]; then
  echo "$file exists, so nothing was changed: its keys open what is stored. To add what a new release needs, run it with --add-missing." >&2
  exit 1
fi
if [ "$mode" = add ] && [ ! -f "$file" ]; then
  echo "There is no $file to add secrets to. Run this without --add-missing to create it." >&2
  exit 1
fi

# Passwords become parts of URLs. The prefix keeps NATS from reading an all-digit password as a number.
password() { printf 'p%s' "$(openssl rand -hex 20)"; }

secrets() {
  echo "POSTGRES_PASSWORD=$(password)"
  for service in GATEWAY REGISTRY REGULATION RUNNER DELIVERY SCHEMAS; do echo "${service}_DB_PASSWORD=$(password)"; done
  for user in MIGRATE GATEWAY REGISTRY REGULATION FILTER ERASER RUNNER DELIVERY DELIVERER FETCHER SCHEMAS COLLECTOR SANDBOX; do
    echo "${user}_NATS_PASSWORD=$(password)"
  done
  echo "WEIR_ENCRYPTION_KEY=$(openssl rand -base64 32)"
  echo "REGULATION_PEPPER=$(openssl rand -base64 32)"
  echo "REGULATION_RECEIPT_KEY=$(openssl rand -base64 32)"
  echo "SCHEMA_PEPPER=$(openssl rand -base64 32)"
  echo "SERVICE_ADMIN_USER=admin"
  echo "SERVICE_ADMIN_PASSWORD=$(password)"
  echo "BOOTSTRAP_EMAIL=admin@example.com"
  echo "BOOTSTRAP_ACCESS_TOKEN=weir_$(openssl rand -hex 32)"
}

# Written aside first, so that an interrupted run leaves the file as it was.
draft=$file.$$
trap 'rm -f "$draft"' EXIT
if [ "$mode" = add ]; then
  cp "$file" "$draft"
  # An editor may have left the last line open.
  [ -z "$(tail -c 1 "$draft")" ] || echo >>"$draft"
else
  : >"$draft"
fi
added=
new=$(secrets)
while IFS= read -r line; do
  key=${line%%=*}
  if grep -q "^$key=" "$draft"; then continue; fi
  printf '%s\n' "$line" >>"$draft"
  added="$added $key"
done <<END
$new
END
mv "$draft" "$file"
if [ -z "$added" ]; then
  echo "$file has every secret."
else
  echo "Added to $file:$added"
  echo 'Keep a copy. Without WEIR_ENCRYPTION_KEY, configurations cannot be opened. Without REGULATION_PEPPER, suppression matches nobody.'
  echo 'Without SCHEMA_PEPPER, deletions cannot tell whose a value is. REGULATION_RECEIPT_KEY signs the receipts of deletions.'
fi
