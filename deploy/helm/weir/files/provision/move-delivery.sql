-- Moves live delivery from schema runner, where earlier releases kept it, to schema delivery and its owner. Copies no rows: only the
-- catalog changes. Does nothing if there is nothing to move, so it may be repeated. One statement, and so one transaction.
-- Needs a role that is a member of both owners. Decision 0041 says how it works.
DO $move$
DECLARE
  owner name;
  moved name;
BEGIN
  IF to_regclass('runner.dead_letters') IS NULL THEN
    RETURN;
  END IF;
  IF to_regclass('delivery.dead_letters') IS NOT NULL THEN
    RAISE EXCEPTION 'Both schemas, runner and delivery, have tables of live delivery. Rows of delivery.* would be lost: move them by hand.';
  END IF;
  SELECT pg_get_userbyid(nspowner) INTO STRICT owner FROM pg_namespace WHERE nspname = 'delivery';
  -- a long statement of the release before must not hold up the whole service behind this lock
  PERFORM set_config('lock_timeout', '10s', true);
  -- partitions before their table, because each moves by itself; sequences and indexes move with their table
  FOR moved IN
    SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'runner' AND relkind IN ('r', 'p') AND relname NOT IN ('test_runs', 'migrations')
    ORDER BY relispartition DESC, relname
  LOOP
    EXECUTE format('ALTER TABLE runner.%I SET SCHEMA delivery', moved);
    EXECUTE format('ALTER TABLE delivery.%I OWNER TO %I', moved, owner);
  END LOOP;
  -- each service continues where the common list of migrations ended; both have a part of ClearVendorTexts
  CREATE TABLE IF NOT EXISTS delivery.migrations (
    id serial CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY,
    timestamp bigint NOT NULL,
    name varchar NOT NULL
  );
  EXECUTE format('ALTER TABLE delivery.migrations OWNER TO %I', owner);
  INSERT INTO delivery.migrations (timestamp, name)
    SELECT timestamp, name FROM runner.migrations WHERE name NOT LIKE 'CreateTestRuns%' ORDER BY id;
  DELETE FROM runner.migrations WHERE name NOT LIKE 'CreateTestRuns%' AND name NOT LIKE 'ClearVendorTexts%';
END
$move$;
