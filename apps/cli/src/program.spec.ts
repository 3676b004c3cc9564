import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../test/command-line.js';
import { leafCommands, pathOf } from './core/commands.js';
import { Cli } from './core/run.js';
import { buildProgram, runCli } from './program.js';

const { io, weir } = useCommandLine();
const commands = leafCommands(buildProgram(new Cli(io(), runCli), '1.2.3'));

describe('weir', () => {
  it('prints its version and its help, which tells the exit codes', async () => {
    expect(await weir('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' });
    const help = await weir('--help');
    expect([help.code, help.err]).toEqual([0, '']);
    expect(help.out).toContain('Exit codes: 0 success');
  });

  it.each([
    ['stats', "unknown command 'stats'", 'weir --help'],
    ['status --verbose', "unknown option '--verbose'", 'weir status --help'],
    ['completion', "missing required argument 'shell'", 'weir completion --help'],
    ['regulation show', "missing required argument 'id'", 'weir regulation show --help'],
  ])('refuses `weir %s`', async (line, problem, hint) => {
    const { code, out, err } = await weir(line);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(problem);
    expect(err).toContain(`\`${hint}\``);
  });

  it.each(['', 'receipt'])('shows what there is after `weir %s`', async (line) => {
    const { code, out, err } = await weir(line);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`Usage: weir${line && ` ${line}`}`);
    expect(err).toContain('Commands:');
    expect(JSON.parse((await weir(`${line} --json`)).err)).toMatchObject({
      error: { message: 'A command is missing' },
    });
  });

  it.each(['help status', 'help', 'receipt help verify'])('helps after `weir %s`, with success', async (line) => {
    // As in a process that is interrupted until its command has ended.
    process.exitCode = 130;
    const { code, out, err } = await weir(line);
    process.exitCode = 0;
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Usage: weir');
  });

  it('tells failures as JSON to programs', async () => {
    const { code, err } = await weir('status --json');
    expect(code).toBe(3);
    expect(JSON.parse(err)).toEqual({
      error: { message: 'You are not logged in', hint: expect.stringContaining('weir login'), exitCode: 3 },
    });
  });

  it('tells that nobody answers', async () => {
    const env = { WEIR_URL: 'http://127.0.0.1:1', WEIR_TOKEN: 't1' };
    const { code, err } = await weir('status', { env });
    expect(code).toBe(6);
    expect(err).toContain('weir doctor');
  });
});

it.each(commands.map((command) => [pathOf(command), command] as const))(
  '`weir %s --help` has examples',
  async (path) => {
    const { out } = await weir(`${path} --help`);
    expect(out).toContain(`$ weir ${path}`);
  },
);

it('docs/cli.md has a section for each command, in the order of the help', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
  const sections = [...page.matchAll(/^### `weir ([a-z -]+)`/gm)].map(([, path]) => path);
  expect(sections).toEqual(commands.map(pathOf));
});
