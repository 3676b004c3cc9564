import { describe, expect, it } from '@jest/globals';
import type {
  DeliveryBatching,
  DeliveryResult,
  DestinationKind,
  Outbound,
  Payload,
  SessionItem,
} from '@weir/destinations';
import { EgressError } from '@weir/egress';
import { Lease, LeaseLostError } from '@weir/messaging';
import { DestinationSender } from './destination-sender.js';

const payload = (n: number, bytes = 0) => ({ endpoint: `https://example.com/${n}${'x'.repeat(bytes)}` }) as Payload;
const config = {};
const SOON = { deadline: Number.POSITIVE_INFINITY };
const PARTS = {
  method: 'POST',
  headers: {},
  params: {},
  body: { JSON: { a: 1 }, JSON_ARRAY: {}, XML: {}, FORM: {} },
} as never as Payload;

const leaseFor = (heldMs: number) => new Lease({ slot: 0, epoch: 1 }, performance.now() + heldMs, async () => 2);

/** A kind whose session answers each call as the test says. */
function scene(batching: DeliveryBatching | undefined, answer: (items: readonly SessionItem[]) => DeliveryResult[]) {
  const calls: string[][] = [];
  const closed: number[] = [];
  let opened = 0;
  const kind = {
    ...(batching && { batching }),
    open: () => {
      const session = opened;
      opened += 1;
      return {
        deliver: async (items: readonly SessionItem[]) => {
          calls.push(items.map(({ idempotencyKey }) => idempotencyKey));
          return answer(items);
        },
        close: async () => void closed.push(session),
      };
    },
  } as unknown as DestinationKind;
  return { kind, calls, closed, sender: new DestinationSender({} as Outbound), opened: () => opened };
}

const ok = (items: readonly SessionItem[]) => items.map((_, index) => ({ status: 200, response: index }));
const BATCHING = { payloadsMax: 3, bytesMax: 10_000, waitMs: 1 };

