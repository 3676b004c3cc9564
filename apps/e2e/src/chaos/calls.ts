import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '@weir/testing';
import { now } from './recorder.js';

/** How long a client waits before it asks again. */
const RETRY_MS = 50;
/** A client gives up an attempt after this time, as SDKs do. */
const ATTEMPT_MS = 10_000;

/** When an operation began, and when its answer came. */
export interface Answered {
  askedAt: number;
  answeredAt: number;
  answer: Answer;
}

/** A refusal that no repeat changes. No fault may cause one. */
const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 408 && status !== 429;

/** One attempt. Undefined without an answer in time, or if Weir says that it cannot answer now. Throws for a refusal. */
export async function once(call: () => Promise<Answer>, status = 200): Promise<Answered | undefined> {
  const askedAt = now();
  const late = sleep(ATTEMPT_MS, undefined, { ref: false });
  const answer = await Promise.race([call().catch(() => undefined), late]);
  if (answer && isRefusal(answer.status)) throw new Error(`refused with ${answer.status}: ${answer.text}`);
  return answer?.status === status ? { askedAt, answeredAt: now(), answer } : undefined;
}

/** Attempts until one succeeds. It begins with the first. */
export async function untilAnswered(call: () => Promise<Answer>, status = 200): Promise<Answered> {
  const askedAt = now();
  for (;;) {
    const answered = await once(call, status);
    if (answered) return { ...answered, askedAt };
    await sleep(RETRY_MS);
  }
}
