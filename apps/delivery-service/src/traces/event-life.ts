import {
  type EventTrace,
  TRACE_BYTES_MAX,
  TRACE_STEPS_MAX,
  TRACES_KEPT_DAYS,
  type TraceDestination,
  type TraceStatus,
  type TraceStep,
} from '@weir/contracts';
import type { Route } from '../inventory/routes.js';
import type { Arrival, StoredStep } from './trace-row.js';

/** A row of one event, as it is read. */
export interface ReadRow {
  sourceId: string;
  destinationId: string | null;
  share: number;
  step: Arrival | StoredStep;
  /** Whether it was read without payloads and changes, because the event has too many bytes of them. */
  isCut?: boolean;
}

/** Returns the id of the dead letter that a step wrote, while it is kept. */
export type FindLetter = (destinationId: string, step: StoredStep) => string | undefined;

/** Tells the life of one event from its rows, oldest first. Says what is not kept instead of guessing it. */
export function lifeOf([first, ...more]: [ReadRow, ...ReadRow[]], letterOf: FindLetter): EventTrace {
  const rows = [first, ...more];
  const arrivals = rows.filter(({ destinationId }) => destinationId === null).map(({ step }) => step as Arrival);
  const [arrival] = arrivals;
  const steps = rows.filter(({ destinationId }) => destinationId !== null);
  const routes = new Map(arrivals.flatMap((one) => one.routes ?? []).map((route) => [route.destinationId, route]));
  for (const { destinationId } of steps)
    if (destinationId && !routes.has(destinationId)) routes.set(destinationId, { destinationId });
  const destinations = [...routes.values()].map((route) => destinationOf(route, steps, letterOf));
  const { step: _, routes: __, ...known } = arrival ?? { step: 'accepted' as const };
  const copies = new Set(arrivals.map(({ receivedAt }) => receivedAt)).size;
  return {
    sourceId: first.sourceId,
    ...known,
    ...(copies > 1 && { copies }),
    status: statusOf(arrival, destinations.length > 0),
    destinations,
    sampling: { share: Math.round(first.share * 1_000) / 1_000, keptDays: TRACES_KEPT_DAYS },
    notKept: [
      ...notKeptOf(arrival, destinations),
      ...(steps.length > TRACE_STEPS_MAX ? [TOO_MANY] : []),
      ...(rows.some(({ isCut }) => isCut) ? [TOO_LARGE] : []),
    ],
  };
}

/** Leaves out the oldest steps of a life that does not fit one answer. */
export function fittedLife(trace: EventTrace): EventTrace {
  const empty = trace.destinations.map((destination) => ({ ...destination, steps: [] }));
  let left = TRACE_BYTES_MAX - bytesOf({ ...trace, destinations: empty });
  const steps = trace.destinations.flatMap((destination) => destination.steps);
  const kept = new Set<TraceStep>();
  for (const step of steps.toSorted((a, b) => b.at.localeCompare(a.at))) {
    left -= bytesOf(step);
    if (left < 0) break;
    kept.add(step);
  }
  if (kept.size === steps.length) return trace;
  const destinations = trace.destinations.map((destination) => ({
    ...destination,
    steps: destination.steps.filter((step) => kept.has(step)),
  }));
  return { ...trace, destinations, notKept: [...trace.notKept, TOO_LONG] };
}

/** With the comma behind it. */
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1;

function statusOf(arrival: Arrival | undefined, isRouted: boolean): EventTrace['status'] {
  if (!arrival) return 'not_kept';
  if (arrival.step === 'suppressed') return 'suppressed';
  return isRouted ? 'routed' : 'no_connection';
}

function destinationOf({ destinationId, off }: Route, rows: ReadRow[], letterOf: FindLetter): TraceDestination {
  const own = rows.filter((row) => row.destinationId === destinationId).map(({ step }) => step as StoredStep);
  const last = lastOf(own);
  const status = off && !last ? (`${off}_disabled` as const) : (last?.status ?? 'under_way');
  return {
    destinationId,
    status,
    ...(status === 'retrying' && last?.step.nextAttemptAt && { nextAttemptAt: last.step.nextAttemptAt }),
    steps: own.slice(-TRACE_STEPS_MAX).map((step) => shownStep(step, letterOf(destinationId, step))),
  };
}

function shownStep({ eventKey: _, ...step }: StoredStep, deliveryId: string | undefined): TraceStep {
  return step.step === 'dead' && deliveryId !== undefined
    ? { ...step, deliveryId, replay: replayOf(deliveryId) }
    : step;
}

const replayOf = (id: string) => ({
  ...{ method: 'POST' as const, path: '/v2/deliveries/replay', body: { ids: [id], dryRun: false } },
});

/** An event with several outputs stands where the least finished of them stands. */
const LEAST_FINISHED: TraceStatus[] = ['retrying', 'replayed', 'dead'];

/** The last step of each output, and of these the one that tells where the event stands. */
function lastOf(steps: StoredStep[]): { step: StoredStep; status: TraceStatus } | undefined {
  const byOutput = new Map<number | undefined, StoredStep>();
  for (const step of steps) {
    // a replay of the whole event, or code that was published meanwhile, may end in other outputs
    if (byOutput.get(undefined)?.step === 'replayed') byOutput.delete(undefined);
    byOutput.set(step.output, step);
  }
  const ends = [...byOutput.values()].map((step) => ({ step, status: statusAfter(step) }));
  const open = LEAST_FINISHED.map((status) => ends.find((end) => end.status === status)).find(
    (end) => end !== undefined,
  );
  return open ?? ends.at(-1);
}

function statusAfter({ step, nextAttemptAt }: StoredStep): TraceStatus {
  if (step !== 'failed') return step;
  return nextAttemptAt === undefined ? 'under_way' : 'retrying';
}

const TOO_MANY = `Only the last ${TRACE_STEPS_MAX} steps are shown`;
const TOO_LARGE = 'Payloads and changes of older steps: they do not fit one answer';
const TOO_LONG = 'Older steps: they do not fit one answer';

function notKeptOf(arrival: Arrival | undefined, destinations: TraceDestination[]): string[] {
  const underWay = destinations.some(({ status }) => status === 'under_way');
  const lostLetter = destinations.some(
    ({ status, steps }) => status === 'dead' && !steps.some(({ deliveryId }) => deliveryId !== undefined),
  );
  return [
    ...(arrival ? [] : ['When the event was accepted, and with how many bytes']),
    ...(arrival?.step === 'suppressed' ? ['The content and the user of a suppressed event'] : []),
    ...(arrival && arrival.messageId === undefined && arrival.step === 'accepted'
      ? ['The content of the event: its user is suppressed or deleted']
      : []),
    ...(underWay ? ['Whether the event is still under way, or its last steps were lost with a killed process'] : []),
    ...(lostLetter ? ['The dead letter: it expired, or its user was deleted'] : []),
  ];
}
