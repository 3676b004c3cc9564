import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalStack } from '@weir/local';
import { until } from '@weir/testing';
import pg from 'pg';

/** Ends the name of a second login. */
const SECOND = '_b';

interface BrokerUser {
  user: string;
  password: string;
  permissions?: { subscribe: string[] };
}

/**
 * Replaces the passwords of PostgreSQL and the broker as docs/recovery.md says: every login gets a second one with its own name and
 * password, processes move to it when they start, and then the first one ends.
 */
export class SecondLogins {
  private constructor(
    private readonly stack: LocalStack,
    private readonly admin: pg.Client,
  ) {}

  static async open(stack: LocalStack): Promise<SecondLogins> {
    const admin = new pg.Client({ connectionString: stack.address.databaseUrl });
    await admin.connect();
    return new SecondLogins(stack, admin);
  }

  close(): Promise<void> {
    return this.admin.end();
  }

  /** From now on, both logins are accepted, and processes that start use the second one. */
  async accept(): Promise<void> {
    const { facts } = this.stack;
    const databaseUrls: typeof facts.databaseUrls = {};
    for (const [schema, url] of Object.entries(facts.databaseUrls) as [keyof typeof databaseUrls, string][]) {
      databaseUrls[schema] = secondOf(url);
      await this.addRole(new URL(url).username, new URL(databaseUrls[schema] ?? '').password, schema);
    }
    const natsUrls = Object.fromEntries(Object.entries(facts.natsUrls).map(([user, url]) => [user, secondOf(url)]));
    const added = Object.values(natsUrls).map((url) => new URL(url));
    await this.changeBroker((users) => [
      ...users,
      ...added.map(({ username, password }) => secondUser(users, username, password)),
    ]);
    Object.assign(facts, { databaseUrls, natsUrls });
  }

  /** Ends the first logins, and every connection that still uses one. */
  async refuseFirst(): Promise<void> {
    for (const url of Object.values(this.stack.facts.databaseUrls)) {
      const first = new URL(url).username.slice(0, -SECOND.length);
      await this.admin.query(`ALTER ROLE ${first} PASSWORD NULL`);
      const { rows } = await this.admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
        [first],
      );
      if (rows.length > 0) throw new Error(`${rows.length} connections still used the role ${first}`);
    }
    await this.changeBroker((users) => users.filter(({ user, permissions }) => !permissions || user.endsWith(SECOND)));
  }

  /** The statements of deploy/postgres/second-logins.sql. */
  private async addRole(first: string, password: string, schema: string): Promise<void> {
    const second = `${first}${SECOND}`;
    await this.admin.query(`CREATE ROLE ${second} LOGIN PASSWORD '${password}' IN ROLE ${first}`);
    await this.admin.query(`ALTER ROLE ${second} SET role = ${first}`);
    await this.admin.query(`ALTER ROLE ${second} SET search_path = ${schema}`);
    await this.admin.query(`ALTER ROLE ${second} SET statement_timeout = '15s'`);
    await this.admin.query(`ALTER ROLE ${second} SET idle_in_transaction_session_timeout = '15s'`);
  }

  /** Writes the configuration, and lets the broker read it again. */
  private async changeBroker(change: (users: BrokerUser[]) => BrokerUser[]): Promise<void> {
    const file = join(this.stack.address.dataDir, 'nats', 'nats-server.conf');
    const log = join(this.stack.address.dataDir, 'logs', 'nats-server.log');
    const reloads = () => readFileSync(log, 'utf8').split('Reloaded server configuration').length;
    const before = reloads();
    const text = readFileSync(file, 'utf8').replace(/^authorization: (.*)$/m, (_, json: string) => {
      const { users } = JSON.parse(json) as { users: BrokerUser[] };
      return `authorization: ${JSON.stringify({ users: change(users) })}`;
    });
    writeFileSync(file, text);
    this.stack.signal('nats-server', 'SIGHUP');
    await until('the broker to read its users again', () => reloads() > before);
  }
}

/** The same address with another name and password. */
function secondOf(url: string): string {
  const second = new URL(url);
  second.username += SECOND;
  second.password = `p${randomBytes(20).toString('hex')}`;
  return second.href;
}

/** A user with the permissions of the first one, and with an inbox of its own. */
function secondUser(users: readonly BrokerUser[], user: string, password: string): BrokerUser {
  const first = user.slice(0, -SECOND.length);
  const { permissions } = users.find((one) => one.user === first) as Required<BrokerUser>;
  const subscribe = permissions.subscribe.map((subject) => subject.replace(`_INBOX_${first}.`, `_INBOX_${user}.`));
  return { user, password, permissions: { ...permissions, subscribe } };
}
