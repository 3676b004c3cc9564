import { describe, expect, it } from '@jest/globals';
import { check, timelineOf } from './check.js';
import type { Arrival, CountRead, Line, Publish, SentEvent, Suppression, VersionRead } from './lines.js';

const at = (askedAt: number, answeredAt = askedAt + 1) => ({ askedAt, answeredAt });
const here = { workspace: 'w', user: 'ada' };
const publish = (version: number, askedAt: number, more: Partial<Publish> = {}): Publish => ({
  ...{ kind: 'publish', workspace: 'w', version },
  ...at(askedAt),
  ...more,
});
const event = (id: string, askedAt: number, more: Partial<SentEvent> = {}): SentEvent => ({
  ...{ kind: 'event', id, source: 's', wish: 'pass' },
  ...here,
  ...at(askedAt),
  ...more,
});
const arrival = (id: string, time: number, more: Partial<Arrival> = {}): Arrival => ({
  ...{ kind: 'arrival', at: time, workspace: 'w', destination: 'd', id, version: 1, isTaken: true },
  ...more,
});
const suppression = (askedAt: number, more: Partial<Suppression> = {}): Suppression => ({
  ...{ kind: 'suppression', regulation: 'r', deletes: false },
  ...here,
  ...at(askedAt),
  ...more,
});
const count = (counted: number, askedAt: number, more: Partial<CountRead> = {}): CountRead => ({
  ...{ kind: 'count', source: 's', user: 'ada', count: counted, isFinal: false },
  ...at(askedAt),
  ...more,
});
const version = (number: number, askedAt: number): VersionRead => ({
  ...{ kind: 'version', workspace: 'w', version: number },
  ...at(askedAt),
});
const erasure = (time: number): Line => ({ kind: 'erasure', at: time, destination: 'd', ...here });
const separation = (time: number, until: number): Line => ({
  ...{ kind: 'fault', at: time, until, separates: true, says: 'the broker is away' },
});
const lift = (askedAt: number): Line => ({ kind: 'lift', regulation: 'r', ...at(askedAt) });
const outcome = (id: string, status: string, reason?: string): Line => ({
  ...{ kind: 'outcome', at: 99, id, status },
  ...(reason && { reason }),
});
const deletion = (status: string, more: { reason?: string; hasReceipt?: boolean } = {}): Line => ({
  ...{ kind: 'deletion', at: 99, regulation: 'r', status, hasReceipt: false },
  ...more,
});

/** The rules that a history breaks, after version 1 was published. */
const broken = (...lines: Line[]) => check([publish(1, 0), ...lines]).violations.map(({ rule }) => rule);

describe('a history without a violation', () => {
  it('has each acknowledged event where its sender wanted it', () => {
    const lines = [
      publish(1, 0),
      ...[event('one', 10), arrival('one', 12), arrival('one', 13)],
      ...[event('two', 14, { wish: 'drop' }), outcome('two', 'dropped_by_code')],
      ...[event('three', 16, { wish: 'fail' }), outcome('three', 'dead', 'no plan')],
      ...[event('four', 18, { wish: 'filter' })],
      ...[suppression(20, { user: 'eve' }), event('five', 30, { user: 'eve' })],
      count(4, 40, { isFinal: true }),
    ];
    expect(check(lines)).toEqual({
      violations: [],
      fates: { delivered: 1, dropped_by_code: 1, dead: 1, 'filter, without a trace': 1, suppressed: 1 },
      repeated: 1,
    });
  });

  it('asks nothing of an event that was never acknowledged', () => {
    const { answeredAt: _, ...open } = event('one', 10);
    expect(broken(open)).toEqual([]);
    expect(broken(open, arrival('one', 12), count(1, 20, { isFinal: true }))).toEqual([]);
    expect(broken(open, count(0, 20, { isFinal: true }))).toEqual([]);
  });
});

describe('nothing invented', () => {
  it.each<[string, Line[]]>([
    ['what nobody sent', [arrival('one', 12)]],
    ['what arrives before it was sent', [event('one', 13), arrival('one', 12)]],
    ['what arrives in another workspace', [event('one', 1, { workspace: 'v' }), arrival('one', 12)]],
  ])('names %s', (_, lines) => {
    expect(broken(...lines)).toContain('nothing invented');
  });
});

