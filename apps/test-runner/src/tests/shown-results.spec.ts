import { describe, expect, it } from '@jest/globals';
import { shownTo } from './shown-results.js';

const config = { apiKey: 'secret-9' };
const results = [
  {
    user_transformed_payload: { note: 'the message of the caller' },
    dest_transformed_payload: [{ headers: { authorization: 'Bearer secret-9' } }],
    destination_response: [{ echoed: 'secret-9' }, 'also secret-9 as text'],
    destination_response_status: [200, 200],
  },
  { dest_transformed_payload: { error: 'nothing to hide' } },
];

describe('shownTo', () => {
  it('shows everything to an admin', () => {
    expect(shownTo('admin', results, [config], ['apiKey'])).toEqual(results);
  });

  it.each(['read-write', 'read-only'] as const)(
    'hides secrets in payload and echo from %s, and adds no key',
    (role) => {
      expect(shownTo(role, results, [config], ['apiKey'])).toStrictEqual([
        {
          ...results[0],
          dest_transformed_payload: [{ headers: { authorization: 'Bearer ***' } }],
          destination_response: [{ echoed: '***' }, 'also *** as text'],
        },
        results[1],
      ]);
    },
  );
});
