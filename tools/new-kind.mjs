// Begins a destination kind: npm run new-kind -- acme. Writes its folder with a small kind and a test that fails and names the next
// steps, and registers it. docs/adding-a-destination.md goes on from there.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const KINDS = 'libs/destinations/src/kinds';
const INDEX = `${KINDS}/index.ts`;
const USAGE = `Usage: npm run new-kind -- <folder> [--type TYPE] [--name "Display name"]

  folder  lower-case letters, digits and underscores, such as acme or acme_ads
  --type  type of the destinations in the API, in capitals; the folder's name in capitals by default
  --name  how people write the vendor's name; "Acme Ads" for acme_ads by default

Writes ${KINDS}/<folder>/<folder>.ts and <folder>.spec.ts, and a line in ${INDEX}.
`;
const NAME_LENGTH_MAX = 40;
/** Words that cannot name an import. */
const RESERVED = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for function if ' +
    'implements import in instanceof interface let new null package private protected public return static super switch this ' +
    'throw true try typeof var void while with yield'
  ).split(' '),
);

function refuse(problem) {
  process.stderr.write(`${problem}\n\n${USAGE}`);
  process.exit(1);
}

function parsed() {
  const options = { type: { type: 'string' }, name: { type: 'string' }, help: { type: 'boolean', short: 'h' } };
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return refuse(error.message);
  }
}

const { values, positionals } = parsed();
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const [folder, ...more] = positionals;
if (folder === undefined) refuse('Name the folder of the new kind.');
if (more.length > 0) refuse(`One kind at a time: ${more.join(' ')} is too much.`);
const type = values.type ?? folder.toUpperCase();
const displayName =
  values.name ??
  folder
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
const variable = folder.replace(/_+(.)/g, (_, letter) => letter.toUpperCase());

checkNames();
mkdirSync(`${KINDS}/${folder}`);
writeFileSync(`${KINDS}/${folder}/${folder}.ts`, kindFile());
writeFileSync(`${KINDS}/${folder}/${folder}.spec.ts`, specFile());
register();
process.stdout.write(`${KINDS}/${folder} is a kind of destination now, of type ${type}. Its test says what comes next:

  npm run -s jest -- ${KINDS}/${folder}
  npm run -s jest -- libs/destinations/src/every-kind

docs/adding-a-destination.md explains each step.
`);

function checkNames() {
  if (!existsSync(INDEX)) refuse(`There is no ${INDEX} here. Run this in the root of the repository.`);
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(folder) || folder.length > NAME_LENGTH_MAX) {
    refuse(
      `"${folder}" cannot name a folder: use up to ${NAME_LENGTH_MAX} lower-case letters, digits and underscores, letters first.`,
    );
  }
  if (RESERVED.has(variable)) refuse(`"${folder}" is a word of the language: add one, such as ${folder}_api.`);
  if (!/^[A-Z][A-Z0-9_]*$/.test(type) || type.length > NAME_LENGTH_MAX) {
    refuse(
      `"${type}" cannot be a type: use up to ${NAME_LENGTH_MAX} capitals, digits and underscores, capitals first.`,
    );
  }
  if (!/^[\p{L}\p{N}][\p{L}\p{N} .&+-]{0,59}$/u.test(displayName))
    refuse(`"${displayName}" cannot be a name: use letters, digits and spaces.`);
  if (existsSync(`${KINDS}/${folder}`)) refuse(`${KINDS}/${folder} exists already.`);
  const owner = ownerOf(`name: '${type}',`);
  if (owner) refuse(`${owner} has the type ${type} already. Choose another with --type.`);
  const namesake = ownerOf(`displayName: '${displayName}',`);
  if (namesake) refuse(`${namesake} is called ${displayName} already. Choose another with --name.`);
  if (readFileSync(INDEX, 'utf8').includes(`default as ${variable} }`))
    refuse(`${INDEX} has a kind ${variable} already.`);
}

/** The file of the kind that says this about itself. */
function ownerOf(text) {
  return globSync(`${KINDS}/*/*.ts`).find((file) => readFileSync(file, 'utf8').includes(text));
}

/** Adds the line of the kind, in order of folders. */
function register() {
  const [comment, ...lines] = readFileSync(INDEX, 'utf8').trimEnd().split('\n');
  const folderOf = (line) => line.slice(line.indexOf(" from './"));
  lines.push(`export { default as ${variable} } from './${folder}/${folder}.js';`);
  lines.sort((one, other) => (folderOf(one) < folderOf(other) ? -1 : 1));
  writeFileSync(INDEX, `${[comment, ...lines].join('\n')}\n`);
}

function kindFile() {
  return `import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';

/** Name the vendor's page here that describes the request. */
const ENDPOINT = 'https://api.${folder.replaceAll('_', '-')}.example/v1/events';

/** The vendor's keys, and where their values come from. */
const EVENT: kit.Mapping = {
  user_id: { from: kit.USER_ID, as: kit.toText, required: true },
  email: { from: kit.EMAIL, as: kit.toLowerCase },
  time: { from: kit.TIMESTAMP, as: kit.toIso },
  properties: { from: 'properties', as: kit.onlyObject },
};

export default defineKind({
  name: '${type}',
  displayName: '${displayName}',
  messageTypes: ['track'],
  config: { apiKey: kit.required(kit.secret('API key')) },
  example: {},
  transform(event, config) {
    const headers = kit.bearerAuth(kit.requiredText(config, 'apiKey'));
    return kit.byType(event, {
      track: () => {
        const body = { name: kit.eventName(event), ...kit.mapFields(event, EVENT) };
        return [kit.jsonRequest(ENDPOINT, body, { headers })];
      },
    });
  },
});
`;
}

function specFile() {
  return `import { describe, expect, it } from '@jest/globals';
import { ada } from '../../../test/events.fixtures.js';
import ${variable} from './${folder}.js';

const config = { apiKey: 'k' };
const track = { ...ada, type: 'track', event: 'Paid', properties: { plan: 'pro' } };

const NEXT_STEPS = \`${folder}.ts still holds placeholders. Next:
1. config: one field for each setting that the vendor needs. Mark secrets, and what decides the host.
2. ENDPOINT and EVENT: what the vendor's documentation says. Add the other types of events that it takes.
3. This file: compare with requests that the documentation shows. Delete NEXT_STEPS.
4. npm run kinds-table, and npm run -s jest -- libs/destinations
docs/adding-a-destination.md explains each step.\`;

describe('an event for ${displayName}', () => {
  it('is the request that the vendor documents', () => {
    const [payload] = ${variable}.transform(track, config);
    if (payload?.endpoint.includes('.example/')) throw new Error(NEXT_STEPS);
    expect(payload?.headers).toMatchObject({ authorization: 'Bearer k' });
    expect(payload?.body.JSON).toEqual({ name: 'Paid', user_id: 'ada', time: ada.timestamp, properties: { plan: 'pro' } });
  });

  it('has no properties if they are not an object', () => {
    const [payload] = ${variable}.transform({ ...track, properties: ['pro'] }, config);
    expect(payload?.body.JSON).not.toHaveProperty('properties');
  });

  it.each([
    [{ event: '' }, 'Event name is required'],
    [{ type: 'page' }, 'Event type page is not supported'],
  ])('is refused: %j', (change, reason) => {
    expect(() => ${variable}.transform({ ...track, ...change }, config)).toThrow(reason);
  });
});
`;
}
