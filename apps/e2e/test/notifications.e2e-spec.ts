import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import { eventsAt, useHook } from './support/hook.js';
import { connect, newSource, newWebhook, sendEvent } from './support/inventory.js';
import { expectRefusal } from './support/matchers.js';
import { made, newWorkspace } from './support/workspace.js';

const hook = useHook();

it('people are told of dead letters by a signed message that names no user, and the trail says who asked for it', async () => {
  const own = await newWorkspace();
  const channel = { type: 'webhook', name: 'On call', url: `${hook.url}/told`, kinds: ['dead_letters'] };
  expectRefusal(await own.reader.post('/v2/notifications', channel), 403);
  const { id, secret } = made(await own.writer.post('/v2/notifications', channel), 201).channel;
  const source = await newSource(own.writer);
  const destination = await newWebhook(own.writer, `${hook.url}/refuses`);
  await connect(own.writer, source, destination);
  hook.answer(({ path }) => (path === '/refuses' ? { status: 422 } : {}));
  await sendEvent(source, 'track', { userId: 'ada@example.com', event: 'Bought' });
  const request = await until('the message', () => hook.requests.find(({ path }) => path === '/told'));
  expect(request.json).toMatchObject({
    type: 'trouble.opened',
    trouble: { kind: 'dead_letters', resource: { id: destination.id }, count: 1 },
  });
  expect(request.body).not.toContain('ada');
  const { headers } = request;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${request.body}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  const [trouble] = made(await own.reader.get('/v2/notifications/troubles')).troubles;
  expect(trouble).toMatchObject({ kind: 'dead_letters', resourceId: destination.id });
  expect(eventsAt(hook, '/told')).toHaveLength(1);
  const entry = await until('the entry of the trail', async () =>
    made(await own.admin.get('/v2/audit')).data.find(({ action }: { action: string }) => action === 'channel.created'),
  );
  expect(entry.details).toMatchObject({ id });
  made(await own.writer.delete(`/v2/notifications/${id}`), 204);
});
