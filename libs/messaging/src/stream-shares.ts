import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { sizeOf } from '@weir/contracts';
import type { Log } from './lease-keeper.js';
import { Periodic } from './periodic.js';
import { EVENTS_ACCEPTED, EVENTS_RAW } from './streams.js';

const STREAMS = [EVENTS_RAW, EVENTS_ACCEPTED];
/** How often the broker is asked. Between two looks, a process counts what it writes itself. */
const LOOK_MS = 1_000;
const API_TIMEOUT_MS = 2_000;
/** A workspace may hold this many times the bytes that are free. A workspace that is alone then gets three quarters of the room. */
const FREE_TIMES_MAX = 3;
/** Share of the room that a workspace may hold alone. */
export const LONE_SHARE = FREE_TIMES_MAX / (FREE_TIMES_MAX + 1);
/** From this share of the room on, the broker is asked who holds what. Well below the share at which somebody may be refused. */
const LISTED_SHARE = 1 / 2;

/**
 * Bounds what each workspace holds of the streams of events, in bytes. Both streams count as one room, as large as the smaller one,
 * because what is in the first moves on into the second. Each workspace may hold a multiple of the bytes that are **free**, so some
 * room always remains for the others. Why: `docs/decisions/0060-stream-shares.md`.
 */
export class StreamShares {
  /** How full each stream was when it answered last. */
  private readonly fills = new Map<string, Fill>();
  private free = Number.POSITIVE_INFINITY;
  private used = 0;
  /** Bytes of each stream by workspace. Empty while too little is used to ask. Any workspace may hold all of it then. */
  private readonly held = new Map<string, Map<string, number>>();
  /** Bytes that this process has written since the last look. */
  private written = new Map<string, number>();
  private writtenBytes = 0;
  private refused = new Set<string>();
  private manager: Promise<JetStreamManager> | undefined;
  private readonly looks;

  constructor(
    private readonly nats: NatsConnection,
    private readonly log: Log,
  ) {
    const run = () => this.look();
    this.looks = new Periodic({ task: 'see how full the streams are', everyMs: LOOK_MS, run, log });
  }

  start(): void {
    this.looks.start();
  }

  stop(): Promise<void> {
    return this.looks.stop();
  }

  /** Whether the streams take more events of a workspace. True until the broker has told how full they are. */
  hasRoom(workspaceId: string): boolean {
    const held = this.held.size > 0 ? sumOf(this.held, (ofStream) => ofStream.get(workspaceId) ?? 0) : this.used;
    const hasRoom = held + (this.written.get(workspaceId) ?? 0) <= FREE_TIMES_MAX * (this.free - this.writtenBytes);
    if (!hasRoom) this.refused.add(workspaceId);
    return hasRoom;
  }

  /** Counts bytes that this process writes for a workspace. */
  add(workspaceId: string, bytes: number): void {
    this.written.set(workspaceId, (this.written.get(workspaceId) ?? 0) + bytes);
    this.writtenBytes += bytes;
  }

  /**
   * Asks the broker. Lists the subjects only while somebody may hold too much. For a stream that does not answer, the last figures
   * hold on: if it takes nothing, the other one fills, and the shares are needed most.
   */
  async look(): Promise<void> {
    this.tellRefused();
    this.manager ??= jetstreamManager(this.nats, { timeout: API_TIMEOUT_MS, checkAPI: false });
    const { streams } = await this.manager;
    const { written } = this;
    this.written = new Map();
    this.writtenBytes = 0;
    const fills = await this.each(async (name) => void this.fills.set(name, await fillOf(streams, name)));
    // The figures of the first stream include what was written, unless it did not answer.
    if (fills.has(EVENTS_RAW)) for (const [workspaceId, bytes] of written) this.add(workspaceId, bytes);
    const room = Math.min(...[...this.fills.values()].map(({ room }) => room));
    this.used = sumOf(this.fills, ({ bytes }) => bytes);
    this.free = room - this.used;
    const isListed = this.used >= room * LISTED_SHARE;
    if (!isListed) this.held.clear();
    const lists = await this.each(async (name) => void (isListed && this.held.set(name, await heldIn(streams, name))));
    for (const failure of [...fills.values(), ...lists.values()]) throw failure;
  }

  /** Does the work for each stream, and returns the failures. */
  private async each(work: (name: string) => Promise<void>): Promise<Map<string, unknown>> {
    const failures = new Map<string, unknown>();
    await Promise.all(STREAMS.map((name) => work(name).catch((error: unknown) => failures.set(name, error))));
    return failures;
  }

  private tellRefused(): void {
    if (this.refused.size === 0) return;
    const [first] = this.refused;
    this.log.warn(`workspace ${first} and ${this.refused.size - 1} others hold their shares of the event streams`);
    this.refused = new Set();
  }
}

/** Bytes in a stream, and those that it may have. */
interface Fill {
  bytes: number;
  room: number;
}

type Streams = JetStreamManager['streams'];

async function fillOf(streams: Streams, name: string): Promise<Fill> {
  const { config, state } = await streams.info(name);
  return { bytes: state.bytes, room: config.max_bytes > 0 ? config.max_bytes : Number.POSITIVE_INFINITY };
}

/** Bytes of each workspace in the stream. */
async function heldIn(streams: Streams, name: string): Promise<Map<string, number>> {
  const held = new Map<string, number>();
  const { state } = await streams.info(name, { subjects_filter: '>' });
  for (const [subject, messages] of Object.entries(state.subjects ?? {})) {
    const size = sizeOf(subject);
    if (size) held.set(size.workspaceId, (held.get(size.workspaceId) ?? 0) + messages * size.bytes);
  }
  return held;
}

const sumOf = <T>(values: ReadonlyMap<string, T>, of: (value: T) => number): number =>
  [...values.values()].reduce((sum, value) => sum + of(value), 0);
