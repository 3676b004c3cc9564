import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Command } from 'commander';
import { credentialsOf } from '../core/credentials.js';
import { ExitCode } from '../core/exit-code.js';
import type { Io } from '../core/io.js';
import type { RunLine } from '../core/run.js';
import { toolsOf } from './tools.js';

/** Answers fill the context of an assistant. What is longer is cut, and the answer says so. */
const ANSWER_BYTES_MAX = 64 * 1_024;
/** Kept beyond, so that a secret at the cut is found whole. */
const COLLECTED_CHARS_MAX = 2 * ANSWER_BYTES_MAX;
/** Publishing runs every test. Nothing takes longer on a server that is well. */
const CALL_SECONDS_MAX = 120;
/** Variables that commands get. Others may be secrets, which a file of an assistant could name as `{{ env.NAME }}`. */
const PASSED_VARIABLE = /^(?:WEIR_\w+|XDG_CONFIG_HOME)$/;

const READ_ONLY = 'It only reads: tools that write are there after `weir mcp --write`.';
const INSTRUCTIONS =
  'Tools are commands of `weir`, and answer with the JSON of these. Names of files are relative to the folder of the server.';

/** A server with a tool for each command, for any transport. */
export function mcpServer(program: Command, io: Io, run: RunLine, mayWrite: boolean): McpServer {
  const info = { name: 'weir', version: program.version() ?? '0.0.0' };
  const instructions = mayWrite ? INSTRUCTIONS : `${INSTRUCTIONS} ${READ_ONLY}`;
  const server = new McpServer(info, { instructions, capabilities: { tools: {} } });
  for (const { name, title, description, isReadOnly, input, argv } of toolsOf(program, { cwd: io.cwd, mayWrite })) {
    const annotations = { readOnlyHint: isReadOnly, destructiveHint: !isReadOnly };
    const config = { title, description, inputSchema: input, annotations };
    server.registerTool(name, config, async (given, { signal }) => call(argv(given), io, run, signal));
  }
  return server;
}

type Answer = { content: { type: 'text'; text: string }[]; isError?: boolean };

/** Runs a command line, and answers with what it prints. A failed check is a result: the JSON tells what failed. */
async function call(argv: string[], io: Io, run: RunLine, canceled: AbortSignal): Promise<Answer> {
  const signal = AbortSignal.any([io.signal, canceled, AbortSignal.timeout(CALL_SECONDS_MAX * 1_000)]);
  const printed = { out: '', err: '' };
  const print = (to: keyof typeof printed) => (text: string) => {
    printed[to] = (printed[to] + text).slice(0, COLLECTED_CHARS_MAX);
  };
  const exitCode = await run(argv, {
    ...io,
    env: Object.fromEntries(Object.entries(io.env).filter(([name]) => PASSED_VARIABLE.test(name))),
    out: print('out'),
    err: print('err'),
    isOutTty: false,
    terminal: undefined,
    isInteractive: false,
    // An assistant may write a project, whose files may name any other.
    filesIn: io.cwd,
    // The input of the process belongs to the protocol.
    readInput: async () => '',
    signal,
  });
  if (signal.aborted) return failed(`It was canceled, or took longer than ${CALL_SECONDS_MAX} s.`);
  const text = withoutToken(printed.out || printed.err, io);
  const isFailed = exitCode !== ExitCode.ok && exitCode !== ExitCode.checkFailed;
  return { content: [{ type: 'text', text: cut(text) }], ...(isFailed && { isError: true }) };
}

const failed = (text: string): Answer => ({ content: [{ type: 'text', text }], isError: true });

/** Texts of others can hold the token of the caller. An assistant never sees it. */
function withoutToken(text: string, io: Io): string {
  try {
    return text.replaceAll(credentialsOf(io).token, '***');
  } catch {
    return text;
  }
}

function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= ANSWER_BYTES_MAX) return text;
  const whole = new TextDecoder().decode(bytes.subarray(0, ANSWER_BYTES_MAX), { stream: true });
  return `${whole}\n… cut after ${ANSWER_BYTES_MAX} bytes: ask for less.`;
}
