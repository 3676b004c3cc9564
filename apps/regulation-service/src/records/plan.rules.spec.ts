import { describe, expect, it } from '@jest/globals';
import { plannedDeletions } from './plan.rules.js';

const plan = (type: string) =>
  plannedDeletions({
    destinations: [{ id: 'd', type }],
    users: [
      { email: 'a@b.test', userId: 'ada' },
      { userId: 'bob', phone: '1' },
    ],
  });

describe('what a destination could delete', () => {
  it.each([
    ['WEBHOOK', 'if_configured', ['userId', 'email', 'phone']],
    ['REDIS', 'supported', ['userId']],
    ['NO_SUCH_KIND', 'not_supported', []],
  ])('of the kind %s is %s, by %j', (type, deletion, identifiers) => {
    expect(plan(type)).toEqual([{ destinationId: 'd', type, deletion, identifiers }]);
  });
});
