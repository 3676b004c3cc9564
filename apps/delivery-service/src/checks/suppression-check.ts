import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CheckSuppression, SUPPRESSION_CHECK_BOUNDS } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { LRUCache } from 'lru-cache';
import { AnswerLease } from './answer-lease.js';

/**
 * Time between two requests when several events wait at once. The service and its database pay per request. An event that is
 * alone never waits for it, and no answer gets older by it, because the request begins after the wait.
 */
export const FLOOD_PAUSE_MS = 20;
/** A request for this many ids pays for itself, so the next one may follow at once. */
const FULL_IDS = 100;
/** Memory for users without a regulation. At 100 bytes each, it holds what 5,000 new users a second bring in 30 s. */
const FREE_BYTES_MAX = 16_777_216;
/** Memory of an entry beside its text. */
const ENTRY_BYTES = 64;
/** A longer id is asked for each time. */
const ID_CHARS_MAX = 1_024;

/** The users that an event names, with its source and its time of intake. */
export interface EventUsers {
  workspaceId: string;
  sourceId: string;
  userIds: string[];
  /** ISO 8601. */
  receivedAt: string;
  /** For an event that is sent again, the time of its intake counts. */
  replay?: { receivedAt?: string | undefined } | undefined;
}

interface Question {
  userIds: string[];
  receivedAt: string;
  answer: (isSuppressed: boolean) => void;
  fail: (error: unknown) => void;
}

/**
 * Asks whether users are suppressed now. A question that arrives during a request, or soon after one of many, joins the next, so
 * each answer is newer than its question. That a user has no regulation at all is remembered while an {@link AnswerLease} covers
 * it. If the check fails, callers must not send.
 */
@Injectable()
export class SuppressionCheck {
  /** Tests make it long enough for a busy machine. */
  floodPauseMs = FLOOD_PAUSE_MS;
  private readonly waiting = new Map<string, Question[]>();
  private readonly asking = new Set<string>();
  /** When the answer about a user without a regulation was asked for. */
  private readonly free = new LRUCache<string, number>({
    maxSize: FREE_BYTES_MAX,
    sizeCalculation: (_, key) => 2 * key.length + ENTRY_BYTES,
  });

  constructor(
    private readonly rpc: RpcClient,
    private readonly lease: AnswerLease,
  ) {}

  /** Whether any of these ids is suppressed for the source, or was deleted after the intake of the event. */
  isSuppressed(users: EventUsers): Promise<boolean> {
    if (this.isFree(users)) return Promise.resolve(false);
    const { workspaceId, sourceId, userIds, replay } = users;
    const receivedAt = replay?.receivedAt ?? users.receivedAt;
    const key = `${workspaceId}/${sourceId}`;
    return new Promise<boolean>((answer, fail) => {
      const questions = this.waiting.get(key) ?? [];
      this.waiting.set(key, questions);
      questions.push({ userIds, receivedAt, answer, fail });
      if (!this.asking.has(key)) setImmediate(() => void this.ask(key, workspaceId, sourceId));
      this.asking.add(key);
    });
  }

  /**
   * Asks about many at once, so that their own checks need no request. Without a lease that would be useless. A failure says
   * nothing, because each event is checked again.
   */
  async learn(events: readonly EventUsers[]): Promise<void> {
    if (!this.lease.isHeld) return;
    const unknown = events.filter((users) => !this.isFree(users));
    await Promise.allSettled(unknown.map((users) => this.isSuppressed(users)));
  }

  private isFree({ workspaceId, userIds }: EventUsers): boolean {
    return userIds.every((id) => {
      const askedAt = this.free.get(freeKey(workspaceId, id));
      return askedAt !== undefined && this.lease.covers(workspaceId, askedAt);
    });
  }

  private async ask(key: string, workspaceId: string, sourceId: string): Promise<void> {
    for (let questions = this.take(key); questions.length > 0; questions = this.take(key)) {
      const userIds = [...new Set(questions.flatMap((question) => question.userIds))];
      const pause = questions.length > 1 && userIds.length < FULL_IDS && sleep(this.floodPauseMs);
      const askedAt = performance.now();
      try {
        const reply = await this.rpc.send(CheckSuppression, { workspaceId, sourceId, userIds });
        if (reply.regulated) this.remember(workspaceId, userIds, new Set(reply.regulated), askedAt);
        const suppressed = new Set(reply.suppressed);
        const deletedUntil = new Map(reply.deleted.map(({ userId, until }) => [userId, until]));
        for (const { userIds: asked, receivedAt, answer } of questions)
          answer(asked.some((id) => suppressed.has(id) || receivedAt <= (deletedUntil.get(id) ?? '')));
      } catch (error) {
        for (const { fail } of questions) fail(error);
      }
      await pause;
    }
    this.asking.delete(key);
  }

  private remember(workspaceId: string, userIds: string[], regulated: ReadonlySet<string>, askedAt: number): void {
    if (!this.lease.covers(workspaceId, askedAt)) return;
    for (const id of userIds)
      if (!regulated.has(id) && id.length <= ID_CHARS_MAX) this.free.set(freeKey(workspaceId, id), askedAt);
  }

  private take(key: string): Question[] {
    const questions = this.waiting.get(key) ?? [];
    const taken = questions.slice(0, fitting(questions));
    if (questions.length > taken.length) this.waiting.set(key, questions.slice(taken.length));
    else this.waiting.delete(key);
    return taken;
  }
}

/** How many of the questions fit one request, the first in any case. All ids of a question go into one request. */
function fitting(questions: readonly Question[]): number {
  const { itemsMax, bytesMax } = SUPPRESSION_CHECK_BOUNDS;
  const ids = new Set<string>();
  let bytes = 0;
  const end = questions.findIndex(({ userIds }) => {
    for (const id of userIds) {
      if (!ids.has(id)) bytes += Buffer.byteLength(JSON.stringify(id)) + 1;
      ids.add(id);
    }
    return ids.size > itemsMax || bytes > bytesMax;
  });
  return end === -1 ? questions.length : Math.max(1, end);
}

/** Ids of workspaces have a fixed length. */
const freeKey = (workspaceId: string, userId: string) => workspaceId + userId;
