import { statSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';
import { credentialsFile, credentialsOf, httpUrl, removeCredentials, storeCredentials } from './credentials.js';

const { io, folder } = useCommandLine();
const here = io();
afterEach(() => void removeCredentials(here));

describe('credentials', () => {
  it('are stored for the owner alone, also over a file that others could read', () => {
    const file = storeCredentials(here, { url: 'https://a.example', token: 't1' });
    writeFileSync(file, '{}', { mode: 0o644 });
    storeCredentials(here, { url: 'https://a.example', token: 't2' });
    expect(file).toBe(`${folder}/.config/weir/credentials.json`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(credentialsOf(here)).toEqual({ url: 'https://a.example', token: 't2', from: file });
  });

  it('come from the environment first', () => {
    storeCredentials(here, { url: 'https://a.example', token: 't1' });
    const env = { WEIR_URL: 'https://b.example/', WEIR_TOKEN: 't2' };
    expect(credentialsOf(io({ env }))).toMatchObject({ url: 'https://b.example', token: 't2' });
    expect(credentialsOf(io({ env: { WEIR_TOKEN: 't2' } }))).toMatchObject({ url: 'https://a.example', token: 't2' });
  });

  it('are never sent to an address that they were not stored for', () => {
    storeCredentials(here, { url: 'https://a.example', token: 't1' });
    expect(credentialsOf(io({ env: { WEIR_URL: 'https://a.example/' } })).token).toBe('t1');
    expect(() => credentialsOf(io({ env: { WEIR_URL: 'https://b.example' } }))).toThrow(
      'no token for https://b.example',
    );
  });

  it('are asked for when there are none, or when they are damaged', () => {
    expect(() => credentialsOf(here)).toThrow('not logged in');
    expect(() => credentialsOf(io({ env: { WEIR_TOKEN: 't' } }))).toThrow('WEIR_URL is not');
    writeFileSync(storeCredentials(here, { url: 'u', token: 't' }), '{"url":1}');
    expect(() => credentialsOf(here)).toThrow('is damaged');
  });

  it('follow XDG_CONFIG_HOME', () => {
    expect(credentialsFile(io({ env: { XDG_CONFIG_HOME: '/x' } }))).toBe('/x/weir/credentials.json');
  });
});

it.each(['weir.example.com', 'ftp://weir.example.com', 'https://user:secret@weir.example.com'])(
  'refuses %s',
  (text) => {
    expect(() => httpUrl(text)).toThrow();
  },
);
