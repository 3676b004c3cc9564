import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const EVERY_MS = 250;
const ROLES = [
  { waits: 'for the filter', stream: 'EVENTS_RAW', consumers: /^filter-/ },
  { waits: 'for the collector', stream: 'EVENTS_ACCEPTED', consumers: /^collector-/ },
  { waits: 'for the deliverer', stream: 'EVENTS_ACCEPTED', consumers: /^deliverer-/ },
];
const IN_QUEUES = 'in the queues of destinations';

/** Mean and highest number of messages that waited, by what they waited for. */
export type Waits = Map<string, { mean: number; max: number }>;

/** Samples what waits for what in the streams of a stack. A message may hold many events. */
export async function watchBacklog(natsUrl: string): Promise<{ stop(): Promise<Waits> }> {
  const { host, username, password } = new URL(natsUrl);
  const nats = await connect({ servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) });
  const { consumers, streams } = await jetstreamManager(nats);
  const samples = new Map<string, number[]>(
    [...ROLES.map(({ waits }) => waits), IN_QUEUES].map((waits) => [waits, []]),
  );
  const sample = async () => {
    for (const role of ROLES) {
      let messages = 0;
      for await (const { name, num_pending, num_ack_pending } of consumers.list(role.stream))
        if (role.consumers.test(name)) messages += num_pending + num_ack_pending;
      samples.get(role.waits)?.push(messages);
    }
    samples.get(IN_QUEUES)?.push((await streams.info('DELIVERIES')).state.messages);
  };
  let sampling = Promise.resolve();
  const timer = setInterval(() => {
    sampling = sampling.then(sample).catch(() => undefined);
  }, EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await sampling;
      await nats.close();
      return new Map([...samples].map(([waits, all]) => [waits, summary(all)]));
    },
  };
}

function summary(all: readonly number[]): { mean: number; max: number } {
  const sum = all.reduce((total, one) => total + one, 0);
  return { mean: sum / Math.max(1, all.length), max: Math.max(0, ...all) };
}