describe('DestinationSender', () => {
  it('gathers payloads up to their number, and gives each its own result', async () => {
    const { kind, calls, sender, opened } = scene(BATCHING, ok);
    const sent = [1, 2, 3, 4].map((n) => sender.send(kind, payload(n), config, { ...SOON, idempotencyKey: `k${n}` }));
    const outcomes = await Promise.all(sent);
    expect(outcomes.map(({ verdict, response }) => [verdict, response])).toEqual([
      ['delivered', 0],
      ['delivered', 1],
      ['delivered', 2],
      ['delivered', 0],
    ]);
    expect(calls).toEqual([['k1', 'k2', 'k3'], ['k4']]);
    expect(opened()).toBe(1);
  });

  it('gathers payloads up to their bytes', async () => {
    const { kind, calls, sender } = scene({ ...BATCHING, bytesMax: 1_000 }, ok);
    await Promise.all(
      [1, 2, 3].map((n) => sender.send(kind, payload(n, 400), config, { ...SOON, idempotencyKey: `k${n}` })),
    );
    expect(calls).toEqual([['k1', 'k2'], ['k3']]);
  });

  it('calls for each payload where nothing is to be gathered', async () => {
    const { kind, calls, sender } = scene(undefined, ok);
    await Promise.all([1, 2].map((n) => sender.send(kind, payload(n), config, { ...SOON, idempotencyKey: `k${n}` })));
    expect(calls).toEqual([['k1'], ['k2']]);
  });

  it('tries all again when a call failed, and one that got no result', async () => {
    const failing = scene(BATCHING, () => {
      throw new EgressError('connect', 'refused');
    });
    const both = [1, 2].map((n) =>
      failing.sender.send(failing.kind, payload(n), config, { ...SOON, idempotencyKey: `k${n}` }),
    );
    expect((await Promise.all(both)).map(({ verdict, status }) => [verdict, status])).toEqual([
      ['retry', 502],
      ['retry', 502],
    ]);
    const short = scene(BATCHING, (items) => ok(items).slice(1));
    const three = [1, 2, 3].map((n) =>
      short.sender.send(short.kind, payload(n), config, { ...SOON, idempotencyKey: `k${n}` }),
    );
    expect((await Promise.all(three)).map(({ verdict }) => verdict)).toEqual(['delivered', 'delivered', 'retry']);
  });

  it('begins anew with another configuration, and ends with its worker', async () => {
    const { kind, closed, sender, opened } = scene(BATCHING, ok);
    await sender.send(kind, payload(1), config, { ...SOON, idempotencyKey: 'k1' });
    await sender.send(kind, payload(2), {}, { ...SOON, idempotencyKey: 'k2' });
    expect([opened(), closed]).toEqual([2, [0]]);
    await sender.close();
    expect(closed).toEqual([0, 1]);
  });

  it('joins payloads of a kind that batches, and sends a single one by one request else', async () => {
    const urls: string[] = [];
    const request = async ({ url }: { url: string }) => {
      urls.push(url);
      return { status: 200, headers: {}, body: Buffer.from('{}'), truncated: false };
    };
    const rule = {
      itemsMax: 2,
      bytesMax: 10_000,
      keyOf: () => 'all',
      combine: () => ({ ...(PARTS as object), endpoint: 'https://example.com/batch' }),
    };
    const kind = { batch: ({ isOn }: { isOn?: boolean }) => (isOn ? rule : undefined) } as unknown as DestinationKind;
    const send = (sender: DestinationSender, on: object) =>
      Promise.all(
        [1, 2].map((n) =>
          sender.send(kind, { ...(PARTS as object), ...payload(n) } as Payload, on as never, {
            ...SOON,
            idempotencyKey: `k${n}`,
          }),
        ),
      );
    const sender = new DestinationSender({ request } as unknown as Outbound);
    expect((await send(sender, { isOn: true })).map(({ verdict }) => verdict)).toEqual(['delivered', 'delivered']);
    await send(sender, {});
    expect(urls).toEqual(['batch', '1', '2'].map((path) => `https://example.com/${path}`));
  });

  it('sends nothing under a lease that is not held, be it lost while payloads were gathered', async () => {
    const lease = leaseFor(60_000);
    const gathering = scene({ ...BATCHING, waitMs: 50 }, ok);
    const send = (n: number, under: Lease) =>
      gathering.sender.send(gathering.kind, payload(n), config, { ...SOON, idempotencyKey: `k${n}`, lease: under });
    const sent = send(1, lease);
    const other = send(2, leaseFor(60_000));
    lease.lose();
    await expect(sent).rejects.toThrow(LeaseLostError);
    expect((await other).verdict).toBe('delivered');
    expect(gathering.calls).toEqual([['k2']]);
    let requests = 0;
    const request = async () => {
      requests += 1;
      return { status: 200, headers: {}, body: Buffer.from('{}'), truncated: false };
    };
    const single = (heldMs: number) =>
      new DestinationSender({ request } as unknown as Outbound).send(
        {} as DestinationKind,
        { ...(PARTS as object), ...payload(1) } as Payload,
        config,
        { ...SOON, idempotencyKey: 'k1', lease: leaseFor(heldMs) },
      );
    await expect(single(0)).rejects.toThrow(LeaseLostError);
    expect(requests).toBe(0);
    expect((await single(60_000)).verdict).toBe('delivered');
  });

  it('gives a session up that has not ended at the deadline, because it could still send', async () => {
    const { kind, closed, sender, opened } = scene(undefined, ok);
    const hanging = {
      ...kind,
      open: () => ({ ...kind.open?.({}, {} as Outbound), deliver: () => new Promise(() => {}) }),
    };
    const outcome = await sender.send(hanging as never, payload(1), config, {
      deadline: performance.now() + 20,
      idempotencyKey: 'k1',
    });
    expect(outcome).toMatchObject({ verdict: 'retry', status: 504 });
    expect(closed).toEqual([0]);
    expect((await sender.send(kind, payload(2), config, { ...SOON, idempotencyKey: 'k2' })).verdict).toBe('delivered');
    expect(opened()).toBe(2);
  });

  it('ends a call with its earliest payload', async () => {
    const { kind, sender } = scene(BATCHING, ok);
    const deadlines: (number | undefined)[] = [];
    const noting = {
      ...kind,
      open: () => ({
        deliver: async (items: readonly SessionItem[], { deadline }: { deadline?: number } = {}) => {
          deadlines.push(deadline);
          return ok(items);
        },
        close: async () => {},
      }),
    };
    const deadline = performance.now() + 5_000;
    await Promise.all(
      [deadline, deadline + 900].map((one, n) =>
        sender.send(noting as never, payload(n), config, { deadline: one, idempotencyKey: `k${n}` }),
      ),
    );
    expect(deadlines).toEqual([deadline - 500]);
  });

  it('refuses what a kind cannot open', async () => {
    const open = () => {
      throw new EgressError('blocked', 'no');
    };
    const sender = new DestinationSender({} as Outbound);
    const outcome = await sender.send({ open } as unknown as DestinationKind, payload(1), config, {
      ...SOON,
      idempotencyKey: 'k',
    });
    expect(outcome).toMatchObject({ verdict: 'refused', status: 400 });
  });
});
