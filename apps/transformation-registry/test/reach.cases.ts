import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CodeReach,
  CreateTransformation,
  FetchUrl,
  PublishRelease,
  TestRelease,
  UpdateTransformation,
} from '@weir/contracts';
import { newWorkspace, useRegistry } from './registry.js';

const { send, nats } = useRegistry();

/** Stands in for the fetcher. */
let asked = 0;
beforeAll(() => {
  const response = { url: 'https://rates.example/', status: 200, headers: {}, body: '{"rate":7}' };
  const callback = (_error: unknown, message: { respond(text: string): boolean }) => {
    asked += 1;
    message.respond(JSON.stringify({ response, isDisposed: true }));
  };
  nats.connection.subscribe(FetchUrl.subject, { callback });
});
beforeEach(() => {
  asked = 0;
});

const CODE = `export async function transformEvent(event) {
  return { ...event, rate: await fetch("https://rates.example/") };
}`;
const CALL = { method: 'GET', url: 'https://rates.example/', status: 200, milliseconds: expect.any(Number) };

async function tested(reach: CodeReach) {
  const who = newWorkspace();
  const { versionId } = await send(CreateTransformation, { ...who, name: 'T', code: CODE, publish: false });
  const items = { transformations: [{ versionId, testInput: [{ n: 1 }], samples: [{ n: 2 }] }], libraries: [] };
  const { validationOutput } = await send(TestRelease, { ...who, ...reach, items });
  const [{ testResult, replay } = { testResult: { results: [] }, replay: undefined }] =
    validationOutput.transformations;
  return { who, versionId, result: testResult.results[0], replay };
}

describe('fetch in a test', () => {
  it('reaches the network when the workspace allows it, and each call is recorded', async () => {
    const { result, replay } = await tested({ allowFetch: true });
    expect(result).toMatchObject({ status: 'pass', actualOutput: [{ n: 1, rate: { rate: 7 } }], fetches: [CALL] });
    expect(replay).toMatchObject({ changed: 1, fetches: [CALL] });
    expect(asked).toBe(2);
  });

  it.each([{}, { allowFetch: false }])('reaches nothing with %j', async (reach) => {
    const { result, replay } = await tested(reach);
    expect(result).toMatchObject({ status: 'pass', actualOutput: [{ n: 1, rate: 'ERROR' }] });
    expect([result?.fetches, replay?.fetches, asked]).toEqual([undefined, undefined, 0]);
  });

  it('is allowed in every way to publish', async () => {
    const { who, versionId } = await tested({});
    const items = { transformations: [{ versionId }], libraries: [] };
    const code = `${CODE} // new`;
    const named = { ...who, allowFetch: true };
    await send(PublishRelease, { ...named, items });
    const { id } = await send(CreateTransformation, { ...named, name: 'T', code, publish: true });
    const events = [{ n: 1 }];
    await send(UpdateTransformation, { ...named, id, events, publish: false });
    expect(asked).toBe(6 + 6 + 1);
  });
});
