import type { DestinationInFile } from '../project/files.js';
import { importCodeOf, NO_SETTINGS } from './code.js';
import type { Import } from './import.js';
import { leaves, type Node } from './ledger.js';
import { EXPORT_FORM } from './setting-form.js';
import { settingsOf } from './settings.js';
import type { ImportedSource } from './source.js';

export interface ImportedDestination {
  node: Node;
  /** Undefined if Weir has no such kind. */
  name: string | undefined;
  /** Names of the sources that it is connected to, with whether the connection is on. */
  sources: Map<string, boolean>;
}

/** Keys that the export repeats or refers to by an id. */
export interface Known {
  sources: Map<string, ImportedSource>;
  destinations: Map<string, ImportedDestination>;
}

const WEIR_IDS = 'Weir makes ids of its own. Files refer to resources by name';
const LOST = {
  id: WEIR_IDS,
  originalId: WEIR_IDS,
  workspaceId: 'The access token decides the workspace',
  revisionId: 'Weir keeps no revisions of settings. Git does',
  hasDynamicConfig: 'It says whether settings hold templates, which Weir does not fill',
  version: 'Weir has one version of each kind',
  deliveryAccount: 'Weir has no accounts: write its credentials into the settings of the destination',
  deleteAccount: 'Weir has no accounts: a deletion uses the settings of the destination',
};
const DEFINITION = { id: WEIR_IDS, displayName: 'A label of the kind', config: 'Weir has definitions of its own' };

/** A destination, which the export repeats in each source that it is connected to. */
export async function importDestination(
  node: Node,
  source: ImportedSource,
  known: Map<string, ImportedDestination>,
  into: Import,
): Promise<void> {
  const id = node.at('id').text ?? node.path.join('.');
  const before = known.get(id);
  const imported = before ?? (await importFirst(node, source, into));
  known.set(id, imported);
  if (before) sameAs(before, node);
  const flags = [node.at('isConnectionEnabled'), node.at('isProcessorEnabled')];
  if (source.name === undefined) node.lost('It is listed below a source that Weir does not have');
  else
    imported.sources.set(
      source.name,
      flags.every(({ isOn }) => isOn),
    );
  const isThere = source.name !== undefined && imported.name !== undefined;
  for (const flag of flags)
    if (isThere) flag.mapped(`connection of source "${source.name}" to destination "${imported.name}": enabled`);
    else flag.lost('Weir does not have both ends of the connection');
}

async function importFirst(node: Node, { platform }: ImportedSource, into: Import): Promise<ImportedDestination> {
  const definition = node.at('destinationDefinition');
  const [title, type] = [node.at('name').text ?? 'unnamed', definition.at('name').text ?? ''];
  const kind = into.definitions.get(type);
  const sources = new Map<string, boolean>();
  if (!kind) {
    node.lost(`Weir has no destinations of the kind ${type}`);
    const events = 'No event would reach it. A WEBHOOK or HTTP destination can send them to a service of yours';
    into.losses.push({ what: `destination "${title}" (${type})`, events });
    return { node, name: undefined, sources };
  }
  const name = into.freeName('destinations', title);
  const place = `destination "${name}"`;
  node.lostAll(LOST);
  definition.lostAll(DEFINITION);
  definition.at('name').mapped(`${place}: type`);
  node.at('name').mapped(`${place}: name`);
  node.at('enabled').mapped(`${place}: enabled`);
  const nodes = [node.at('config'), node.at('secretConfig')];
  for (const one of nodes) one.mapped(`${place}: config`);
  const config = settingsOf(nodes, { name: place, title: name, definition: kind, platform, form: EXPORT_FORM }, into);
  const code = await transformationOf(node.at('transformations'), place, into);
  const written: DestinationInFile = {
    ...{ name, type },
    ...((!node.at('enabled').isOn || code.isMissing) && { enabled: false }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(code.name !== undefined && { transformation: code.name }),
  };
  into.project.destinations.push(written);
  if (code.isMissing) awaitCode(node, written, into);
  return { node, name, sources };
}

/** Project files may have what the export only names. Several transformations have to be joined by their owner. */
function awaitCode(node: Node, written: DestinationInFile, into: Import): void {
  const [first, ...others] = node.at('transformations').items();
  if (!first || others.length > 0) return;
  into.missingCode.push({
    destination: written.name,
    transformationId: first.at('id').text,
    found: (transformation) => {
      written.transformation = transformation;
      if (node.at('enabled').isOn) delete written.enabled;
      for (const one of [first, first.at('versionId'), first.at('id')])
        one.mapped(`transformation "${transformation}", from the project files`);
      first.at('config').lost(NO_SETTINGS);
      into.noLonger(`destination "${written.name}": transformation`);
    },
  });
}

/** A destination of Weir has one transformation. Without the code it would get events that its owner changes or drops. */
async function transformationOf(node: Node, place: string, into: Import) {
  const [first, ...others] = node.items();
  node.mapped(`${place}: transformation`);
  for (const other of others) {
    other.lost('A destination of Weir has one transformation: join their code');
    into.losses.push({ what: `${place}: a further transformation`, events: 'They would arrive without its changes' });
  }
  if (!first) return { name: undefined, isMissing: false };
  const name = await importCodeOf(first, 'transformation', into);
  const isMissing = name === undefined || others.length > 0;
  if (isMissing)
    into.losses.push({
      what: `${place}: transformation`,
      events: 'The destination is written disabled, because its code is missing',
    });
  return { name, isMissing };
}

/** The first copy counts. Values that differ in a later one are told. */
function sameAs({ node: first, name }: ImportedDestination, copy: Node): void {
  copy.mapped(`destination "${name}", as ${first.path.join('.')}`);
  if (name === undefined) copy.lost(`As ${first.path.join('.')}`);
  for (const path of leaves(copy.value)) {
    const [mine, theirs] = [copy, first].map((node) => path.reduce((at, key) => at.at(key), node));
    const isSame = JSON.stringify(mine?.value) === JSON.stringify(theirs?.value);
    if (!isSame) mine?.lost(`It differs from ${theirs?.path.join('.')}, which counts`);
  }
}
