import { describe, expect, it } from '@jest/globals';
import { CreateTransformation, GetTransformation, ListTransformations, UpdateTransformation } from '@weir/contracts';
import { until } from '@weir/testing';
import { KEEP, newWorkspace, refusal, useRegistry } from './registry.js';

const { send, startSandbox, stopSandbox } = useRegistry();

describe('without a sandbox', () => {
  it('drafts are kept, publishes wait, and one that waits too long leaves nothing behind', async () => {
    const who = newWorkspace();
    await stopSandbox();
    const draft = await send(CreateTransformation, { ...who, name: 'Draft', code: KEEP, publish: false });
    const error = await refusal(send(CreateTransformation, { ...who, name: 'Now', code: KEEP, publish: true }));
    expect(error.code).toBe('unavailable');
    expect(await send(ListTransformations, who)).toEqual({ transformations: [] });

    // A busy machine may start a sandbox later than a publish waits.
    const { versionId } = await until('a publish that waited', async () => {
      await stopSandbox();
      const publishing = send(UpdateTransformation, { ...who, id: draft.id, publish: true }).catch(() => undefined);
      await startSandbox();
      return publishing;
    });
    expect(await send(GetTransformation, { ...who, id: draft.id })).toMatchObject({ versionId });
  });
});
