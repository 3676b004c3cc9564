-- Undoes move-delivery.sql, for a return to the release before the delivery service. Stop every process of Weir first.
-- psql "$ADMIN_DATABASE_URL" -f deploy/postgres/move-delivery-back.sql
DO $move$
DECLARE
  owner name;
  moved name;
BEGIN
  IF to_regclass('delivery.dead_letters') IS NULL THEN
    RETURN;
  END IF;
  SELECT pg_get_userbyid(nspowner) INTO STRICT owner FROM pg_namespace WHERE nspname = 'runner';
  FOR moved IN
    SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'delivery' AND relkind IN ('r', 'p') AND relname <> 'migrations'
    ORDER BY relispartition DESC, relname
  LOOP
    EXECUTE format('ALTER TABLE delivery.%I SET SCHEMA runner', moved);
    EXECUTE format('ALTER TABLE runner.%I OWNER TO %I', moved, owner);
  END LOOP;
  INSERT INTO runner.migrations (timestamp, name)
    SELECT timestamp, name FROM delivery.migrations WHERE name NOT LIKE 'ClearVendorTexts%' ORDER BY id;
  DROP TABLE delivery.migrations;
END
$move$;
