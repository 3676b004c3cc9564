import { isCancel, password, text } from '@clack/prompts';
import { createClient, unwrap } from '@weir/client';
import { httpUrl, removeCredentials, storeCredentials } from '../core/credentials.js';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { facts } from '../core/table.js';

const DEFAULT_URL = 'http://localhost:8080';

interface LoginOptions {
  url?: string;
  tokenStdin?: boolean;
}

export const authCommands: CommandGroup = (program, cli) => {
  program
    .command('login')
    .summary('store the address of Weir and an access token')
    .description(
      'Asks for the address and an access token, tries them, and stores them in a file that only you can read.',
    )
    .option('--url <url>', `address of Weir (asked for by default)`)
    .option('--token-stdin', 'read the token from the input, for scripts')
    .addHelpText('after', examples('weir login', 'weir login --url https://weir.example.com --token-stdin < token.txt'))
    .action(cli.action(login));
  program
    .command('logout')
    .summary('remove the stored token')
    .description(
      'Removes the stored address and token from this machine. The token itself stays valid until it is revoked.',
    )
    .addHelpText('after', examples('weir logout'))
    .action(cli.action(logout));
  program
    .command('status')
    .summary('show the address, the workspace, who you are, and the version')
    .description('Shows which Weir and which workspace the commands talk to, and what the token may do.')
    .addHelpText('after', examples('weir status', 'weir status --json'))
    .action(cli.action(status));
};

async function login(run: Run<LoginOptions>): Promise<void> {
  const { io, out, options, send } = run;
  const url = httpUrl(options.url ?? io.env['WEIR_URL'] ?? (await ask(run, 'url')));
  const token = (options.tokenStdin ? await io.readInput() : await ask(run, 'token')).trim();
  if (!token) throw new CliError('The token is empty', 'Make one in the workspace, and pass it to --token-stdin.');
  const workspace = await workspaceOf(url, token, send);
  const file = storeCredentials(io, { url, token });
  const result = { url, workspace: { id: workspace.id, name: workspace.name }, file };
  out.result(result, (colors) => colors.green(`✓ Logged in to ${url}, workspace ${workspace.name}`));
}

/** Nothing is stored unless it works. */
async function workspaceOf(url: string, token: string, send: Run['send']) {
  const { data, error } = await createClient({ url, token, fetch: send }).GET('/v2/workspace');
  if (error?.status === 401) {
    const hint = 'Nothing was stored. Copy the whole token, or make a new one in the console, under Settings.';
    throw new CliError(`${url} does not know this token, or it is expired or revoked`, hint, ExitCode.notAllowed);
  }
  if (error) throw error;
  if (data.workspace?.id) return data.workspace;
  throw new CliError(`${url} is not the address of a Weir`, 'Nothing was stored.', ExitCode.unavailable);
}

/** Asks a person. A script gets told what to pass instead. */
async function ask({ io }: Run, what: 'url' | 'token'): Promise<string> {
  if (!io.isInteractive) {
    throw new CliError(`There is nobody to ask for the ${what}`, 'Pass --url, and pipe the token to --token-stdin.');
  }
  const answer =
    what === 'url'
      ? await text({ message: 'Address of Weir', placeholder: DEFAULT_URL, defaultValue: DEFAULT_URL })
      : await password({ message: 'Access token' });
  if (isCancel(answer)) throw new CliError('Nothing was stored', undefined, ExitCode.interrupted);
  return answer;
}

async function logout({ io, out }: Run): Promise<void> {
  const wasThere = removeCredentials(io);
  out.result({ loggedOut: wasThere }, () => (wasThere ? 'Logged out.' : 'Nobody was logged in.'));
}

async function status({ out, client, credentials }: Run): Promise<void> {
  const { url, from } = credentials();
  const weir = client();
  const [{ workspace, caller }, { version }] = await Promise.all([
    unwrap(weir.GET('/v2/workspace')),
    unwrap(weir.GET('/version')),
  ]);
  // Servers before this version do not tell who asks.
  const who = caller && `${caller.email}, with the role ${caller.role}`;
  out.result({ url, workspace, caller, version, credentials: from }, ({ bold }) => {
    const place = `${bold(workspace.name)} (${workspace.id})`;
    return facts({ address: url, workspace: place, 'you are': who, version, credentials: from });
  });
}
