import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { isFromWeir } from '../../../examples/verify-deletion.mjs';
import type { OutboundRequest } from '../../kind.js';
import { deletionRequests } from './webhook.deletion.js';
import { signatureHeaders } from './webhook.headers.js';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
const NOW = NOW_MS / 1_000;
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function ed25519Pair(): { signingKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = (der: Buffer) => der.subarray(-32).toString('base64');
  return {
    signingKey: `whsk_${raw(privateKey.export({ format: 'der', type: 'pkcs8' }))}`,
    publicKey: `whpk_${raw(publicKey.export({ format: 'der', type: 'spki' }))}`,
  };
}

function requestFor(config: JsonObject, more: JsonObject = {}): OutboundRequest {
  const users = [{ userId: 'ada' }];
  const [request] = deletionRequests({ regulationId: 'r1', destinationId: 'd1', config, users, ...more }, NOW_MS);
  return request as OutboundRequest;
}
const list = { deletionUrl: 'https://hooks.example.com/forget' };
const path = { deletionUrl: 'https://hooks.example.com/users/{userId}?hard=1' };

describe('the signature of a deletion request', () => {
  it('is an HMAC of id, time and body', () => {
    const { headers, body } = requestFor({ ...list, signingKey: secret });
    const signed = `${headers['webhook-id']}.${NOW}.${body}`;
    const expected = createHmac('sha256', Buffer.alloc(32, 7)).update(signed).digest('base64');
    expect(headers).toMatchObject({ 'webhook-timestamp': String(NOW), 'webhook-signature': `v1,${expected}` });
  });

  it('is not there without a key', () => {
    expect(Object.keys(requestFor(list).headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
  });

  it('has the same id for a repeat and another for another message', () => {
    const idOf = (more: JsonObject) => requestFor({ ...list, signingKey: secret }, more).headers['webhook-id'];
    expect(idOf({})).toBe(idOf({}));
    expect(new Set([idOf({}), idOf({ users: [{ userId: 'bob' }] }), idOf({ idempotencyKey: 'k' })]).size).toBe(3);
  });

  it('cannot be taken over by a configured header', () => {
    const headers = [{ from: 'webhook-signature', to: 'v1,forged' }];
    expect(requestFor({ ...list, signingKey: secret, headers }).headers['webhook-signature']).not.toContain('forged');
  });

  it.each([
    'whsec_c2hvcnQ=',
    'secret',
    `whsec_${Buffer.alloc(65).toString('base64')}`,
    `whsk_${Buffer.alloc(31).toString('base64')}`,
    Array.from({ length: 5 }, () => secret).join(' '),
  ])('is refused for the key %j, which is not repeated', (signingKey) => {
    const sign = () => signatureHeaders({ signingKey }, { id: 'm', sentAt: 1, text: '' });
    expect(sign).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(sign).not.toThrow(signingKey);
  });
});

describe('the documented check of a receiver', () => {
  const headers = requestFor({ ...list, signingKey: secret }).headers;
  const body = requestFor({ ...list, signingKey: secret }).body ?? '';

  it('accepts what Weir sent', () => {
    expect(isFromWeir(headers, body, secret, NOW + 10)).toBe(true);
  });

  it('accepts both keys while they are changed, and Ed25519', () => {
    const { signingKey, publicKey } = ed25519Pair();
    const request = requestFor({ ...list, signingKey: `${secret} ${signingKey}` });
    for (const key of [secret, publicKey]) expect(isFromWeir(request.headers, request.body ?? '', key, NOW)).toBe(true);
  });

  it('knows a DELETE by its target, so that it cannot be moved to another user', () => {
    const request = requestFor({ ...path, signingKey: secret });
    expect(isFromWeir(request.headers, 'DELETE /users/ada?hard=1', secret, NOW)).toBe(true);
    expect(isFromWeir(request.headers, 'DELETE /users/bob?hard=1', secret, NOW)).toBe(false);
  });

  it.each<[string, Record<string, string>, string, string, number]>([
    ['another body', headers, body.replace('ada', 'bob'), secret, NOW],
    ['another key', headers, body, `whsec_${randomBytes(32).toString('base64')}`, NOW],
    ['another kind of key', headers, body, ed25519Pair().publicKey, NOW],
    ['another time', { ...headers, 'webhook-timestamp': String(NOW + 1) }, body, secret, NOW],
    ['no time', { ...headers, 'webhook-timestamp': 'now' }, body, secret, NOW],
    ['another id', { ...headers, 'webhook-id': 'msg_2' }, body, secret, NOW],
    ['a cut signature', { ...headers, 'webhook-signature': 'v1,AAAA' }, body, secret, NOW],
    ['no signature', {}, body, secret, NOW],
    ['an old request', headers, body, secret, NOW + 301],
    ['a request of the future', headers, body, secret, NOW - 301],
  ])('refuses %s', (_what, given, text, key, now) => {
    expect(isFromWeir(given, text, key, now)).toBe(false);
  });
});
