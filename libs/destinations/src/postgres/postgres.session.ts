import { DELIVERY_TIMEOUT_MS } from '@weir/contracts';
import { Client, DatabaseError } from 'pg';
import type { DeliveryResult, DeliverySession, Outbound, SessionItem } from '../kind.js';
import { GuardedLine } from '../session/guarded-line.js';
import { Kept } from '../session/kept.js';
import { allOf, DELIVERED, later, never, unsent } from '../session/results.js';
import { type EventRow, eventRow } from './event-row.js';
import type { PostgresSettings } from './postgres.settings.js';

const UNDEFINED_TABLE = '42P01';
/** Errors when two sessions create the same table at the same time. */
const ALREADY_THERE = new Set(['42P07', '23505', '42P06']);
/** Error class for data that the table cannot hold. */
const DATA_CLASS = '22';

/** Inserts rows into one table over one connection. A row that already exists is a repeat and stays unchanged. */
export class PostgresSession implements DeliverySession {
  private readonly line: GuardedLine;
  private readonly client = new Kept(
    (lost) => this.open(lost),
    (client) => client.end(),
  );

  constructor(
    private readonly settings: PostgresSettings,
    outbound: Outbound,
  ) {
    this.line = new GuardedLine(outbound);
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
      this.line.throwFailure();
      return allOf(items, unsent('Postgres', error));
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

  private async open(lost: () => void): Promise<Client> {
    const { host, port, database, user, password, ssl } = this.settings;
    const client = new Client({
      // Passes every setting. Otherwise the library would look for it in Weir's own environment and files.
      ...{ host, port, database, user, password, ssl },
      application_name: 'weir',
      connectionTimeoutMillis: DELIVERY_TIMEOUT_MS,
      query_timeout: DELIVERY_TIMEOUT_MS,
      statement_timeout: DELIVERY_TIMEOUT_MS,
      stream: () => this.line.socket({ host, port }),
    });
    // An error also rejects the query that it concerns. Without a listener it would end the process.
    client.on('error', () => undefined);
    client.once('end', lost);
    await client.connect();
    return client;
  }
}

const COLUMNS = 'id, message_id, type, event, user_id, anonymous_id, sent_at, payload';
