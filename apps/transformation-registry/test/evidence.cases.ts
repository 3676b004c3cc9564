import { describe, expect, it } from '@jest/globals';
import { CreateTransformation, type JsonObject, PublishRelease, TestRelease, ValidationOutput } from '@weir/contracts';
import { newWorkspace, refusal, useRegistry } from './registry.js';

const { send } = useRegistry();

/** Runs the only test of a release of this code. */
async function tested(code: string, testInput: JsonObject[]) {
  const who = newWorkspace();
  const { versionId } = await send(CreateTransformation, { ...who, name: 'my code', code, publish: false });
  const items = { transformations: [{ versionId, testInput }], libraries: [] };
  const { validationOutput } = await send(TestRelease, { ...who, items });
  const [result] = validationOutput.transformations[0]?.testResult.results ?? [];
  if (!result) throw new Error('there is one result');
  return { result, who, items };
}

describe('the evidence of a test', () => {
  it('shows what each event became, and where the code failed', async () => {
    const code = [
      'export function transformEvent(event) {',
      '  log("seen", event.n);',
      '  if (event.n === 1) return { n: 1, kept: { deep: true } };',
      '  if (event.n === 2) return null;',
      '  if (event.n === 3) return [event, event];',
      '  throw new Error("boom");',
      '}',
    ].join('\n');
    const { result } = await tested(code, [{ n: 1, gone: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    const frame = { file: 'my code', line: 6, column: expect.any(Number) };
    const timed = { milliseconds: expect.any(Number) };
    expect(result.events).toEqual([
      {
        input: { n: 1, gone: 1 },
        outcome: 'kept',
        outputs: [{ n: 1, kept: { deep: true } }],
        ...{ keysAdded: ['kept.deep'], keysRemoved: ['gone'], ...timed },
      },
      { input: { n: 2 }, outcome: 'dropped', outputs: [], keysAdded: [], keysRemoved: [], ...timed },
      {
        input: { n: 3 },
        outcome: 'fanned_out',
        outputs: [{ n: 3 }, { n: 3 }],
        keysAdded: [],
        keysRemoved: [],
        ...timed,
      },
      {
        ...{ input: { n: 4 }, outcome: 'failed', outputs: [], keysAdded: [], keysRemoved: [], ...timed },
        error: { message: expect.stringContaining('boom'), frame },
      },
    ]);
    expect(result.errors).toEqual([
      { message: expect.stringContaining('boom'), frame, event: { n: 4 }, eventIndex: 3 },
    ]);
    expect(result.logs).toEqual(['Log: seen 1', 'Log: seen 2', 'Log: seen 3', 'Log: seen 4']);
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it('reports every bad element of a batch, also those that belong to no event', async () => {
    const code = 'export const transformBatch = (events) => [events[0], 1, "two", null, [3]];';
    const { result } = await tested(code, [
      { messageId: 'a', n: 1 },
      { messageId: 'b', n: 2 },
    ]);
    const bad = { error: expect.stringContaining('is not an object') };
    expect(result.actualOutput).toEqual([{ messageId: 'a', n: 1 }, bad, bad, bad, bad]);
    expect(result.errors).toMatchObject([{ message: expect.stringContaining('is not an object'), count: 4 }]);
  });

  it('comes with a refused publish too, and stays within one message', async () => {
    const code =
      'export function transformEvent(e) { log("x".repeat(3000)); if (e.n > 298) throw new Error("no"); return e; }';
    const input = Array.from({ length: 300 }, (_, n) => ({ n, text: 'y'.repeat(2_500) }));
    const { who, items } = await tested(code, input);
    const { details } = await refusal(send(PublishRelease, { ...who, items }));
    const { transformations } = ValidationOutput.parse(details?.['validationOutput']);
    const [result] = transformations[0]?.testResult.results ?? [];
    expect(result?.events?.length).toBeGreaterThan(10);
    expect((result?.events?.length ?? 0) + (result?.eventsLeftOut ?? 0)).toBe(300);
  });
});
