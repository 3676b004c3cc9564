import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { Api } from '@weir/testing';
import { until } from '@weir/testing';
import { brokerOf } from '../bench/broker.js';
import { History } from '../history/history.js';
import { obligationOf } from '../history/suppression.js';
import { untilAnswered } from './calls.js';
import { now, type Recorder } from './recorder.js';
import type { Scene } from './workspace.js';

const STREAMS_OF_EVENTS = ['EVENTS_RAW', 'EVENTS_ACCEPTED'];
const DELIVERIES = 'DELIVERIES';
/** Ends of a deletion. `failed` is tried again. */
const ENDED = ['complete', 'aborted', 'not_supported', 'partial', 'forwarded', 'canceled'];
/** Time for deletions, which wait for a barrier and, after a fault, for the next attempt. */
const DELETION_MS = 180_000;
const ANSWER_MS = 5_000;
const PAGES_MAX = 100;

/**
 * Messages that still wait: those that a consumer of events has not received or not acknowledged, and the batches in the queue of
 * deliveries. Names those that have some. Soon after the last fault, none has. The streams of events themselves say less: a broker of
 * several servers may keep messages for three minutes after their last acknowledgement.
 */
export const waitingAt = (natsUrl: string): Promise<Record<string, number>> =>
  withManager(natsUrl, async ({ streams, consumers }) => {
    const { state } = await streams.info(DELIVERIES);
    const waiting: Record<string, number> = state.messages > 0 ? { [DELIVERIES]: state.messages } : {};
    for (const stream of STREAMS_OF_EVENTS)
      for await (const { name, num_pending, num_ack_pending } of consumers.list(stream))
        if (num_pending + num_ack_pending > 0) waiting[name] = num_pending + num_ack_pending;
    return waiting;
  });

async function withManager<T>(natsUrl: string, read: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const nats = await brokerOf(natsUrl);
  try {
    return await read(await jetstreamManager(nats, { timeout: ANSWER_MS, checkAPI: false }));
  } finally {
    await nats.close();
  }
}

/** Resolves with true once nothing waits. */
export async function isDrained(natsUrl: string, timeoutMs: number): Promise<boolean> {
  const isEmpty = async () => {
    const waiting = await waitingAt(natsUrl).catch(() => undefined);
    return waiting !== undefined && Object.keys(waiting).length === 0;
  };
  return until('every queue to be empty', isEmpty, timeoutMs).catch(() => false);
}

/** Writes down what Weir itself says of the events that no destination took. */
export async function readOutcomes(scenes: readonly Scene[], recorder: Recorder): Promise<void> {
  const history = new History([...recorder.lines]);
  for (const scene of scenes) {
    const dead = await deadLettersOf(scene);
    const own = history.events.filter(({ workspace }) => workspace === scene.name);
    const untaken = own.filter(
      (event) =>
        obligationOf(history, event) === 'must' && !history.arrivalsOf(event.id).some(({ isTaken }) => isTaken),
    );
    for (const { id } of untaken) {
      const reason = dead.get(id);
      const status = reason === undefined ? await statusOf(scene.client, id) : 'dead';
      if (status) recorder.write({ kind: 'outcome', at: now(), id, status, ...(reason && { reason }) });
    }
  }
}

/** Writes down how the deletions ended. Faults may go on meanwhile. */
export async function readDeletions(scenes: readonly Scene[], recorder: Recorder): Promise<void> {
  const deletions = new History([...recorder.lines]).all('suppression').filter(({ deletes }) => deletes);
  await Promise.all(deletions.map((one) => readDeletion(scenes, recorder, one)));
}

async function deadLettersOf({ client, destinationId }: Scene): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  let path: string | undefined = `/v2/deliveries?destinationId=${destinationId}&status=dead`;
  for (let page = 0; path && page < PAGES_MAX; page += 1) {
    const from: string = path;
    const { body } = (await untilAnswered(() => client.get(from))).answer;
    for (const { messageId, reason } of body.data) reasons.set(messageId, reason);
    path = body.paging?.next;
  }
  return reasons;
}

/** Undefined if there is no trace of it. */
async function statusOf(client: Api, id: string): Promise<string | undefined> {
  const { status, body } = await client.get(`/v2/events/${id}`);
  return status === 200 ? (body.destinations[0]?.status ?? body.status) : undefined;
}

async function readDeletion(
  scenes: readonly Scene[],
  recorder: Recorder,
  { workspace, regulation }: { workspace: string; regulation?: string },
): Promise<void> {
  const scene = scenes.find(({ name }) => name === workspace);
  if (!scene || !regulation) return;
  const path = `/v2/regulations/${regulation}`;
  const read = async () => (await untilAnswered(() => scene.client.get(path))).answer.body.deletion;
  const isOver = async () => ENDED.includes((await read()).status);
  await until(`deletion ${regulation} to end`, isOver, DELETION_MS).catch(() => undefined);
  const { status, destinations } = await read();
  const reason = destinations.map((one: { reason?: string }) => one.reason).find(Boolean);
  const hasReceipt = await isThere(scene.client, `${path}/receipt`);
  recorder.write({ kind: 'deletion', at: now(), regulation, status, hasReceipt, ...(reason && { reason }) });
}

async function isThere(client: Api, path: string): Promise<boolean> {
  let status = 0;
  const isAnswered = async () => {
    status = (await client.get(path).catch(() => undefined))?.status ?? 0;
    return status === 200 || status === 404;
  };
  await until(`an answer about ${path}`, isAnswered, DELETION_MS);
  return status === 200;
}
