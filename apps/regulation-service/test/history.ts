import type { NatsConnection } from '@nats-io/transport-node';
import type { EventBatch } from '@weir/contracts';
import { jsonOf, unpackBatches } from '@weir/messaging';

/** One user's regulation. Times are ticks of the history, and Infinity means not yet. */
export interface AskedRegulation {
  userId: string;
  sourceIds: string[] | null;
  answeredAt: number;
  cancelAskedAt: number;
  cancelAnsweredAt: number;
}

export interface SentEvent {
  userId: string;
  sourceId: string;
  intakeAt: number;
}

/** The requests of regulators and the events of senders. One thread and one clock, so a smaller number really came earlier. */
export function newHistory() {
  let now = 0;
  const regulations = new Map<string, AskedRegulation[]>();
  return {
    tick: () => ++now,
    events: new Map<number, SentEvent>(),
    /** Tick at which each event was seen behind the filter. */
    passedAt: new Map<number, number>(),
    /** All regulations of the user so far. */
    regulationsOf: (userId: string): AskedRegulation[] => regulations.get(userId) ?? [],
    regulations: () => [...regulations.values()].flat(),
    ask(userId: string, sourceIds: string[] | null): AskedRegulation {
      const never = { answeredAt: Infinity, cancelAskedAt: Infinity, cancelAnsweredAt: Infinity };
      const asked = { userId, sourceIds, ...never };
      regulations.set(userId, [...(regulations.get(userId) ?? []), asked]);
      return asked;
    },
  };
}
export type History = ReturnType<typeof newHistory>;

const covering = ({ regulationsOf }: History, { userId, sourceId }: SentEvent) =>
  regulationsOf(userId).filter(({ sourceIds }) => !sourceIds || sourceIds.includes(sourceId));

/**
 * Events that passed although a regulation was answered before their intake and nobody had begun to cancel it when they were
 * seen.
 */
export const leaks = (history: History) =>
  [...history.passedAt].filter(([n, at]) => {
    const event = history.events.get(n);
    return event && covering(history, event).some((one) => one.answeredAt < event.intakeAt && one.cancelAskedAt > at);
  });

/** Events that were dropped although no regulation can have been in force between their intake and the end. */
export const losses = (history: History) =>
  [...history.events].filter(
    ([n, event]) =>
      !history.passedAt.has(n) && !covering(history, event).some((one) => one.cancelAnsweredAt > event.intakeAt),
  );

/** Records what leaves the filter until the returned function is called. */
export function watchAccepted(nats: NatsConnection, history: History): () => Promise<void> {
  const tap = nats.subscribe('events.accepted.>', {
    callback: (_error, message) => {
      const batches = unpackBatches(message.data).map((batch) => jsonOf(batch) as EventBatch);
      for (const { n } of batches.flatMap(({ events }) => events)) history.passedAt.set(Number(n), history.tick());
    },
  });
  return async () => {
    await nats.flush();
    tap.unsubscribe();
  };
}
