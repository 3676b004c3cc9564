import fc from 'fast-check';
import { type CodeContents, codeFiles } from './configuration-code.js';
import { bodyText, hostileKey, hostileName, hostileText, json, optional, secretText } from './hostile-texts.js';

/** A project as somebody could have written it, and values for the variables that it refers to. */
export interface Configuration {
  /** Path of a file to its text. JSON is YAML. */
  files: Record<string, string>;
  env: Record<string, string>;
}

/** The part of a destination definition that a generated destination needs. */
export interface Kind {
  name: string;
  config: { secretKeys: string[] };
}

type Json = Record<string, unknown>;

const names = fc.uniqueArray(hostileName, { minLength: 1, maxLength: 3 });
const flag = fc.boolean();
/** As many as there can be names. */
const many = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 3, maxLength: 3 });

const privacy = fc.record({
  samples: fc.constantFrom('keep', 'mask', 'off'),
  maskedKeys: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}(\.[a-z: #]{1,5}x)?$/), { maxLength: 3 }),
});
const source = fc.record({
  ...{ type: fc.constantFrom('HTTP', 'Javascript', 'webhook', 'Own: # kind'), enabled: optional(flag) },
  ...{ geoEnrichment: optional(flag), transient: optional(flag), config: optional(json), was: optional(hostileName) },
  partitions: optional(fc.integer({ min: 1, max: 16 })),
  ...{ privacy: optional(privacy), keeps: fc.constantFrom('nothing', 'its key', 'a reference') },
  writeKey: fc.uuid().map((id) => `${id.replaceAll('-', '')}_-`),
});
const destination = fc.record({
  ...{ enabled: optional(flag), own: json, secret: secretText, was: optional(hostileName), link: fc.nat() },
});
const connection = fc.record({ source: fc.nat({ max: 2 }), destination: fc.nat({ max: 2 }), enabled: optional(flag) });
const credential = fc.record({
  value: secretText,
  form: fc.constantFrom('variable', 'file', 'within a text', 'plain', 'escaped'),
});
const code = fc.record({
  ...{ description: optional(hostileText), comment: bodyText, was: optional(hostileName) },
  ...{ isUnlisted: flag, isImporting: flag, events: fc.constantFrom('none', 'named', 'beside') },
  tests: optional(fc.array(json, { maxLength: 2 })),
}) satisfies fc.Arbitrary<CodeContents>;

const contents = fc.record({
  ...{ sources: fc.tuple(names, many(source)), destinations: fc.tuple(names, many(destination)) },
  connections: fc.uniqueArray(connection, { maxLength: 4, selector: (one) => `${one.source} ${one.destination}` }),
  ...{ transformations: fc.tuple(names, many(code)), libraries: many(code), isSplit: flag },
  credentials: fc.dictionary(hostileKey, credential, { maxKeys: 3, noNullPrototype: true }),
});
type Contents = ReturnType<typeof contents.generate>['value'];

/** The same seed gives the same configurations. Together they have a destination of each kind, if there are enough of them. */
export function configurations(kinds: readonly Kind[], count: number, seed: number): Configuration[] {
  let next = 0;
  const kindOf = () => kinds[next++ % kinds.length] as Kind;
  return fc.sample(contents, { numRuns: count, seed }).map((one) => configurationOf(one, kindOf));
}

function configurationOf(from: Contents, kindOf: () => Kind): Configuration {
  const env: Record<string, string> = {};
  const files: Record<string, string> = {};
  const credentials = Object.entries(from.credentials).map(([key, one], at) => credentialOf(key, one, at, files, env));
  const sources = zip(from.sources).map(([name, one], at) => sourceOf(name, one, at, env));
  const transformations = codeFiles(from.transformations[0], from.transformations[1], from.libraries, files);
  const linkable = transformations.names;
  const destinations = zip(from.destinations).map(([name, { link, ...one }], at) => ({
    ...destinationOf(name, one, kindOf(), at, env),
    transformation: linkable[link % (linkable.length + 1)],
  }));
  const connections = from.connections.flatMap((one) => {
    const [start, end] = [sources[one.source], destinations[one.destination]];
    return start && end ? [{ source: start.name, destination: end.name, enabled: one.enabled }] : [];
  });
  const { listed, libraries } = transformations;
  const lists = { sources, destinations, connections, transformations: listed, libraries, credentials };
  return { files: { ...files, ...(from.isSplit ? split(lists) : { 'weir.yaml': JSON.stringify(lists) }) }, env };
}

/** A file for each resource, at several depths. Code stays beside `weir.yaml`, where its path is true. */
function split({ transformations, libraries, ...lists }: Record<string, Json[]>): Record<string, string> {
  const single = Object.entries(lists).flatMap(([folder, list]) =>
    list.map((one, at) => [`${folder}/${'deep/'.repeat(at)}${at}.${at % 2 ? 'yml' : 'yaml'}`, JSON.stringify(one)]),
  );
  return { 'weir.yaml': JSON.stringify({ version: 1, transformations, libraries }), ...Object.fromEntries(single) };
}

function sourceOf(
  name: string,
  { keeps, writeKey, config, ...rest }: Contents['sources'][1][number],
  at: number,
  env: Configuration['env'],
) {
  if (keeps === 'a reference') env[`KEY_${at}`] = writeKey;
  const key = keeps === 'a reference' ? `{{ env.KEY_${at} }}` : writeKey;
  return { name, ...rest, ...(config && { config: escaped(config) }), ...(keeps !== 'nothing' && { writeKey: key }) };
}

function destinationOf(
  name: string,
  { own, secret, ...rest }: Omit<Contents['destinations'][1][number], 'link'>,
  { name: type, config: { secretKeys } }: Kind,
  at: number,
  env: Configuration['env'],
) {
  const config: Record<string, unknown> = { [`own ${at}`]: escaped(own) };
  for (const [number, path] of secretKeys.entries()) {
    const variable = `SECRET_${at}_${number}`;
    // Some kinds have an address as their secret.
    env[variable] = /url|uri/i.test(path) ? `https://example.com/${number}` : `${secret} ${number}`;
    const [list, field] = path.split('.');
    if (list !== undefined && field !== undefined) config[list] = [{ from: 'x', [field]: `{{ env.${variable} }}` }];
    else config[path] = `{{env.${variable}}}`;
  }
  return { name, type, ...rest, config };
}

function credentialOf(
  key: string,
  { value, form }: Contents['credentials'][string],
  at: number,
  files: Configuration['files'],
  env: Configuration['env'],
) {
  if (form === 'plain') return { key, value: escaped(value), secret: false };
  if (form === 'escaped') return { key, value: '{{! env.NOBODY }}', secret: false };
  const [variable, path] = [`CREDENTIAL_${at}`, `values/${at}.txt`];
  if (form === 'file') files[path] = `${value}\n`;
  else env[variable] = value;
  const reference = form === 'file' ? `{{ file.${path} }}` : `{{ env.${variable} }}`;
  return { key, value: form === 'within a text' ? `Bearer ${reference}!` : reference };
}

/** The text as a person writes it who means the text itself: references get one more `!`. */
function escaped<Value>(value: Value): Value {
  const reference = /\{\{(?=!*\s*(env|file)\.)/g;
  return JSON.parse(JSON.stringify(value).replaceAll(reference, '{{!'));
}

function zip<Value>([names, values]: [string[], Value[]]): [string, Value][] {
  return names.map((name, at) => [name, values[at] as Value]);
}
