#!/bin/sh
# Prints a `.env` for docker-compose.yml with a new value for every secret: sh deploy/docker/new-env.sh > .env
# Keep it. Without WEIR_ENCRYPTION_KEY, configurations cannot be opened. Without REGULATION_PEPPER, suppression matches
# nobody. Without SCHEMA_PEPPER, deletions cannot tell whose a value is.
set -eu
# Passwords become parts of URLs. The prefix keeps NATS from reading an all-digit password as a number.
password() { printf 'p%s' "$(openssl rand -hex 20)"; }

echo "POSTGRES_PASSWORD=$(password)"
for service in GATEWAY REGISTRY REGULATION RUNNER SCHEMAS; do echo "${service}_DB_PASSWORD=$(password)"; done
for user in MIGRATE GATEWAY REGISTRY REGULATION FILTER ERASER RUNNER DELIVERER FETCHER SCHEMAS COLLECTOR SANDBOX; do
  echo "${user}_NATS_PASSWORD=$(password)"
done
echo "WEIR_ENCRYPTION_KEY=$(openssl rand -base64 32)"
echo "REGULATION_PEPPER=$(openssl rand -base64 32)"
echo "SCHEMA_PEPPER=$(openssl rand -base64 32)"
echo "SERVICE_ADMIN_USER=admin"
echo "SERVICE_ADMIN_PASSWORD=$(password)"
echo "BOOTSTRAP_EMAIL=admin@example.com"
echo "BOOTSTRAP_ACCESS_TOKEN=weir_$(openssl rand -hex 32)"
