import { describe, expect, it } from '@jest/globals';
import { parseBody } from '../../http/validate.js';
import { CreateRegulationBody } from './regulation.schemas.js';

const SOURCE = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const suppress = { regulationType: 'suppress', users: [{ userId: 'u' }] };
const withDelete = { regulationType: 'suppress_with_delete', users: [{ userId: 'u' }] };
const parse = (body: unknown) => parseBody(CreateRegulationBody, body);

describe('a regulation', () => {
  it('trims user ids and keeps other identifiers as they are given', () => {
    const users = [{ userId: ' u1\n', phone: 4930, active: true, email: ' a@example.com ' }];
    expect(parse({ ...suppress, users }).users).toEqual([
      { userId: 'u1', phone: 4930, active: true, email: ' a@example.com ' },
    ]);
  });

  it('names sources to suppress at, or destinations to delete at', () => {
    expect(parse({ ...suppress, sourceIds: [SOURCE] }).sourceIds).toEqual([SOURCE]);
    expect(parse({ ...withDelete, destinationIds: [SOURCE] }).destinationIds).toEqual([SOURCE]);
    expect(parse(withDelete).destinationIds).toBeUndefined();
  });

  it.each([
    ['regulationType', { users: suppress.users }],
    ['regulationType', { ...suppress, regulationType: 'delete' }],
    ['users', { regulationType: 'suppress' }],
    ['users', { ...suppress, users: [] }],
    ['users', { ...suppress, users: { userId: 'u' } }],
    ['users.0', { ...suppress, users: ['u'] }],
    ['users.1.userId', { ...suppress, users: [{ userId: 'u' }, { email: 'e' }] }],
    ['users.0.userId', { ...suppress, users: [{ userId: ' ' }] }],
    ['users.0.userId', { ...suppress, users: [{ userId: 42 }] }],
    ['users.0.userId', { ...suppress, users: [{ userId: null }] }],
    ['users.0.email', { ...suppress, users: [{ userId: 'u', email: { at: 'home' } }] }],
    ['users.0.email', { ...suppress, users: [{ userId: 'u', email: null }] }],
    ['users.0.email', { ...suppress, users: [{ userId: 'u', email: 'e'.repeat(1_025) }] }],
    ['users.0.userId', { ...suppress, users: [{ userId: 'u'.repeat(1_025) }] }],
    ['users.0', { ...suppress, users: [Object.fromEntries(['userId', ...Array(20).keys()].map((key) => [key, 'u']))] }],
    ['users.0.card', { ...suppress, users: [{ userId: 'u', card: Number('12345678901234567890') }] }],
    ['sourceIds', { ...suppress, sourceIds: [] }],
    ['destinationIds', { ...withDelete, destinationIds: [] }],
    ['sourceIds', { ...withDelete, sourceIds: [SOURCE] }],
    ['destinationIds', { ...suppress, destinationIds: [SOURCE] }],
    ['sourceIds', { ...suppress, sourceIds: [SOURCE], destinationIds: [SOURCE] }],
    ['sourceIds.0', { ...suppress, sourceIds: [7] }],
  ])('names %s in what it refuses: %j', (field, body) => {
    expect(() => parse(body)).toThrow(
      expect.objectContaining({ code: 'invalid', details: { [field]: expect.any(String) } }),
    );
  });

  it('is read no further than its answer tells', () => {
    let read = 0;
    const users = Array.from({ length: 1_000 }, () =>
      Object.defineProperty({}, 'userId', {
        enumerable: true,
        get() {
          read += 1;
          return undefined;
        },
      }),
    );
    expect(() => parse({ ...suppress, users })).toThrow('users.19.userId is required');
    expect(read).toBeLessThan(1_000);
  });

  it('never repeats an identifier in a message', () => {
    const secret = 'ada@example.com';
    const bodies = [
      { ...suppress, sourceIds: { [secret]: secret } },
      { ...suppress, users: [{ userId: 'u', email: [secret] }] },
      { ...suppress, regulationType: secret },
    ];
    for (const body of bodies) {
      expect(() => parse(body)).toThrow(expect.objectContaining({ message: expect.not.stringContaining(secret) }));
    }
  });
});
