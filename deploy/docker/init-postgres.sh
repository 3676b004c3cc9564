#!/bin/sh
# Runs once when the database is created. Creates the roles and schemas of the services, each with its password.
set -eu
psql -q -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
  -v gateway="$GATEWAY_DB_PASSWORD" -v registry="$REGISTRY_DB_PASSWORD" -v regulation="$REGULATION_DB_PASSWORD" \
  -v runner="$RUNNER_DB_PASSWORD" -v schemas="$SCHEMAS_DB_PASSWORD" -f /provision.sql
