import { importCodeOf } from './code.js';
import { importConnections } from './connections.js';
import { importCredentials } from './credentials.js';
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
