import { existsSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readCode, selected } from '../code/folder.js';
import { storedCredentials } from '../core/credentials.js';
import { CliError, failureOf } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { LocalSandbox } from '../dev/local-sandbox.js';
import { type ProjectRun, runProject } from '../dev/run-project.js';
import { fetchSamples, keepSamples, readSamples, type Samples } from '../dev/samples.js';
import { runText } from '../dev/show.js';
import { projectOf } from './project.js';

interface DevOptions {
  project: string;
  once?: boolean;
  refresh?: boolean;
  offline?: boolean;
  envFile?: string;
}

/** Editors write a file in several steps. */
const SETTLE_MS = 40;
const WATCHED = /\.(?:js|json|ya?ml)$/;

export const devCommands: CommandGroup = (program, cli) => {
  program
    .command('dev [names...]')
    .summary('run the code of this folder on this machine, on each save')
    .description(
      "Runs tests and sampled events through the code in the server's sandbox, on this machine, and shows what each event becomes.",
    )
    .option('--project <folder>', 'folder with weir.yaml', '.')
    .option('--once', `run once, and exit with ${ExitCode.checkFailed} if a test fails`)
    .option('--refresh', 'fetch sampled events again')
    .option('--offline', 'fetch nothing')
    .option('--env-file <file>', 'variables for credentials of the code')
    .addHelpText('after', examples('weir dev', 'weir dev "mask e-mail" --once', 'weir dev --refresh'))
    .action(cli.action(dev));
};

async function dev(run: Run<DevOptions>): Promise<ExitCode> {
  const { io, out, options } = run;
  const folder = resolve(io.cwd, options.project);
  readCode(folder, io); // a folder without a project is told before anything starts
  const samples = await samplesOf(run, folder);
  const sandbox = new LocalSandbox(io.sandboxScript);
  try {
    const once = () => runOnce(run, folder, sandbox, samples);
    if (options.once) return shown(run, await once());
    const changes = changesIn(folder, io.signal);
    out.note('Watching. Press Ctrl-C to end.');
    for (;;) {
      // A file that is half written is told, and not the end.
      await once().then(
        (result) => shown(run, result),
        (error) => out.failure(failureOf(error)),
      );
      if (!(await changes())) return ExitCode.ok;
      await delay(SETTLE_MS);
    }
  } finally {
    sandbox.close();
  }
}

async function runOnce(
  { io, rest, options }: Run<DevOptions>,
  folder: string,
  sandbox: LocalSandbox,
  samples: Samples,
) {
  const all = readCode(folder, io);
  const chosen = new Set(selected(all, rest));
  if (chosen.size === 0) throw new CliError('The project has no code', 'Add transformations to weir.yaml.');
  const inputs = {
    workspaceId: samples.workspaceId,
    samples: samples.events,
    credentials: credentialsIn(folder, io, options.envFile),
  };
  return runProject(sandbox, all, inputs, chosen);
}

function shown({ out }: Run, result: ProjectRun): ExitCode {
  const isPassed = result.outcomes.every((one) => one.isPassed);
  out.result({ pass: isPassed, ...result }, (colors) => runText(result, colors));
  return isPassed ? ExitCode.ok : ExitCode.checkFailed;
}

/** The samples in the folder. Fetches them if there are none yet and a user is logged in. */
async function samplesOf(run: Run<DevOptions>, folder: string): Promise<Samples> {
  const { io, out, options, client, credentials } = run;
  const kept = options.refresh ? undefined : readSamples(folder, io);
  if (kept) return kept;
  const isLoggedIn = Boolean(io.env['WEIR_TOKEN']) || storedCredentials(io) !== undefined;
  if (!options.refresh && (options.offline || !isLoggedIn)) {
    out.note('There are no sampled events: `weir login`, then `weir dev --refresh` fetches them.');
    return { workspaceId: NO_WORKSPACE, events: [] };
  }
  try {
    const fetched = await fetchSamples(client(), credentials().token);
    keepSamples(folder, fetched, io);
    out.note(`${fetched.events.length} sampled events are in ${join(options.project, '.weir')}.`);
    return fetched;
  } catch (error) {
    if (options.refresh) throw error;
    out.note(`Sampled events could not be fetched: ${failureOf(error).message}`);
    return { workspaceId: NO_WORKSPACE, events: [] };
  }
}

/** A well-formed id, for code that reads it. */
const NO_WORKSPACE = '000000000000000000000000000';

/** Credentials of the files whose values are known here. */
export function credentialsIn(folder: string, io: Run['io'], envFile: string | undefined) {
  const { credentials } = projectOf({ io, options: { dir: folder, envFile } }, { namesOnly: true });
  return credentials.filter(({ value }) => value !== '').map(({ key, value }) => ({ key, value }));
}

/** Returns a wait for the next change. It resolves with false when the signal ends it. */
function changesIn(folder: string, signal: AbortSignal): () => Promise<boolean> {
  let [isChanged, wake] = [false, () => {}];
  const note = (file: string | null) => {
    if (file !== null && !WATCHED.test(file)) return;
    isChanged = true;
    wake();
  };
  for (const part of ['transformations', 'libraries'].filter((name) => existsSync(join(folder, name))))
    watch(join(folder, part), { recursive: true, signal }, (_, file) => note(file));
  watch(folder, { signal }, (_, file) => note(file));
  signal.addEventListener('abort', () => wake());
  return async () => {
    while (!isChanged && !signal.aborted)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    isChanged = false;
    return !signal.aborted;
  };
}
