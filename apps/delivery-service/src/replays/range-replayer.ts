import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { JsonObject } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { Periodic } from '@weir/messaging';
import { AllowedEvents } from '../archive/allowed-events.js';
import { ArchiveLag } from '../archive/archive-lag.js';
import type { ReadEvent } from '../archive/archived-event.js';
import { type ArchivePlace, type Reading, SegmentReader } from '../archive/segment-reader.js';
import { type RangeTurn, RangeTurnRepository } from './range-turn.repository.js';
import { ReplayQueue } from './replay-queue.js';

const POLL_MS = 500;
/** Replays take turns of this length, so a long one delays another by no more. */
const TURN_MS = 5_000;
/** Bounds of one step. Its events are in memory as objects and as texts, and are repeated if the process is killed. */
const STEP_EVENTS_MAX = 500;
const STEP_BYTES_MAX = 1_048_576;
/** A step that finds little keeps its place after this time. Then another one may take a turn, and a stop is not held up. */
const STEP_MS = 1_000;
const ROOM_AGAIN_MS = 1_000;
const FAULT_AGAIN_MS = 5_000;
const NOT_STORED = 'Waits until the archive has all events of its range';
const NO_ROOM = 'Waits until the destination has taken what waits for it';

/** Sends archived events of a time range to a destination, through its queue and under their original event keys. */
@Injectable()
export class RangeReplayer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RangeReplayer.name);
  private readonly rounds = new Periodic({
    task: 'replay time ranges',
    everyMs: POLL_MS,
    run: () => this.workAll(),
    log: this.logger,
  });

  constructor(
    private readonly turns: RangeTurnRepository,
    private readonly reader: SegmentReader,
    private readonly allowed: AllowedEvents,
    private readonly inventory: InventoryMirror,
    private readonly queue: ReplayQueue,
    private readonly lag: ArchiveLag,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** Works on what is due, one turn after the other. */
  private async workAll(): Promise<void> {
    while (!this.rounds.isStopped && !this.inventory.whyIncomplete) {
      const turn = await this.turns.take();
      if (!turn) return;
      try {
        await this.work(turn);
      } catch (error) {
        this.logger.warn(`replay ${turn.id} waits: ${(error as Error).message}`);
        await this.turns.giveBack(turn, FAULT_AGAIN_MS, 'Waits for the archive, or for another part of Weir');
      }
    }
  }

  private async work(turn: RangeTurn): Promise<void> {
    const destination = this.inventory.destination(turn.destinationId);
    if (destination?.workspaceId !== turn.workspaceId)
      return this.turns.end(turn, 'failed', 'The destination was deleted');
    if (!turn.dryRun && !destination.enabled) return this.turns.end(turn, 'paused', 'The destination is disabled');
    if (await this.isIncomplete(turn)) return this.turns.giveBack(turn, FAULT_AGAIN_MS, NOT_STORED);
    const startedAt = performance.now();
    const pace = new Pace(turn);
    let unreadable = 0;
    const read = this.reader.events(turn, turn.place ?? undefined, () => {
      unreadable += 1;
    });
    for await (const step of stepsOf(read, turn, pace)) {
      const sent = await this.send(turn, step.events);
      if (sent === undefined) return this.turns.giveBack(turn, ROOM_AGAIN_MS, NO_ROOM);
      const { place } = step;
      const bytes = sent.reduce((sum, one) => sum + one.bytes, 0);
      const done = { place, events: sent.length, bytes, suppressed: step.events.length - sent.length, unreadable };
      unreadable = 0;
      if (!(await this.turns.keep(turn, done))) return;
      pace.spend(step.events.length);
      if (step.isEnd) break;
      const elapsed = performance.now() - startedAt;
      if (pace.isSpent || elapsed > TURN_MS || this.rounds.isStopped)
        return this.turns.giveBack(turn, Math.max(0, pace.dueMs - elapsed));
    }
    await this.turns.end(turn, 'done', undefined, unreadable);
  }

  /** A place proves that the range was found complete before, and it stays so. */
  private async isIncomplete(turn: RangeTurn): Promise<boolean> {
    return turn.place === null && (await this.lag.isBehind(turn, turn.to));
  }

  /** The events that may be sent, once they are in the queue. Undefined if it has no room. A dry run only counts them. */
  private async send(turn: RangeTurn, events: readonly ReadEvent[]): Promise<ReadEvent[] | undefined> {
    const allowed = await this.allowed.of(turn.workspaceId, events);
    if (turn.dryRun || allowed.length === 0) return allowed;
    const { workspaceId, destinationId } = turn;
    const parts = allowed.map((read) => partOf(turn, read));
    return (await this.queue.store({ workspaceId, destinationId }, parts)) ? allowed : undefined;
  }
}

/** The retry window starts over. The name of the part is the same if the step is repeated. */
const partOf = ({ id, sourceId }: RangeTurn, { sequence, position, index, batchId, event, receivedAt }: ReadEvent) => ({
  batchId: `replay.${id}.${batchId}.${sequence}.${position}.${index}`,
  sourceId,
  receivedAt: new Date().toISOString(),
  events: [event],
  replay: { eventKey: `${batchId}.${index}`, receivedAt },
});

/** How many events a turn may read, and how long they take at the wanted rate. */
class Pace {
  private spent = 0;
  readonly allowance: number;

  constructor(private readonly turn: Pick<RangeTurn, 'eventsPerSecond' | 'dryRun'>) {
    const { dryRun, eventsPerSecond } = turn;
    this.allowance = dryRun ? Number.POSITIVE_INFINITY : Math.ceil((eventsPerSecond * TURN_MS) / 1_000);
  }

  get isSpent(): boolean {
    return this.spent >= this.allowance;
  }

  get left(): number {
    return this.allowance - this.spent;
  }

  get dueMs(): number {
    return this.turn.dryRun ? 0 : (this.spent / this.turn.eventsPerSecond) * 1_000;
  }

  spend(events: number): void {
    this.spent += events;
  }
}

interface ReadStep {
  /** Those that the replay asks for. */
  events: ReadEvent[];
  /** How far it was read. */
  place: ArchivePlace;
  isEnd: boolean;
}

/** Cuts what is read into steps. */
async function* stepsOf(read: AsyncGenerator<Reading>, turn: RangeTurn, pace: Pace): AsyncGenerator<ReadStep> {
  let [events, bytes, startedAt]: [ReadEvent[], number, number] = [[], 0, performance.now()];
  let last: ArchivePlace | undefined;
  for await (const { archived, place } of read) {
    last = place;
    if (archived && isWanted(archived.event, turn)) {
      events.push(archived);
      bytes += archived.bytes;
    }
    const isFull = events.length >= Math.min(STEP_EVENTS_MAX, pace.left) || bytes >= STEP_BYTES_MAX;
    if (!isFull && performance.now() - startedAt < STEP_MS) continue;
    yield { events, place, isEnd: false };
    [events, bytes, startedAt, last] = [[], 0, performance.now(), undefined];
  }
  if (last) yield { events, place: last, isEnd: true };
}

const isWanted = ({ type, event }: JsonObject, { types, names }: RangeTurn): boolean =>
  (types === null || types.includes(String(type))) &&
  (names === null || (type === 'track' && names.includes(String(event))));
