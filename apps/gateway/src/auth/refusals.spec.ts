import { describe, expect, it } from '@jest/globals';
import { AppError } from '@weir/contracts';
import { adminRefusal, intakeRefusal, tokenRefusal } from './refusals.js';

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
    [basic('operator:wrong'), 'Invalid admin credentials'],
  ])('of area D keeps the words that its clients know for %s', (authorization, message) => {
    expect(adminRefusal(authorization, 'schemas').message).toBe(message);
  });

  it.each([
    [
      'Bearer weir_x',
      /^Basic auth credentials missing: this path takes no Bearer, .*Send the admin pair, or an access/,
    ],
    [basic('ada@example.com:weir_x'), /^Invalid admin credentials: .* no token that is unknown, expired or revoked\. /],
    [basic('weir_x:'), /^Invalid admin credentials: the access token stands where the user name belongs\. /],
    [basic('2MzSdUEcVWnXkPbTqYhLrGjAoFi:'), /^Invalid admin credentials: this is a write key\. Send the admin pair/],
  ])('of area D says which wrong kind %s is, after the words that its clients know', (authorization, message) => {
    expect(adminRefusal(authorization, 'schemas').message).toMatch(message);
  });

  it.each([
    [{ authorization: 'Bearer weir_x' }, /^unknown: this is an access token, .*the write key of a source$/],
    [{ authorization: basic('weir_x:') }, /^unknown: this is an access token, /],
    [{ authorization: basic('ada@example.com:weir_x') }, /^unknown: this is an access token, /],
    [{ writeKey: 'weir_x' }, /^unknown: this is an access token, /],
    [{ authorization: basic('operator:password') }, /^unknown: a user name with a password opens other paths, /],
    [{ authorization: 'Digest a' }, /^unknown: the header is not "Basic" with base64 of "<write key>:", /],
    [{ authorization: basic('2MzSdUEcVWnXkPbTqYhLrGjAoFi:') }, /^unknown$/],
    [{ writeKey: '2MzSdUEcVWnXkPbTqYhLrGjAoFi' }, /^unknown$/],
    [{}, /^unknown$/],
  ])('of the intake says which wrong kind %j is, after the words that SDKs know', (sent, message) => {
    expect(intakeRefusal(new AppError('unauthenticated', 'unknown'), sent).message).toMatch(message);
  });

  it('never repeats what was sent', () => {
    const sent = basic('operator:s3cret');
    const intake = intakeRefusal(new AppError('unauthenticated', ''), { authorization: sent });
    expect(tokenRefusal(sent).message + adminRefusal(sent, 'admin').message + intake.message).not.toMatch(
      /operator|s3cret/,
    );
  });
});
