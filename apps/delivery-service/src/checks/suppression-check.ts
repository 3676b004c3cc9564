import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CheckSuppression } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';

/** Ids that one request asks about. A caller has few, and all of its ids go into one request. */
const IDS_MAX = 1_000;
/**
 * Time between two requests when several events wait at once. The service and its database pay per request. An event that is
 * alone never waits for it, and no answer gets older by it, because the request begins after the wait.
 */
export const FLOOD_PAUSE_MS = 20;

/** The user and source of an event, and its time of intake. */
export interface Passage {
  workspaceId: string;
  sourceId: string;
  userIds: string[];
  /** ISO 8601. */
  receivedAt: string;
}

interface Question {
  userIds: string[];
  receivedAt: string;
  answer: (isSuppressed: boolean) => void;
  fail: (error: unknown) => void;
}

/**
 * Asks whether users are suppressed now. A question that arrives during a request, or soon after one of many, joins the next, so
 * each answer is newer than its question. If the check fails, callers must not send.
 */
@Injectable()
export class SuppressionCheck {
  /** Tests make it long enough for a busy machine. */
  floodPauseMs = FLOOD_PAUSE_MS;
  private readonly waiting = new Map<string, Question[]>();
  private readonly asking = new Set<string>();

  constructor(private readonly rpc: RpcClient) {}

  /** Whether any of these ids is suppressed for the source, or was deleted after the intake of the event. */
  isSuppressed({ workspaceId, sourceId, userIds, receivedAt }: Passage): Promise<boolean> {
    if (userIds.length === 0) return Promise.resolve(false);
    const key = `${workspaceId}/${sourceId}`;
    return new Promise<boolean>((answer, fail) => {
      const questions = this.waiting.get(key) ?? [];
      this.waiting.set(key, questions);
      questions.push({ userIds, receivedAt, answer, fail });
      if (!this.asking.has(key)) setImmediate(() => void this.ask(key, workspaceId, sourceId));
      this.asking.add(key);
    });
  }

  private async ask(key: string, workspaceId: string, sourceId: string): Promise<void> {
    for (let questions = this.take(key); questions.length > 0; questions = this.take(key)) {
      const isFull = this.waiting.has(key);
      const pause = questions.length > 1 && !isFull && sleep(this.floodPauseMs);
      try {
        const userIds = [...new Set(questions.flatMap((question) => question.userIds))];
        const reply = await this.rpc.send(CheckSuppression, { workspaceId, sourceId, userIds });
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

  private take(key: string): Question[] {
    const questions = this.waiting.get(key) ?? [];
    const ids = new Set<string>();
    const end = questions.findIndex(({ userIds }) => {
      for (const id of userIds) ids.add(id);
      return ids.size > IDS_MAX;
    });
    const taken = end === -1 ? questions : questions.slice(0, Math.max(1, end));
    if (questions.length > taken.length) this.waiting.set(key, questions.slice(taken.length));
    else this.waiting.delete(key);
    return taken;
  }
}
