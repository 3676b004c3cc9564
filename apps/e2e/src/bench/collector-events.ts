import { partitionOf } from '@weir/contracts';
import { eventBatch } from '@weir/testing';

const PARTITIONED_SOURCES = 48;
/** Keys below `properties`. With the keys around them, an event has 60 paths. */
const PROPERTIES = 34;
/** How many of these keys have values that never repeat. */
const IDENTIFIERS = 6;

const WORKSPACE = 'bench'.padEnd(27, '0');
const sourceOf = (n: number) => `source${String(n).padStart(21, '0')}`;

/** A batch of events of one source. The models are spread evenly over the sources. An event has about 1.6 KB and 60 paths. */
export function batchOf(batch: number, { events, models }: { events: number; models: number }) {
  const source = batch % PARTITIONED_SOURCES;
  const own = Math.max(1, Math.floor(models / PARTITIONED_SOURCES) + (source < models % PARTITIONED_SOURCES ? 1 : 0));
  const of = { workspaceId: WORKSPACE, sourceId: sourceOf(source), writeKey: `wk-${source}` };
  const all = Array.from({ length: events }, (_, n) => eventOf(batch * events + n, `Event ${n % own}`));
  return { ...eventBatch({ ...of, events: all }), partition: partitionOf(of.workspaceId, of.sourceId) };
}

/** Keys of a wide event. With the key above them, they come close to the most characters of an event's paths. */
const WIDE_KEYS = 1_000;
const WIDE_PREFIX = 'x'.repeat(46);

/** A batch of events of one source that never repeat a key, so each is a new version of about 10 KB. */
export function wideBatchOf(batch: number, events: number) {
  const of = { workspaceId: WORKSPACE, sourceId: sourceOf(0), writeKey: 'wk-wide' };
  const all = Array.from({ length: events }, (_, n) => wideEventOf(batch * events + n));
  return { ...eventBatch({ ...of, events: all }), partition: partitionOf(of.workspaceId, of.sourceId) };
}

function wideEventOf(n: number) {
  const keys = Array.from({ length: WIDE_KEYS }, (_, key) => [(n * WIDE_KEYS + key).toString(36).padStart(5, '0'), 1]);
  return {
    ...{ type: 'track', event: 'Wide', messageId: `wide-${n}`, userId: `user-${n}` },
    properties: { [WIDE_PREFIX]: Object.fromEntries(keys) },
  };
}

function eventOf(n: number, name: string) {
  const properties = Array.from({ length: PROPERTIES }, (_, key): [string, unknown] => [
    `key_${key}`,
    contentOf(n, key),
  ]);
  return {
    type: 'track',
    event: name,
    messageId: `message-${n}`,
    userId: `user-${n % 10_000}`,
    anonymousId: `anonymous-${n % 20_000}`,
    originalTimestamp: new Date(1_750_000_000_000 + n).toISOString(),
    sentAt: new Date(1_750_000_000_500 + n).toISOString(),
    channel: 'web',
    context: {
      app: { name: 'bench', version: '1.2.3', build: '42' },
      library: { name: 'bench', version: '1.0.0' },
      page: { path: `/item/${n % 500}`, title: 'Item', url: `https://shop.example/item/${n % 500}` },
      screen: { width: 1_920, height: 1_080, density: 2 },
      os: { name: 'Linux', version: '6.1' },
      locale: 'en-GB',
      timezone: 'Europe/London',
      ip: `192.0.2.${n % 250}`,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Safari/537.36',
      network: { wifi: true, carrier: 'none' },
    },
    properties: Object.fromEntries(properties),
  };
}

/** Identifiers first, then prices, numbers that repeat, flags and words in turn. */
function contentOf(n: number, key: number): unknown {
  if (key < IDENTIFIERS) return `${key}-${n}-${(n * 2_654_435_761) % 4_294_967_296}`;
  if (key % 4 === 0) return (n % 997) / 4;
  if (key % 4 === 1) return n % (key * 3);
  return key % 4 === 2 ? n % 2 === 0 : `word ${n % (key + 5)}`;
}
