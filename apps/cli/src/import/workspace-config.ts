import type { FileProject } from '../project/files.js';
import { literal } from '../project/references.js';
import { importCodeOf } from './code.js';
import { importDestination, type Known } from './destination.js';
import type { Import } from './import.js';
import type { Node } from './ledger.js';
import { importSource } from './source.js';

const NO_ACCOUNTS = 'Weir has no accounts: a destination takes its credentials in its own settings';
const ROOT = {
  enableMetrics: 'Each process of Weir serves its metrics by itself',
  workspaceId: 'The access token decides the workspace',
  eventReplays: 'Replays of the incumbent do not go on in Weir. Weir replays what it took in itself',
  flags: 'Flags turn on features of the incumbent',
  updatedAt: 'Weir keeps times of its own',
  accounts: NO_ACCOUNTS,
  accountDefinitions: NO_ACCOUNTS,
};
const SETTINGS = {
  dataRetention: 'Weir keeps no archive of raw events. `privacy.samples` of a source limits the samples that it keeps',
  eventAuditEnabled: 'Weir always describes events: GET /schemas/event-models',
  eventBlocking: 'Weir blocks no event by name. A transformation can: return null for the event',
};

/** Reads a workspace export of the incumbent into the project. */
export async function importWorkspace(json: unknown, into: Import): Promise<void> {
  const root = into.ledger.open(json);
  root.lostAll(ROOT);
  root.at('settings').lostAll(SETTINGS);
  tellBlocked(root.at('settings').at('eventBlocking').at('events'), into);
  importCredentials(root.at('credentials'), into);
  for (const library of root.at('libraries').items()) await importCodeOf(library, 'library', into);
  const known: Known = { sources: new Map(), destinations: new Map() };
  for (const source of root.at('sources').items()) {
    const imported = importSource(source, into);
    known.sources.set(imported.id, imported);
    for (const destination of source.at('destinations').items())
      await importDestination(destination, imported, known.destinations, into);
  }
  importConnections(root.at('connections'), known, into);
}

function tellBlocked(events: Node, into: Import): void {
  const names = events.items().flatMap((type) => type.items().map(({ text }) => `${type.key} "${text}"`));
  if (names.length === 0) return;
  into.losses.push({ what: 'event blocking', events: `${names.join(', ')} would pass. Drop them in a transformation` });
}

/** The list of connections says the same as the nesting of destinations in sources. Where it differs, it counts. */
function importConnections(connections: Node, { sources, destinations }: Known, into: Import): void {
  for (const node of connections.items()) {
    const source = sources.get(node.at('sourceId').text ?? '')?.name;
    const destination = destinations.get(node.at('destinationId').text ?? '');
    if (source === undefined || destination?.name === undefined) {
      node.lost('Weir does not have both ends of the connection');
      continue;
    }
    const place = `connection of source "${source}" to destination "${destination.name}"`;
    for (const key of ['sourceId', 'destinationId']) node.at(key).mapped(place);
    for (const key of ['enabled', 'processorEnabled']) node.at(key).mapped(`${place}: enabled`);
    node.at('config').lost('A connection of Weir has no settings');
    destination.sources.set(source, node.at('enabled').isOn && node.at('processorEnabled').isOn);
  }
  for (const { name, sources: connected } of destinations.values())
    for (const [source, enabled] of connected)
      if (name !== undefined) into.project.connections.push(written(source, name, enabled));
}

const written = (source: string, destination: string, enabled: boolean): FileProject['connections'][number] => ({
  ...{ source, destination },
  ...(!enabled && { enabled }),
});

const KEY = /^[\w.-]{1,128}$/;

/** Credentials of user code, which reads them with `getCredential(key)` here as there. */
function importCredentials(credentials: Node, into: Import): void {
  const seen = new Set<string>();
  for (const node of credentials.items()) {
    const key = node.at('key').text ?? node.key;
    const value = node.at('value').text;
    const isSecret = node.at('isSecret').isOn;
    if (!KEY.test(key) || value === undefined || value === '' || seen.has(key)) {
      node.lost('A key has 1 to 128 letters, digits, _, . and -, is there once, and has a text as its value');
      into.losses.push({ what: `credential "${key}"`, events: 'Code that asks for it gets nothing' });
      continue;
    }
    seen.add(key);
    const place = `credential "${key}"`;
    node.at('key').mapped(`${place}: key`);
    node.at('value').mapped(isSecret ? `${place}: value, as a variable in secrets.env` : `${place}: value`);
    node.at('isSecret').mapped(`${place}: secret`);
    const written = isSecret ? { value: into.secret(value, place, key) } : { value: literal(value), secret: false };
    into.project.credentials.push({ key, ...written });
  }
}
