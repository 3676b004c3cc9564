import { mkdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';
import { useServer } from '../../test/server.js';

const { weir, folder } = useCommandLine();

/** Stored credentials, and what the server answers to changes of others. */
let stored: Map<string, string>;
let refusals: Record<string, [status: number, body: object]>;
let afterRefusal: () => void;
let sources: object[];
const answers: Record<string, () => object> = {
  '/v2/sources': () => ({ sources }),
  '/v2/destinations': () => ({ destinations: [] }),
  '/v2/connections': () => ({ connections: [] }),
  '/transformations': () => ({ transformations: [] }),
  '/libraries': () => ({ libraries: [] }),
  '/destination-definitions': () => [],
  '/v2/credentials': () => ({ credentials: [...stored].map(([key, value]) => ({ key, value, isSecret: false })) }),
};
const listener: RequestListener = async (request, response) => {
  const path = String(request.url).split('?')[0] ?? '';
  const key = path.split('/').at(-1) ?? '';
  const answer = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (answers[path]) return answer(200, answers[path]());
  if (path.startsWith('/schemas/')) return answer(200, { Samples: 'keep', MaskedKeys: [] });
  if (request.method !== 'PUT') return answer(404, { message: 'Not found' });
  const refusal = refusals[key];
  delete refusals[key];
  if (refusal) afterRefusal();
  if (refusal) return answer(...refusal);
  stored.set(key, 'x');
  return answer(200, { credential: { key } });
};
const url = useServer((request, response) => void listener(request, response));

const apply = (...options: string[]) =>
  weir(['apply', '--dir', 'shop', ...options].join(' '), { env: { WEIR_URL: url(), WEIR_TOKEN: 't' } });
beforeEach(() => {
  [stored, refusals, sources] = [new Map(), {}, []];
  afterRefusal = () => {};
  const credentials = ['a', 'b', 'c'].map((key) => `  - { key: ${key}, value: x, secret: false }\n`).join('');
  mkdirSync(join(folder, 'shop'), { recursive: true });
  writeFileSync(join(folder, 'shop/weir.yaml'), `version: 1\ncredentials:\n${credentials}`);
});

describe('weir apply', () => {
  it('says how far it came, if a step fails', async () => {
    refusals['b'] = [400, { message: 'No', code: 'BAD_REQUEST' }];
    const { code, err } = await apply('--json');
    const { error } = JSON.parse(err);
    expect([code, error]).toEqual([1, expect.objectContaining({ code: 'BAD_REQUEST', done: 1, of: 3 })]);
    expect(error.message).toBe('No. 1 of 3 steps were done. Run it again for the rest');
    refusals['c'] = [400, { message: 'No' }];
    expect((await apply()).err).toContain('✗ No. 1 of 2 steps were done. Run it again for the rest');
  });

  it('counts the steps of all its plans', async () => {
    refusals['b'] = [412, { message: 'Credential "b" has changed' }];
    const { code, out } = await apply('--json');
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ done: 3 })]);
    expect(JSON.parse((await apply('--json')).out)).toMatchObject({ done: 0, steps: [] });
  });

  it('does not say that nothing was changed, if a later plan has a problem', async () => {
    refusals['b'] = [412, { message: 'Credential "b" has changed' }];
    const source = { id: 's', name: 'shop', type: 'HTTP', enabled: true, config: {}, writeKey: 'w', partitions: 1 };
    afterRefusal = () => {
      sources = [source, { ...source, id: 's2' }];
    };
    writeFileSync(
      join(folder, 'shop/weir.yaml'),
      'credentials: [{ key: a, value: x, secret: false }, { key: b, value: x, secret: false }]\nsources: [{ name: shop, type: HTTP }]\n',
    );
    const { code, err } = await apply('--json');
    const { error } = JSON.parse(err);
    expect([code, error.done, error.of]).toEqual([1, 1, 3]);
    expect(error.message).toMatch(
      /^Nothing more was changed. The workspace has 2 of source "shop".* 1 of 3 steps were done/s,
    );
  });
});