describe('nothing lost', () => {
  const [pass, drop, fail] = [event('one', 10), event('one', 10, { wish: 'drop' }), event('one', 10, { wish: 'fail' })];
  it.each<[string, Line[]]>([
    ['what never arrived', [pass]],
    ['what arrived and was never taken', [pass, arrival('one', 12, { isTaken: false })]],
    ['what is dead without a reason', [pass, outcome('one', 'dead')]],
    ['what arrived although its code drops it', [drop, arrival('one', 12)]],
    ['what was to be dropped and is retried', [drop, outcome('one', 'retrying')]],
    ['what failed and has no dead letter', [fail]],
  ])('names %s', (_, lines) => {
    expect(broken(...lines)).toEqual(['nothing lost']);
  });

  it('takes a dead letter with a reason for an end', () => {
    expect(broken(pass, outcome('one', 'dead', 'gone'))).toEqual([]);
  });
});

describe('nothing suppressed arrives', () => {
  it('names an event that was sent after the answer', () => {
    expect(broken(suppression(10), event('one', 12), arrival('one', 14))).toEqual(['nothing suppressed arrives']);
  });

  it.each<[string, Line[]]>([
    ['an event that was sent before', [event('one', 9)]],
    ['an event that was sent before the answer', [event('one', 10.5)]],
    ['an event of another user', [event('one', 12, { user: 'bob' }), arrival('one', 14)]],
    ['an event that was sent while the suppression was lifted', [lift(20), event('one', 20.5)]],
  ])('lets %s pass or not', (_, lines) => {
    expect(broken(suppression(10), ...lines)).toEqual([]);
    expect(broken(suppression(10), ...lines, arrival('one', 25))).toEqual([]);
  });

  it('wants an event that was sent after the suppression was lifted', () => {
    expect(broken(suppression(10), lift(20), event('one', 22))).toEqual(['nothing lost']);
  });

  it('stops an event that was taken before the suppression was lifted, however late it is read', () => {
    const lines = [suppression(10), event('one', 12), lift(20), arrival('one', 30)];
    expect(broken(...lines)).toEqual(['nothing suppressed arrives']);
  });
});

describe('nothing erased comes back', () => {
  it('names an event that was sent before the erasure and arrives after it', () => {
    const lines = [event('one', 9), suppression(10), erasure(30), arrival('one', 31)];
    expect(broken(...lines)).toEqual(['nothing erased comes back']);
  });

  it('lets an event arrive that was sent after the suppression was lifted', () => {
    expect(broken(suppression(10), erasure(30), lift(40), event('one', 42), arrival('one', 44))).toEqual([]);
  });
});

describe('nothing overtaken', () => {
  const [one, two] = [event('one', 10), event('two', 12)];
  it('names an event that came after a later one, and asks for nothing of repeats', () => {
    expect(broken(one, two, arrival('two', 20), arrival('one', 21))).toEqual(['nothing overtaken']);
    expect(broken(one, two, arrival('one', 20), arrival('two', 21), arrival('one', 22))).toEqual([]);
  });

  it.each<[string, Partial<SentEvent>]>([
    ['attempts that overlapped', { askedAt: 10.5 }],
    ['users', { user: 'bob' }],
    ['sources', { source: 'other' }],
  ])('asks for no order across %s', (_, more) => {
    expect(broken(one, event('two', 12, more), arrival('two', 20), arrival('one', 21))).toEqual([]);
  });
});

describe('counted once', () => {
  const sent = [event('one', 10), arrival('one', 12)];
  it.each<[string, CountRead[]]>([
    ['an event that was never counted', [count(0, 30, { isFinal: true })]],
    ['an event that was counted twice', [count(2, 30, { isFinal: true })]],
    ['a count that fell', [count(1, 20), count(0, 30)]],
    ['a count of what was not sent yet', [count(1, 5)]],
  ])('names %s', (_, counts) => {
    expect(broken(...sent, ...counts)).toEqual(['counted once']);
  });

  it('names a suppressed event that was counted', () => {
    expect(broken(suppression(5), event('one', 10), count(1, 30, { isFinal: true }))).toEqual(['counted once']);
  });

  it('lets an event be counted or not that was under way when its user was suppressed', () => {
    const lines = [event('one', 10), suppression(12)];
    expect(broken(...lines, count(0, 30, { isFinal: true }))).toEqual([]);
    expect(broken(...lines, count(1, 30, { isFinal: true }))).toEqual([]);
  });
});

