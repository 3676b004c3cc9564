import { Injectable } from '@nestjs/common';
import {
  AppError,
  type CodeBundle,
  type CodeReach,
  CodeRuntime,
  chunksOf,
  EVENT_BYTES_MAX,
  type EventResult,
  type FetchCall,
  inHalves,
  type JsonObject,
  PAYLOAD_BYTES_MAX,
  RunCode,
  testMetadata,
  type UserError,
  usesCredentials,
} from '@weir/contracts';
import { shownOutput } from '@weir/imports';
import { type Deadline, SandboxClient } from './sandbox.client.js';

/** Bytes reserved for names and envelope of one call, in addition to its code and events. */
const CALL_BYTES = 8_192;

type Input = { message: JsonObject; metadata: JsonObject };

/** Result of running the events of one test. */
export interface EventRun {
  /** In the order of the events. */
  results: EventResult[];
  /** Outputs and errors, as a test shows them. */
  output: JsonObject[];
  /** Errors of elements that `transformBatch` returned and that belong to no event. */
  strayErrors: UserError[];
  logs: string[];
  /** `fetch` calls of the code. */
  fetches: FetchCall[];
  durationMs: number;
  /** Runtime of the code. Missing if it did not load. */
  runtime?: CodeRuntime | undefined;
}

/** Settings that all runs of one release share. */
export interface RunContext {
  workspaceId: string;
  deadline: Deadline;
  reach: CodeReach;
}

/** Runs code over any number of events, in one batch if messages allow it and otherwise in chunks. */
@Injectable()
export class EventRunner {
  constructor(private readonly sandbox: SandboxClient) {}

  async run(context: RunContext, bundle: CodeBundle, events: readonly JsonObject[]): Promise<EventRun> {
    checkSizes(events);
    const { credentials = [], ...reach } = context.reach;
    const run = { ...context, reach: { ...reach, credentials: usesCredentials(bundle) ? credentials : [] } };
    const bytesMax = PAYLOAD_BYTES_MAX - CALL_BYTES - Buffer.byteLength(JSON.stringify([bundle, run.reach]));
    const inputs = events.map((message) => ({ message, metadata: testMetadata(run.workspaceId, message) }));
    const runs: EventRun[] = [];
    for (const chunk of chunksOf(inputs, { bytesMax }))
      runs.push(...(await inHalves(chunk, (part) => this.runPart(run, bundle, part))));
    return joined(runs);
  }

  /** The sandbox refuses results that do not fit one reply. */
  private async runPart(context: RunContext, bundle: CodeBundle, part: readonly Input[]): Promise<EventRun> {
    const { workspaceId, deadline, reach } = context;
    const startedAt = performance.now();
    const request = { workspaceId, bundle, events: [...part], mode: 'test' as const, ...reach };
    const answer = await this.sandbox.send(RunCode, request, deadline);
    const { results, logs, strayErrors = [], fetches = [], ...told } = answer;
    const runtime = CodeRuntime.safeParse(told).data;
    return {
      ...{ results, output: shownOutput(results, strayErrors), logs, fetches, runtime },
      strayErrors: strayErrors.map(({ position: _, ...error }) => error),
      durationMs: performance.now() - startedAt,
    };
  }
}

const joined = (runs: readonly EventRun[]): EventRun => ({
  results: runs.flatMap(({ results }) => results),
  output: runs.flatMap(({ output }) => output),
  strayErrors: runs.flatMap(({ strayErrors }) => strayErrors),
  logs: runs.flatMap(({ logs }) => logs),
  fetches: runs.flatMap(({ fetches }) => fetches),
  durationMs: runs.reduce((sum, { durationMs }) => sum + durationMs, 0),
  runtime: runs.find(({ runtime }) => runtime !== undefined)?.runtime,
});

/** Throws `too_large` for an event that no source could have sent. */
function checkSizes(events: readonly JsonObject[]): void {
  const index = events.findIndex((event) => Buffer.byteLength(JSON.stringify(event)) > EVENT_BYTES_MAX);
  if (index === -1) return;
  throw new AppError('too_large', `test event ${index} is larger than ${EVENT_BYTES_MAX} bytes: shorten it`);
}
