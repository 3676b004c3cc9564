import { describe, expect, it } from '@jest/globals';
import {
  AppError,
  type Call,
  credentialAad,
  type DestinationRelease,
  GetBundle,
  type JsonObject,
  ListCredentials,
  RunCode,
} from '@weir/contracts';
import { JsonText, type RpcClient } from '@weir/messaging';
import { Sealer } from '@weir/service-kit';
import { CodeRunner } from './code-runner.js';
import { CredentialCache } from './credentials.js';

const release = (overrides: Partial<DestinationRelease> = {}) =>
  ({
    workspaceId: 'w',
    destinationId: 'd',
    versionId: 'v1',
    libraryVersionIds: [],
    release: 1,
    ...overrides,
  }) as DestinationRelease;

const LIVE = { mode: 'live', allowFetch: false } as const;

interface Run {
  events: { message: JsonObject }[];
}

const sealer = new Sealer(Buffer.alloc(32).toString('base64'));
const sealedValue = sealer.seal({ value: 'secret' }, credentialAad('w', 'crm'));
const stored = { key: 'crm', isSecret: true, sealedValue };

/** A fake sandbox that echoes each event and refuses a run whose answer would be too large. */
function scene({ answerMax = Number.POSITIVE_INFINITY, code = 'c' }: { answerMax?: number; code?: string } = {}) {
  const sent: { call: Call; request: unknown }[] = [];
  const send = async (call: Call, given: unknown) => {
    const request: unknown = given instanceof JsonText ? JSON.parse(given.text) : given;
    sent.push({ call, request });
    if (call === GetBundle) return { key: 'k', name: 'n', code, libraries: [] };
    if (call === ListCredentials) return { credentials: [stored] };
    const { events } = request as Run;
    if (events.length > answerMax) throw new AppError('too_large', 'The answer does not fit one message');
    return { results: events.map(({ message }) => ({ status: 'ok', outputs: [message] })), logs: [] };
  };
  const sizes = () => sent.filter(({ call }) => call === RunCode).map(({ request }) => (request as Run).events.length);
  const rpc = { send } as unknown as RpcClient;
  return { runner: new CodeRunner(rpc, new CredentialCache(rpc, sealer)), sent, sizes };
}

const inputs = (count: number, bytes = 1) =>
  Array.from({ length: count }, (_, n) => ({ message: { n, pad: 'x'.repeat(bytes) }, metadata: {} }));
const numbersOf = (outcomes: { status: string }[]) =>
  outcomes.map((outcome) => ('outputs' in outcome ? (outcome.outputs as { n: number }[])[0]?.n : outcome.status));
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('CodeRunner', () => {
  it.each([[undefined], [null], [release({ versionId: null })]])('asks nobody without code: %j', async (none) => {
    const { runner, sent } = scene();
    expect(await runner.run(none, inputs(2), LIVE)).toEqual([{ status: 'unlinked' }, { status: 'unlinked' }]);
    expect(sent).toEqual([]);
  });

  it('keeps order over several runs of at most 100 events', async () => {
    const { runner, sizes } = scene();
    expect(numbersOf(await runner.run(release(), inputs(250), LIVE))).toEqual(upTo(250));
    expect(sizes()).toEqual([100, 100, 50]);
  });

  it('keeps each run below one message', async () => {
    const { runner, sizes } = scene();
    expect(numbersOf(await runner.run(release(), inputs(5, 400_000), LIVE))).toEqual(upTo(5));
    expect(sizes()).toEqual([2, 2, 1]);
  });

  it('halves a run whose answer is too large', async () => {
    const { runner, sizes } = scene({ answerMax: 2 });
    expect(numbersOf(await runner.run(release(), inputs(5), LIVE))).toEqual(upTo(5));
    expect(sizes()).toEqual([5, 3, 2, 1, 2]);
  });

  it('gives a single event whose answer is too large its own error', async () => {
    const { runner } = scene({ answerMax: 0 });
    expect(await runner.run(release(), inputs(1), LIVE)).toEqual([
      { status: 'error', error: { message: 'Error: The answer does not fit one message' } },
    ]);
  });

  it('asks for a bundle once, and anew for other code', async () => {
    const { runner, sent } = scene();
    for (const version of [
      release(),
      release(),
      release({ libraryVersionIds: ['l1'] }),
      release({ versionId: 'v2' }),
    ]) {
      await runner.run(version, inputs(1), LIVE);
    }
    expect(sent.filter(({ call }) => call === GetBundle)).toHaveLength(3);
  });

  it('writes each event once', async () => {
    const { runner } = scene();
    let written = 0;
    const toJSON = () => {
      written += 1;
      return { n: 0 };
    };
    await runner.run(release(), [{ message: { toJSON } as unknown as JsonObject, metadata: {} }], LIVE);
    expect(written).toBe(1);
  });

  it('sends what the contract of the sandbox asks for', async () => {
    const { runner, sent } = scene({ code: 'getCredential("crm") // "quoted" ü' });
    const workspaceId = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
    await runner.run(release({ workspaceId }), inputs(2), LIVE);
    const request = sent.find(({ call }) => call === RunCode)?.request;
    expect(RunCode.request.strict().parse(request)).toEqual({
      workspaceId,
      bundle: { key: 'k', name: 'n', code: 'getCredential("crm") // "quoted" ü', libraries: [] },
      credentials: [],
      events: inputs(2),
      ...LIVE,
    });
  });

  it('hands on whether the workspace allows fetch', async () => {
    const { runner, sent } = scene();
    for (const allowFetch of [true, false]) await runner.run(release(), inputs(1), { mode: 'live', allowFetch });
    const runs = sent.filter(({ call }) => call === RunCode);
    expect(runs.map(({ request }) => (request as { allowFetch: boolean }).allowFetch)).toEqual([true, false]);
  });

  it('hands credentials to code that names them, and to no other', async () => {
    const credentialsOf = async (code: string) => {
      const { runner, sent } = scene({ code });
      await runner.run(release(), inputs(1), LIVE);
      const run = sent.find(({ call }) => call === RunCode)?.request as { credentials: unknown };
      return [run.credentials, sent.some(({ call }) => call === ListCredentials)];
    };
    expect(await credentialsOf('getCredential("crm")')).toEqual([[{ key: 'crm', value: 'secret' }], true]);
    expect(await credentialsOf('event')).toEqual([[], false]);
  });
});
