import { describe, expect, it } from '@jest/globals';
import { parseBody, parseQuery } from '../../http/validate.js';
import { TestDestinationBody, TestQuery } from './test.schemas.js';
import { requireMessageType } from './test.service.js';

const body = (given: object) => parseBody(TestDestinationBody, given);
const messageType = (given: object) => () => requireMessageType(Reflect.get(body(given).message, 'type'));

describe('message.type', () => {
  it.each([{}, { message: null }, { message: 'track' }, { message: [] }, { message: {} }, { message: { type: 5 } }])(
    'is missing or invalid in %j',
    (given) => {
      expect(messageType(given)).toThrow('message type missing or invalid');
    },
  );

  it.each(['Identify', 'merge', '', ' track'])('is unsupported: %p', (type) => {
    expect(messageType({ message: { type } })).toThrow('message type is unsupported');
  });

  it.each(['identify', 'track', 'page', 'screen', 'group', 'alias'])('is supported: %p', (type) => {
    expect(messageType({ message: { type } })).not.toThrow();
  });
});

describe('stage', () => {
  it.each([
    ['runs both transformations and sends nothing when it is missing', {}, [true, true, false]],
    ['is false for what it leaves out', { stage: { dest_transform: true } }, [false, true, false]],
    ['is what it says', { stage: { user_transform: true, send_to_destination: true } }, [true, false, true]],
  ])('%s', (_, given, [user, dest, send]) => {
    expect(body({ message: {}, ...given }).stage).toEqual({
      user_transform: user,
      dest_transform: dest,
      send_to_destination: send,
    });
  });

  it.each([null, true, [], 'all', { dest_transform: 'true' }, { user_transform: null }])('refuses %j', (stage) => {
    expect(() => body({ message: {}, stage })).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringContaining('stage') }),
    );
  });
});

it.each([
  [{ force: 'true' }, true],
  [{ force: 'TRUE' }, false],
  [{ force: 'false' }, false],
  [{}, false],
])('force of %j is %p', (query, force) => {
  expect(parseQuery(TestQuery, query).force).toBe(force);
});

it.each([{ force: '1' }, { force: '' }, { details: 'yes' }])('%j is refused, not read as false', (query) => {
  const [name = ''] = Object.keys(query);
  expect(() => parseQuery(TestQuery, query)).toThrow(
    expect.objectContaining({ code: 'invalid', details: { [name]: 'must be true or false' } }),
  );
});
