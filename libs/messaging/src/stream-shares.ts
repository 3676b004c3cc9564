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
  private free = Number.POSITIVE_INFINITY;
  private used = 0;
  /** Undefined while too little is used to ask. Any workspace may hold all of it then. */
  private held: Map<string, number> | undefined;
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

  /** Whether the streams take more events of a workspace. True while the broker does not tell how full they are. */
  hasRoom(workspaceId: string): boolean {
    const held = this.held ? (this.held.get(workspaceId) ?? 0) : this.used;
    const hasRoom = held + (this.written.get(workspaceId) ?? 0) <= FREE_TIMES_MAX * (this.free - this.writtenBytes);
    if (!hasRoom) this.refused.add(workspaceId);
    return hasRoom;
  }

  /** Counts bytes that this process writes for a workspace. */
  add(workspaceId: string, bytes: number): void {
    this.written.set(workspaceId, (this.written.get(workspaceId) ?? 0) + bytes);
    this.writtenBytes += bytes;
  }

  /** Asks the broker. Lists the subjects only while somebody may hold too much. */
  async look(): Promise<void> {
    this.tellRefused();
    this.written = new Map();
    this.writtenBytes = 0;
    this.manager ??= jetstreamManager(this.nats, { timeout: API_TIMEOUT_MS, checkAPI: false });
    try {
      const { streams } = await this.manager;
      const infos = await Promise.all(STREAMS.map((name) => streams.info(name)));
      const room = Math.min(...infos.map(({ config }) => (config.max_bytes > 0 ? config.max_bytes : Infinity)));
      this.used = infos.reduce((sum, { state }) => sum + state.bytes, 0);
      this.free = room - this.used;
      this.held = this.used < room * LISTED_SHARE ? undefined : await heldIn(streams);
    } catch (error) {
      this.free = Number.POSITIVE_INFINITY;
      throw error;
    }
  }

  private tellRefused(): void {
    if (this.refused.size === 0) return;
    const [first] = this.refused;
    this.log.warn(`workspace ${first} and ${this.refused.size - 1} others hold their shares of the event streams`);
    this.refused = new Set();
  }
}

/** Bytes of each workspace in the streams. */
async function heldIn(streams: JetStreamManager['streams']): Promise<Map<string, number>> {
  const held = new Map<string, number>();
  const infos = await Promise.all(STREAMS.map((name) => streams.info(name, { subjects_filter: '>' })));
  for (const { state } of infos) {
    for (const [subject, messages] of Object.entries(state.subjects ?? {})) {
      const size = sizeOf(subject);
      if (size) held.set(size.workspaceId, (held.get(size.workspaceId) ?? 0) + messages * size.bytes);
    }
  }
  return held;
}
