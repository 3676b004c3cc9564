import { StackFault } from '@weir/local-servers';
import { banner } from './banner.js';
import { consoleLink } from './console-link.js';
import { HELP } from './help.js';
import { launch } from './launcher.js';
import { type LaunchOptions, optionsFromEnvironment } from './options.js';
import type { LocalStack } from './stack.js';

/** A stop must end within 15 s. The guards and the next start deal with anything that hangs longer. */
const STOP_DEADLINE_MS = 14_500;

export interface CliOptions {
  argv: readonly string[];
  env: LaunchOptions['env'];
  /** Replaces options from the environment. Tests use it to start stand-ins instead of the real processes. */
  overrides?: Partial<LaunchOptions>;
}

/** Runs `npm start` from start to end. Ends this process with 0 after a signal and with 1 after a fault. */
export async function runCli({ argv, env, overrides }: CliOptions): Promise<void> {
  if (argv.includes('--help')) return console.log(HELP);
  const aborter = new AbortController();
  let options: LaunchOptions | undefined;
  let launching: Promise<LocalStack> | undefined;
  const stop = async (exitCode: number, isAsked = false) => {
    if (aborter.signal.aborted) return;
    if (isAsked) console.log(`\nStopping. The data stays in ${options?.dataDir ?? 'its folder'}.`);
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    aborter.abort();
    const stack = await launching?.catch(() => undefined);
    await stack?.stop();
    process.exit(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0, true));
  const startedAt = Date.now();
  try {
    const onGiveUp = (fault: StackFault) => {
      console.error(fault.message);
      void stop(1);
    };
    const fixed = { say: (line: string) => console.log(line), onGiveUp, signal: aborter.signal };
    options = { ...optionsFromEnvironment(env), ...fixed, ...overrides };
    launching = launch(options);
    const { address } = await launching;
    const tookMs = Date.now() - startedAt;
    console.log(banner(address, tookMs, await consoleLink(address)));
  } catch (error) {
    if (aborter.signal.aborted) return; // `stop` is at work
    console.error(error instanceof StackFault ? error.message : error);
    process.exit(1);
  }
}
