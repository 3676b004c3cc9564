import { Injectable } from '@nestjs/common';
import { CheckSuppression } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';

/** Callers that one request serves. */
const IDS_MAX = 1_000;

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
 * Asks whether users are suppressed now. A question that arrives during a request joins the next one, so each answer is newer
 * than its question. If the check fails, callers must not send.
 */
@Injectable()
export class SuppressionCheck {
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
    }
    this.asking.delete(key);
  }

  private take(key: string): Question[] {
    const questions = this.waiting.get(key) ?? [];
    const taken = questions.slice(0, IDS_MAX);
    if (questions.length > taken.length) this.waiting.set(key, questions.slice(taken.length));
    else this.waiting.delete(key);
    return taken;
  }
}
