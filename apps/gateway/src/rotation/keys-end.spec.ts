import { describe, expect, it } from '@jest/globals';
import { Metrics } from '@weir/service-kit';
import { KeysEnd, keysEnd } from './keys-end.js';

describe('the days on which keys end', () => {
  it('are times of their beginning, by key', () => {
    const days = ' REGULATION_RECEIPT_KEY=2027-06-01, SCHEMA_PEPPER=1970-01-02,';
    expect(keysEnd.parse(days)).toEqual([
      { key: 'REGULATION_RECEIPT_KEY', seconds: Date.UTC(2027, 5, 1) / 1_000 },
      { key: 'SCHEMA_PEPPER', seconds: 86_400 },
    ]);
    expect(keysEnd.parse(undefined)).toEqual([]);
  });

  it('may be those of certificates that nobody renews automatically', () => {
    expect(keysEnd.parse('INGRESS_CERTIFICATE=1970-01-02')).toEqual([{ key: 'INGRESS_CERTIFICATE', seconds: 86_400 }]);
  });

  it.each([
    ['a key that does not exist', 'RECEIPT_KEY=2027-06-01'],
    ['a day that does not exist', 'SCHEMA_PEPPER=2027-02-30'],
    ['a time', 'SCHEMA_PEPPER=2027-06-01T00:00:00Z'],
    ['no day', 'SCHEMA_PEPPER'],
  ])('cannot be %s', (_, days) => {
    expect(keysEnd.safeParse(days).error?.issues[0]?.message).toBe('must be KEY=YYYY-MM-DD, separated by commas');
  });

  it('are measured', async () => {
    const metrics = new Metrics('gateway.main');
    new KeysEnd(metrics, { keysEnd: keysEnd.parse('SCHEMA_PEPPER=1970-01-02') });
    expect(await metrics.text()).toContain(
      'weir_key_end_timestamp_seconds{key="SCHEMA_PEPPER",service="gateway.main"} 86400',
    );
  });
});
