import { beforeEach, expect, it } from '@jest/globals';
import { useServer } from '../../test/server.js';
import { codeOfApi } from './definitions.js';

const CODE = { name: 'mask', description: 'd', code: '// code', language: 'javascript' };
const ANSWERS: Record<string, object> = {
  '/transformations/t%2F1/versions/v1': { ...CODE, id: 't/1', versionId: 'v1' },
  '/transformations/t2/versions/v1': { name: 'no code' },
  '/libraries': { libraries: [{ ...CODE, name: 'masks', versionId: 'v2' }] },
};
let tokens: (string | undefined)[];
let asked: (string | undefined)[];
/** Requests that are put off before one is answered. */
let busy: number;
const url = useServer((request, response) => {
  tokens.push(request.headers.authorization);
  asked.push(request.url);
  const there = request.url?.startsWith('/transformations/broken') ? 500 : ANSWERS[request.url ?? ''] ? 200 : 404;
  response.writeHead(busy-- > 0 ? 429 : there, { 'retry-after': '0' }).end(JSON.stringify(ANSWERS[request.url ?? '']));
});
beforeEach(() => {
  [tokens, asked, busy] = [[], [], 0];
});

it('code comes from the API of the incumbent, by revision', async () => {
  const api = codeOfApi(`${url()}/`, 'secret', fetch);
  expect(await api.transformation('t/1', 'v1')).toEqual(CODE);
  expect(await api.library('v2')).toEqual({ ...CODE, name: 'masks' });
  for (const id of ['t2', 'nobody', undefined]) expect(await api.transformation(id, 'v1')).toBeUndefined();
  expect(await api.library('nobody')).toBeUndefined();
  await expect(api.transformation('broken', 'v1')).rejects.toThrow(/answers 500 to \/transformations\/broken/);
  expect(new Set(tokens)).toEqual(new Set(['Bearer secret']));
  expect(asked.filter((path) => path === '/libraries')).toHaveLength(1);
});

it('the API of the incumbent is asked again when it says so, and its failures have the exit codes of requests', async () => {
  const api = codeOfApi(url(), 'secret', fetch);
  busy = 2;
  expect(await api.transformation('t/1', 'v1')).toEqual(CODE);
  await expect(api.transformation('broken', 'v1')).rejects.toMatchObject({ exitCode: 6 });
  busy = Number.POSITIVE_INFINITY;
  await expect(api.transformation('t/1', 'v1')).rejects.toMatchObject({ exitCode: 6 });
  const silent = codeOfApi(url(), 'secret', async () => {
    throw new Error('no answer within 1 s');
  });
  const unanswered = { exitCode: 6, message: expect.stringContaining('no answer within 1 s') };
  await expect(silent.library('v2')).rejects.toMatchObject(unanswered);
});
