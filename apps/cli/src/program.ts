import { Command, CommanderError } from 'commander';
import { commandGroups } from './commands/index.js';
import { failureOf, StoppedError } from './core/errors.js';
import { ExitCode } from './core/exit-code.js';
import type { Io } from './core/io.js';
import { Cli } from './core/run.js';

const EXIT_CODES = `
Exit codes: 0 success, 1 refused, 2 wrong use, 3 not allowed, 4 not found, 5 a check failed, 6 no answer, 9 Node.js finds no --env-file, 130 interrupted.
Environment: WEIR_URL and WEIR_TOKEN instead of \`weir login\`; NO_COLOR turns colours off.`;

/** All commands. */
export function buildProgram(cli: Cli, version: string): Command {
  const program = new Command('weir')
    .description('Weir from the command line: your code, live events, regulations, and configuration as code')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print what a command does, with examples')
    .option('--json', 'print JSON, for programs')
    .option('--no-color', 'print without colours')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .addHelpText('after', EXIT_CODES)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: (text) => cli.io.out(text), writeErr: (text) => cli.refuse(text) });
  for (const register of commandGroups) register(program, cli);
  return program;
}

/** Runs one command line and resolves with its exit code. Tells failures itself, and throws nothing. */
export async function runCli(argv: readonly string[], io: Io, version = '0.0.0'): Promise<number> {
  const cli = new Cli(io, (line, own) => runCli(line, own, version));
  const program = buildProgram(cli, version);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return cli.exitCode;
  } catch (thrown) {
    const isInterrupted = io.signal.aborted;
    if (isInterrupted && !(thrown instanceof StoppedError)) return ExitCode.interrupted;
    if (thrown instanceof CommanderError) return endOfParsing(thrown, cli, argv, nameOf(program, argv));
    const failure = { ...failureOf(thrown), ...(isInterrupted && { exitCode: ExitCode.interrupted }) };
    cli.output({ json: argv.includes('--json'), color: !argv.includes('--no-color') }).failure(failure);
    return failure.exitCode;
  }
}

/** The command that was called, such as `regulation show`, as far as its words are known. */
function nameOf(command: Command, [word = '', ...rest]: readonly string[]): string {
  const found = command.commands.find((one) => one.name() === word);
  return found ? ` ${word}${nameOf(found, rest)}` : '';
}

/** Help and version end here as well, with an exit code of 0. */
function endOfParsing(
  { exitCode, message, code }: CommanderError,
  cli: Cli,
  argv: readonly string[],
  called: string,
): number {
  // `weir help status` ends here with the exit code that the process has so far.
  const isHelp = code === 'commander.help';
  if (exitCode === 0 || (isHelp && cli.refusal === '')) return ExitCode.ok;
  if (isHelp && !argv.includes('--json')) {
    cli.io.err(cli.refusal);
    return ExitCode.usage;
  }
  const text = isHelp ? 'A command is missing' : message.replace(/^error: /, '');
  const hint = called ? `\`weir${called} --help\` shows how it is called.` : '`weir --help` lists the commands.';
  const failure = { message: text, hint, exitCode: ExitCode.usage };
  cli.output({ json: argv.includes('--json'), color: !argv.includes('--no-color') }).failure(failure);
  return ExitCode.usage;
}
