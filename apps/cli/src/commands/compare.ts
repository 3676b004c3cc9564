import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unwrap, type WeirClient } from '@weir/client';
import { reportPage } from '../compare/html.js';
import { type Compared, type Incumbent, recordedAnswers, type Sample, transformerAt } from '../compare/incumbent.js';
import { ours } from '../compare/ours.js';
import { Comparison, secretTexts, type Verdict } from '../compare/verdict.js';
import { httpUrl } from '../core/credentials.js';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { findNamed } from '../core/find.js';
import { jsonOf } from '../core/json-file.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { printable, table } from '../core/table.js';
import { sampledEvents } from '../dev/samples.js';
import type { JsonObject } from '../project/json.js';
import { MASK } from '../project/resources.js';
import { eventsOf } from './trigger.js';

/** Events at a time, and in a minute: enough to finish over lunch, and no load for a server that others use. */
const BATCH = 25;
const EVENTS_A_MINUTE = 1_000;
const EVENTS_MAX = 10_000;
const OWNER_ONLY = 0o600;

interface CompareOptions {
  with: string;
  events?: string;
  destination?: string[];
  report: string;
  record?: string;
}

export const compareCommands: CommandGroup = (program, cli) => {
  program
    .command('compare')
    .summary('compare with what the incumbent makes of the same events')
    .description(
      `Gives events to Weir and to the transformer of the incumbent, and compares the requests that they would send. Nothing is sent. It exits with ${ExitCode.checkFailed} if anything differs or is missing.`,
    )
    .requiredOption('--with <url-or-file>', 'address of the transformer, or a file of its recorded answers')
    .option('--events <file>', 'events to take; by default sampled ones of the workspace')
    .option('--destination <names...>', 'only these destinations; by default all')
    .option('--report <file>', 'the report to write, as HTML', 'weir-compare.html')
    .option('--record <file>', 'keep the answers of the transformer, for later runs')
    .addHelpText(
      'after',
      examples(
        'weir compare --with http://localhost:9090',
        'weir compare --with http://localhost:9090 --events orders.json --record answers.json',
        'weir compare --with answers.json --events orders.json',
      ),
    )
    .action(cli.action(compare));
};

async function compare(run: Run<CompareOptions>): Promise<ExitCode> {
  const { io, out, options } = run;
  const isUrl = /^https?:/.test(options.with);
  if (options.record !== undefined && !isUrl) throw new CliError('--record needs the address of a transformer');
  const transformer = isUrl ? transformerAt(httpUrl(options.with)) : undefined;
  const incumbent = transformer ?? recordedAnswers(jsonOf(resolve(io.cwd, options.with)));
  const weir = run.client();
  const { destinations, secretKeys } = await destinationsOf(weir, options.destination);
  const samples = await samplesOf(run, weir);
  const verdicts: Verdict[] = [];
  await out.during('Comparing', async ({ step, detail }) => {
    for (const destination of destinations) {
      const name = printable(destination.name);
      step(`${name}: ${samples.length} events`);
      const secrets = secretTexts(destination.config, secretKeys.get(destination.type) ?? []);
      const comparison = new Comparison(destination, secrets);
      const tell = (done: number) => detail(`${name}: ${done} of ${samples.length} events`);
      await compareAll(weir, incumbent, { destination, samples, comparison, signal: io.signal, tell });
      verdicts.push(comparison.verdict(incumbent.problem(destination)));
    }
  });
  const other = isUrl ? 'its transformer' : 'its recorded answers';
  writeFileSync(resolve(io.cwd, options.report), reportPage(verdicts, { events: samples.length, other }), {
    mode: OWNER_ONLY,
  });
  if (transformer && options.record !== undefined)
    writeFileSync(resolve(io.cwd, options.record), JSON.stringify(transformer.recorded), { mode: OWNER_ONLY });
  const isEqual = verdicts.every(({ different, missing }) => different + missing === 0);
  out.result(
    { equal: isEqual, events: samples.length, report: options.report, destinations: verdicts },
    ({ green, red }) =>
      [textOf(verdicts), (isEqual ? green : red)(`${isEqual ? '✓ Equal' : '✗ Not equal'}: ${options.report}`)].join(
        '\n',
      ),
  );
  return isEqual ? ExitCode.ok : ExitCode.checkFailed;
}

interface Work {
  destination: Compared;
  samples: readonly Sample[];
  comparison: Comparison;
  signal: AbortSignal;
  /** Receives the number of events compared so far. */
  tell(done: number): void;
}

/** Both sides get the same batch at the same time, and no batch comes before its turn. */
async function compareAll(weir: WeirClient, incumbent: Incumbent, work: Work) {
  const { destination, samples, comparison, signal } = work;
  for (let at = 0; at < samples.length; at += BATCH) {
    const batch = samples.slice(at, at + BATCH);
    const turn = at + BATCH < samples.length ? (batch.length * 60_000) / EVENTS_A_MINUTE : 0;
    const [mine, theirs] = await Promise.all([
      ours(weir, destination, batch),
      incumbent.answers(destination, batch, signal),
      delay(turn, undefined, { signal }),
    ]);
    for (const one of batch) comparison.add(one, mine.get(one.messageId), theirs.get(one.messageId));
    work.tell(at + batch.length);
  }
}

async function destinationsOf(weir: WeirClient, names: readonly string[] | undefined) {
  const all: Compared[] = [];
  for await (const { id, name, type, config } of weir.paginate('/v2/destinations'))
    all.push({ id, name, type, config: config as JsonObject });
  const destinations = names ? names.map((name) => findNamed('destination', all, name)) : all;
  const hidden = destinations.find(({ config }) => JSON.stringify(config).includes(`"${MASK}"`));
  if (hidden)
    throw new CliError(
      `This token may not see the secrets of ${hidden.name}, which the incumbent needs too`,
      'Use one with the role admin.',
      ExitCode.notAllowed,
    );
  const definitions = await unwrap(weir.GET('/destination-definitions'));
  return { destinations, secretKeys: new Map(definitions.map(({ name, config }) => [name, config.secretKeys])) };
}

async function samplesOf({ io, options, credentials }: Run<CompareOptions>, weir: WeirClient): Promise<Sample[]> {
  const events = options.events
    ? (eventsOf(options.events, io.cwd) as JsonObject[])
    : await sampledEvents(weir, credentials().token);
  if (events.length === 0) throw new CliError('The workspace has no sampled events', 'Name a file with --events.');
  if (events.length > EVENTS_MAX)
    throw new CliError(`There are ${events.length} events, and at most ${EVENTS_MAX} are compared`);
  // A recording knows events by their ids, so one without gets the same at each run.
  return events.map((event, at) => ({ messageId: String(event['messageId'] ?? `event-${at + 1}`), event }));
}

const textOf = (verdicts: readonly Verdict[]): string =>
  [
    table(
      ['DESTINATION', 'EQUAL', 'DIFFERENT', 'MISSING', ''],
      verdicts.map(({ destination, equal, different, missing, problem = '' }) => {
        return [destination, String(equal), String(different), String(missing), problem];
      }),
      'The workspace has no destinations.',
    ),
    ...verdicts.flatMap(({ destination, fields }) =>
      fields.map(({ path, events }) => `  ${printable(destination)} · ${printable(path)}: ${events} events`),
    ),
  ].join('\n');
