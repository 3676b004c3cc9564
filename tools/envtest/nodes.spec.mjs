import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'weir-nodes-'));
const failing = join(folder, 'failing');
const POD = {
  metadata: { namespace: 'weir', name: 'gateway' },
  spec: { containers: [{ name: 'c' }] },
  status: { phase: 'Pending' },
};
let nodes;
let ended;
let api;

afterEach(async () => {
  nodes.kill();
  await ended;
  api.closeAllConnections();
  api.close();
  rmSync(folder, { recursive: true });
});

it('the stand-in for nodes waits for an API server that does not answer yet', async () => {
  writeFileSync(failing, '');
  const reported = Promise.withResolvers();
  api = createServer((request, answer) => {
    if (request.method === 'PATCH') reported.resolve(request.url);
    answer.end(JSON.stringify({ items: [POD] }));
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const { port } = api.address();
  await new Promise((done) => api.close(done));

  nodes = spawn(process.execPath, ['tools/envtest/nodes.mjs', `http://127.0.0.1:${port}`, failing]);
  ended = once(nodes, 'exit').then(() => 'the stand-in ended');
  expect(String(await once(nodes.stderr, 'data'))).toContain('ECONNREFUSED');
  api.listen(port, '127.0.0.1');

  expect(await Promise.race([reported.promise, ended])).toBe('/api/v1/namespaces/weir/pods/gateway/status');
});
