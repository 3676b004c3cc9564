import { addCode } from './code.js';
import { EXPORT_COUNTS, Exported, remoteIds } from './exported.js';
import type { Code, Import } from './import.js';
import type { Node } from './ledger.js';
import { type Document, openVariables, type ProjectFiles } from './project-files.js';
import { idOf, platformsOf, referenceOf } from './project-references.js';
import { testsOf } from './project-tests.js';
import { PROJECT_FORM } from './setting-form.js';
import { settingsOf } from './settings.js';

const NOT_IN_WEIR: Record<string, string> = {
  'tracking-plan': 'Weir describes events and enforces no tracking plan',
  tp: 'Weir describes events and enforces no tracking plan',
  events: 'Weir finds out which events there are by itself',
  properties: 'Weir finds out which properties there are by itself',
  categories: 'Weir has no categories of events',
  'custom-types': 'Weir finds out the types of properties by itself',
  account: 'Weir has no accounts: a destination takes its credentials in its own settings',
  'import-manifest': 'It tells the other tool which remote objects it manages',
  'data-graph': 'Weir has no data graphs',
  'retl-source-sql-model': 'Weir does not pull data from warehouses',
};
const IDENTITY = 'Files of Weir refer to resources by name';

/**
 * Reads the project files of the incumbent's command line, whose variables are there already. What others refer to comes first.
 * What a workspace export before them has counts.
 */
export function importProject({ documents }: ProjectFiles, into: Import): void {
  const names = new Map<string, string>();
  const exported = new Exported(into);
  const roots = documents.map((document) => ({ document, root: into.ledger.open(document.content, document.title) }));
  for (const { document, root } of roots) {
    root.at('version').lost('The format of the file');
    root.at('kind').mapped('The folder of the resource');
    root.at('metadata').lost('It names the resource for the other tool');
    const why = NOT_IN_WEIR[document.kind];
    if (why) root.lost(why);
  }
  const platforms = platformsOf(roots);
  for (const importer of [importCode, importSource, importDestination, importConnections])
    for (const { document, root } of roots) importer(document, root, { names, platforms, exported, into });
}

interface Context {
  /** Names in Weir, by `kind:id` of the files. */
  names: Map<string, string>;
  platforms: ReadonlyMap<string, string>;
  exported: Exported;
  into: Import;
}
type Importer = (document: Document, root: Node, context: Context) => void;

const importCode: Importer = ({ kind, read, filesIn }, root, { names, exported, into }) => {
  if (kind !== 'transformation' && kind !== 'transformation-library') return;
  const spec = root.at('spec');
  const ours = kind === 'transformation' ? 'transformation' : 'library';
  const code = codeOf(spec, read);
  const place = `${ours} "${spec.at('name').text}"`;
  if (code?.language !== 'javascript') {
    spec.lost(code ? 'Weir runs JavaScript only' : 'Its file of code is not there');
    into.losses.push({ what: place, events: 'They would pass without this code' });
    return;
  }
  spec.lostAll({ id: IDENTITY, import_name: 'It follows from the name, here as there' });
  const tests = testsOf(spec, filesIn, place);
  for (const key of ['name', 'description', 'code', 'file', 'language']) spec.at(key).mapped(`${place}: ${key}`);
  tellOpenVariables(spec.at('code'), place, into);
  const name = addCode(ours, { ...code, ...(tests.length > 0 && { tests }) }, into);
  names.set(`${kind}:${spec.at('id').text}`, name);
  const transformationIds = remoteIds(root.at('metadata'), spec.at('id').text);
  if (ours === 'transformation') exported.giveCode(name, { transformationIds });
};

function tellOpenVariables(node: Node, place: string, into: Import): void {
  const open = openVariables(node.text ?? '');
  if (open.length > 0) node.kept(`${place}: code, without ${open.join(', ')}`);
  for (const name of open)
    into.losses.push({
      what: `${place}: the variable ${name} in its code`,
      events: 'No file of variables has it, so the code has `{{ .… }}` in place of its value. Use getCredential',
    });
}

