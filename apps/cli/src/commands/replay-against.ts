import { resolve } from 'node:path';
import { unwrap, type WeirClient } from '@weir/client';
import { readCode } from '../code/folder.js';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import type { Run } from '../core/run.js';
import { printable } from '../core/table.js';
import { type Chosen, type DeadLetter, deadLetters, EVENTS_MAX } from '../dev/dead-letters.js';
import { LocalSandbox } from '../dev/local-sandbox.js';
import { runEvents } from '../dev/run-project.js';
import { fetchSamples, keepSamples, readSamples, type Samples } from '../dev/samples.js';
import { eventLines } from '../dev/show.js';
import type { EventOutcome } from '../dev/shown-events.js';
import type { JsonObject } from '../project/json.js';
import { credentialsIn } from './dev.js';

export interface AgainstOptions {
  against?: string;
  dryRun?: boolean;
  samples?: boolean;
  transformation?: string;
  envFile?: string;
}

/** Runs the events through the code of a folder, on this machine, and sends nothing. */
export async function replayAgainst(run: Run<AgainstOptions>, chosen: Chosen): Promise<ExitCode> {
  const { io, out, options } = run;
  const folder = resolve(io.cwd, options.against ?? '.');
  const files = readCode(folder, io);
  const weir = run.client();
  const name = options.transformation ?? (await nameOfLinked(weir, chosen));
  const file = files.find((one) => one.kind === 'transformations' && one.name === name);
  if (!file) throw new CliError(`${options.against} has no transformation ${name}`, 'Name one with --transformation.');
  const letters = options.samples
    ? []
    : await out.during('Reading dead letters', ({ detail }) => deadLetters(weir, chosen, detail));
  const { workspaceId, samples } = await eventsOf(run, weir, folder, letters);
  const sandbox = new LocalSandbox(io.sandboxScript);
  try {
    const inputs = { workspaceId, samples, credentials: credentialsIn(folder, io, options.envFile) };
    const { events, logs } = await runEvents(sandbox, file, files, inputs);
    const labelled = events.map((one, at) => withLetter(one, letters[at]));
    const failed = events.filter(({ outcome }) => outcome === 'failed').length;
    out.result({ transformation: name, sent: 0, failed, events: labelled, logs }, (colors) =>
      [
        ...eventLines({ events: labelled, logs }, colors),
        failed > 0
          ? colors.red(`✗ ${failed} of ${events.length} events fail`)
          : colors.green(`✓ ${events.length} events pass`),
        ...(letters.length >= EVENTS_MAX ? [`Only the newest ${EVENTS_MAX} dead letters were tried.`] : []),
      ].join('\n'),
    );
    return failed > 0 ? ExitCode.checkFailed : ExitCode.ok;
  } finally {
    sandbox.close();
  }
}

async function eventsOf(run: Run<AgainstOptions>, weir: WeirClient, folder: string, letters: DeadLetter[]) {
  if (run.options.samples) {
    const { workspaceId, events } = readSamples(folder, run.io) ?? (await fetchedSamples(run, weir, folder));
    return { workspaceId, samples: events };
  }
  const { workspace } = await unwrap(weir.GET('/v2/workspace'));
  return { workspaceId: workspace.id, samples: letters.map(({ event }): JsonObject => event) };
}

/** A dry run, which is all that an assistant may do that only reads, keeps no file of them. */
async function fetchedSamples(
  { io, options, credentials }: Run<AgainstOptions>,
  weir: WeirClient,
  folder: string,
): Promise<Samples> {
  const samples = await fetchSamples(weir, credentials().token);
  if (!options.dryRun) keepSamples(folder, samples, io);
  return samples;
}

/** Where an event comes from, and why it died. */
const withLetter = (outcome: EventOutcome, letter: DeadLetter | undefined): EventOutcome =>
  letter ? { ...outcome, test: `dead letter ${letter.id} (${printable(letter.reason)})` } : outcome;

/** The transformation that the workspace has connected to the destination. */
async function nameOfLinked(weir: WeirClient, { destinationId: id }: Chosen): Promise<string> {
  const hint = 'Name a transformation of the folder with --transformation.';
  if (id === undefined) throw new CliError('Which code?', hint);
  const { destination } = await unwrap(weir.GET('/v2/destinations/{id}', { params: { path: { id } } }));
  if (!destination.transformationId) throw new CliError(`${destination.name} has no transformation`, hint);
  const path = { id: destination.transformationId };
  return (await unwrap(weir.GET('/transformations/{id}', { params: { path } }))).name;
}
