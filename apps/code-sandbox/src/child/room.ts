import type ivm from 'isolated-vm';
import { guestCode } from './guest-code.js';
import { libraryKey, type Source } from './import-order.js';
import { compiled, isolate } from './isolate.js';

const DRIVER: Source = {
  key: 'weir:driver',
  fileName: 'weir:driver',
  code: guestCode(new URL('../guest/driver.js', import.meta.url)),
};
const ENTRY: Source = {
  key: 'weir:entry',
  fileName: 'weir:entry',
  code: `import { begin } from 'weir:driver'; import * as code from 'weir:code'; begin(code);`,
};
/** Under which the entry module imports the user's code. */
export const CODE_KEY = 'weir:code';
/** The driver's own work after a run, which takes no code of the user's. */
const FINISH_LIMIT_MS = 1_000;

/** A fresh context with the driver in it: where one run takes place. */
export class Room {
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
    this.prepare('furnish', []);
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

  /** A function of the driver's before user code is there: nothing else runs in this process meanwhile, no watch either. */
  prepare(name: 'furnish' | 'receive', args: string[]): void {
    this.hold(this.exports.getSync(name, { reference: true })).applySync(undefined, args);
  }

  /**
   * A function of the driver's once user code is there. Whatever the driver calls may be user code's by then, so it always runs on the
   * isolate's own thread, where the memory watch goes on, and within a time.
   */
  async ask(name: 'takeFetches' | 'settleFetches' | 'finish' | 'logsJson', args: (string | number)[], limitMs: number) {
    const called = this.hold(this.exports.getSync(name, { reference: true }));
    const told: unknown = await called.apply(undefined, args, { timeout: limitMs });
    return typeof told === 'string' ? told : '';
  }

  /** The same after the run, for the driver's own words. */
  tell(name: 'finish' | 'logsJson', args: number[] = []): Promise<string> {
    return this.ask(name, args, FINISH_LIMIT_MS);
  }

  leave(): void {
    if (!isolate.isDisposed) for (const each of this.held) each.release();
  }

  private hold<T extends { release(): void }>(each: T): T {
    this.held.push(each);
    return each;
  }
}

function unresolvable(specifier: string): never {
  throw new Error(`import from ${specifier} failed. Module not found.`);
}
