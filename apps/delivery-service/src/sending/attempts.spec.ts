import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { DeliveryUnit } from '../units/delivery-unit.js';
import { type Attempt, Attempts, type DeliveryContext } from './attempts.js';

const destination = { id: 'd1', workspaceId: 'w1', name: 'Mix', type: 'MP', enabled: true, sealedConfig: '' };
const event = {
  ...{ type: 'identify', userId: 'ada', anonymousId: 'a1', traits: { plan: 'pro' } },
  ...{ messageId: 'm1', timestamp: '2026-01-01T00:00:00.000Z', receivedAt: '2026-01-01T00:00:00.000Z' },
};
const part = { workspaceId: 'w1', sourceId: 's1', destinationId: 'd1', batchId: 'b1', events: [event] };
const unit = { part, index: 0, event, output: 0 } as unknown as DeliveryUnit;

/** Attempts at a kind that sends two payloads for an event. Each send takes a time, and each check has an answer. */
function scene({ sendMs, suppressed }: { sendMs: number; suppressed: boolean[] }) {
  let nowMs = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const deadlines: number[] = [];
  const sender = {
    send: async (_kind: unknown, _payload: unknown, _config: unknown, { deadline }: { deadline: number }) => {
      deadlines.push(deadline - nowMs);
      nowMs += sendMs;
      return { verdict: 'delivered', status: 200, response: '' };
    },
  };
  const check = jest.fn(async () => suppressed.shift() ?? false);
  const args = [
    { destination: () => destination },
    { open: () => ({ token: 't' }) },
    { secretsOf: async () => ({ in: (text: string) => text }) },
    { isSuppressed: check },
  ] as unknown as ConstructorParameters<typeof Attempts>;
  const context = {
    sender,
    breaker: { pass: async () => 'open', ended: () => {}, succeeded: () => {}, failed: () => {} },
    limit: { answered: () => {}, failed: () => {} },
  } as unknown as DeliveryContext;
  const attempt = {
    ...{ workspaceId: 'w1', destinationId: 'd1', isLarge: false, leftMs: 60_000 },
    ...{ open: async () => unit, progress: { attempts: 0, sent: 0 } },
  } as unknown as Attempt;
  return { step: new Attempts(...args).make(attempt, context), check, deadlines };
}

afterEach(() => void jest.restoreAllMocks());

describe('an event of several payloads', () => {
  it('is checked once while its sends are fast, and all end within the time that a deletion waits', async () => {
    const { step, check, deadlines } = scene({ sendMs: 400, suppressed: [] });
    expect(await step).toMatchObject({ next: 'done', outcome: 'delivered' });
    expect(check).toHaveBeenCalledTimes(1);
    expect(deadlines).toEqual([11_000, 10_600]);
  });

  it('is checked again after a slow send, and stops if its user is suppressed by then', async () => {
    const { step, check, deadlines } = scene({ sendMs: 9_000, suppressed: [false, true] });
    expect(await step).toMatchObject({ next: 'done', outcome: 'suppressed' });
    expect(check).toHaveBeenCalledTimes(2);
    expect(deadlines).toEqual([11_000]);
  });

  it('has the whole time again after another check', async () => {
    const { step, deadlines } = scene({ sendMs: 9_000, suppressed: [] });
    expect(await step).toMatchObject({ next: 'done', outcome: 'delivered' });
    expect(deadlines).toEqual([11_000, 11_000]);
  });
});
