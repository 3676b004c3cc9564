import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { WeirError } from '@weir/client';
import type { Command } from 'commander';
import { requireProject } from '../code/folder.js';
import { requireYes } from '../core/confirm.js';
import { CliError, type Progress, StoppedError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import type { Io } from '../core/io.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { apply } from '../project/apply.js';
import { ClientWorkspace } from '../project/client-workspace.js';
import { diff } from '../project/diff.js';
import { diffDestroy } from '../project/diff-destroy.js';
import { loadProject } from '../project/load.js';
import { deletions, type Plan } from '../project/plan.js';
import { planJson, planText, stepTitle } from '../project/print.js';
import type { Desired } from '../project/resources.js';
import { ProjectError } from '../project/yaml-file.js';

interface ProjectOptions {
  dir?: string;
  envFile?: string | undefined;
  prune?: boolean;
  setSecrets?: boolean;
  yes?: boolean;
  check?: boolean;
}

/** Whether someone else has created or changed an object with this name since the workspace was read. */
const isLate = (error: unknown): error is WeirError =>
  error instanceof WeirError && (error.status === 412 || error.details?.['existingId'] !== undefined);
/** Plans of one apply. More than a few mean that others keep changing the same things. */
const PLANS_MAX = 5;

const inFolder = (command: Command): Command => command.option('--dir <folder>', 'folder of weir.yaml', '.');
const withFiles = (command: Command): Command =>
  inFolder(command)
    .option('--env-file <file>', 'variables for {{ env.NAME }}, besides those of the environment')
    .option('--prune', 'delete what the workspace has and the files do not')
    .option('--set-secrets', 'write again all secrets that the API does not return');

export const projectCommands: CommandGroup = (program, cli) => {
  withFiles(program.command('plan'))
    .summary('show what apply would change')
    .description(
      'Compares weir.yaml and the files beside it with the workspace, checks the settings of destinations, and changes nothing.',
    )
    .option('--check', `exit with ${ExitCode.checkFailed} if there is anything to change, for CI`)
    .addHelpText('after', examples('weir plan', 'weir plan --prune', 'weir plan --check --json'))
    .action(cli.action(showPlan));
  withFiles(program.command('apply'))
    .summary('make the workspace match the files')
    .description(
      'Makes the changes of `weir plan`, and none if the plan has a problem. Run it again after a failure: it continues where it stopped.',
    )
    .option('-y, --yes', 'delete without asking')
    .addHelpText('after', examples('weir apply', 'weir apply --prune --yes', 'weir apply --env-file secrets.env'))
    .action(cli.action(applyPlan));
  inFolder(program.command('destroy'))
    .summary('delete what the files name')
    .description('Deletes the resources of weir.yaml and the files beside it from the workspace, and nothing else.')
    .option('-y, --yes', 'delete without asking')
    .addHelpText('after', examples('weir destroy', 'weir destroy --yes'))
    .action(cli.action(destroy));
};

async function showPlan({ out, ...run }: Run<ProjectOptions>): Promise<ExitCode> {
  const { prune = false, setSecrets = false, check } = run.options;
  const desired = projectOf(run);
  const plan = diff(desired, await workspaceOf(run).read(), { prune, setSecrets });
  out.result(planJson(plan), () => planText(plan));
  if (plan.problems.length > 0) return ExitCode.failed;
  return check && plan.steps.length > 0 ? ExitCode.checkFailed : ExitCode.ok;
}

async function applyPlan(run: Run<ProjectOptions>): Promise<void> {
  const { prune = false, setSecrets = false } = run.options;
  const desired = projectOf(run);
  const workspace = workspaceOf(run);
  const progress = { done: 0, of: 0 };
  for (let plans = 1; ; plans += 1) {
    try {
      return await execute(run, diff(desired, await workspace.read(), { prune, setSecrets }), workspace, progress);
    } catch (error) {
      // A run that was killed within a request, and other people, can still change what this one has read.
      if (plans >= PLANS_MAX || !isLate(error)) throw stopped(error, progress);
      run.out.note(`${error.message}. Planning again.`);
    }
  }
}

async function destroy(run: Run<ProjectOptions>): Promise<void> {
  const desired = projectOf(run, { namesOnly: true });
  const workspace = workspaceOf(run);
  const progress = { done: 0, of: 0 };
  try {
    await execute(run, diffDestroy(desired, await workspace.read()), workspace, progress);
  } catch (error) {
    throw stopped(error, progress);
  }
}

/** Without a step that has begun, the failure says it all. */
const stopped = (error: unknown, progress: Progress): unknown =>
  progress.of === 0
    ? error
    : new StoppedError(
        error,
        `${progress.done} of ${progress.of} steps were done. Run it again for the rest`,
        progress,
      );

const workspaceOf = ({ client, credentials }: Pick<Run, 'client' | 'credentials'>): ClientWorkspace =>
  new ClientWorkspace(client(), credentials().token);

/** Shows the plan, asks before it deletes, and tells each step as it begins. `progress` counts over all plans of a run. */
async function execute(
  run: Run<ProjectOptions>,
  plan: Plan,
  workspace: ClientWorkspace,
  progress: Progress,
): Promise<void> {
  const { out } = run;
  out.note(planText(plan));
  const unchanged = progress.of === 0 ? 'Nothing was changed' : 'Nothing more was changed';
  if (plan.problems.length > 0)
    throw new CliError(
      `${unchanged}. ${plan.problems.join('\n')}`,
      '`weir plan` shows the whole plan.',
      ExitCode.failed,
    );
  await requireConsent(run, deletions(plan).length, unchanged);
  const count = plan.steps.length;
  const before = progress.done;
  if (count > 0) {
    progress.of = before + count;
    await out.during('Applying', ({ step: tell }) =>
      apply(plan, workspace, {
        onStep: (step, number) => tell(`${stepTitle(step)} (${before + number} of ${progress.of})`),
        onDone: () => {
          progress.done += 1;
        },
      }),
    );
  }
  const { done } = progress;
  out.result({ ...planJson(plan), done }, ({ green }) =>
    done === 0 ? '' : green(`✓ ${done} ${done === 1 ? 'step' : 'steps'} done`),
  );
}

async function requireConsent({ io, options }: Run<ProjectOptions>, count: number, refusal: string): Promise<void> {
  if (count === 0 || options.yes) return;
  if (!io.isInteractive)
    throw new CliError(`The plan deletes ${count} resources, and there is nobody to ask`, 'Pass --yes to delete them.');
  await requireYes(`Delete ${count} resources?`, refusal);
}

/** The files of the project. Throws a CliError that names every problem with its file and line. */
export function projectOf(
  { io, options }: { io: Io; options: Pick<ProjectOptions, 'dir' | 'envFile'> },
  { namesOnly = false } = {},
): Desired {
  const file = options.envFile;
  const more = file === undefined ? {} : variablesOf(resolve(io.cwd, file));
  const folder = resolve(io.cwd, options.dir ?? '.');
  requireProject(folder);
  try {
    return loadProject(folder, { env: { ...more, ...io.env }, namesOnly, filesIn: io.filesIn });
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    throw new CliError(
      `The files have problems:\n${error.message}`,
      '`weir schema` tells what they may hold, and editors read it.',
    );
  }
}

function variablesOf(file: string) {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`, 'Correct --env-file.');
  }
}
