import { describe, expect, it } from '@jest/globals';
import { adminRefusal, tokenRefusal } from './refusals.js';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('a refusal', () => {
  it.each([
    [undefined, 'credentials are missing'],
    [basic(':'), 'credentials are missing'],
    ['Token x', 'it is neither Bearer nor Basic with base64'],
    ['Bearer weir_x', 'the access token is unknown, expired or revoked'],
    [basic('ada@example.com:weir_x'), 'or belongs to another e-mail address'],
    [basic(':anything'), 'the access token is unknown, expired or revoked'],
    [basic('2MzSdUEcVWnXkPbTqYhLrGjAoFi:'), 'a write key opens the intake alone'],
    [basic('weir_x:'), 'the access token stands where the e-mail address belongs'],
    [basic('operator:password'), 'the admin pair opens /admin and /schemas alone'],
  ])('of an access token says what %s lacks, and what the route takes', (authorization, problem) => {
    const { code, message } = tokenRefusal(authorization);
    expect(code).toBe('unauthenticated');
    expect(message).toMatch(/^Invalid Authorization Header: .*\. Send an access token as "Bearer <token>"/);
    expect(message).toContain(problem);
  });

  it.each([
    [undefined, 'Basic auth credentials missing. '],
    ['Digest a', 'Basic auth credentials missing: the header is not Basic'],
    ['Bearer weir_x', 'Invalid admin credentials: this is an access token. '],
    [basic('ada@example.com:weir_x'), 'Invalid admin credentials: this is an access token. '],
    [basic('2MzSdUEcVWnXkPbTqYhLrGjAoFi:'), 'Invalid admin credentials: this is a write key. '],
    [basic('operator:wrong'), 'Invalid admin credentials: user name or password is wrong. '],
  ])('of the admin pair says what %s lacks, and what the route takes', (authorization, problem) => {
    const { message } = adminRefusal(authorization, 'admin');
    expect(message).toContain(problem);
    expect(message).toContain('This path takes the admin pair');
  });

  it.each([
    [undefined, 'Basic auth credentials missing'],
    ['Bearer weir_x', 'Basic auth credentials missing'],
    [basic('operator:wrong'), 'Invalid admin credentials'],
  ])('of area D keeps the words that its clients know for %s', (authorization, message) => {
    expect(adminRefusal(authorization, 'schemas').message).toBe(message);
  });

  it('never repeats what was sent', () => {
    const sent = basic('operator:s3cret');
    expect(tokenRefusal(sent).message + adminRefusal(sent, 'admin').message).not.toMatch(/operator|s3cret/);
  });
});
