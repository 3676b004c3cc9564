import { isDeepStrictEqual } from 'node:util';
import type { CodeFile } from '../code/folder.js';
import type { Outcome } from '../code/report.js';
import { CliError } from '../core/errors.js';
import type { TestCase } from '../project/code-files.js';
import { differences } from '../project/compare.js';
import type { JsonObject } from '../project/json.js';
import { bundleOf } from './bundles.js';
import type { LocalRun, LocalSandbox, Surroundings } from './local-sandbox.js';
import type { EventResult } from './results.js';
import { bounded, type EventOutcome, maskOf } from './shown-events.js';

export interface ProjectRun {
  /** As `weir test` tells them. */
  outcomes: Outcome[];
  events: EventOutcome[];
  logs: { transformation: string; lines: string[] }[];
}

/** The events that the code of a folder runs over. */
export interface Inputs extends Surroundings {
  samples: readonly JsonObject[];
}

const SAMPLES = 'samples';
/** Tests without a name of their own, as a server calls them: the events beside the code, a test of a list, and neither. */
const EVENTS = 'testInput';
const UNNAMED = 'Test events';
const DEFAULTS = 'Default events';
/** A server shows so many errors of a test, and so many characters of each. */
const ERRORS_MAX = 10;
const MESSAGE_CHARS_MAX = 1_000;

/** Runs every test of the chosen files, and then the samples. Code imports from all files. */
export async function runProject(
  sandbox: LocalSandbox,
  files: readonly CodeFile[],
  inputs: Inputs,
  chosen: ReadonlySet<CodeFile> = new Set(files),
): Promise<ProjectRun> {
  const run: ProjectRun = { outcomes: [], events: [], logs: [] };
  const defaults = await sandbox.defaultEvents();
  for (const file of chosen)
    if (file.kind === 'libraries') run.outcomes.push(await checkLibrary(sandbox, file, files));
    else await runTransformation({ sandbox, files, inputs, defaults }, file, run);
  return { ...run, events: bounded(run.events) };
}

/** Runs events through one transformation, without its tests. Throws a CliError if its imports do not resolve. */
export async function runEvents(
  sandbox: LocalSandbox,
  file: CodeFile,
  files: readonly CodeFile[],
  { samples, ...surroundings }: Inputs,
): Promise<Pick<ProjectRun, 'events' | 'logs'>> {
  const { bundle, problem } = bundleOf(file, files);
  if (!bundle) throw new CliError(`${file.path}: ${problem}`);
  const run = await sandbox.run(bundle, samples, surroundings);
  const { events, logs } = told({ transformation: file.name, test: SAMPLES, ...surroundings }, samples, run);
  return { events: bounded(events), logs };
}

async function checkLibrary(sandbox: LocalSandbox, file: CodeFile, files: readonly CodeFile[]): Promise<Outcome> {
  const { bundle, problem } = bundleOf(file, files);
  const message = problem ?? (bundle && (await sandbox.check(bundle)));
  const { name, path } = file;
  return {
    name,
    test: 'loads',
    isPassed: message === undefined,
    path,
    ...(message !== undefined && { message: cut(message) }),
  };
}

interface Surrounded {
  sandbox: LocalSandbox;
  files: readonly CodeFile[];
  inputs: Inputs;
  /** The events of a test that names none. */
  defaults: readonly JsonObject[];
}

async function runTransformation(
  { sandbox, files, inputs, defaults }: Surrounded,
  file: CodeFile,
  into: ProjectRun,
): Promise<void> {
  const { name, path } = file;
  const tests = testsOf(file, defaults);
  const { bundle, problem } = bundleOf(file, files);
  if (!bundle) {
    for (const { name: test = UNNAMED } of tests)
      into.outcomes.push({ name, test, isPassed: false, message: cut(problem), path });
    return;
  }
  const over = async (test: TestCase): Promise<LocalRun> => {
    const events = test.input;
    const run = await sandbox.run(bundle, events, inputs);
    const about = { transformation: name, test: test.name ?? UNNAMED, credentials: inputs.credentials };
    const made = told(about, events, run);
    into.events.push(...made.events);
    into.logs.push(...made.logs);
    return run;
  };
  for (const test of tests) into.outcomes.push({ ...judged(name, test, await over(test)), path });
  if (inputs.samples.length > 0) await over({ name: SAMPLES, input: [...inputs.samples] });
}

/** Those of the file, in the order of a server. A test without events runs over the default ones. */
function testsOf({ tests = [], events = [] }: CodeFile, defaults: readonly JsonObject[]): TestCase[] {
  const all = [...(events.length > 0 ? [{ name: EVENTS, input: events }] : []), ...tests];
  const own = all.length > 0 ? all : [{ name: DEFAULTS, input: [] }];
  return own.map((test) => (test.input.length > 0 ? test : { ...test, input: [...defaults] }));
}

/** Passed unless something threw, or the output is not the expected one. */
function judged(name: string, { name: test = UNNAMED, expectedOutput }: TestCase, run: LocalRun): Outcome {
  const thrown = run.results.flatMap((result) => (result.status === 'error' ? [result.error] : []));
  const errors = [...thrown, ...run.strayErrors];
  const isExpected = expectedOutput === undefined || isDeepStrictEqual(run.output, expectedOutput);
  if (errors.length === 0 && isExpected) return { name, test, isPassed: true };
  const line = errors.find(({ frame }) => frame)?.frame?.line;
  const messages = [...new Set(errors.map(({ message }) => message))].slice(0, ERRORS_MAX).map(cut);
  const message = errors.length > 0 ? messages.join('; ') : 'the output is not the expected output';
  return { name, test, isPassed: false, message, ...(line !== undefined && { line }) };
}

interface About extends Pick<Surroundings, 'credentials'> {
  transformation: string;
  test: string;
}

/** The results of a run as they are shown, and the logs of the code. */
function told({ credentials, ...about }: About, events: readonly JsonObject[], { results, logs }: LocalRun) {
  const mask = maskOf(credentials);
  return {
    events: results.map((result, at) => eventOutcome({ ...about, event: events[at] ?? {} }, result, mask)),
    logs: logs.length > 0 ? [{ transformation: about.transformation, lines: logs }] : [],
  };
}

function eventOutcome(
  { event, ...named }: Pick<EventOutcome, 'transformation' | 'test' | 'event'>,
  result: EventResult,
  mask: (output: JsonObject) => JsonObject,
): EventOutcome {
  const about = { ...named, event, changes: [] };
  if (result.status === 'error') return { ...about, outcome: 'failed', outputs: [], error: result.error };
  const outputs = result.status === 'ok' ? result.outputs.map(mask) : [];
  const [first] = outputs;
  if (!first) return { ...about, outcome: 'dropped', outputs };
  const { changes } = differences(first, event, { secrets: {} });
  const outcome = outputs.length > 1 ? 'fanned out' : changes.length > 0 ? 'changed' : 'same';
  return { ...about, outcome, changes, outputs };
}

const cut = (text: string): string => (text.length > MESSAGE_CHARS_MAX ? `${text.slice(0, MESSAGE_CHARS_MAX)}…` : text);
