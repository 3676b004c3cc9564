import { isRecord } from './json.js';

/** Fields that name a person or a device, at any depth of the envelope. */
const IDENTIFIERS = new Set(
  [
    ...['userId', 'anonymousId', 'previousId', 'messageId', 'sessionId', 'advertisingId', 'token', 'rudderId'],
    ...['ip', 'request_ip'],
  ].map((name) => name.toLowerCase()),
);
/** Stands between words. Words with an @ inside are addresses. */
const BETWEEN = /([\s"'<>,;()])/;
const ADDRESS = /^[^@]+@[^@]+$/;
const PHONE = /^\+?[\d\s().-]{7,20}$/;
/** Texts below these describe a person. */
const ABOUT_A_PERSON = new Set(['traits']);

/**
 * The event without the person: a saved test stays, and a deletion does not look into tests. Kinds of values stay, so that code
 * takes the same way. What a person wrote elsewhere cannot be known, so people look before they save.
 */
export function anonymous(event: unknown): unknown {
  return masked(event, '', false);
}

function masked(value: unknown, key: string, isPersonal: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item, key, isPersonal));
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([name, inner]) => [
      name,
      masked(inner, name, isPersonal || ABOUT_A_PERSON.has(key)),
    ]);
    return Object.fromEntries(entries);
  }
  if (typeof value !== 'string' || value === '') return value;
  if (IDENTIFIERS.has(key.toLowerCase())) return /ip$/i.test(key) ? '192.0.2.1' : `test-${key}`;
  const words = value.split(BETWEEN).map((word) => (ADDRESS.test(word) ? 'ada@example.com' : word));
  const text = words.join('');
  if (text !== value) return text;
  return isPersonal ? (PHONE.test(value) ? '+1 555 0100' : `test ${key}`) : value;
}
