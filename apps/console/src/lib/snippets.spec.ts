import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { curlOf } from './snippets.js';

/** The arguments that a shell passes on to curl. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${command}`])
    .toString()
    .split('\0')
    .slice(0, -1);

describe('curlOf', () => {
  it('sends an event like the one shown, without what makes it the same event', () => {
    const event = { type: 'track', messageId: 'm', receivedAt: 'r', userId: 'ada', event: 'Bought' };
    expect(argumentsOf(curlOf(event, 'key', 'http://weir:8080'))).toEqual([
      '-u',
      'key:',
      'http://weir:8080/v1/track',
      '-H',
      'Content-Type: application/json',
      '--data-raw',
      '{"type":"track","userId":"ada","event":"Bought"}',
    ]);
  });

  it.each(["'; touch /tmp/no; '", '$(id) `id` "x" \\', '@/etc/passwd', 'line\nbreak', "it''s"])(
    'keeps the text of a stranger inside its quotes: %j',
    (name) => {
      const sent = argumentsOf(curlOf({ type: 'track', event: name }, 'key', 'http://weir')).at(-1);
      expect(JSON.parse(String(sent))).toEqual({ type: 'track', event: name });
    },
  );

  it('sends a type that has no path of its own in a batch', () => {
    const sent = argumentsOf(curlOf({ type: '../admin', event: 'x' }, 'key', 'http://weir'));
    expect(sent[2]).toBe('http://weir/v1/batch');
    expect(JSON.parse(String(sent.at(-1)))).toEqual({ batch: [{ type: '../admin', event: 'x' }] });
  });
});
