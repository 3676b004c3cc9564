import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { NATS_MIGRATE_USER, natsPermissions, natsUsersFile } from './nats-users.js';

const users = natsPermissions();

/** Whether a NATS pattern matches a subject. */
function takes(pattern: string, subject: string): boolean {
  const tokens = subject.split('.');
  const wanted = pattern.split('.');
  if (wanted.at(-1) === '>') {
    wanted.pop();
    return tokens.length > wanted.length && wanted.every((token, n) => token === '*' || token === tokens[n]);
  }
  return wanted.length === tokens.length && wanted.every((token, n) => token === '*' || token === tokens[n]);
}

const who = (verb: 'publish' | 'subscribe', subject: string) =>
  Object.keys(users).filter((user) => users[user]?.[verb].some((pattern) => takes(pattern, subject)));

describe('what each user of the broker may do', () => {
  it.each([
    ['$KV.INVENTORY.source.s1', ['gateway']],
    ['events.raw.3.w1.s1', ['gateway']],
    ['events.accepted.3.w1.s1', ['filter']],
    ['deliveries.d1', ['deliverer', 'archiver']],
    ['runner.fetch.v1', ['sandbox']],
    ['runner.user.purge.v2', ['eraser']],
    ['delivery.user.purge.v1', ['eraser']],
    ['delivery.list.v1', ['gateway']],
    ['schema.user.purge.v1', ['eraser']],
    ['sandbox.code.run.v1', ['registry', 'runner', 'deliverer']],
    ['registry.transformation.create.v1', ['gateway']],
    ['registry.bundle.get.v1', ['runner', 'deliverer']],
    ['regulation.suppression.check.v1', ['gateway', 'deliverer', 'archiver']],
    ['registry.trouble.list.v1', ['deliverer']],
    ['regulation.audit.append.v1', ['gateway', 'registry', 'delivery']],
    ['live.suppressed.w1', ['filter', 'deliverer']],
    ['ops.test-runner-main.health.v1', ['gateway']],
    ['ops.process.report.v1', ['gateway']],
    ['$JS.API.STREAM.INFO.EVENTS_RAW', ['gateway', 'filter', 'eraser']],
    ['$JS.API.STREAM.DELETE.EVENTS_RAW', [NATS_MIGRATE_USER]],
    ['$JS.API.STREAM.PURGE.EVENTS_RAW', [NATS_MIGRATE_USER]],
    ['$JS.API.CONSUMER.MSG.NEXT.EVENTS_RAW.filter-3', ['filter']],
    ['$JS.API.CONSUMER.MSG.NEXT.EVENTS_ACCEPTED.deliverer-3', ['deliverer']],
    ['$JS.API.CONSUMER.CREATE.KV_INVENTORY.x.$KV.INVENTORY.>', ['gateway', 'eraser', 'deliverer', 'archiver']],
    ['$JS.API.CONSUMER.CREATE.EVENTS_RAW.spy', []],
    ['$JS.API.CONSUMER.CREATE.EVENTS_RAW.spy.events.raw.3.>', []],
    ['$JS.API.CONSUMER.CREATE.EVENTS_RAW.filter-3.events.raw.3.>', ['filter']],
    ['$JS.API.CONSUMER.CREATE.EVENTS_ACCEPTED.deliverer-3.events.accepted.3.>', ['deliverer']],
    ['$JS.API.CONSUMER.CREATE.EVENTS_ACCEPTED.collector-3.events.accepted.3.>', ['collector']],
    ['$JS.API.CONSUMER.CREATE.EVENTS_ACCEPTED.archiver-3.events.accepted.3.>', ['archiver']],
    ['$JS.API.CONSUMER.DELETE.EVENTS_ACCEPTED.collector-3', [NATS_MIGRATE_USER]],
    ['$JS.API.CONSUMER.DELETE.EVENTS_ACCEPTED.archiver-3', ['deliverer', NATS_MIGRATE_USER]],
    ['$JS.API.CONSUMER.LIST.EVENTS_ACCEPTED', ['filter', 'eraser', 'deliverer', 'collector', 'archiver']],
  ])('%s is asked or written by %j', (subject, expected) => {
    const allowed = who('publish', subject);
    expect(allowed.filter((user) => user !== NATS_MIGRATE_USER || expected.includes(user)).sort()).toEqual(
      [...expected].sort(),
    );
  });

  it.each([
    ['registry.transformation.create.v1', ['registry']],
    ['sandbox.code.run.v1', ['sandbox']],
    ['runner.fetch.v1', ['fetcher']],
    ['regulation.record.create.v1', ['regulation']],
    ['events.raw.3.w1.s1', []],
    ['deliveries.d1', []],
    ['live.suppressed.w1', ['gateway', 'deliverer']],
    ['_INBOX_gateway.x.1', ['gateway']],
    ['_INBOX.x.1', []],
  ])('%s is heard by %j', (subject, expected) => {
    expect(who('subscribe', subject).sort()).toEqual([...expected].sort());
  });

  it('gives nobody a wildcard for everything', () => {
    const all = Object.values(users).flatMap(({ publish, subscribe }) => [...publish, ...subscribe]);
    expect(all.filter((pattern) => /^(>|\*|\$JS\.>|\$JS\.API\.>|\$KV\.>|_INBOX\.>)/.test(pattern))).toEqual([]);
  });
});

it.each(['nats/users', 'helm/weir/files/nats-users'])('%s is up to date', (path) => {
  const read = (file: string) => readFileSync(new URL(`../../../deploy/${file}.conf`, import.meta.url), 'utf8');
  expect(read(path)).toBe(natsUsersFile({ archive: false }));
  expect(read(`${path}-archive`)).toBe(natsUsersFile({ archive: true }));
  expect(read(path)).not.toContain('ARCHIVER');
});
