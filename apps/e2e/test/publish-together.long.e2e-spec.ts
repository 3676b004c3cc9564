import { describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { useCommandLine } from './support/command-line.js';
import { useProxy } from './support/proxy.js';
import { EMAIL, made } from './support/workspace.js';

const cli = useCommandLine();
const proxy = useProxy(() => sharedStack().urls[0] ?? '');

const codeOf = (mark: string) => `export const transformEvent = (event) => ({ ...event, by: '${mark}' });\n`;
const THROW = 'export const transformEvent = () => { throw new Error("boom"); };\n';

const write = (name: string, code: string) => cli.write(`transformations/${name}.js`, code);
const publish = (name: string, ...more: string[]) => cli.run(['publish', name, ...more], { WEIR_URL: proxy.url });
const named = async (name: string) => {
  const { transformations } = (await cli.workspace.admin.get('/transformations?status=all')).body;
  return transformations.filter((one: { name: string }) => one.name === name);
};

/** A live transformation whose file has changed since. */
async function changedCode(name: string): Promise<{ id: string; versionId: string }> {
  cli.write('weir.yaml', 'version: 1\n');
  write(name, codeOf('first'));
  expect((await publish(name, '--commit', 'c0ffee')).code).toBe(0);
  write(name, codeOf('mine'));
  return (await named(name))[0];
}

/** Somebody else publishes. The promise is that of the revision. */
const theirs = (id: string) => async () =>
  made(await cli.workspace.writer.post(`/transformations/${id}?publish=true`, { code: codeOf('theirs') })).versionId;

describe('two people who publish the same code', () => {
  it.each([
    ['before a draft is made', 0],
    ['between the draft and its publish', 1],
  ])('do not overwrite each other: %s', async (_, at) => {
    const name = `together ${at}`;
    const { id } = await changedCode(name);
    let versionId = '';
    const change = async () => {
      versionId = await theirs(id)();
    };
    proxy.meanwhile = [...Array<undefined>(at).fill(undefined), change];
    const { code, err } = await publish(name);
    expect([code, (await named(name))[0].code]).toEqual([1, codeOf('theirs')]);
    expect(err).toContain('Nothing was published, because somebody else changed the same code meanwhile');
    expect(err).toContain(`transformation "${name}": the latest revision is now ${versionId}, by ${EMAIL} at 20`);
    expect(err).toContain('Compare with `weir diff`, take over what you want to keep, then publish again');

    expect((await publish(name)).code).toBe(0);
    expect((await named(name))[0].code).toBe(codeOf('mine'));
  });

  it('make new code once', async () => {
    cli.write('weir.yaml', 'version: 1\n');
    write('new', codeOf('mine'));
    const make = async () =>
      made(await cli.workspace.writer.post('/transformations', { name: 'new', code: codeOf('theirs') }));
    proxy.meanwhile = [make];
    const { code, err } = await publish('new');
    expect([code, (await named('new')).length]).toEqual([1, 1]);
    expect(err).toContain('transformation "new": the latest revision is now');
    expect((await publish('new')).code).toBe(0);
    expect((await named('new')).map((one: { code: string }) => one.code)).toEqual([codeOf('mine')]);
  });
});

it('a rollback does not undo what somebody else has published meanwhile', async () => {
  const { id, versionId } = await changedCode('back');
  expect((await publish('back')).code).toBe(0);
  proxy.meanwhile = [theirs(id)];
  const { code, err } = await cli.run(['rollback', 'back', '--to', versionId], { WEIR_URL: proxy.url });
  expect([code, (await named('back'))[0].code]).toEqual([1, codeOf('theirs')]);
  expect(err).toContain('has changed since you read it');
});

it('a publish passes after one that failed its tests and left a draft on top of live code', async () => {
  await changedCode('again');
  write('again', THROW);
  expect((await publish('again', '--commit', 'decaf')).code).toBe(5);
  write('again', codeOf('mine'));
  for (const mark of ['mine', 'later']) {
    write('again', codeOf(mark));
    expect(await publish('again', '--commit', mark)).toMatchObject({ code: 0, err: '' });
    expect((await named('again'))[0].code).toBe(codeOf(mark));
  }
});
