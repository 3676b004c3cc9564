import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { unwrap } from '@weir/client';
import { findNamed } from '../core/find.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';

interface TypesOptions {
  source?: string;
  calls?: boolean;
  out?: string;
}

export const typesCommands: CommandGroup = (program, cli) => {
  program
    .command('types')
    .summary('print TypeScript types of the events seen so far')
    .description('Prints one type for each event model: what your code may count on, as far as events have shown it.')
    .option('--source <name>', 'only events of this source')
    .option('--calls', 'add types for the calls of an SDK, so that a compiler checks names and properties')
    .option('--out <file>', 'write them to a file')
    .addHelpText('after', examples('weir types --source "my site" --calls --out events.d.ts'))
    .action(cli.action(types));
};

async function types({ io, out, options, client, credentials }: Run<TypesOptions>): Promise<void> {
  const weir = client();
  const sources = [];
  if (options.source) for await (const source of weir.paginate('/v2/sources')) sources.push(source);
  const source = options.source ? findNamed('source', sources, options.source) : undefined;
  // Area D takes a token as a password without a name.
  const authorization = `Basic ${btoa(`:${credentials().token}`)}`;
  const types = await unwrap(
    weir.GET('/schemas/event-models/typescript', {
      params: { query: { ...(source && { WriteKey: source.writeKey }) } },
      headers: { authorization },
      parseAs: 'text',
    }),
  );
  const text = options.calls ? withSdkCalls(types) : types;
  if (options.out === undefined) {
    out.result({ types: text }, () => text.trimEnd());
    return;
  }
  writeFileSync(resolve(io.cwd, options.out), text);
  out.result({ file: options.out }, () => `Wrote ${options.out}.`);
}

/**
 * A declaration that the server writes for each event model: the properties of a track event, the traits of identify and group.
 * Its comment is the type and the name of the event, as a JSON text.
 */
const DECLARATION = /^\/\*\* (".*") \*\/\nexport type (\S+) =/gm;
/** An object with unknown contents. SDKs take no `unknown`, so it holds anything. */
const OPEN_OBJECT = /([:=|(] )Record<string, unknown>/g;
const COMMENT = '/**';

/**
 * Adds types for the calls of an SDK to the types of observed events. With them, the compiler refuses an event that nobody has sent
 * before, and a property of another type.
 */
export function withSdkCalls(types: string): string {
  const names = namesByEvent(types);
  const track = [...names].filter(([event]) => event.startsWith('track '));
  const lines = track.map(([event, type]) => `  ${JSON.stringify(event.slice('track '.length))}: ${type};\n`);
  const traits = (type: string) => names.get(type) ?? 'Record<string, any>';
  return `${types.trimEnd().split('\n').map(withOpenObjects).join('\n')}

/** Properties of observed \`track\` events, by name. */
export type TrackEvents = {
${lines.join('')}};

type IdentifyTraits = ${traits('identify')};
type GroupTraits = ${traits('group')};
type Given<Properties> = {} extends Properties ? [properties?: Properties] : [properties: Properties];

/** Calls of a browser's SDK. For example: \`const analytics: SdkCalls = new RudderAnalytics()\`. */
export interface SdkCalls {
  track<Name extends keyof TrackEvents>(event: Name, ...properties: Given<TrackEvents[Name]>): void;
  identify(userId: string, traits?: IdentifyTraits): void;
  group(groupId: string, traits?: GroupTraits): void;
}

type Sender = ({ userId: string; anonymousId?: string } | { userId?: string; anonymousId: string }) & {
  messageId?: string;
  timestamp?: Date;
};
type WithProperties<Properties> = {} extends Properties ? { properties?: Properties } : { properties: Properties };
type TrackMessage = {
  [Name in keyof TrackEvents]: Sender & { event: Name } & WithProperties<TrackEvents[Name]>;
}[keyof TrackEvents];

/** Calls of a server's SDK, which takes one object. For example: \`const analytics: ServerSdkCalls = new Analytics(…)\`. */
export interface ServerSdkCalls {
  track(message: TrackMessage): void;
  identify(message: Sender & { traits?: IdentifyTraits }): void;
  group(message: Sender & { groupId: string; traits?: GroupTraits }): void;
}
`;
}

/** Type names by event, such as `track Bought`. Sources that send the same event have a model each, so either type will do. */
function namesByEvent(types: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, comment = '', name = ''] of types.matchAll(DECLARATION)) {
    const event: string = JSON.parse(comment);
    const before = names.get(event);
    names.set(event, before === undefined ? name : `${before} | ${name}`);
  }
  return names;
}

/** Comments are left alone, because they quote names of events. */
const withOpenObjects = (line: string): string =>
  line.startsWith(COMMENT) ? line : line.replace(OPEN_OBJECT, '$1Record<string, any>');
