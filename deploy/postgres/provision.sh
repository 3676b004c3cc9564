#!/bin/sh
# Creates the roles and schemas of the services, each with its password, and moves what has a new owner. Idempotent.
# psql finds the server through PGHOST, PGUSER, PGPASSWORD and PGDATABASE.
set -eu
psql -q -v gateway="$GATEWAY_DB_PASSWORD" -v registry="$REGISTRY_DB_PASSWORD" -v regulation="$REGULATION_DB_PASSWORD" \
  -v runner="$RUNNER_DB_PASSWORD" -v delivery="$DELIVERY_DB_PASSWORD" -v schemas="$SCHEMAS_DB_PASSWORD" \
  -f "$(dirname "$0")/provision.sql"
