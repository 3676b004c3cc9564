import { expect, it } from '@jest/globals';
import { newWebhook } from './support/inventory.js';
import { made, newWorkspace } from './support/workspace.js';

it('a deletion says at once where nothing can be deleted and what to set, and what Weir itself removes', async () => {
  const tenant = await newWorkspace();
  const plain = await newWebhook(tenant.writer, 'https://hooks.example.com');
  const body = { regulationType: 'suppress_with_delete', users: [{ userId: 'person' }] };
  const reason = 'it cannot delete as configured: set config.deletionUrl';
  const plan = await tenant.writer.post('/v2/regulations', body, { query: { dryRun: true } });
  const { id: destinationId, name } = plain;
  expect(plan.body.destinations).toMatchObject([{ destinationId, name, deletion: 'not_supported', reason }]);
  const answer = await tenant.writer.post('/v2/regulations', body);
  expect(answer.headers.get('deletion-warning')).toBe(`${plain.id} (WEBHOOK): ${reason}`);
  const { deletion } = made(await tenant.reader.get(`/v2/regulations/${answer.body[0].id}`));
  expect(deletion.destinations).toMatchObject([
    { destinationId, name, reason: expect.any(String) },
    { destinationId: 'internal:schema', name: expect.stringContaining('Sampled events') },
    { destinationId: 'internal:runner', name: expect.stringContaining('dead letters') },
  ]);
});
