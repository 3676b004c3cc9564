#!/bin/sh
# Runs once, when the database is created: the roles and schemas of the services, all with the password from the environment.
set -eu
psql -q -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
  -v gateway="$SERVICE_DB_PASSWORD" -v registry="$SERVICE_DB_PASSWORD" -v regulation="$SERVICE_DB_PASSWORD" \
  -v runner="$SERVICE_DB_PASSWORD" -v schemas="$SERVICE_DB_PASSWORD" -f /provision.sql
