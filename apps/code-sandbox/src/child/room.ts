import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type ivm from 'isolated-vm';
import { libraryKey, type Source } from './import-order.js';
import { compiled, isolate } from './isolate.js';

/**
 * All of `guest/` in one module, which the build puts beside the script of the child. Every run loads it, and one module loads many
 * times faster than a dozen.
 */
const DRIVER: Source = {
  key: 'weir:driver',
  fileName: 'weir:driver',
  code: readFileSync(join(dirname(process.argv[1] ?? ''), 'guest-bundle.js'), 'utf8'),
};
const ENTRY: Source = {
  key: 'weir:entry',
  fileName: 'weir:entry',
  code: `import { begin } from 'weir:driver'; import * as code from 'weir:code'; begin(code);`,
};
/** The specifier under which the entry module imports the user's code. */
export const CODE_KEY = 'weir:code';
/** Time limit for the driver's own work after a run, which needs no user code. */
const FINISH_LIMIT_MS = 1_000;

/** The driver's answer if an object of the language is not as it was. */
export const TOUCHED = 'touched';

/** A context with the driver loaded. One run takes place in it, or more if its code keeps no state. */
export class Room {
  private readonly context = isolate.createContextSync();
  /** Everything that keeps the context alive. Unreleased handles would fill the isolate within a few hundred runs. */
  private readonly held: { release(): void }[] = [this.context];
  private readonly driver: ivm.Module;
  private readonly exports: ivm.Reference;
  private readonly functions = new Map<string, ivm.Reference>();
  /** User code is loaded, and further events may run. */
  isOpen = false;

  constructor() {
    this.driver = this.hold(compiled(DRIVER));
    this.driver.instantiateSync(this.context, unresolvable);
    this.driver.evaluateSync();
    this.exports = this.hold(this.driver.namespace);
    this.prepare('furnish', []);
  }

  /** Loads user code, which runs its module level and starts the events. */
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

  /** Prepares for further runs. From now on the driver watches the objects of the language. */
  stayOpen(): void {
    this.prepare('watch', []);
    this.isOpen = true;
  }

  /** Looks for changes of the language. No user code takes part, so this may block the process as {@link prepare} does. */
  inspect(): void {
    try {
      this.functionOf('inspect').applySync(undefined, [], { timeout: FINISH_LIMIT_MS });
    } catch {
      // It took too long. The next run looks again before it begins.
    }
  }

  /** Runs further events. Returns the results if nothing waits. Returns {@link TOUCHED}, without running any, or nothing. */
  enterAgain(args: string[], timeout: number): Promise<string> {
    return this.ask('again', args, timeout);
  }

  /** Calls a driver function before user code is loaded. Blocks this process, including the memory watch. */
  prepare(name: 'furnish' | 'receive' | 'watch', args: string[]): void {
    this.functionOf(name).applySync(undefined, args);
  }

  /**
   * Calls a driver function after user code is loaded. User code may have replaced anything that the driver calls. So the call
   * runs with a time limit on the isolate's own thread, where the memory watch keeps running.
   */
  async ask(name: Asked, args: (string | number)[], limitMs: number) {
    const told: unknown = await this.functionOf(name).apply(undefined, args, { timeout: limitMs });
    return typeof told === 'string' ? told : '';
  }

  /** Calls a driver function after the run, with the driver's own time limit. */
  tell(name: 'finish' | 'logsJson', args: number[] = []): Promise<string> {
    return this.ask(name, args, FINISH_LIMIT_MS);
  }

  leave(): void {
    if (!isolate.isDisposed) for (const each of this.held) each.release();
  }

  private functionOf(name: string): ivm.Reference {
    const known = this.functions.get(name);
    if (known) return known;
    const found = this.hold(this.exports.getSync(name, { reference: true }));
    this.functions.set(name, found);
    return found;
  }

  private hold<T extends { release(): void }>(each: T): T {
    this.held.push(each);
    return each;
  }
}

type Asked = 'again' | 'takeFetches' | 'settleFetches' | 'finish' | 'logsJson';

function unresolvable(specifier: string): never {
  throw new Error(`import from ${specifier} failed. Module not found.`);
}
