import { readFileSync } from 'node:fs';
import pg from 'pg';
import { messageOf, StackFault } from './fault.js';

/** One schema per service with a database. The role that owns it sees nothing else. */
export const SCHEMAS = ['gateway', 'registry', 'regulation', 'runner', 'delivery', 'schemas'] as const;
export type SchemaName = (typeof SCHEMAS)[number];

/** Moves the tables of live delivery out of schema `runner`, where earlier releases kept them. Repeating it does no harm. */
const MOVE_DELIVERY_SQL = readFileSync(new URL('../../../deploy/postgres/move-delivery.sql', import.meta.url), 'utf8');

/** Two launchers or test files must not create the same role at once. */
const PROVISION_LOCK = 7_735_001;
const CONNECT_TIMEOUT_MS = 10_000;
/** Allows for another launcher at work. A server that is silent for longer counts as down. */
const QUERY_TIMEOUT_MS = 60_000;

const clientOf = (connectionString: string) =>
  new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });

export interface ProvisionOptions {
  /** A role that may create roles and schemas. Its database gets provisioned. */
  adminUrl: string;
  /** Passwords of the schemas' roles. Only schemas named here are created. */
  passwords: Partial<Record<SchemaName, string>>;
}

/** Creates or updates roles and schemas. Resolves with each schema's own connection URL. */
export async function provision(options: ProvisionOptions): Promise<Partial<Record<SchemaName, string>>> {
  const client = clientOf(options.adminUrl);
  try {
    await client.connect();
    return await provisionAll(client, options);
  } catch (error) {
    throw new StackFault(
      `The database cannot be prepared for Weir (${messageOf(error)}): the user of DATABASE_URL must reach it, own it, and may create roles.`,
    );
  } finally {
    await client.end();
  }
}

async function provisionAll(client: pg.Client, { adminUrl, passwords }: ProvisionOptions) {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const database = rows[0]?.name ?? '';
  await client.query('SELECT pg_advisory_lock($1)', [PROVISION_LOCK]);
  await closeToPublic(client, database);
  const urls: Partial<Record<SchemaName, string>> = {};
  for (const schema of SCHEMAS) {
    const password = passwords[schema];
    if (password) urls[schema] = await provisionSchema(client, { schema, database, password, adminUrl });
  }
  if (urls.runner && urls.delivery) await client.query(MOVE_DELIVERY_SQL);
  return urls;
}

/** Roles belong to the whole server. Their names include the database's name, so that two stacks on one server do not collide. */
export const roleOf = (database: string, schema: SchemaName): string => `${database}_${schema}`;

async function closeToPublic(client: pg.Client, database: string): Promise<void> {
  await client.query(`REVOKE ALL ON DATABASE ${client.escapeIdentifier(database)} FROM PUBLIC`);
  await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
}

interface SchemaOwner {
  schema: SchemaName;
  database: string;
  password: string;
  adminUrl: string;
}

async function provisionSchema(client: pg.Client, owner: SchemaOwner): Promise<string> {
  const name = roleOf(owner.database, owner.schema);
  const role = client.escapeIdentifier(name);
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  if (!rowCount) await client.query(`CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`);
  await client.query(`ALTER ROLE ${role} PASSWORD ${client.escapeLiteral(owner.password)}`);
  await client.query(`GRANT ${role} TO CURRENT_USER`);
  await client.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${client.escapeIdentifier(owner.database)} TO ${role}`);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${owner.schema} AUTHORIZATION ${role}`);
  // A pooler passes on no settings of its clients, so the role has them.
  await client.query(`ALTER ROLE ${role} SET search_path = ${owner.schema}`);
  await client.query(`ALTER ROLE ${role} SET statement_timeout = '15s'`);
  await client.query(`ALTER ROLE ${role} SET idle_in_transaction_session_timeout = '15s'`);
  const url = new URL(owner.adminUrl);
  url.username = encodeURIComponent(name);
  url.password = encodeURIComponent(owner.password);
  return url.href;
}

/** Creates a database unless it exists. `serverUrl` names any database of the server. */
export async function ensureDatabase(serverUrl: string, database: string): Promise<string> {
  const client = clientOf(serverUrl);
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (!rowCount) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
