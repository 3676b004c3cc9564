import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { AppError, DELIVERY_TIMEOUT_MS, type JsonObject } from '@weir/contracts';
import { Client, type Connection, DatabaseError, escapeIdentifier } from 'pg';
import type { DeliveryResult, DeliverySession, Outbound, SessionItem } from '../../kind.js';
import { type GuardedConnector, Kept } from '../../session/connection.js';
import { allOf, DELIVERED, later, never, refuseSsh, unsent } from '../../session/stream.js';
import * as kit from '../../toolkit/index.js';
import './bounded-reader.js';
import { type EventRow, eventRow } from './event-row.js';

const DEFAULT_PORT = 5_432;
const DEFAULT_SCHEMA = 'public';
const DEFAULT_TABLE = 'weir_events';

interface PostgresSettings {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  ssl: false | ConnectionOptions;
  /** Quoted, with its schema. */
  table: string;
}

/** Pure. Throws `AppError('invalid')` with the invalid key. */
export function postgresSettings(config: JsonObject): PostgresSettings {
  refuseSsh(config);
  const port = Number(kit.configText(config, 'port') || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new AppError('invalid', 'port must be a number');
  const host = kit.requiredText(config, 'host');
  // The client library would treat a path as a Unix domain socket.
  if (/[\s/\\@]/.test(host)) throw new AppError('invalid', 'host must be a name or an address');
  return {
    host,
    port,
    database: kit.requiredText(config, 'database'),
    user: kit.requiredText(config, 'user'),
    password: kit.configText(config, 'password'),
    ssl: sslOf(config, host),
    table: [kit.configText(config, 'namespace') || DEFAULT_SCHEMA, kit.configText(config, 'table') || DEFAULT_TABLE]
      .map(escapeIdentifier)
      .join('.'),
  };
}

/** The modes have the same meaning as in libpq. */
function sslOf(config: JsonObject, host: string): false | ConnectionOptions {
  const mode = kit.configText(config, 'sslMode') || 'disable';
  if (mode === 'disable') return false;
  if (!['require', 'verify-ca', 'verify-full'].includes(mode)) {
    throw new AppError('invalid', 'sslMode must be disable, require, verify-ca or verify-full');
  }
  const [ca, cert, key] = [
    kit.configText(config, 'serverCA'),
    kit.configText(config, 'clientCert'),
    kit.configText(config, 'clientKey'),
  ];
  return {
    ...(!isIP(host) && { servername: host }),
    rejectUnauthorized: mode !== 'require',
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(ca !== '' && { ca }),
    ...(cert !== '' && key !== '' && { cert, key }),
  };
}

const UNDEFINED_TABLE = '42P01';
/** Errors when two sessions create the same table at the same time. */
const ALREADY_THERE = new Set(['42P07', '23505', '42P06']);
/** Error class for data that the table cannot hold. */
const DATA_CLASS = '22';

/** Inserts rows into one table over one connection. A row that already exists is a repeat and stays unchanged. */
export class PostgresSession implements DeliverySession {
  private readonly client: Kept<Client>;

  constructor(
    private readonly settings: PostgresSettings,
    outbound: Outbound,
  ) {
    this.client = new Kept(
      outbound,
      (line, lost) => this.open(line, lost),
      (client) => client.end(),
    );
  }

  async deliver(items: readonly SessionItem[]): Promise<DeliveryResult[]> {
    const rows = items.map(eventRow);
    try {
      await this.insertMakingTable(rows);
      return allOf(items, DELIVERED);
    } catch (error) {
      return this.failed(items, error);
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** A row that Postgres refuses must not block the others. */
  private async failed(items: readonly SessionItem[], error: unknown): Promise<DeliveryResult[]> {
    if (!(error instanceof DatabaseError)) {
      await this.client.drop();
      return allOf(items, unsent('Postgres', this.client.causeOf(error)));
    }
    const code = error.code ?? '';
    if (!code.startsWith(DATA_CLASS)) return allOf(items, later(`Postgres answered ${code}`));
    if (items.length === 1) return [never(`Postgres cannot store the event (${code})`)];
    const results: DeliveryResult[] = [];
    for (const item of items) results.push(...(await this.deliver([item])));
    return results;
  }

  private async insertMakingTable(rows: EventRow[]): Promise<void> {
    const client = await this.client.get();
    try {
      await this.insert(client, rows);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== UNDEFINED_TABLE) throw error;
      await this.makeTable(client);
      await this.insert(client, rows);
    }
  }

  private async insert(client: Client, rows: EventRow[]): Promise<void> {
    const columns = Array.from({ length: 8 }, (_, column) => rows.map((row) => row[column]));
    const text = `INSERT INTO ${this.settings.table} (${COLUMNS})
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::jsonb[])
      ON CONFLICT (id) DO NOTHING`;
    await client.query({ text, values: columns });
  }

  private async makeTable(client: Client): Promise<void> {
    const text = `CREATE TABLE IF NOT EXISTS ${this.settings.table} (
      id text PRIMARY KEY, message_id text, type text, event text, user_id text, anonymous_id text,
      sent_at timestamptz, payload jsonb NOT NULL, loaded_at timestamptz NOT NULL DEFAULT now())`;
    await client.query({ text }).catch((error) => {
      if (!(error instanceof DatabaseError) || !ALREADY_THERE.has(error.code ?? '')) throw error;
    });
  }

  private async open(line: GuardedConnector, lost: () => void): Promise<Client> {
    const { host, port, database, user, password, ssl } = this.settings;
    const client = new Client({
      // Passes every setting. Otherwise the library would look for it in Weir's own environment and files.
      ...{ host, port, database, user, password, ssl },
      application_name: 'weir',
      connectionTimeoutMillis: DELIVERY_TIMEOUT_MS,
      query_timeout: DELIVERY_TIMEOUT_MS,
      statement_timeout: DELIVERY_TIMEOUT_MS,
      stream: () => line.socket({ host, port }),
    });
    // An error also rejects the query that it concerns. Without a listener it would end the process.
    client.on('error', () => undefined);
    client.once('end', lost);
    const { connection } = client as Client & { connection: Connection };
    connection.once('sslconnect', () => line.shield(connection.stream));
    await client.connect();
    return client;
  }
}

const COLUMNS = 'id, message_id, type, event, user_id, anonymous_id, sent_at, payload';
