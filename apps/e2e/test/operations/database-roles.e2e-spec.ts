import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { api, until } from '@weir/testing';
import pg from 'pg';

const SERVICES = ['delivery', 'gateway', 'registry', 'regulation', 'runner', 'schemas'];

/** Inspects the running stack from outside: the results of the migrations, and the connected roles. */
describe('roles of the database under a running stack', () => {
  let admin: pg.Client;
  beforeAll(async () => {
    admin = new pg.Client(sharedStack().databaseUrl);
    await admin.connect();
  });
  afterAll(() => admin.end());

  const select = async (sql: string) => (await admin.query(sql, [SERVICES])).rows;

  it('every service works as its own role, which may do nothing special', async () => {
    const roles = () =>
      select(`
      SELECT rolname AS role, rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS special,
        EXISTS (SELECT FROM pg_stat_activity a WHERE a.usesysid = r.oid AND a.datname = current_database()) AS works
      FROM pg_roles r WHERE rolname IN (SELECT current_database() || '_' || unnest($1::text[])) ORDER BY 1`);
    // An idle service closes its connections. The check of readiness makes each one ask its database.
    const rows = await until('every service to ask its database', async () => {
      const { status } = await api(sharedStack()).get('/readyz');
      const found = await roles();
      return status === 200 && found.every(({ works }) => works) && found;
    });
    expect(rows).toEqual(SERVICES.map((service) => ({ role: `weir_${service}`, special: false, works: true })));
  });

  it('every table, view and sequence belongs to the role of its schema, and no other role may use it', async () => {
    const rows = await select(`
      WITH roles AS (SELECT oid, rolname, substr(rolname, length(current_database()) + 2) AS service FROM pg_roles
                     WHERE rolname IN (SELECT current_database() || '_' || unnest($1::text[])))
      SELECT nspname AS schema, count(*)::int AS tables,
        bool_and(own.oid = relowner) AS owned,
        bool_or(EXISTS (SELECT FROM roles other WHERE other.oid <> own.oid AND (
          has_schema_privilege(other.oid, n.oid, 'USAGE') OR has_schema_privilege(other.oid, n.oid, 'CREATE')
          OR has_table_privilege(other.oid, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')))) AS shared
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN roles own ON own.service = nspname
      WHERE relkind IN ('r', 'p', 'S', 'v', 'm') GROUP BY 1 ORDER BY 1`);
    const alone = (schema: string) => ({ schema, tables: expect.any(Number), owned: true, shared: false });
    expect(rows).toEqual(SERVICES.map(alone));
  });

  it('there is nothing outside the six schemas', async () => {
    const rows = await select(`
      SELECT nspname, relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname <> ALL ($1) AND nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'`);
    expect(rows).toEqual([]);
  });
});
