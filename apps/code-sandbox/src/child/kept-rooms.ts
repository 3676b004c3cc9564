import { HEAP_SHARE_MAX, KEPT_MS_MAX, KEPT_ROOMS_MAX, KEPT_RUNS_MAX } from '../limits.js';
import type { FullTask } from '../wire/protocol.js';
import { isolate, MEMORY_MB } from './isolate.js';
import type { Room } from './room.js';
import { isJudged, verdictOn } from './verdicts.js';

interface Kept {
  room: Room;
  runs: number;
  endAt: number;
}

const MIB = 1_048_576;
/** Runs of a room between two looks at the heap, which cost as much as a small event. Code without state leaves nothing there. */
const HEAP_CHECK_RUNS = 16;

/**
 * Rooms that stay, for code that provably keeps no state (decision 0043). One for the same code, libraries, credentials and
 * permission to call `fetch`. All belong to one workspace, like the whole child. Tests, checks and partial runs get a fresh room.
 */
export class KeptRooms {
  private readonly rooms = new Map<string, Kept>();
  /** Code whose proof did not hold. It never may stay again. */
  private readonly distrusted = new Set<string>();

  has(task: FullTask): boolean {
    return isEligible(task) && this.rooms.has(keyOf(task));
  }

  /** The room in which the code ran before, if it may run there again. */
  find(task: FullTask): Room | undefined {
    const kept = isEligible(task) ? this.rooms.get(keyOf(task)) : undefined;
    if (!kept) return undefined;
    if (kept.runs < KEPT_RUNS_MAX && Date.now() < kept.endAt) return kept.room;
    this.drop(task);
    return undefined;
  }

  /** Whether a fresh room for this task should become one that stays. */
  mayKeep(task: FullTask): boolean {
    if (!isEligible(task) || this.distrusted.has(task.digest)) return false;
    return isJudged(task) && verdictOn(task).runtime === 'warm';
  }

  /** After a run without a failure. */
  keep(task: FullTask, room: Room): void {
    const key = keyOf(task);
    const kept = this.rooms.get(key) ?? { room, runs: 0, endAt: Date.now() + KEPT_MS_MAX };
    kept.runs += 1;
    this.rooms.delete(key);
    this.rooms.set(key, kept);
    if (kept.runs % HEAP_CHECK_RUNS === 1 && isHeapFull()) this.dropAll();
    const [oldest] = this.rooms;
    if (oldest && this.rooms.size > KEPT_ROOMS_MAX) this.end(...oldest);
  }

  drop(task: FullTask): void {
    const kept = this.rooms.get(keyOf(task));
    if (kept) this.end(keyOf(task), kept);
  }

  /** The code did what the proof excludes, or its run failed. It gets fresh rooms from now on. */
  distrust(task: FullTask): void {
    if (this.distrusted.size >= DISTRUSTED_MAX) this.distrusted.clear();
    this.distrusted.add(task.digest);
    this.drop(task);
  }

  /** Analyses the code if that has not been done. Called when the answer is out, so that no call waits for it. */
  learn(task: FullTask): void {
    if (isEligible(task)) verdictOn(task);
  }

  private dropAll(): void {
    for (const entry of [...this.rooms]) this.end(...entry);
  }

  private end(key: string, { room }: Kept): void {
    this.rooms.delete(key);
    room.leave();
  }
}

/** Programs that a child remembers as distrusted. */
const DISTRUSTED_MAX = 1_000;

const isEligible = ({ action, collectLogs, isPartial }: FullTask): boolean =>
  action === 'run' && !collectLogs && !isPartial;

const keys = new WeakMap<FullTask, string>();

/** Identifies the task that one room may serve. Made once per task. */
function keyOf(task: FullTask): string {
  const known = keys.get(task);
  if (known !== undefined) return known;
  const key = `${task.digest}${JSON.stringify([task.credentials, task.allowFetch])}`;
  keys.set(task, key);
  return key;
}

function isHeapFull(): boolean {
  if (isolate.isDisposed) return false;
  return isolate.getHeapStatisticsSync().used_heap_size > HEAP_SHARE_MAX * MEMORY_MB * MIB;
}
