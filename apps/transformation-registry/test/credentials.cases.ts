import { describe, expect, it } from '@jest/globals';
import {
  CREDENTIALS_MAX,
  CreateTransformation,
  DeleteCredential,
  ListCredentials,
  PutCredential,
  TestRelease,
} from '@weir/contracts';
import { newWorkspace, refusal, useRegistry } from './registry.js';

const { send } = useRegistry();

const sealed = (key: string, sealedValue = 'sealed') => ({ key, isSecret: true, sealedValue });

describe('credentials', () => {
  it('are kept by workspace and key, replaced and deleted', async () => {
    const who = newWorkspace();
    const created = await send(PutCredential, { ...who, ...sealed('b') });
    await send(PutCredential, { ...who, ...sealed('a') });
    const replaced = await send(PutCredential, { ...who, ...sealed('b', 'other'), isSecret: false });
    expect(replaced).toMatchObject({ createdAt: created.createdAt, sealedValue: 'other', isSecret: false });
    const { credentials } = await send(ListCredentials, who);
    expect(credentials.map(({ key, sealedValue }) => [key, sealedValue])).toEqual([
      ['a', 'sealed'],
      ['b', 'other'],
    ]);
    const stranger = newWorkspace();
    expect(await send(ListCredentials, stranger)).toEqual({ credentials: [] });
    expect((await refusal(send(DeleteCredential, { ...stranger, key: 'a' }))).code).toBe('not_found');
    await send(DeleteCredential, { ...who, key: 'a' });
    expect((await refusal(send(DeleteCredential, { ...who, key: 'a' }))).code).toBe('not_found');
  });

  it('are bounded in number and size; one too many is not stored', async () => {
    const who = newWorkspace();
    for (let n = 0; n < CREDENTIALS_MAX; n += 1) await send(PutCredential, { ...who, ...sealed(`k${n}`) });
    expect((await refusal(send(PutCredential, { ...who, ...sealed('more') }))).code).toBe('conflict');
    await send(PutCredential, { ...who, ...sealed('k0', 'replaced') });
    expect((await send(ListCredentials, who)).credentials).toHaveLength(CREDENTIALS_MAX);
    const large = newWorkspace();
    await send(PutCredential, { ...large, ...sealed('a', 'x'.repeat(40_000)) });
    expect((await refusal(send(PutCredential, { ...large, ...sealed('b', 'x'.repeat(40_000)) }))).code).toBe(
      'conflict',
    );
  });

  it('are what code under test reads', async () => {
    const who = newWorkspace();
    const code =
      'export const transformEvent = (event) => ({ ...event, has: getCredential("crm") === "secret-value" });';
    const credentials = [{ key: 'crm', value: 'secret-value' }];
    const create = { ...who, name: 'T', code, publish: false };
    const { versionId } = await send(CreateTransformation, { ...create, events: [{ n: 1 }], credentials });
    const items = { transformations: [{ versionId, testInput: [{ n: 1 }] }], libraries: [] };
    const outputs = async (given: typeof credentials) => {
      const { validationOutput } = await send(TestRelease, { ...who, items, credentials: given });
      return validationOutput.transformations[0]?.testResult.results[0]?.actualOutput;
    };
    expect(await outputs(credentials)).toEqual([{ n: 1, has: true }]);
    expect(await outputs([])).toEqual([{ n: 1, has: false }]);
  });
});
