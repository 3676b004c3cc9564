import { describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  type JsonObject,
  ListVersionDestinations,
  PublishRelease,
  RollbackTransformation,
  TestRelease,
  UpdateTransformation,
  type ValidationOutput,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { newWorkspace, useRegistry } from './registry.js';

const { send } = useRegistry();

const SAMPLES: JsonObject[] = [
  { type: 'track', n: 1, mail: 'a@example.com' },
  { type: 'track', n: 2 },
  { type: 'page', n: 3 },
];
const itemsOf = (versionId: string) => ({ transformations: [{ versionId, samples: SAMPLES }], libraries: [] });

describe('a replay of samples', () => {
  it('shows what a new version makes different, and decides nothing', async () => {
    const who = newWorkspace();
    await send(CreateLibrary, { ...who, name: 'tools', code: 'export const mark = 1;', publish: true });
    const before = 'import { mark } from "tools"; export const transformEvent = (event) => ({ ...event, mark });';
    const { id, versionId: liveVersionId } = await send(CreateTransformation, {
      ...{ ...who, name: 'T', code: before, publish: true },
    });
    const after = `import { mark } from "tools";
export function transformEvent(event) {
  if (event.n === 3) throw new Error("no page");
  const { mail, ...rest } = event;
  return { ...rest, mark, ...(mail && { masked: true }) };
}`;
    const { versionId } = await send(UpdateTransformation, { ...who, id, code: after, publish: false });
    const items = { transformations: [{ versionId, samples: SAMPLES }], libraries: [] };
    const { pass, validationOutput } = await send(TestRelease, { ...who, items });
    expect(pass).toBe(true);
    expect(validationOutput.transformations[0]?.replay).toEqual({
      ...{ liveVersionId, samples: 3, changed: 2 },
      differences: [
        {
          input: SAMPLES[0],
          live: { outcome: 'kept', outputs: [{ ...SAMPLES[0], mark: 1 }] },
          next: { outcome: 'kept', outputs: [{ type: 'track', n: 1, mark: 1, masked: true }] },
          ...{ keysAdded: ['masked'], keysRemoved: ['mail'], keysChanged: [] },
        },
        expect.objectContaining({
          live: { outcome: 'kept', outputs: [{ ...SAMPLES[2], mark: 1 }] },
          next: {
            ...{ outcome: 'failed', outputs: [] },
            error: { message: expect.stringContaining('no page'), frame: expect.objectContaining({ line: 3 }) },
          },
        }),
      ],
    });
    expect((await send(PublishRelease, { ...who, items })).published).toBe(true);
  });

  it('compares with the events as they are when nothing is live yet', async () => {
    const who = newWorkspace();
    const code = 'export const transformEvent = (event) => (event.n > 1 ? event : null);';
    const { versionId } = await send(CreateTransformation, { ...who, name: 'T', code, publish: false });
    const { validationOutput } = await send(PublishRelease, { ...who, items: itemsOf(versionId) });
    expect(validationOutput.transformations[0]?.replay).toMatchObject({
      ...{ liveVersionId: null, samples: 3, changed: 1 },
      differences: [{ live: { outputs: [SAMPLES[0]] }, next: { outcome: 'dropped' } }],
    });
  });

  it('comes with single publishes and with a rollback, for those who sent samples', async () => {
    const who = newWorkspace();
    const mark = (n: number) => `export const transformEvent = (event) => ({ ...event, mark: ${n} });`;
    const write = { ...who, name: 'T', publish: true, samples: SAMPLES };
    const replayOf = (written: { validationOutput?: ValidationOutput | undefined }) =>
      written.validationOutput?.transformations[0]?.replay;

    const first = await send(CreateTransformation, { ...write, code: mark(1) });
    expect(replayOf(first)).toMatchObject({ liveVersionId: null, samples: 3, changed: 3 });
    const second = await send(UpdateTransformation, { ...write, id: first.id, code: mark(2) });
    expect(replayOf(second)).toMatchObject({ liveVersionId: first.versionId, changed: 3 });
    expect(replayOf(second)?.differences[0]).toMatchObject({ keysChanged: ['mark'] });
    const back = { ...who, id: first.id, versionId: first.versionId, samples: SAMPLES };
    expect(replayOf(await send(RollbackTransformation, back))).toMatchObject({
      ...{ liveVersionId: second.versionId, samples: 3, changed: 3 },
    });
    const plain = await send(UpdateTransformation, { ...who, id: first.id, code: mark(3), publish: true });
    expect(plain).not.toHaveProperty('validationOutput');
  });

  it('finds the destinations of a version within its workspace', async () => {
    const who = newWorkspace();
    const destinationIds = [newKsuid()];
    const code = 'export const transformEvent = (event) => event;';
    const created = await send(CreateTransformation, { ...who, name: 'T', code, destinationIds, publish: true });
    const draft = await send(UpdateTransformation, { ...who, id: created.id, publish: false });
    const versionIds = [draft.versionId, newKsuid()];
    expect(await send(ListVersionDestinations, { ...who, versionIds })).toEqual({
      versions: [{ versionId: draft.versionId, destinationIds }],
    });
    expect(await send(ListVersionDestinations, { ...newWorkspace(), versionIds })).toEqual({ versions: [] });
  });
});
