import { describe, expect, it } from '@jest/globals';
import { isOfUsers, LineTooLong, linesOf } from './user-lines.js';

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}
async function linesIn(...texts: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(chunks(...texts))) lines.push(line.toString());
  return lines;
}

describe('the lines of a text in chunks', () => {
  it.each([
    [['a\nb\n'], ['a\n', 'b\n']],
    [['a\nb'], ['a\n', 'b']],
    [
      ['a', 'b\n', '\nc', 'd'],
      ['ab\n', '\n', 'cd'],
    ],
    [['a\r\nb\r\n'], ['a\r\n', 'b\r\n']],
    [[], []],
  ])('%j are %j', async (texts, lines) => {
    expect(await linesIn(...texts)).toEqual(lines);
  });

  it('are not held in memory without end', async () => {
    const endless = Array.from({ length: 20 }, () => 'x'.repeat(1_048_576));
    await expect(linesIn(...endless)).rejects.toThrow(LineTooLong);
  });
});

describe('a line is of a user', () => {
  const users = new Set(['ada', '7', 'zoë', 'a/b', '12345678901234567891']);
  it.each([
    '{"userId":"ada","n":1}\n',
    '{"n":1, "userId" : "ada"}',
    '{"userId":" ada "}',
    '{"userId":7}',
    '{"userId":7.0}',
    '{"userId":12345678901234567891}',
    '{"userId":"12345678901234567891"}',
    '{"userId":"zo\\u00eb"}',
    '{"userId":"a\\/b"}',
    '{"\\u0075serId":"ada"}',
    '{"properties":{"userId":"bob"},"userId":"ada"}\r\n',
  ])('by the userId of the event: %s', (line) => {
    expect(isOfUsers(Buffer.from(line), users)).toBe(true);
  });

  it.each([
    '{"userId":"adam"}',
    '{"userId":"Ada"}',
    '{"userId":12345678901234567892}',
    '{"userId":12345678901234567000}',
    '{"properties":{"userId":"ada"}}',
    '{"anonymousId":"ada"}',
    '{"userId":null}',
    '[{"userId":"ada"}]',
    '"ada"',
    'userId: ada',
    '{"userId":"ada"',
    '',
  ])('not by anything else: %s', (line) => {
    expect(isOfUsers(Buffer.from(line), users)).toBe(false);
  });
});
