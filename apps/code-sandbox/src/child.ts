import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import ivm from 'isolated-vm';
import { splitTexts } from './child/event-texts.js';
import { FetchDesk } from './child/fetch-desk.js';
import { guestCode } from './child/guest-code.js';
import { libraryKey, reachable, type Source } from './child/import-order.js';
import { watchMemory } from './child/memory-watch.js';
import type { Settings } from './guest/settings.js';
import {
  CACHED_BUNDLES_MAX,
  ERROR_CHARS_MAX,
  FETCH_RESERVE_MS,
  FETCHES_PER_RUN_MAX,
  FRAME_BYTES_MAX,
  LOG_BYTES_MAX,
  RESULTS_BYTES_MAX,
  TIERING_FLAGS,
} from './limits.js';
import type { Bundle, ChildAnswer, ChildTask, Failure, FetchAnswer, ReadyMessage } from './protocol.js';
import { CHILD_SOCKET_FD, FrameReader, frameOf } from './wire/frames.js';

/**
 * A child process: the only place that loads isolated-vm. It does one task at a time and trusts its own limits so little
 * that the supervisor watches the clock as well. All code that it ever runs is of one workspace, so one isolate holds it;
 * every run has a fresh context there, which is made ready before it is needed.
 */
const MEMORY_MB = Number(process.argv[2]);
const DRIVER: Source = {
  key: 'weir:driver',
  fileName: 'weir:driver',
  code: guestCode(new URL('./guest/driver.js', import.meta.url)),
};
const ENTRY: Source = {
  key: 'weir:entry',
  fileName: 'weir:entry',
  code: `import { begin } from 'weir:driver'; import * as code from 'weir:code'; begin(code);`,
};
const CODE_KEY = 'weir:code';
const SEED_BYTES = 32;
/** The driver's own work after a run, which takes no code of the user's. */
const FINISH_LIMIT_MS = 1_000;

for (const flag of TIERING_FLAGS) setFlagsFromString(flag);
const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MB, onCatastrophicError: () => process.abort() });

/** Cheap for code that was compiled before: the isolate knows it by its text, with all that was compiled as it ran. */
const compiled = ({ fileName, code }: Source) => isolate.compileModuleSync(code, { filename: fileName });

/** A fresh context with the driver in it: where one run takes place. */
class Room {
  private readonly context = isolate.createContextSync();
  /** Everything that keeps the context alive; what is not released here fills the isolate within some hundred runs. */
  private readonly held: { release(): void }[] = [this.context];
  private readonly driver: ivm.Module;
  private readonly exports: ivm.Reference;

  constructor() {
    this.driver = this.hold(compiled(DRIVER));
    this.driver.instantiateSync(this.context, unresolvable);
    this.driver.evaluateSync();
    this.exports = this.hold(this.driver.namespace);
    this.call('furnish', []);
  }

  /** Loads user code, which runs everything that it has at module level, and begins with the events. */
  async enter(sources: readonly Source[], timeout: number): Promise<void> {
    const modules = new Map(sources.map((source) => [source.key, this.hold(compiled(source))]));
    const entry = this.hold(compiled(ENTRY));
    const resolve = (specifier: string, referrer: ivm.Module) => {
      if (referrer === entry && specifier === DRIVER.key) return this.driver;
      return modules.get(referrer === entry ? specifier : libraryKey(specifier)) ?? unresolvable(specifier);
    };
    entry.instantiateSync(this.context, resolve);
    await entry.evaluate({ timeout });
  }

  /** A function of the driver's that runs no code of the user's. */
  call(name: string, args: (string | number)[]): unknown {
    const called = this.exports.getSync(name, { reference: true });
    try {
      return called.applySync(undefined, args, { timeout: FINISH_LIMIT_MS });
    } finally {
      called.release();
    }
  }

  /** A function of the driver's that wakes user code. */
  async wake(name: string, args: string[], timeout: number): Promise<void> {
    const called = this.hold(this.exports.getSync(name, { reference: true }));
    await called.apply(undefined, args, { timeout });
  }

  leave(): void {
    if (!isolate.isDisposed) for (const each of this.held) each.release();
  }

  private hold<T extends { release(): void }>(each: T): T {
    this.held.push(each);
    return each;
  }
}

/** One task: its own room, and a time limit over everything that runs in it. */
class Run {
  private readonly end = Date.now() + this.task.limitMs;

  constructor(
    private readonly task: ChildTask,
    private readonly events: Buffer,
    private readonly room: Room,
  ) {}

  async perform(): Promise<{ body?: string; failure?: Failure }> {
    const lost = await this.load().then(
      () => this.carryFetches(),
      (error: unknown) => ({ error }),
    );
    const failure = lost && this.failureOf(lost.error);
    try {
      return this.outcome(failure);
    } catch (error) {
      // What user code left behind keeps the isolate from its end.
      return { failure: this.failureOf(error) };
    }
  }

  private outcome(failure: Failure | undefined): { body?: string; failure?: Failure } {
    const isLimit = failure !== undefined && failure.kind !== 'thrown';
    if (isolate.isDisposed || !this.room.call('begun', [])) {
      return { failure: { ...(failure ?? { kind: 'timeout', text: '' }), isOfCode: !isolate.isDisposed } };
    }
    // What a promise was rejected with that nobody awaits is no event's failure, so not the run's.
    const body = String(this.room.call('finish', isLimit ? [this.task.limitMs] : []));
    return { body, ...(isLimit && { failure }) };
  }

