import { expect } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { type RecordingServer, until } from '@weir/testing';
import { eventsAt } from './hook.js';
import { newWorkspace } from './workspace.js';

/** Environment of the programs below `examples`. A type alias, because an environment takes any name. */
type WalkEnv = { WEIR_URL: string; WEIR_TOKEN: string; HOOK_URL: string };

/**
 * Runs a program that walks from create to replay in a workspace of its own, and expects what it tells. `hook` refuses the first event.
 * `path` keeps the events of two walks apart.
 */
export async function expectWalk(
  { hook, path }: { hook: RecordingServer; path: string },
  run: (env: WalkEnv) => Promise<{ stdout: string }>,
): Promise<void> {
  hook.script({ status: 422, body: { problem: 'not yet' } });
  const { tokens } = await newWorkspace();
  const env = { WEIR_URL: String(sharedStack().urls[0]), WEIR_TOKEN: tokens.admin, HOOK_URL: hook.url + path };
  const { stdout } = await run(env);
  expect(stdout).toBe('Order Placed failed at delivery: {"problem":"not yet"}\n1 replayed\n');
  const sent = await until('the replayed event', () => eventsAt(hook, path).length === 2 && eventsAt(hook, path));
  expect(sent[1]).toMatchObject({ event: 'Order Placed', properties: { total: 42, checked: true } });
}
