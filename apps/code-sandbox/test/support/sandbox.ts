import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type EventResult, type JsonObject, RunCode } from '@weir/contracts';
import type { RpcClient } from '@weir/messaging';
import { Health, Metrics } from '@weir/service-kit';
import { OwnChildren } from '../../src/host/own-children.js';
import { MEMORY_MB, RUN_LIMIT_MS } from '../../src/limits.js';
import { ChildPool, type PoolOptions } from '../../src/pool/child-pool.js';
import { CodeService } from '../../src/run/code.service.js';
import { readRunPacket } from '../../src/run/run-request.js';
import type { ContextUsed } from '../../src/wire/protocol.js';

/** Built by `npm test` and `nx build`, because isolated-vm cannot be loaded in jest. */
const CHILD_SCRIPT = fileURLToPath(new URL('../../dist/child.js', import.meta.url));

/** A child of a busy machine needs more than the second that it has in production. */
const KILL_GRACE_MS = 4_000;
/** Starting a child takes long on a busy machine. */
const PATIENCE_MS = 60_000;
const OWN = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const NEIGHBOUR = '0ujzPyRiIAffKhBux4PvQdDqMHY';

export interface Program {
  code: string;
  /** Keyed by import name. */
  libraries?: Record<string, string>;
  events?: JsonObject[];
  metadata?: JsonObject[];
  mode?: 'live' | 'test';
  name?: string;
  workspaceId?: string;
  allowFetch?: boolean;
  credentials?: { key: string; value: string }[];
}

export const track = (messageId: string, more: JsonObject = {}): JsonObject => ({ type: 'track', messageId, ...more });
export const ok = (...outputs: JsonObject[]): EventResult => ({ status: 'ok', outputs });
export const dropped: EventResult = { status: 'dropped' };
export const failed = (message: unknown) =>
  expect.objectContaining({ status: 'error', error: expect.objectContaining({ message }) });
export const TIMED_OUT = failed('Error: Script execution timed out.');
export const ENDED = failed(
  expect.stringMatching(/^Error: (?:Script execution timed out\.|The sandbox process ended )/),
);
export const OUT_OF_MEMORY = failed('Error: Isolate was disposed during execution due to memory limit');

const ignore = () => undefined;

/** Fails every call, because most programs must never reach one. */
const noRpc = (): RpcClient => {
  const send = () => Promise.reject(new Error('this test must not call fetch'));
  return { send } as unknown as RpcClient;
};

/**
 * Limits every run but those of harmless code, and of events without `bad` that run again. A limit is wall-clock time, of which a
 * busy machine needs more for them than a test can spend on code without end.
 */
class PatientPool extends ChildPool {
  constructor(
    private readonly own: PoolOptions,
    private readonly bad: string | undefined,
  ) {
    super({ ...own, limitMs: PATIENCE_MS, killGraceMs: KILL_GRACE_MS });
  }

  override perform(...[workspaceId, work, options = {}]: Parameters<ChildPool['perform']>) {
    const { bad } = this;
    const isGood = bad !== undefined && !work.isShareable && !work.events.some((event) => event.includes(bad));
    if (isGood || work.bundle.code === ADD_ONE) return super.perform(workspaceId, work, options);
    const limitMs = Math.min(options.limitMs ?? Number.POSITIVE_INFINITY, this.own.limitMs);
    return super.perform(workspaceId, work, { ...options, limitMs });
  }
}

/** Creates a sandbox with real child processes for a test file. */
export function useSandbox({
  children = 3,
  limitMs = RUN_LIMIT_MS,
  memoryMb = MEMORY_MB,
  rpc = noRpc,
  bad = undefined as string | undefined,
} = {}) {
  let service: CodeService;
  const contexts: ContextUsed[] = [];
  let health: Health;
  beforeAll(async () => {
    Logger.overrideLogger(false); // children die here on purpose
    health = new Health();
    const host = new OwnChildren(CHILD_SCRIPT);
    const log = new Logger('ChildPool');
    const ran = (context: ContextUsed) => void contexts.push(context);
    const observer = { killed: ignore, waited: ignore, compiled: ignore, ran };
    const options = { host, children, limitMs, memoryMb, queueWaitMs: PATIENCE_MS, log, observer };
    const pool = new PatientPool(options, bad);
    service = new CodeService(pool, rpc(), health, new Metrics('test'));
    service.callLimitMs = PATIENCE_MS;
    while (!(await health.report()).ready) await new Promise((done) => setTimeout(done, 10));
  });
  afterAll(() => service.beforeApplicationShutdown());

  /** Returns the reply as the broker carries it. */
  const replyTo = async ({ events = [track('m1')], mode = 'live', workspaceId = OWN, ...program }: Program) => {
    const data = RunCode.request.parse({
      workspaceId,
      bundle: bundleOf(program),
      events: events.map((message, index) => ({ message, metadata: program.metadata?.[index] ?? {} })),
      mode,
      allowFetch: program.allowFetch,
      credentials: program.credentials,
    });
    const packet = readRunPacket(Buffer.from(JSON.stringify({ data })));
    return Buffer.concat(await service.run(packet.request())).toString();
  };
  const run = async (program: Program) => {
    const reply = RunCode.reply.parse(JSON.parse(await replyTo(program)));
    return { ...reply, results: reply.results.map(withoutTime) };
  };
  return {
    run,
    replyTo,
    /** The context of every run and check so far. */
    contexts,
    /** Returns only the results. */
    results: async (program: Program) => (await run(program)).results,
    check: (program: Program, kind: 'transformation' | 'library' = 'transformation') =>
      service.check({ workspaceId: OWN, bundle: bundleOf(program), kind }),
    health: () => health.report(),
    /**
     * Runs the program while a neighbour workspace runs harmless code. Returns the program's results once every neighbour run has
     * succeeded. `endless.long.int-spec.ts` shows that the neighbour does not wait for the program.
     */
    besideNeighbour: async (program: Program): Promise<EventResult[]> => {
      let isOver = false;
      const attacked = run(program).finally(() => {
        isOver = true;
      });
      do {
        const { results } = await run({ code: ADD_ONE, events: [{ n: 1 }], workspaceId: NEIGHBOUR });
        expect(results).toEqual([ok({ n: 2 })]);
        await new Promise((done) => setTimeout(done, 20));
      } while (!isOver);
      const own = await run({ code: ADD_ONE, events: [{ n: 1 }] });
      expect(own.results).toEqual([ok({ n: 2 })]);
      return (await attacked).results;
    },
  };
}

/** Removes the times, which `results.int-spec.ts` checks. */
function withoutTime({ milliseconds: _, ...result }: EventResult): EventResult {
  return result;
}

/** Harmless code. */
export const ADD_ONE = 'export const transformEvent = ({ n }) => ({ n: n + 1 });';

function bundleOf({ code, libraries = {}, name = 'my code' }: Program) {
  const list = Object.entries(libraries).map(([importName, text]) => ({ importName, code: text }));
  return { key: JSON.stringify([code, libraries, name]), name, code, libraries: list };
}
