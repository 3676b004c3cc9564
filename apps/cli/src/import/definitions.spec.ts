import { expect, it } from '@jest/globals';
import { useServer } from '../../test/server.js';
import { codeOfApi } from './definitions.js';

const CODE = { name: 'mask', description: 'd', code: '// code', language: 'javascript' };
const ANSWERS: Record<string, object> = {
  '/transformations/t%2F1/versions/v1': { ...CODE, id: 't/1', versionId: 'v1' },
  '/transformations/t2/versions/v1': { name: 'no code' },
  '/libraries': { libraries: [{ ...CODE, name: 'masks', versionId: 'v2' }] },
};
const tokens: (string | undefined)[] = [];
const url = useServer((request, response) => {
  tokens.push(request.headers.authorization);
  const status = request.url?.startsWith('/transformations/broken') ? 500 : ANSWERS[request.url ?? ''] ? 200 : 404;
  response.writeHead(status).end(JSON.stringify(ANSWERS[request.url ?? '']));
});

it('code comes from the API of the incumbent, by revision', async () => {
  const api = codeOfApi(`${url()}/`, 'secret');
  expect(await api.transformation('t/1', 'v1')).toEqual(CODE);
  expect(await api.library('v2')).toEqual({ ...CODE, name: 'masks' });
  for (const id of ['t2', 'nobody', undefined]) expect(await api.transformation(id, 'v1')).toBeUndefined();
  expect(await api.library('nobody')).toBeUndefined();
  await expect(api.transformation('broken', 'v1')).rejects.toThrow(/answers 500 to \/transformations\/broken/);
  expect(new Set(tokens)).toEqual(new Set(['Bearer secret']));
});
