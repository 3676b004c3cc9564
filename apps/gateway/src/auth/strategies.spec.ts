import { describe, expect, it } from '@jest/globals';
import { AdminStrategy, HttpBasicStrategy, HttpBearerStrategy } from './strategies.js';

type Verify = (...args: unknown[]) => void;
type Done = (error: unknown, user?: unknown) => void;

/** The calls that passport would receive. passport adds these three methods to a strategy before it calls it. */
function outcomeOf(strategy: object, request: object): unknown[] {
  const outcome: unknown[] = [];
  const heard = Object.assign(Object.create(strategy), {
    success: (user: unknown) => outcome.push('success', user),
    fail: (challenge: unknown) => outcome.push('fail', challenge),
    error: (error: unknown) => outcome.push('error', error),
  });
  heard.authenticate(request);
  return outcome;
}

const basic = (text: string) => ({ headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` } });
const echo: Verify = (...args) => (args.pop() as Done)(null, args);

describe('HttpBasicStrategy', () => {
  it.each([
    ['an empty user', ':token', ['', 'token']],
    ['an empty password', 'writeKey:', ['writeKey', '']],
    ['a password with colons', 'user:a:b', ['user', 'a:b']],
  ])('hands on %s', (_, text, expected) => {
    expect(outcomeOf(new HttpBasicStrategy({}, echo), basic(text))).toEqual(['success', expected]);
  });

  it.each([
    ['without a header', { headers: {} }],
    [
      'with the scheme inside of another',
      { headers: { authorization: `NotBasic ${Buffer.from('u:p').toString('base64')}` } },
    ],
  ])('fails %s without asking', (_, request) => {
    const never: Verify = () => {
      throw new Error('asked');
    };
    expect(outcomeOf(new HttpBasicStrategy({}, never), request)).toEqual(['fail', 'Basic']);
  });

  it('fails on unknown credentials, and errs with what the check threw', () => {
    const unknown: Verify = (...args) => (args.pop() as Done)(null, null);
    const broken: Verify = (...args) => (args.pop() as Done)(new Error('database'));
    expect(outcomeOf(new HttpBasicStrategy({}, unknown), basic('u:p'))).toEqual(['fail', 'Basic']);
    expect(outcomeOf(new HttpBasicStrategy({}, broken), basic('u:p'))).toEqual(['error', new Error('database')]);
  });
});

describe('HttpBearerStrategy', () => {
  it('takes a token from the header', () => {
    const request = { headers: { authorization: 'Bearer t' } };
    expect(outcomeOf(new HttpBearerStrategy({}, echo), request)).toEqual(['success', ['t']]);
  });

  it('takes no token from query or body, and is not disturbed by one there', () => {
    const elsewhere = { query: { access_token: 'q' }, body: { access_token: 'b' } };
    const strategy = new HttpBearerStrategy({}, echo);
    expect(outcomeOf(strategy, { headers: {}, ...elsewhere })).toEqual(['fail', 'Bearer']);
    const request = { headers: { authorization: 'Bearer t' }, ...elsewhere };
    expect(outcomeOf(strategy, request)).toEqual(['success', ['t']]);
  });
});

describe('the admin pair', () => {
  const strategy = new AdminStrategy({ admin: { user: 'operator', password: 'pass:word' } });

  it('accepts the right user and password', () => {
    expect(strategy.validate('operator', 'pass:word')).toBe(true);
  });

  it.each([
    ['operator', 'pass'],
    ['operator', ''],
    ['', 'pass:word'],
    ['other', 'pass:word'],
    ['operator', 'pass:word '],
  ])('refuses %p with %p', (user, password) => {
    expect(() => strategy.validate(user, password)).toThrow('Invalid admin credentials');
  });

  it('lets nobody in while it is unset, not even with empty credentials', () => {
    expect(() => new AdminStrategy({ admin: undefined }).validate('', '')).toThrow('Invalid admin credentials');
  });
});
