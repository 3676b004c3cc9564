import { describe, expect, it } from '@jest/globals';
import { TRACE_BYTES_MAX, type TraceStatus, type TraceStep } from '@weir/contracts';
import { fittedLife, lifeOf, type ReadRow } from './event-life.js';
import type { Arrival, StoredStep } from './trace-row.js';

const at = '2026-01-01T00:00:01.000Z';
const row = (step: Arrival | StoredStep, destinationId: string | null): ReadRow => ({
  ...{ sourceId: 's', destinationId, share: 0.25, step },
});
const arrival = (fields: Partial<Arrival> = {}) =>
  row({ step: 'accepted', messageId: 'm1', receivedAt: '2026-01-01T00:00:00.000Z', bytes: 9, ...fields }, null);
const step = (name: TraceStep['step'], fields: Partial<StoredStep> = {}) =>
  row({ at, step: name, eventKey: 'b.0', ...fields }, 'd');
const life = (...rows: ReadRow[]) => lifeOf(rows as [ReadRow, ...ReadRow[]], () => '17');
const routed = arrival({ routes: [{ destinationId: 'd' }] });
const retry = step('failed', { nextAttemptAt: at, attempt: 1 });

describe('lifeOf', () => {
  it.each<[string, ReadRow[], TraceStatus]>([
    ['nothing yet', [], 'under_way'],
    ['an attempt that failed', [retry], 'retrying'],
    ['the last attempt, before its end is told', [step('failed')], 'under_way'],
    ['an attempt that worked', [retry, step('delivered')], 'delivered'],
    ['an end', [step('failed'), step('dead')], 'dead'],
    ['a replay', [step('dead'), step('replayed')], 'replayed'],
    ['a replay that worked', [step('dead'), step('replayed'), step('delivered', { output: 0 })], 'delivered'],
    ['a replay that failed again', [step('dead'), step('replayed'), step('dead', { output: 1 })], 'dead'],
    [
      'two outputs, one of which waits',
      [step('failed', { output: 0, nextAttemptAt: at }), step('delivered', { output: 1 })],
      'retrying',
    ],
    ['two outputs, one of which died', [step('dead', { output: 0 }), step('delivered', { output: 1 })], 'dead'],
    ['code that dropped it', [step('dropped_by_code')], 'dropped_by_code'],
  ])('after %s', (_, rows, status) => {
    expect(life(routed, ...rows).destinations).toMatchObject([{ destinationId: 'd', status }]);
  });

  it('says which switch is off, and that there is no connection at all', () => {
    const routes = [
      { destinationId: 'a', off: 'connection' as const },
      { destinationId: 'b', off: 'destination' as const },
    ];
    const { destinations, status } = life(arrival({ routes }));
    expect([status, destinations.map((one) => one.status)]).toEqual([
      'routed',
      ['connection_disabled', 'destination_disabled'],
    ]);
    expect(life(arrival({ routes: [] })).status).toBe('no_connection');
  });

  it('tells a suppression, and that nothing else is kept', () => {
    const trace = life(row({ step: 'suppressed', receivedAt: at, eventType: 'track' }, null));
    expect(trace).toMatchObject({ status: 'suppressed', receivedAt: at, eventType: 'track', destinations: [] });
    expect(trace.notKept).toEqual(['The content and the user of a suppressed event']);
    expect(trace).not.toHaveProperty('messageId');
  });

  it('says that the beginning is missing', () => {
    const trace = life(step('delivered'));
    expect(trace).toMatchObject({ status: 'not_kept', sampling: { share: 0.25, keptDays: 7 } });
    expect(trace.notKept).toEqual(['When the event was accepted, and with how many bytes']);
  });

  it('names the dead letter while it is kept, and hides the key of the event', () => {
    const steps = life(routed, step('dead')).destinations[0]?.steps;
    const replay = { method: 'POST', path: '/v2/deliveries/replay', body: { ids: ['17'], dryRun: false } };
    expect(steps).toEqual([{ at, step: 'dead', deliveryId: '17', replay }]);
    const lost = lifeOf([routed, step('dead')], () => undefined);
    expect(lost.notKept).toEqual(['The dead letter: it expired, or its user was deleted']);
  });

  it('loses its oldest steps where it would not fit one answer', () => {
    const times = Array.from({ length: 150 }, (_, n) => new Date(n).toISOString());
    const steps = times.map((time) => step('failed', { at: time, reason: 'x'.repeat(10_000) }));
    const short = fittedLife(life(routed, ...steps));
    const shown = short.destinations[0]?.steps.map((one) => one.at) ?? [];
    expect(shown).toEqual(times.slice(-shown.length));
    expect(JSON.stringify(short).length).toBeLessThan(TRACE_BYTES_MAX + 100);
    expect(shown.length).toBeGreaterThan(80);
    expect(short.notKept).toContain('Older steps: they do not fit one answer');
    expect(fittedLife(life(routed, retry))).toEqual(life(routed, retry));
  });

  it('counts how often the id was accepted', () => {
    expect(life(routed, arrival({ receivedAt: at })).copies).toBe(2);
    expect(life(routed, routed)).not.toHaveProperty('copies');
  });
});
