import { describe, expect, it } from '@jest/globals';
import {
  DeleteChannel,
  ListChannels,
  ListTroubles,
  notFound,
  PutChannel,
  type StoredChannel,
  TestChannel,
} from '@weir/contracts';
import { newWorkspace } from './client.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';

const gateway = useGateway();
const { nats } = gateway;
const at = '2026-01-01T00:00:00.000Z';

/** The stored channels of all workspaces, by id. */
const kept = new Map<string, StoredChannel & { workspaceId: string }>();
const put = useStub(nats, PutChannel, ({ isNew: _, by: __, ...channel }) => {
  const stored = { ...channel, createdAt: at, updatedAt: at, health: { waiting: 0 } };
  kept.set(channel.id, stored);
  return stored;
});
useStub(nats, ListChannels, ({ workspaceId }) => ({
  channels: [...kept.values()].filter((channel) => channel.workspaceId === workspaceId),
}));
useStub(nats, DeleteChannel, ({ id }) => {
  if (!kept.delete(id)) throw notFound('channel');
  return {};
});
useStub(nats, TestChannel, () => ({ messageId: 'msg_1' }));
useStub(nats, ListTroubles, () => ListTroubles.reply.parse(ListTroubles.example.reply));

const URL = 'https://hooks.example.com/a-token';
const webhook = { type: 'webhook', name: 'On call', url: URL };

describe('a channel', () => {
  it('shows its secret once, and its address to those who may write', async () => {
    const { admin, reader } = await newWorkspace(gateway);
    const made = await admin.post('/v2/notifications', webhook);
    expect(made.status).toBe(201);
    const { secret, ...channel } = made.body.channel;
    expect(secret).toMatch(/^whsec_/);
    expect(channel).toMatchObject({ addresses: [URL], enabled: true, failingPercent: 50, quietHours: null });
    expect((await admin.get(`/v2/notifications/${channel.id}`)).body).toEqual({ channel });
    const [masked] = (await reader.get('/v2/notifications')).body.channels;
    expect(masked).toEqual({ ...channel, addresses: ['https://hooks.example.com/***'] });
    expect(JSON.stringify(put.requests)).not.toContain('a-token');
    expect((await admin.post(`/v2/notifications/${channel.id}/test`)).body).toEqual({ messageId: 'msg_1' });
    expect((await reader.get('/v2/notifications/troubles')).body.troubles).toHaveLength(1);
  });

  it('keeps what a change does not name', async () => {
    const { admin } = await newWorkspace(gateway);
    const { id } = (await admin.post('/v2/notifications', webhook)).body.channel;
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
    const changed = await admin.put(`/v2/notifications/${id}`, { quietHours, enabled: false });
    expect(changed.body.channel).toMatchObject({ name: 'On call', addresses: [URL], quietHours, enabled: false });
    await admin.put(`/v2/notifications/${id}`, { url: 'https://other.example.com/' });
    const shown = (await admin.get(`/v2/notifications/${id}`)).body.channel;
    expect(shown).toMatchObject({ addresses: ['https://other.example.com/'], quietHours });
    expect((await admin.put(`/v2/notifications/${id}`, { to: ['a@example.com'] })).status).toBe(400);
    const { admin: stranger } = await newWorkspace(gateway);
    expect((await stranger.put(`/v2/notifications/${id}`, { enabled: true })).status).toBe(404);
    expect((await admin.delete(`/v2/notifications/${id}`)).status).toBe(204);
  });

  it('hides the address of Slack from everybody, and most of a mail address from readers', async () => {
    const { admin, reader } = await newWorkspace(gateway);
    const slack = await admin.post('/v2/notifications', { ...webhook, type: 'slack' });
    expect(slack.body.channel.addresses).toEqual(['https://hooks.example.com/***']);
    const to = ['ada@example.com'];
    const mail = (await admin.post('/v2/notifications', { type: 'email', name: 'Team', to })).body.channel;
    expect(mail.addresses).toEqual(to);
    const { channel } = (await reader.get(`/v2/notifications/${mail.id}`)).body;
    expect(channel.addresses).toEqual(['a***@example.com']);
  });

  it.each([
    ['an unknown type', { type: 'pager' }],
    ['no address', { url: undefined }],
    ['a foreign scheme', { url: 'ftp://example.com/' }],
    ['a password in the address', { url: 'https://a:b@example.com/' }],
    ['a short secret', { secret: 'whsec_AAAA' }],
    ['no kinds', { kinds: [] }],
    ['an unknown kind', { kinds: ['sunshine'] }],
    ['a share beyond all', { failingPercent: 101 }],
    ['an unknown time zone', { quietHours: { from: '22:00', to: '07:00', timeZone: 'Mars/Olympus' } }],
    ['hours without length', { quietHours: { from: '22:00', to: '22:00', timeZone: 'UTC' } }],
    ['too many recipients', { type: 'email', to: Array(6).fill('a@example.com') }],
  ])('with %s is refused', async (_what, change) => {
    const { admin } = await newWorkspace(gateway);
    expect((await admin.post('/v2/notifications', { ...webhook, ...change })).status).toBe(400);
  });
});
