import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { useStack } from '@weir/local';
import { api } from '@weir/testing';
import { runWeir } from './support/command-line.js';
import { useHook } from './support/hook.js';

const EVENTS = 1_000;

const stack = useStack();
const vendor = useHook();
const folder = mkdtempSync(join(tmpdir(), 'weir-compare-soak-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Stands in for the transformer of the incumbent. It answers with the request that a webhook gets. */
const asked: string[] = [];
const transformer = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const answers = JSON.parse(body).map(({ message, metadata, destination }: Asked) => {
    asked.push(message.messageId);
    const headers = { 'content-type': 'application/json' };
    const rest = { version: '1', type: 'REST', method: 'POST', userId: '', headers, params: {}, files: {} };
    const output = {
      ...{ ...rest, endpoint: destination.Config.webhookUrl },
      body: { JSON: message, JSON_ARRAY: {}, XML: {}, FORM: {} },
    };
    return { output, statusCode: 200, metadata };
  });
  response.end(JSON.stringify(answers));
});
interface Asked {
  message: { messageId: string };
  metadata: object;
  destination: { Config: { webhookUrl: string } };
}
beforeAll(() => new Promise<void>((done) => transformer.listen(0, '127.0.0.1', done)));
afterAll(() => new Promise((done) => transformer.close(done)));

/** The pace of the command makes this last a minute. */
it(`compares ${EVENTS} events, each once, and no vendor hears of it`, async () => {
  const config = { webhookUrl: `${vendor.url}/vendor` };
  const body = { name: 'hook', type: 'WEBHOOK', enabled: true, config };
  expect((await api(stack().address).post('/v2/destinations', body)).status).toBe(200);
  const ids = Array.from({ length: EVENTS }, (_, at) => `m${at}`);
  const events = ids.map((messageId) => ({ type: 'track', event: 'Bought', userId: 'u', messageId }));
  writeFileSync(join(folder, 'events.json'), JSON.stringify(events));

  const { port } = transformer.address() as AddressInfo;
  const { urls, accessToken } = stack().address;
  const env = { PATH: process.env['PATH'], HOME: folder, WEIR_URL: urls[0], WEIR_TOKEN: accessToken };
  const args = ['compare', '--with', `http://127.0.0.1:${port}`, '--events', 'events.json', '--json'];
  const { code, json, err } = await runWeir(args, { cwd: folder, env });
  expect([code, json.destinations, err]).toEqual([0, [expect.objectContaining({ equal: EVENTS })], expect.anything()]);
  expect(asked.toSorted()).toEqual(ids.toSorted());
  expect(vendor.requests).toEqual([]);
});
