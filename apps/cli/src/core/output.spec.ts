import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { WeirError } from '@weir/client';
import { useCommandLine } from '../../test/command-line.js';
import { CliError, failureOf } from './errors.js';
import { Output } from './output.js';
import { facts, oneLine, table } from './table.js';

const { io } = useCommandLine();

describe('colours', () => {
  it.each([
    ['a terminal', true, {}, true],
    ['a pipe', false, {}, false],
    ['NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['a dumb terminal', true, { TERM: 'dumb' }, false],
    ['a pipe with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
  ])('for %s', (_, isOutTty, env, isOn) => {
    const { colors } = new Output(io({ isOutTty, env }), false);
    expect(colors.isColorSupported).toBe(isOn);
    expect(new Output(io({ isOutTty, env }), true).colors.isColorSupported).toBe(false);
    expect(new Output(io({ isOutTty, env }), false, false).colors.isColorSupported).toBe(false);
  });
});

describe('Output', () => {
  it('prints JSON or text, and notes for people alone', () => {
    const [people, programs] = [io(), io()];
    for (const [where, isJson] of [
      [people, false],
      [programs, true],
    ] as const) {
      const out = new Output(where, isJson);
      out.note('working');
      out.item({ n: 1 }, () => 'one');
      out.result({ n: 2 }, () => 'two');
    }
    expect(people.printed).toMatchObject({ out: 'one\ntwo\n', err: 'working\n' });
    expect(programs.printed).toMatchObject({ out: '{"n":1}\n{\n  "n": 2\n}\n', err: '' });
  });

  it('tells steps of long work as notes, and paints them where a person watches', async () => {
    const terminal = new PassThrough({ encoding: 'utf8' });
    const [pipe, programs, watched] = [io(), io({ terminal }), io({ terminal })];
    const results = [new Output(pipe, false), new Output(programs, true), new Output(watched, false)].map((out) =>
      out.during('Working', async ({ step, detail }) => {
        step('first');
        detail('half of it');
        return 'done';
      }),
    );
    expect(await Promise.all(results)).toEqual(['done', 'done', 'done']);
    expect([pipe, programs, watched].map(({ printed }) => printed.err)).toEqual(['… first\n', '', '']);
    expect(String(terminal.read()).match(/ {2}Working/g)).toHaveLength(2);
  });

  it('tells the sentence of the API, the fields that it does not name, and the next step', () => {
    const details = { name: 'is required', code: 'is too long' };
    const error = new WeirError({ status: 403, code: 'FORBIDDEN', message: 'name is required', details });
    const here = io();
    new Output(here, false).failure(failureOf(error));
    expect(here.printed.err).toBe(
      '✗ name is required\n  code: is too long\n  Use a token with a role that may do this: `weir login`.\n',
    );
  });
});

describe('exit codes', () => {
  const answered = (status: number, code = 'X', requestId?: string) =>
    failureOf(new WeirError({ status, code, message: 'm', requestId }));

  it.each([
    [0, 'NO_ANSWER', 6],
    [400, 'BAD_REQUEST', 1],
    [400, 'TESTS_FAILED', 5],
    [401, 'UNAUTHENTICATED', 3],
    [403, 'FORBIDDEN', 3],
    [404, 'NOT_FOUND', 4],
    [429, 'RATE_LIMITED', 6],
    [503, 'UNAVAILABLE', 6],
    [500, 'INTERNAL', 1],
  ])('%i %s ends with %i', (status, code, exitCode) => expect(answered(status, code).exitCode).toBe(exitCode));

  it('name the request of a fault of the server', () => expect(answered(500, 'INTERNAL', 'r1').hint).toContain('r1'));

  it('are those of the command line for its own failures', () => {
    expect(failureOf(new CliError('m', 'h'))).toEqual({ message: 'm', hint: 'h', exitCode: 2 });
    expect(failureOf('odd')).toEqual({ message: 'odd', exitCode: 1 });
  });
});

describe('tables', () => {
  it('line up, whatever the cells hold', () => {
    expect(
      table(
        ['NAME', 'ID'],
        [
          ['long name', '1'],
          ['a\nb\u001b[31m', '2'],
        ],
      ),
    ).toBe('NAME       ID\nlong name  1\na b[31m    2');
    expect(table(['NAME'], [], 'no sources')).toBe('no sources');
    expect(oneLine('x'.repeat(100))).toHaveLength(60);
    expect(facts({ a: '1', b: undefined })).toBe('a             1');
  });
});
