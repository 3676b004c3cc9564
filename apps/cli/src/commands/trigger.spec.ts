import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';
import { useServer } from '../../test/server.js';

const { weir, folder } = useCommandLine();
/** Answers to the batches, in turn. Without one, a batch is taken. */
let refusals: (number | undefined)[];
let taken: string[];
const url = useServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  if (request.url?.startsWith('/v2/sources')) {
    response.setHeader('content-type', 'application/json').end('{"sources":[{"id":"s","name":"shop","writeKey":"w"}]}');
    return;
  }
  const status = refusals.shift() ?? 200;
  if (status === 200) taken.push(...JSON.parse(text).batch.map((one: { messageId: string }) => one.messageId));
  response.writeHead(status, { 'retry-after': '0' }).end(status === 200 ? 'OK' : 'No');
});
beforeEach(() => {
  [refusals, taken] = [[], []];
  const events = Array.from({ length: 250 }, (_, at) => ({ type: 'track', event: 'Bought', userId: `u${at}` }));
  writeFileSync(join(folder, 'orders.json'), JSON.stringify(events));
});
const trigger = () => weir('trigger orders.json --json', { env: { WEIR_URL: url(), WEIR_TOKEN: 't' } });

it.each([429, 503])('repeats a batch that the server puts off with %d, under the same ids', async (status) => {
  refusals = [undefined, status, undefined];
  const { code, out } = await trigger();
  expect([code, JSON.parse(out).messageIds]).toEqual([0, taken]);
  expect(new Set(taken).size).toBe(250);
});

it('says what it sent, if it stops half-way', async () => {
  refusals = [undefined, undefined, 413];
  const { code, err } = await trigger();
  const { error } = JSON.parse(err);
  expect([code, error]).toEqual([1, expect.objectContaining({ done: 200, of: 250, messageIds: taken })]);
  expect(error.message).toContain(`The first 200 of 250 events were sent, up to ${taken[199]}. Send the others alone`);
});

it('says no more than the failure, if nothing was sent', async () => {
  refusals = [413];
  expect((await trigger()).err).not.toContain('events were sent');
});

it('sends message ids that no header could hold', async () => {
  const ids = ['Bestellung №1\n', 'Bestellung №2'];
  writeFileSync(join(folder, 'orders.json'), JSON.stringify(ids.map((messageId) => ({ type: 'track', messageId }))));
  const { code, out } = await trigger();
  expect([code, JSON.parse(out || '{}').messageIds, taken]).toEqual([0, ids, ids]);
});