describe('deletions end', () => {
  const asked = suppression(10, { deletes: true });
  it.each<[string, Line[]]>([
    ['one that nobody knows', []],
    ['one that still runs', [deletion('running', { reason: 'waits' })]],
    ['one without receipt and reason', [deletion('complete')]],
  ])('names %s', (_, lines) => {
    expect(broken(asked, ...lines)).toEqual(['deletions end']);
  });

  it('takes a receipt or a reason', () => {
    expect(broken(asked, deletion('complete', { hasReceipt: true }))).toEqual([]);
    expect(broken(asked, deletion('aborted', { reason: 'gone' }))).toEqual([]);
  });
});

describe('one version live', () => {
  it.each<[string, Line[]]>([
    ['a read of a version that nobody published', [version(2, 20)]],
    ['a read of a version before it was published', [version(2, 20), publish(2, 30)]],
    ['a read of a version that was replaced', [publish(2, 30), version(1, 40)]],
    ['an event with a version that was replaced', [publish(2, 30), event('one', 2_000), arrival('one', 2_001)]],
    [
      'an event with a version that was replaced before processes were separated',
      [publish(2, 30), separation(3_000, 8_000), event('one', 9_000), arrival('one', 9_001)],
    ],
    [
      'an event with a version that was replaced, long after processes were separated',
      [separation(20, 8_000), publish(2, 30), event('one', 20_000), arrival('one', 20_001)],
    ],
    ['an event without any version', [event('one', 10), arrival('one', 11, { version: 0 })]],
  ])('names %s', (_, lines) => {
    expect(broken(...lines)).toEqual(['one version live']);
  });

  it.each<[string, Line[]]>([
    [
      'either version while a publish is under way',
      [publish(2, 30, { answeredAt: 50 }), version(1, 40), version(2, 41)],
    ],
    ['a version that a rollback brought back', [publish(2, 30), publish(1, 40), version(1, 50)]],
    ['the earlier version for a second', [publish(2, 30), event('one', 900), arrival('one', 5_000)]],
    [
      'the earlier version while processes are separated, and until they have met again',
      [separation(20, 8_000), publish(2, 30), event('one', 15_000), arrival('one', 15_001)],
    ],
    [
      'the earlier version through separations that follow each other',
      [separation(20, 8_000), separation(12_000, 20_000), publish(2, 30), event('one', 25_000), arrival('one', 25_001)],
    ],
  ])('allows %s', (_, lines) => {
    expect(broken(...lines)).toEqual([]);
  });

  it('lets a publish without an answer take effect at any time', () => {
    const { answeredAt: _, ...open } = publish(2, 30);
    expect(broken(open, version(1, 40), publish(3, 50), version(3, 60), version(2, 70))).toEqual([]);
  });
});

describe('the time line of a violation', () => {
  it('holds what every process saw of the event, its user, the code and the faults, and nothing else', () => {
    const lines: Line[] = [
      arrival('one', 40),
      event('one', 12),
      suppression(10),
      publish(1, 0),
      event('two', 14, { user: 'bob', wish: 'drop' }),
      { kind: 'fault', at: 30, until: 31, separates: false, says: 'postgres killed' },
    ];
    const [violation] = check(lines).violations;
    expect(violation && timelineOf(lines, violation).split('\n')).toEqual([
      'nothing suppressed arrives: one: its user was suppressed before it was sent',
      expect.stringContaining('  1 {"kind":"publish"'),
      expect.stringContaining('  11 {"kind":"suppression"'),
      expect.stringContaining('  13 {"kind":"event"'),
      '  30 {"kind":"fault","at":30,"until":31,"separates":false,"says":"postgres killed"}',
      expect.stringContaining('  40 {"kind":"arrival"'),
    ]);
  });
});
