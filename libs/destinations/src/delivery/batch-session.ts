import { createHash } from 'node:crypto';
import type { JsonObject } from '@weir/contracts';
import type {
  BatchRule,
  DeliveryBatching,
  DeliveryOptions,
  DeliveryResult,
  DeliverySession,
  DestinationKind,
  Outbound,
  Payload,
  SessionItem,
} from '../kind.js';
import { sendPayload } from './send-payload.js';

/** How long the first payload waits for others. Short compared with a vendor's response time. */
const WAIT_MS = 50;
/** Refusals after which the whole batch is retried. Any other 4xx may concern one payload only. */
const TRIED_AGAIN = [401, 403, 408, 429];

type Limits = Pick<DeliveryOptions, 'deadline'>;

/**
 * How payloads of a configuration are grouped and sent: over open connections or in batches. Undefined means one request each.
 */
export function sessionOf(
  kind: DestinationKind,
  config: JsonObject,
  outbound: Outbound,
): { session: DeliverySession; batching: DeliveryBatching } | undefined {
  if (kind.open) {
    return {
      session: kind.open(config, outbound),
      batching: kind.batching ?? { payloadsMax: 1, bytesMax: 0, waitMs: 0 },
    };
  }
  const rule = kind.batch?.(config);
  if (!rule) return undefined;
  const batching = { payloadsMax: rule.itemsMax, bytesMax: rule.bytesMax, waitMs: WAIT_MS };
  return { session: batchSession(rule, kind, config, outbound), batching };
}

/** Sends payloads in as few requests as the rule allows, one request after the other. */
export function batchSession(
  rule: BatchRule,
  { deliver }: Pick<DestinationKind, 'deliver'>,
  config: JsonObject,
  outbound: Outbound,
): DeliverySession {
  const send = (payload: Payload, items: readonly SessionItem[], limits: Limits): Promise<DeliveryResult> => {
    const options = { idempotencyKey: keyOfAll(items), ...limits };
    return deliver ? deliver(payload, config, outbound, options) : sendPayload(payload, outbound, options);
  };
  const sendTogether = async (items: readonly SessionItem[], limits: Limits): Promise<DeliveryResult[]> => {
    const payloads = items.map(({ payload }) => payload);
    const [first] = payloads;
    const isBatch = first !== undefined && rule.keyOf(first) !== undefined;
    const result = await send(isBatch ? rule.combine(payloads) : (first as Payload), items, limits);
    const outcomes = isBatch ? rule.outcomes?.(result, payloads) : undefined;
    if (!outcomes && items.length > 1 && (isRefusal(result) || rule.isOfSome?.(result))) return sendEach(items, limits);
    return items.map((_, index) => ({ ...result, ...outcomes?.[index] }));
  };
  const sendEach = async (items: readonly SessionItem[], limits: Limits): Promise<DeliveryResult[]> => {
    const results: DeliveryResult[] = [];
    for (const item of items) results.push(...(await sendTogether([item], limits)));
    return results;
  };
  return {
    deliver: async (items, limits = {}) => {
      const results = new Map<SessionItem, DeliveryResult>();
      for (const together of gathered(rule, items)) {
        const sent = await sendTogether(together, limits).catch((error: unknown) => {
          // The earlier requests have arrived, so only the rest is sent again.
          if (results.size === 0) throw error;
          return together.map((): DeliveryResult => ({ status: 503, response: 'The destination was not reached' }));
        });
        for (const [index, item] of together.entries()) results.set(item, sent[index] as DeliveryResult);
      }
      return items.map((item) => results.get(item) as DeliveryResult);
    },
    close: async () => {},
  };
}

const isRefusal = ({ status }: DeliveryResult) => status >= 400 && status < 500 && !TRIED_AGAIN.includes(status);

/** Groups items by key within the limits, ordered by the first item of each group. */
function gathered({ keyOf, sizeOf, itemsMax, bytesMax }: BatchRule, items: readonly SessionItem[]): SessionItem[][] {
  const groups: SessionItem[][] = [];
  const open = new Map<string, { group: SessionItem[]; size: number; bytes: number }>();
  for (const item of items) {
    const key = keyOf(item.payload);
    const size = sizeOf?.(item.payload) ?? 1;
    const bytes = Buffer.byteLength(JSON.stringify(item.payload.body));
    const current = key === undefined ? undefined : open.get(key);
    if (current && current.size + size <= itemsMax && current.bytes + bytes <= bytesMax) {
      current.group.push(item);
      current.size += size;
      current.bytes += bytes;
      continue;
    }
    const group = [item];
    groups.push(group);
    if (key !== undefined) open.set(key, { group, size, bytes });
  }
  return groups;
}

/** The idempotency key of a group. The same payloads together always get the same key. */
function keyOfAll(items: readonly SessionItem[]): string {
  const keys = items.map(({ idempotencyKey }) => idempotencyKey);
  return keys.length === 1 ? String(keys[0]) : createHash('sha256').update(keys.join('\n')).digest('hex');
}
