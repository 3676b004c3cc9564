import { describe, expect, it } from '@jest/globals';
import type { CreateRegulation, RequestOf } from '@weir/contracts';
import { checkNewRegulation, matchIdOf, plannedDeletions, ROWS_MAX } from './regulation.rules.js';

const request = (overrides: Partial<RequestOf<typeof CreateRegulation>>): RequestOf<typeof CreateRegulation> => ({
  workspaceId: 'w',
  createdBy: 'a@example.com',
  regulationType: 'suppress',
  sourceIds: null,
  destinations: [],
  users: [{ userId: 'ada' }],
  ...overrides,
});
const webhooks = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `d${n}`, type: 'WEBHOOK' }));

describe('a new regulation', () => {
  it.each([
    [{}],
    [{ sourceIds: ['s1'] }],
    [{ regulationType: 'suppress_with_delete' as const }],
    [{ regulationType: 'suppress_with_delete' as const, destinations: webhooks(3) }],
    [{ users: [{ userId: ' 007 ', email: 'a@b.test', 'crm id': '' }] }],
  ])('is taken: %j', (overrides) => {
    expect(() => checkNewRegulation(request(overrides))).not.toThrow();
  });

  it.each([
    ['sourceIds', { regulationType: 'suppress_with_delete' as const, sourceIds: ['s1'] }],
    ['destinationIds', { destinations: webhooks(1) }],
    ['users.1.userId', { users: [{ userId: 'ada' }, { email: 'secret@example.com' }] }],
    ['users.0.userId', { users: [{ userId: ' \t' }] }],
    ['users.0', { users: [{ userId: 'ada', note: 'x'.repeat(20_000) }] }],
  ])('is refused by %s', (field, overrides) => {
    const refuse = () => checkNewRegulation(request(overrides));
    expect(refuse).toThrow(expect.objectContaining({ code: 'invalid', details: { [field]: expect.any(String) } }));
    expect(refuse).not.toThrow(/secret|x{20}/);
  });

  it('is refused when it would need too many rows', () => {
    const users = Array.from({ length: ROWS_MAX / 100 + 1 }, (_, n) => ({ userId: `u${n}` }));
    const tooMany = expect.objectContaining({ code: 'too_large' });
    const destinations = webhooks(100);
    expect(() => checkNewRegulation(request({ users, sourceIds: destinations.map(({ id }) => id) }))).toThrow(tooMany);
    expect(() => checkNewRegulation(request({ users, regulationType: 'suppress_with_delete', destinations }))).toThrow(
      tooMany,
    );
  });
});

it('compares the user id without the space around it', () => {
  expect(matchIdOf({ userId: ' Ada L ' })).toBe('Ada L');
});

const plan = (type: string, configKeys?: string[]) =>
  plannedDeletions({
    destinations: [{ id: 'd', type, configKeys }],
    users: [
      { email: 'a@b.test', userId: 'ada' },
      { userId: 'bob', phone: '1' },
    ],
  });

describe('what a destination could delete', () => {
  it.each([
    ['WEBHOOK', 'if_configured', ['userId', 'email', 'phone']],
    ['REDIS', 'supported', ['userId']],
  ])('of the kind %s is %s, by %j', (type, deletion, identifiers) => {
    expect(plan(type)).toEqual([{ destinationId: 'd', type, deletion, identifiers }]);
  });

  it.each([
    ['WEBHOOK', ['webhookUrl', 'deletionUrl'], 'supported', undefined],
    ['WEBHOOK', ['webhookUrl'], 'not_supported', 'it cannot delete as configured: set config.deletionUrl'],
    ['POSTHOG', ['yourInstance'], 'not_supported', /set config\.projectId and config\.personalApiKey$/],
    ['NO_SUCH_KIND', [], 'not_supported', /^this kind of destination cannot delete/],
  ])('of the kind %s with %j is %s, and says what to set', (type, configKeys, deletion, reason) => {
    const [planned] = plan(type, configKeys);
    expect(planned?.deletion).toBe(deletion);
    if (reason === undefined) expect(planned).not.toHaveProperty('reason');
    else expect(planned).toMatchObject({ reason: expect.stringMatching(reason), identifiers: [] });
  });
});
