import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepLogs } from './kept-logs.js';
import { launch } from './launcher.js';
import { DEFAULT_APPS_DIR, type LaunchOptions } from './options.js';
import { refusedByBroker } from './refusals.js';
import type { LocalStack, StackAddress } from './stack.js';

export type TestStackOptions = Partial<LaunchOptions>;

const SHARED_STACK = 'WEIR_E2E_STACK';

/** Jest's hooks as globals. `@jest/globals` cannot be imported outside a test run, and benchmarks launch stacks too. */
interface Hooks {
  beforeAll(run: () => Promise<void>): void;
  afterAll(run: () => Promise<void>): void;
}

/** Starts a whole stack on free ports in its own folder. Settings come only from `options.env`, never from the shell. */
export function launchStack(options: TestStackOptions = {}): Promise<LocalStack> {
  const { PATH, TMPDIR } = process.env;
  const copies = options.brokers && { STREAM_REPLICAS: String(options.brokers) };
  return launch({
    port: 0,
    replicas: 1,
    appsDir: DEFAULT_APPS_DIR,
    durable: false,
    output: 'files',
    say: () => undefined,
    onGiveUp: (fault) => process.stderr.write(`${fault.message}\n`),
    ...options,
    dataDir: options.dataDir ?? mkdtempSync(join(tmpdir(), 'weir-test-stack-')),
    env: { PATH, TMPDIR, LOG_LEVEL: 'warn', ...copies, ...options.env },
  });
}

/**
 * Stops a stack and removes its data. Rejects if its broker refused anything, because then a permission is missing. The ends of its
 * logs stay in the folder that `WEIR_TEST_LOGS` names. Say if the test breaks connections to the broker.
 */
export async function removeStack(stack: LocalStack, breaksConnections = false): Promise<void> {
  await stack.stop();
  const { WEIR_TEST_LOGS: kept } = process.env;
  if (kept) keepLogs(stack.address.dataDir, kept);
  const refused = refusedByBroker(join(stack.address.dataDir, 'logs'), breaksConnections);
  rmSync(stack.address.dataDir, { recursive: true, force: true });
  if (refused.length > 0) throw new Error(`the broker refused: ${refused.slice(0, 5).join('; ')}`);
}

/** Starts a stack for this test file, for tests that kill, restart or configure it. Call the result inside tests and hooks. */
export function useStack(options: TestStackOptions = {}): () => LocalStack {
  let stack: LocalStack | undefined;
  const { beforeAll, afterAll } = globalThis as unknown as Hooks;
  beforeAll(async () => {
    stack = await launchStack(options);
  });
  afterAll(async () => {
    if (stack) await removeStack(stack);
  });
  return () => {
    if (!stack) throw new Error('the stack is there once beforeAll has run');
    return stack;
  };
}

/** The one stack that all e2e files share. Use your own workspaces and names, so that tests do not disturb each other. */
export function sharedStack(): StackAddress {
  const text = process.env[SHARED_STACK];
  if (!text) throw new Error('no shared stack runs: sharedStack works in *.e2e-spec.ts files');
  return JSON.parse(text);
}

/** Hands a stack to the test files of this run. */
export function shareStack(address: StackAddress): void {
  process.env[SHARED_STACK] = JSON.stringify(address);
}
