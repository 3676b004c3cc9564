import { PARTITIONS } from '@weir/contracts';

/** Processor time that a program spends on events, in microseconds. Two runs with different batches give both figures (see {@link costOf}). */
export interface Cost {
  /** For each stored message, which holds the events of one request. */
  message: number;
  /** For each event of it. */
  event: number;
}

/** Costs by program, as `LocalStack.programs` names them. */
export type Costs = ReadonlyMap<string, Cost>;

/** Work that an installation is planned for. */
export interface Demand {
  eventsPerSecond: number;
  /** Events of a request. */
  batch: number;
  /** Bytes of an event in a stream. */
  eventBytes: number;
  /** Destinations that get each event. */
  destinations: number;
  /** How long a destination takes to answer, in milliseconds. */
  answerMs: number;
  /** Part of all events that comes from the largest source, and over how many partitions that source is spread. */
  hotShare: number;
  hotPartitions: number;
}

/** The share of a core that is planned for. The rest is for peaks and for the work of a process that has ended. */
const UTILISATION = 0.6;
/** Two of each process, so that one may end. */
const PROCESSES_MIN = 2;
const DELIVERER = 'delivery-service.deliverer';
/** Roles whose members share partitions. All other processes share requests, so any number of them may run. */
export const PARTITIONED = ['regulation-service.filter', DELIVERER, 'schema-service.collector'] as const;
/** Each program that is no process of Weir: one PostgreSQL, and servers of NATS that all do the same work. */
const SERVERS: ReadonlySet<string> = new Set(['postgres', 'nats-server']);
/** Each event is written to EVENTS_RAW and to EVENTS_ACCEPTED. */
const STREAMS = 2;

export interface Plan {
  roles: readonly Role[];
  /** Requests to each destination that are under way at a moment. A process allows `DELIVERY_CONCURRENCY_MAX` of them. */
  underWay: number;
  /** Bytes per second that each server of NATS writes with three copies of each stream. */
  brokerBytes: number;
}

export interface Role {
  program: string;
  cores: number;
  /** Undefined for servers. */
  processes?: number;
  /** Why more processes do not help. */
  limit?: string;
}

/**
 * The cost of a program from the microseconds per event of two runs, which differ in their events per request. Noise may make
 * one of the costs negative, and then it counts as zero.
 */
export function costOf(one: { batch: number; each: number }, other: { batch: number; each: number }): Cost {
  const message = (one.each - other.each) / (1 / one.batch - 1 / other.batch);
  const event = one.each - message / one.batch;
  if (message < 0) return { message: 0, event: (one.each + other.each) / 2 };
  if (event < 0) return { message: other.each * other.batch, event: 0 };
  return { message, event };
}

/** Microseconds per event at this batch. */
export const perEvent = ({ message, event }: Cost, batch: number): number => event + message / batch;

/** How many processes of each role carry the demand, and what keeps more of them from helping. */
export function plan(demand: Demand, costs: Costs): Plan {
  const { eventsPerSecond, answerMs, eventBytes } = demand;
  return {
    roles: [...costs].map(([program, cost]) => roleOf(program, cost, demand)),
    underWay: (eventsPerSecond * answerMs) / 1_000,
    brokerBytes: eventsPerSecond * eventBytes * STREAMS,
  };
}

function roleOf(program: string, cost: Cost, demand: Demand): Role {
  // the work of each destination dominates that of reading the event once for all of them
  const times = program === DELIVERER ? demand.destinations : 1;
  const cores = (demand.eventsPerSecond * times * perEvent(cost, demand.batch)) / 1_000_000;
  if (SERVERS.has(program)) return { program, cores };
  const processes = Math.max(PROCESSES_MIN, Math.ceil(cores / UTILISATION));
  const limit = PARTITIONED.some((role) => role === program) ? limitOf(cores, demand) : undefined;
  return { program, cores, processes, ...(limit && { limit }) };
}

/** Reasons that keep members of a role that shares partitions from carrying so many cores of work. */
function limitOf(cores: number, { hotShare, hotPartitions }: Demand): string | undefined {
  const limits: string[] = [];
  const most = PARTITIONS * UTILISATION;
  const hottest = (cores * hotShare) / hotPartitions;
  if (hottest > UTILISATION) limits.push(`the largest source takes ${hottest.toFixed(1)} cores of one process`);
  if (cores > most)
    limits.push(`${PARTITIONS} partitions carry ${most.toFixed(1)} cores, so ${Math.ceil(cores / most)} installations`);
  return limits.length > 0 ? limits.join('; ') : undefined;
}
