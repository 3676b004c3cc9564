import type { NatsConnection } from '@nats-io/transport-node';
import type { EventBatch } from '@weir/contracts';
import { splitParts } from '@weir/messaging';

/** One user's regulation; times are ticks of the history, Infinity for what has not happened. */
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

/** What regulators asked and what senders sent. One thread and one clock: what has a smaller number really came before. */
export function newHistory() {
  let now = 0;
  const regulations = new Map<string, AskedRegulation[]>();
  return {
    tick: () => ++now,
    events: new Map<number, SentEvent>(),
    /** When an event was seen behind the filter. */
    passedAt: new Map<number, number>(),
    /** Every regulation of the user so far. */
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

/** Passed although a regulation was answered before its intake and nobody had begun to cancel that until it was seen. */
export const leaks = (history: History) =>
  [...history.passedAt].filter(([n, at]) => {
    const event = history.events.get(n);
    return event && covering(history, event).some((one) => one.answeredAt < event.intakeAt && one.cancelAskedAt > at);
  });

/** Dropped although no regulation can have been in force between its intake and the end. */
export const losses = (history: History) =>
  [...history.events].filter(
    ([n, event]) =>
      !history.passedAt.has(n) && !covering(history, event).some((one) => one.cancelAnsweredAt > event.intakeAt),
  );

/** Notes what comes out of the filter until the returned function is called. */
export function watchAccepted(nats: NatsConnection, history: History): () => Promise<void> {
  const tap = nats.subscribe('events.accepted.>', {
    callback: (_error, message) => {
      const batches = splitParts(message.data).map((part) => JSON.parse(Buffer.from(part).toString()) as EventBatch);
      for (const { n } of batches.flatMap(({ events }) => events)) history.passedAt.set(Number(n), history.tick());
    },
  });
  return async () => {
    await nats.flush();
    tap.unsubscribe();
  };
}