/** The code of a document of either kind. */
function codeOf(spec: Node, read: Document['read']): Code | undefined {
  const file = spec.at('file').text;
  const code = spec.at('code').text ?? (file === undefined ? undefined : read(file));
  if (code === undefined) return undefined;
  const language = spec.at('language').text ?? 'javascript';
  return { name: spec.at('name').text ?? 'unnamed', description: spec.at('description').text ?? '', code, language };
}

const importSource: Importer = ({ kind }, root, { names, exported, into }) => {
  if (kind !== 'event-stream-source') return;
  const spec = root.at('spec');
  const title = spec.at('name').text ?? 'unnamed';
  const same = exported.take('sources', title, spec.at('type').text ?? 'http');
  if (same !== undefined) {
    spec.lost(EXPORT_COUNTS);
    names.set(`${kind}:${spec.at('id').text}`, same);
    return;
  }
  const name = into.freeName('sources', title);
  const place = `source "${name}"`;
  spec.lostAll({ id: IDENTITY, governance: 'Weir enforces no tracking plan' });
  for (const key of ['name', 'type', 'enabled']) spec.at(key).mapped(`${place}: ${key}`);
  const source = { name, type: spec.at('type').text ?? 'http', ...(!spec.at('enabled').isOn && { enabled: false }) };
  into.project.sources.push(source);
  into.losses.push({ what: `${place}: write key`, events: 'Project files hold no write keys: SDKs need the new key' });
  names.set(`${kind}:${spec.at('id').text}`, name);
};

const importDestination: Importer = ({ kind }, root, { names, platforms, exported, into }) => {
  if (kind !== 'destination') return;
  const spec = root.at('spec');
  const title = spec.at('display_name').text ?? 'unnamed';
  const type = (spec.at('type').text ?? '').toUpperCase();
  const definition = into.definitions.get(type);
  if (!definition) {
    spec.lost(`Weir has no destinations of the kind ${type}`);
    into.losses.push({ what: `destination "${title}" (${type})`, events: 'No event would reach it' });
    return;
  }
  const reference = referenceOf(spec.at('transformation'));
  const transformation = reference === undefined ? undefined : names.get(idOf(reference));
  const same = exported.take('destinations', title, type);
  if (same !== undefined) {
    spec.lost(EXPORT_COUNTS);
    names.set(`${kind}:${spec.at('id').text}`, same);
    if (transformation !== undefined) exported.giveCode(transformation, { destination: same });
    return;
  }
  const name = into.freeName('destinations', title);
  const place = `destination "${name}"`;
  spec.lostAll({ id: IDENTITY, definition_version: 'Weir has one version of each kind' });
  for (const key of ['display_name', 'type', 'enabled', 'transformation']) spec.at(key).mapped(`${place}: ${key}`);
  const isMissing = reference !== undefined && transformation === undefined;
  if (isMissing)
    into.losses.push({ what: place, events: 'The destination is written disabled, because its code is missing' });
  const platform = platforms.get(`${kind}:${spec.at('id').text}`);
  const config = settingsOf(
    [spec.at('config')],
    { name: place, title: name, definition, platform, form: PROJECT_FORM },
    into,
  );
  into.project.destinations.push({
    ...{ name, type },
    ...((!spec.at('enabled').isOn || isMissing) && { enabled: false }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(transformation !== undefined && { transformation }),
  });
  names.set(`${kind}:${spec.at('id').text}`, name);
};

const importConnections: Importer = ({ kind }, root, { names, exported, into }) => {
  if (kind !== 'event-stream-connections') return;
  for (const node of root.at('spec').at('connections').items()) {
    const [from, to] = [referenceOf(node.at('source')) ?? '', referenceOf(node.at('destination')) ?? ''];
    const [source, destination] = [names.get(idOf(from)), names.get(idOf(to))];
    if (source === undefined || destination === undefined) {
      node.lost('Weir does not have both ends of the connection');
      continue;
    }
    if (exported.hasConnection(source, destination)) {
      node.lost(EXPORT_COUNTS);
      continue;
    }
    node.at('id').lost(IDENTITY);
    for (const key of ['source', 'destination', 'enabled'])
      node.at(key).mapped(`connection "${source} → ${destination}"`);
    into.project.connections.push({ source, destination, ...(!node.at('enabled').isOn && { enabled: false }) });
  }
};