  private async load(): Promise<void> {
    const { joined, lengths } = splitTexts(this.events, this.task.groups);
    this.room.call('receive', [this.settings(), joined, JSON.stringify(lengths)]);
    const sources = await sourcesOf(this.task.bundle);
    await this.room.enter(sources, this.timeLeft());
  }

  private settings(): string {
    const { kind, isPart, collectLogs, credentials, allowFetch } = this.task;
    return JSON.stringify({
      ...{ kind, isPart, collectLogs, credentials, allowFetch },
      logChars: LOG_BYTES_MAX,
      errorChars: ERROR_CHARS_MAX,
      resultChars: RESULTS_BYTES_MAX,
      fetchesMax: FETCHES_PER_RUN_MAX,
      seed: randomBytes(SEED_BYTES).toString('hex'),
    } satisfies Settings);
  }

  /** Answers the last error that user code had between its calls of `fetch` and that no promise caught. */
  private async carryFetches(): Promise<{ error: unknown } | undefined> {
    if (!this.task.allowFetch) return undefined;
    let lost: { error: unknown } | undefined;
    await fetches
      .carry({
        task: this.task.id,
        take: () => String(this.room.call('takeFetches', [])),
        settle: async (answersJson) => {
          await this.room.wake('settleFetches', [answersJson], this.timeLeft()).catch((error: unknown) => {
            lost = { error };
            if (this.failureOf(error).kind !== 'thrown') throw error;
          });
        },
        waitMs: Math.max(1, this.timeLeft() - FETCH_RESERVE_MS),
      })
      .catch((error: unknown) => {
        lost = { error };
      });
    return lost;
  }

  private timeLeft(): number {
    return Math.max(1, this.end - Date.now());
  }

  private failureOf(error: unknown): Failure {
    const text = textOf(error);
    if (isolate.isDisposed) return { kind: 'memory', text };
    return { kind: /^Error: Script execution timed out\.(\n|$)/.test(text) ? 'timeout' : 'thrown', text };
  }
}

function unresolvable(specifier: string): never {
  throw new Error(`import from ${specifier} failed. Module not found.`);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return `Error: thrown: ${String(error)} (not an Error object)`;
  return (error.stack ?? String(error)).slice(0, ERROR_CHARS_MAX);
}

interface Program {
  sources: readonly Source[];
  /** Hold what was compiled, so that the isolate still knows it. */
  modules: readonly ivm.Module[];
}
const programs = new Map<string, Program>();
/** By the code itself: a key that were ever given to other code must not run the old one. */
const identityOf = (bundle: Bundle) => JSON.stringify(bundle);

async function sourcesOf(bundle: Bundle): Promise<readonly Source[]> {
  const identity = identityOf(bundle);
  const known = programs.get(identity);
  const program = known ?? (await newProgram(bundle));
  programs.delete(identity);
  programs.set(identity, program);
  const [oldest] = programs;
  if (oldest && programs.size > CACHED_BUNDLES_MAX) {
    programs.delete(oldest[0]);
    for (const module of oldest[1].modules) module.release();
  }
  return program.sources;
}

/** Where a compiler may take its time, the memory watch has to go on: so this is not done at once. */
async function newProgram({ name, code, libraries }: Bundle): Promise<Program> {
  const modules: ivm.Module[] = [];
  const sources = await reachable({ key: CODE_KEY, fileName: name, code }, libraries, async (source) => {
    const module = await isolate.compileModule(source.code, { filename: source.fileName });
    modules.push(module);
    return module.dependencySpecifiers;
  });
  return { sources, modules };
}

const fetches = new FetchDesk((ask) => socket.write(frameOf(ask)));
let prepared: Room | undefined = new Room();

async function perform(task: ChildTask, events: Buffer): Promise<void> {
  const isWarm = programs.has(identityOf(task.bundle));
  const unwatch = watchMemory(MEMORY_MB);
  const room = prepared ?? new Room();
  prepared = undefined;
  const { body = '', failure } = await new Run(task, events, room).perform().finally(unwatch);
  const spent = failure !== undefined && failure.kind !== 'thrown';
  const answer = { id: task.id, ...(failure && { failure }), logs: logsOf(task, room), isWarm, spent };
  socket.write(frameOf(answer satisfies ChildAnswer, [Buffer.from(body)]));
  room.leave();
  if (!spent) prepared = new Room();
}

function logsOf({ collectLogs }: ChildTask, room: Room): string[] {
  if (!collectLogs || isolate.isDisposed) return [];
  try {
    const logs: unknown = JSON.parse(String(room.call('logsJson', [])));
    return Array.isArray(logs) ? logs.filter((line) => typeof line === 'string') : [];
  } catch {
    return []; // the isolate is at its limits
  }
}

// A terminal sends its Ctrl-C to children too; they leave with their supervisor, which ends its runs first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
const socket = new Socket({ fd: CHILD_SOCKET_FD });
const reader = new FrameReader(FRAME_BYTES_MAX, (head, body) => {
  const message = head as ChildTask | FetchAnswer;
  if ('type' in message) fetches.receive(message);
  else void perform(message, body);
});
// An orderly exit would wait for a thread that runs user code, for ever maybe.
const leave = () => process.kill(process.pid, 'SIGKILL');
socket.on('close', leave);
socket.on('error', leave);
socket.on('data', (chunk) => reader.push(chunk));
socket.write(frameOf({ type: 'ready' } satisfies ReadyMessage));
