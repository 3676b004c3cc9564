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

/** One attempt. Undefined without an answer in time or with another status. */
export async function once(call: () => Promise<Answer>, status = 200): Promise<Answered | undefined> {
  const askedAt = now();
  const late = sleep(ATTEMPT_MS, undefined, { ref: false });
  const answer = await Promise.race([call().catch(() => undefined), late]);
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
