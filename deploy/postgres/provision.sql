-- Creates one role per service, limited to its own schema, in the database that psql is connected to. Idempotent.
-- psql "$ADMIN_DATABASE_URL" -v gateway=… -v registry=… -v regulation=… -v runner=… -v delivery=… \
--   -v schemas=… -f deploy/postgres/provision.sql
-- Each variable is that service's password. The local launcher does the same by itself.
\set ON_ERROR_STOP on

SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()) \gexec
REVOKE ALL ON SCHEMA public FROM PUBLIC;

CREATE TEMP TABLE wanted (service text PRIMARY KEY, password text NOT NULL);
INSERT INTO wanted VALUES
  ('gateway', :'gateway'), ('registry', :'registry'), ('regulation', :'regulation'), ('runner', :'runner'),
  ('delivery', :'delivery'), ('schemas', :'schemas');

SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE', 'weir_' || service)
FROM wanted WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'weir_' || service) \gexec
SELECT format('ALTER ROLE %I PASSWORD %L', 'weir_' || service, password) FROM wanted \gexec
SELECT format('GRANT %I TO CURRENT_USER', 'weir_' || service) FROM wanted \gexec
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), 'weir_' || service) FROM wanted \gexec
SELECT format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION %I', service, 'weir_' || service) FROM wanted \gexec
-- A pooler passes on no settings of its clients, so the roles have them.
SELECT format('ALTER ROLE %I SET search_path = %I', 'weir_' || service, service) FROM wanted \gexec
SELECT format('ALTER ROLE %I SET statement_timeout = %L', 'weir_' || service, '15s') FROM wanted \gexec
SELECT format('ALTER ROLE %I SET idle_in_transaction_session_timeout = %L', 'weir_' || service, '15s') FROM wanted \gexec

-- A database of an earlier release has the tables of live delivery in schema runner.
\ir move-delivery.sql
