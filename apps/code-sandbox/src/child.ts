import { randomBytes } from 'node:crypto';
import ivm from 'isolated-vm';
import { FetchDesk } from './child/fetch-desk.js';
import { guestCode } from './child/guest-code.js';
import { watchMemory } from './child/memory-watch.js';
import type { Settings } from './guest/settings.js';
import {
  CACHED_BUNDLES_MAX,
  ERROR_CHARS_MAX,
  FETCH_RESERVE_MS,
  FETCHES_PER_RUN_MAX,
  LOG_BYTES_MAX,
  RESULTS_BYTES_MAX,
} from './limits.js';
import type { ChildAnswer, ChildTask, Failure, FetchAnswer, ReadyMessage } from './protocol.js';

/**
 * A child process: the only place that loads isolated-vm. It does one task at a time and trusts its own limits so little
 * that the supervisor watches the clock as well.
 */
const DRIVER = 'weir:driver';
const DRIVER_CODE = guestCode(new URL('./guest/driver.js', import.meta.url));
const CODE = 'weir:code';
const ENTRY = 'weir:entry';
const SEED_BYTES = 32;
const ENTRY_CODE = `
  import { entryOf, startRun } from '${DRIVER}';
  import * as code from '${CODE}';
  let run;
  export const check = () => void entryOf(code);
  export const start = (eventsJson) => { run = startRun(code, eventsJson); };
  export const finish = () => run.resultsJson();`;

type Bundle = ChildTask['bundle'];
type Answer = Pick<ChildAnswer, 'resultsJson' | 'failure'>;

/** The code of one bundle, compiled, with an isolate of its own. Each use gets a fresh context. */
class CompiledBundle {
  readonly isolate: ivm.Isolate;
  private readonly cached = new Map<string, ivm.ExternalCopy<ArrayBuffer>>();

  constructor(
    readonly bundle: Bundle,
    memoryLimit: number,
  ) {
    this.isolate = new ivm.Isolate({ memoryLimit, onCatastrophicError: () => process.abort() });
  }

  /** Cached by the code itself: V8 tells cached data of other code by its length only. */
  async compile(filename: string, code: string): Promise<ivm.Module> {
    const cachedData = this.cached.get(code);
    const module = await this.isolate.compileModule(code, {
      filename,
      ...(cachedData ? { cachedData } : { produceCachedData: true }),
    });
    const produced = (module as { cachedData?: ivm.ExternalCopy<ArrayBuffer> }).cachedData;
    if (produced) this.cached.set(code, produced);
    return module;
  }
}

/** One use of a bundle: its own context, and a time limit over everything that runs in it. */
class Run {
  private readonly modules = new Map<string, ivm.Module>();
  /** Everything that keeps the context alive; what is not released here fills the isolate within some hundred runs. */
  private readonly held: { release(): void }[] = [];
  private readonly end: number;

  constructor(
    private readonly compiled: CompiledBundle,
    private readonly task: ChildTask,
  ) {
    this.end = Date.now() + task.limitMs;
  }

  async perform(): Promise<{ answer: Answer; logs: string[] }> {
    try {
      const answer = await this.answer().catch((error) => ({ failure: this.failureOf(error) }));
      return { answer, logs: await this.logs().catch(() => []) };
    } finally {
      if (!this.compiled.isolate.isDisposed) for (const each of this.held) each.release();
    }
  }

  private async answer(): Promise<Answer> {
    const exports = this.hold((await this.load()).namespace);
    const broken = await this.carryFetches();
    if (await this.isWaiting(exports))
      return { failure: broken ? this.failureOf(broken) : { kind: 'timeout', text: '' } };
    if (this.task.kind === 'check-library') return {};
    await this.call(exports, 'check');
    if (this.task.kind === 'check-transformation') return {};
    const lost = await this.call(exports, 'start', this.task.eventsJson).then(() => undefined, this.rethrowLimit);
    await this.carryFetches();
    return { resultsJson: await this.call(exports, 'finish').catch((error) => Promise.reject(lost ?? error)) };
  }

  /** Furnishes a fresh context, then loads user code into it, which runs everything that it has at module level. */
  private async load(): Promise<ivm.Module> {
    const context = this.hold(await this.compiled.isolate.createContext());
    const driver = await this.add(DRIVER, DRIVER, DRIVER_CODE);
    await driver.instantiate(context, unresolvable);
    await driver.evaluate();
    await this.call(this.hold(driver.namespace), 'furnish', this.settings());
    await this.add(CODE, this.task.bundle.name, this.task.bundle.code);
    const entry = await this.add(ENTRY, ENTRY, ENTRY_CODE);
    await entry.instantiate(context, (specifier, referrer) => this.resolve(specifier, referrer === entry));
    await entry.evaluate({ timeout: this.timeLeft() });
    return entry;
  }

  private settings(): string {
    return JSON.stringify({
      collectLogs: this.task.collectLogs,
      logChars: LOG_BYTES_MAX,
      errorChars: ERROR_CHARS_MAX,
      resultChars: RESULTS_BYTES_MAX,
      credentials: this.task.credentials,
      allowFetch: this.task.allowFetch,
      fetchesMax: FETCHES_PER_RUN_MAX,
      seed: randomBytes(SEED_BYTES).toString('hex'),
    } satisfies Settings);
  }

