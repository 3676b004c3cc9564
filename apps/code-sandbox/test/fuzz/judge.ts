import { isDeepStrictEqual } from 'node:util';
import { type EventResult, isAppError, type JsonObject, RunCode } from '@weir/contracts';
import { LOG_BYTES_MAX } from '../../src/limits.js';
import { ADD_ONE, ok, type useSandbox } from '../support/sandbox.js';
import type { Fuzzed } from './programs.js';

type Sandbox = ReturnType<typeof useSandbox>;

/** Texts that no program may show. */
export interface Forbidden {
  /** Held by the supervisor's environment. */
  canary: string;
  /** A credential of the run. It may be in results, but not in logs or errors. */
  secret: string;
}

/** Enough live runs for a context to stay, and for one to meet what the one before left in it. */
const LIVE_RUNS = 3;
/** Where a program stops depends on the machine. */
const LIMIT = /Script execution timed out|due to memory limit|sandbox process ended|call stack size|allocation failed/;
/** The depth of the stack, the order of answers and random values differ from run to run. */
const isSteady = ({ code, allowFetch }: Fuzzed) =>
  !/deep\(\)|getRandomValues/.test(code) && !(allowFetch && code.includes('fetch'));
let serial = 0;

/** Runs a program as a test and several times live. Returns what is wrong, or undefined. */
export async function flawOf(program: Fuzzed, sandbox: Sandbox, forbidden: Forbidden): Promise<string | undefined> {
  let before: string | undefined;
  for (let run = 0; run <= LIVE_RUNS; run += 1) {
    serial += 1;
    const { flaw, reply = '' } = await ran(program, run === 0 ? 'test' : 'live', serial, sandbox, forbidden);
    const where = run === 0 ? 'in a test' : `in live run ${run}`;
    if (flaw) return `${where}: ${flaw}`;
    if (LIMIT.test(reply)) break;
    const shown = reply.replaceAll(/mark<\d+,/g, 'mark<,');
    if (run > 1 && isSteady(program) && shown !== before) return `${where}: ${shown} instead of ${before}`;
    before = shown;
  }
  const [harmless] = await sandbox.results({ code: ADD_ONE, events: [{ n: serial }] });
  if (JSON.stringify(harmless) !== JSON.stringify(ok({ n: serial + 1 }))) {
    return `a harmless run afterwards gave ${JSON.stringify(harmless)}`;
  }
  return undefined;
}

async function ran(
  { code, isBatch, events, allowFetch }: Fuzzed,
  mode: 'test' | 'live',
  run: number,
  sandbox: Sandbox,
  forbidden: Forbidden,
): Promise<{ reply?: string; flaw?: string | undefined }> {
  const sent = isBatch ? events : events + 1;
  const marked = Array.from({ length: sent }, (_, index): JsonObject => ({ mark: mark(run, index) }));
  const messages = marked.map((fields, index): JsonObject => ({ messageId: `m${index}`, ...fields }));
  const control = isBatch ? undefined : { ...messages[events], isControl: true };
  if (control) messages[events] = control;
  const credentials = [{ key: 'token', value: forbidden.secret }];
  const more = { events: messages, metadata: marked, credentials, allowFetch };
  try {
    const reply = await sandbox.replyTo({ code, mode, ...more });
    const flaw = flawOfReply(reply, { events: sent, isBatch, run }, forbidden);
    return { reply, flaw: flaw ?? (control && flawOfControl(reply, control, marked[events] ?? {})) };
  } catch (error) {
    const isTooLarge = isAppError(error) && error.code === 'too_large' && sent > 1;
    return isTooLarge ? {} : { flaw: `the call failed: ${String(error)}` };
  }
}

/** The last event is not the program's. Whatever others did, it comes back as it went in, unless a limit ended the run. */
function flawOfControl(reply: string, control: JsonObject, metadata: JsonObject): string | undefined {
  const { milliseconds: _, ...result } = RunCode.reply.parse(JSON.parse(reply)).results.at(-1) as EventResult;
  const isEnded = result.status === 'error' && LIMIT.test(result.error.message);
  return isEnded || isDeepStrictEqual(result, ok({ ...control, own: metadata, ofCopy: metadata }))
    ? undefined
    : `the control event became ${JSON.stringify(result)}`;
}

function flawOfReply(
  reply: string,
  { events, isBatch, run }: { events: number; isBatch: boolean; run: number },
  { canary, secret }: Forbidden,
): string | undefined {
  if (reply.includes(canary)) return 'the canary is in the reply';
  const raw = JSON.parse(reply);
  const { data, error } = RunCode.reply.safeParse(raw);
  if (!data || !isDeepStrictEqual(raw, data)) return `the reply has another form: ${error?.message ?? 'more fields'}`;
  if (data.results.length !== events) return `${data.results.length} results for ${events} events`;
  if (JSON.stringify(data.logs).length > LOG_BYTES_MAX) return 'the logs exceed their limit';
  const shown = JSON.stringify([data.logs, data.strayErrors, data.results.filter(({ status }) => status === 'error')]);
  if (shown.includes(secret)) return 'a credential is in logs or errors';
  const foreign = marksIn(reply).find((each) => each.run !== run);
  if (foreign) return `an event of run ${foreign.run} is in the reply of run ${run}`;
  return data.results.map((result, index) => flawOfResult(result, index, isBatch)).find(Boolean);
}

/** `transformBatch` may mix its events. */
function flawOfResult(result: EventResult, index: number, isBatch: boolean): string | undefined {
  const other = isBatch ? undefined : marksIn(JSON.stringify(result)).find((each) => each.index !== index);
  if (other) return `the result of event ${index} shows event ${other.index}`;
  if (result.status === 'ok' && result.outputs.length === 0) return `event ${index} is ok without an output`;
  return undefined;
}

/** A text that occurs in one event of one run. */
const mark = (run: number, index: number) => `mark<${run},${index}>`;

function marksIn(text: string): { run: number; index: number }[] {
  return [...text.matchAll(/mark<(\d+),(\d+)>/g)].map(([, run, index]) => ({ run: Number(run), index: Number(index) }));
}
