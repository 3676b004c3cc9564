import { Injectable } from '@nestjs/common';
import {
  AppError,
  type CodeBundle,
  type CodeReach,
  EVENT_BYTES_MAX,
  type EventResult,
  type FetchRecord,
  isAppError,
  type JsonObject,
  PAYLOAD_BYTES_MAX,
  RunCode,
  type UserError,
  usesCredentials,
} from '@weir/contracts';
import type { Deadline } from './deadline.js';
import { SandboxClient } from './sandbox.client.js';
import { testMetadata } from './test-events.js';

/** Bytes reserved for names and envelope of one call, in addition to its code and events. */
const CALL_BYTES = 8_192;

type Input = { message: JsonObject; metadata: JsonObject };

/** Result of running the events of one test. */
export interface EventRun {
  /** In the order of the events. */
  results: EventResult[];
  /** Errors of elements that `transformBatch` returned and that belong to no event. */
  strayErrors: UserError[];
  logs: string[];
  /** `fetch` calls of the code. */
  fetches: FetchRecord[];
  durationMs: number;
}

/** Settings that all runs of one release share. */
export interface RunContext {
  workspaceId: string;
  deadline: Deadline;
  reach: CodeReach;
}

/** Runs code over any number of events, in one batch if messages allow it and otherwise in parts. */
@Injectable()
export class EventRunner {
  constructor(private readonly sandbox: SandboxClient) {}

  async run(context: RunContext, bundle: CodeBundle, events: readonly JsonObject[]): Promise<EventRun> {
    const { credentials = [], ...reach } = context.reach;
    const run = { ...context, reach: { ...reach, credentials: usesCredentials(bundle) ? credentials : [] } };
    const bytesMax = PAYLOAD_BYTES_MAX - CALL_BYTES - Buffer.byteLength(JSON.stringify([bundle, run.reach]));
    const inputs = events.map((message) => ({ message, metadata: testMetadata(run.workspaceId, message) }));
    const runs: EventRun[] = [];
    for (const part of partsOf(inputs, bytesMax)) runs.push(await this.runPart(run, bundle, part));
    return joined(runs);
  }

  /** The sandbox refuses results that do not fit one reply. In that case, runs each half separately. */
  private async runPart(context: RunContext, bundle: CodeBundle, events: Input[]): Promise<EventRun> {
    const { workspaceId, deadline, reach } = context;
    const startedAt = performance.now();
    try {
      const request = { workspaceId, bundle, events, mode: 'test' as const, ...reach };
      const { results, logs, strayErrors = [], fetches = [] } = await this.sandbox.send(RunCode, request, deadline);
      return { results, strayErrors, logs, fetches, durationMs: performance.now() - startedAt };
    } catch (error) {
      if (!isAppError(error) || error.code !== 'too_large' || events.length === 1) throw error;
      const half = Math.ceil(events.length / 2);
      const first = await this.runPart(context, bundle, events.slice(0, half));
      return joined([first, await this.runPart(context, bundle, events.slice(half))]);
    }
  }
}

const joined = (runs: readonly EventRun[]): EventRun => ({
  results: runs.flatMap(({ results }) => results),
  strayErrors: runs.flatMap(({ strayErrors }) => strayErrors),
  logs: runs.flatMap(({ logs }) => logs),
  fetches: runs.flatMap(({ fetches }) => fetches),
  durationMs: runs.reduce((sum, { durationMs }) => sum + durationMs, 0),
});

function partsOf(inputs: readonly Input[], bytesMax: number): Input[][] {
  const parts: Input[][] = [];
  let left = 0;
  for (const [index, input] of inputs.entries()) {
    if (Buffer.byteLength(JSON.stringify(input.message)) > EVENT_BYTES_MAX) {
      throw new AppError('too_large', `test event ${index} is larger than ${EVENT_BYTES_MAX} bytes: shorten it`);
    }
    const bytes = Buffer.byteLength(JSON.stringify(input)) + 1;
    const part = parts.at(-1);
    if (part && bytes <= left) {
      part.push(input);
      left -= bytes;
    } else {
      parts.push([input]);
      left = bytesMax - bytes;
    }
  }
  return parts;
}