  /** User code reaches its libraries and nothing else; each is compiled when something imports it. */
  private resolve(specifier: string, isOwn: boolean): ivm.Module | Promise<ivm.Module> {
    const key = isOwn ? specifier : `library ${specifier}`;
    const known = this.modules.get(key);
    if (known) return known;
    const library = this.task.bundle.libraries.find(({ importName }) => importName === specifier);
    if (!library) throw new Error(`import from ${specifier} failed. Module not found.`);
    return this.add(key, key, library.code);
  }

  private async add(key: string, fileName: string, code: string): Promise<ivm.Module> {
    const module = this.hold(await this.compiled.compile(fileName, code));
    this.modules.set(key, module);
    return module;
  }

  /** Answers the last error that user code had between its calls of `fetch` and that no promise caught. */
  private async carryFetches(): Promise<unknown> {
    const driver = this.modules.get(DRIVER);
    if (!this.task.allowFetch || !driver) return undefined;
    const exports = this.hold(driver.namespace);
    let lost: unknown;
    await fetches.carry({
      task: this.task.id,
      take: () => this.call(exports, 'takeFetches'),
      settle: async (answersJson) => {
        await this.call(exports, 'settleFetches', answersJson).catch((error) => {
          lost = this.rethrowLimit(error);
        });
      },
      waitMs: Math.max(1, this.timeLeft() - FETCH_RESERVE_MS),
    });
    return lost;
  }

  /**
   * Whether user code still waits at module level. Nothing in an isolate can wake it beside an answer to `fetch` (no timers, no
   * I/O), so what has not happened when the microtasks are done never will.
   */
  private isWaiting(exports: ivm.Reference): Promise<boolean> {
    return exports.get('start', { reference: true }).then(
      (start) => !this.hold(start),
      () => true,
    );
  }

  private async call(exports: ivm.Reference, name: string, ...args: string[]): Promise<string> {
    const called = this.hold(await exports.get(name, { reference: true }));
    return String(await called.apply(undefined, args, { timeout: this.timeLeft() }));
  }

  /** isolated-vm throws here what a promise was rejected with that nobody awaits: no event's failure, so not the run's. */
  private readonly rethrowLimit = (error: unknown): unknown => {
    if (this.failureOf(error).kind !== 'thrown') throw error;
    return error;
  };

  private async logs(): Promise<string[]> {
    const driver = this.modules.get(DRIVER);
    if (!this.task.collectLogs || !driver || this.compiled.isolate.isDisposed) return [];
    const logs: unknown = JSON.parse(await this.call(this.hold(driver.namespace), 'logsJson'));
    return Array.isArray(logs) ? logs.filter((line) => typeof line === 'string') : [];
  }

  private hold<T extends { release(): void }>(each: T): T {
    this.held.push(each);
    return each;
  }

  private timeLeft(): number {
    return Math.max(1, this.end - Date.now());
  }

  private failureOf(error: unknown): Failure {
    const text = textOf(error);
    if (this.compiled.isolate.isDisposed) return { kind: 'memory', text };
    return { kind: /^Error: Script execution timed out\.(\n|$)/.test(text) ? 'timeout' : 'thrown', text };
  }
}

function unresolvable(specifier: string): never {
  throw new Error(`${specifier} is not there`);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return `Error: thrown: ${String(error)} (not an Error object)`;
  return (error.stack ?? String(error)).slice(0, ERROR_CHARS_MAX);
}

const fetches = new FetchDesk();
const bundles = new Map<string, CompiledBundle>();

function compiledFor({ bundle, memoryMb }: ChildTask): CompiledBundle {
  const known = bundles.get(bundle.key);
  const compiled = known && isSameCode(known.bundle, bundle) ? known : new CompiledBundle(bundle, memoryMb);
  if (known !== compiled) known?.isolate.dispose();
  bundles.delete(bundle.key);
  bundles.set(bundle.key, compiled);
  const [oldest] = bundles.values();
  if (oldest && bundles.size > CACHED_BUNDLES_MAX) forget(oldest);
  return compiled;
}

function forget({ bundle, isolate }: CompiledBundle): void {
  bundles.delete(bundle.key);
  if (!isolate.isDisposed) isolate.dispose();
}

/** A key that were ever given to other code must not run the old one. */
const isSameCode = (left: Bundle, right: Bundle) => JSON.stringify(left) === JSON.stringify(right);

async function perform(task: ChildTask): Promise<ChildAnswer> {
  const isWarm = bundles.has(task.bundle.key);
  const compiled = compiledFor(task);
  const unwatch = watchMemory(task.memoryMb);
  const { answer, logs } = await new Run(compiled, task).perform().finally(unwatch);
  const spent = answer.failure?.kind === 'memory' || answer.failure?.kind === 'timeout';
  if (answer.failure) forget(compiled);
  return { id: task.id, ...answer, logs, isWarm, spent };
}

// A terminal sends its Ctrl-C to children too; they leave with their supervisor, which ends its runs first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (message: ChildTask | FetchAnswer) => {
  if ('type' in message) fetches.receive(message);
  else void perform(message).then((answer) => process.send?.(answer));
});
process.send?.({ type: 'ready' } satisfies ReadyMessage);
