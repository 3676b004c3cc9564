-- Gives each role of Weir a second login, weir_<service>_b, so that passwords can be replaced without a gap (docs/recovery.md). Run it
-- as provision.sql, with new passwords. Idempotent. To go back to the first logins next time, run provision.sql with new passwords.
\set ON_ERROR_STOP on

CREATE TEMP TABLE wanted (service text PRIMARY KEY, password text NOT NULL);
INSERT INTO wanted VALUES
  ('gateway', :'gateway'), ('registry', :'registry'), ('regulation', :'regulation'), ('runner', :'runner'),
  ('delivery', :'delivery'), ('schemas', :'schemas');

SELECT format('CREATE ROLE %I IN ROLE %I', 'weir_' || service || '_b', 'weir_' || service)
FROM wanted WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'weir_' || service || '_b') \gexec
SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', 'weir_' || service || '_b', password) FROM wanted \gexec
-- A session acts as the first role from its start, so everything goes on belonging to that.
SELECT format('ALTER ROLE %I SET role = %I', 'weir_' || service || '_b', 'weir_' || service) FROM wanted \gexec
SELECT format('ALTER ROLE %I SET search_path = %I', 'weir_' || service || '_b', service) FROM wanted \gexec
SELECT format('ALTER ROLE %I SET statement_timeout = %L', 'weir_' || service || '_b', '15s') FROM wanted \gexec
SELECT format('ALTER ROLE %I SET idle_in_transaction_session_timeout = %L', 'weir_' || service || '_b', '15s') FROM wanted \gexec
