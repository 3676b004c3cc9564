import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Schema, unwrap, type WeirClient } from '@weir/client';
import { CliError, StoppedError } from '../core/errors.js';
import { findNamed } from '../core/find.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';

type Event = Schema<'BatchEvent'>;

/** Events of one request. Larger files are sent in several. */
const BATCH_MAX = 100;
const TRAITS = { email: 'ada@example.com', plan: 'trial' };
const FIXTURES: Readonly<Record<string, object>> = {
  identify: { type: 'identify', userId: 'ada', context: { traits: TRAITS } },
  track: { type: 'track', userId: 'ada', event: 'Bought', properties: { price: 12.5 }, context: { traits: TRAITS } },
  page: { type: 'page', userId: 'ada', name: 'Home', properties: { url: 'https://example.com/' } },
  screen: { type: 'screen', userId: 'ada', name: 'Home' },
  group: { type: 'group', userId: 'ada', groupId: 'acme', traits: { name: 'Acme' } },
  alias: { type: 'alias', userId: 'ada', previousId: 'visitor' },
};

interface TriggerOptions {
  source?: string;
  user?: string;
}

export const triggerCommands: CommandGroup = (program, cli) => {
  program
    .command('trigger <fixture-or-file>')
    .summary('send events')
    .description(
      `Sends one event of a fixture (${Object.keys(FIXTURES).join(', ')}), or those of a file (\`-\` is the input): a JSON event, a list, or one event a line. Prints their message ids for \`weir trace\`.`,
    )
    .option('--source <name>', 'sends as this source; needed if the workspace has several')
    .option('--user <userId>', 'sets the user of each event')
    .addHelpText(
      'after',
      examples(
        'weir trigger track --user u1',
        'weir trigger orders.json --source "my site"',
        'weir trigger - < orders.json',
      ),
    )
    .action(cli.action(trigger));
};

async function trigger({ io, out, args, options, client }: Run<TriggerOptions>): Promise<void> {
  const [name = ''] = args;
  const events = (name === '-' ? eventsIn('the input', await io.readInput()) : eventsOf(name, io.cwd)).map((event) => ({
    messageId: randomUUID(),
    ...event,
    ...(options.user && { userId: options.user }),
  }));
  const weir = client();
  const source = await sourceOf(weir, options.source);
  const authorization = `Basic ${btoa(`${source.writeKey}:`)}`;
  const messageIds = events.map(({ messageId }) => messageId);
  for (let from = 0; from < events.length; from += BATCH_MAX) {
    const batch = events.slice(from, from + BATCH_MAX) as Event[];
    // the client repeats a POST only with a key. Message ids make it safe, and may hold what no header can
    const headers = { authorization, 'idempotency-key': randomUUID() };
    const sending = unwrap(weir.POST('/v1/batch', { body: { batch }, headers, parseAs: 'text' }));
    await sending.catch((error: unknown) => {
      throw from === 0 ? error : stopped(error, messageIds, from);
    });
  }
  out.result({ source: source.id, messageIds }, ({ green }) =>
    [green(`✓ Sent ${events.length} as ${source.name}`), ...messageIds].join('\n'),
  );
}

/** A second run with the same file would send again what has arrived. */
const stopped = (error: unknown, messageIds: readonly string[], sent: number): StoppedError =>
  new StoppedError(
    error,
    `The first ${sent} of ${messageIds.length} events were sent, up to ${messageIds[sent - 1]}. Send the others alone`,
    { done: sent, of: messageIds.length, messageIds: messageIds.slice(0, sent) },
  );

/** The events of a fixture or a file. */
export function eventsOf(name: string, cwd: string): Record<string, unknown>[] {
  const fixture = FIXTURES[name];
  if (fixture && !existsSync(resolve(cwd, name))) return [{ ...fixture }];
  return eventsIn(name, read(name, cwd));
}

function eventsIn(name: string, text: string): Record<string, unknown>[] {
  const events = parsed(name, text);
  const isEvent = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  if (events.length === 0 || !events.every(isEvent)) {
    throw new CliError(`${name} holds no events`, 'Write a JSON object, a list of them, or one per line.');
  }
  return events as Record<string, unknown>[];
}

function read(name: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, name), 'utf8');
  } catch {
    const fixtures = Object.keys(FIXTURES).join(', ');
    throw new CliError(`There is no fixture and no file ${name}`, `Fixtures: ${fixtures}.`);
  }
}

function parsed(name: string, text: string): unknown[] {
  try {
    return [JSON.parse(text)].flat();
  } catch {
    // perhaps a line for each event
  }
  try {
    return text
      .split('\n')
      .filter((line) => line.trim())
      .map((line) => JSON.parse(line));
  } catch (error) {
    throw new CliError(`${name} is not JSON: ${(error as Error).message}`);
  }
}

/** Without a name there must be only one, because events of a test must not land in a source of customers. */
async function sourceOf(weir: WeirClient, name: string | undefined) {
  const sources = [];
  for await (const source of weir.paginate('/v2/sources')) sources.push(source);
  if (name !== undefined) return findNamed('source', sources, name);
  const [only, another] = sources;
  if (only && !another) return only;
  const names = sources.map((source) => source.name).slice(0, 10);
  throw new CliError('The workspace has several sources, or none', `Name one with --source: ${names.join(', ')}`);
}
