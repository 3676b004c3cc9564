import type { Import } from '../import.js';
import type { Node } from '../ledger.js';
import { configOf, WRITE_KEY } from '../source.js';
import { importDestination } from './destination.js';
import { type InstanceList, importFunctions } from './functions.js';
import { restBehind } from './pages.js';

const PAGE = 'Pages of the API';

/** Answers of the Public API of Segment, by the name of their file. Each may be whole, its `data`, or a list of answers. */
export function importSegment(documents: Readonly<Record<string, unknown>>, into: Import): void {
  const parts = Object.entries(documents).flatMap(([name, json]) => partsOf(into.ledger.open(json, name)));
  for (const part of parts) tellMorePages(part, parts, into);
  const all = (key: string) => parts.flatMap((part) => part.at(key).items());
  const instances = parts.flatMap((part) => instancesOf(part, parts));
  const functions = importFunctions(all('functions'), instances, into);
  const sources = new Map(all('sources').map((node) => [node.at('id').text ?? '', importSource(node, into)]));
  for (const node of all('destinations')) importDestination(node, { sources, functions }, into);
  functions.tellUnused();
}

function partsOf(root: Node): Node[] {
  const answers = Array.isArray(root.value) ? root.items() : [root];
  return answers.map((answer) => (answer.at('data').value === undefined ? answer : answer.at('data')));
}

/** Documentation and answers of Segment differ in the name of the list. */
function instancesOf(part: Node, parts: readonly Node[]): InstanceList[] {
  const rest = restBehind(part, parts);
  return [part.at('insertFunctionInstances'), part.at('instances')]
    .filter(({ value }) => Array.isArray(value))
    .map((node) => ({ node, rest }));
}

function tellMorePages(part: Node, parts: readonly Node[], into: Import): void {
  part.at('pagination').lost(PAGE);
  if (restBehind(part, parts) !== 'missing') return;
  const what = `${part.path[0]}: further pages`;
  into.losses.push({
    what,
    events: 'What is on them is missing. Ask for the page after `next` too, and name its file as well',
  });
}

/** Kinds of senders under the names that Weir has for them. Others keep the slug of Segment. */
const TYPES: Readonly<Record<string, string>> = { javascript: 'Javascript', 'http-api': 'HTTP' };
const WEIR_IDS = 'Weir makes ids of its own. Files refer to resources by name';
const LOST = {
  id: WEIR_IDS,
  workspaceId: 'The access token decides the workspace',
  labels: 'Weir has no labels. Roles and workspaces say who may do what',
  metadata: 'It describes the kind of the source',
};

/** Its name in the files. Undefined if Weir has no such source. */
function importSource(node: Node, into: Import): string | undefined {
  const metadata = node.at('metadata');
  const written = node.at('name').text ?? node.at('slug').text ?? 'unnamed';
  if (metadata.at('isCloudEventSource').value === true) {
    node.lost('Segment pulls this source from a vendor. Weir takes what is sent to it');
    into.losses.push({ what: `source "${written}" (cloud)`, events: 'Everything that Segment pulls from it' });
    return undefined;
  }
  const name = into.freeName('sources', written);
  const place = `source "${name}"`;
  const slug = metadata.at('slug').text ?? 'http-api';
  node.lostAll(LOST);
  node.at('slug').lost('Weir knows sources by their names');
  metadata.at('slug').mapped(`${place}: type`);
  node.at('name').mapped(`${place}: name`);
  node.at('enabled').mapped(`${place}: enabled`);
  into.project.sources.push({
    ...{ name, type: Object.hasOwn(TYPES, slug) ? TYPES[slug] : slug },
    ...(!node.at('enabled').isOn && { enabled: false }),
    ...writeKeyOf(node.at('writeKeys'), place, into),
    ...configOf(node.at('settings'), name, into),
  } as { name: string });
  return name;
}

/** The first one. SDKs with another need the new key. */
function writeKeyOf(node: Node, place: string, into: Import): { writeKey?: string } {
  node.lost('It is empty');
  const [first, ...others] = node.items();
  const isKept = first?.text !== undefined && WRITE_KEY.test(first.text);
  const lost = isKept ? others : node.items();
  first?.mapped(`${place}: writeKey`);
  for (const one of lost) one.lost('A source of Weir has one write key, of 20 to 64 letters, digits, _ and -');
  if (lost.length > 0)
    into.losses.push({ what: `${place}: write key`, events: 'SDKs with another key need the new one' });
  return isKept && first.text !== undefined ? { writeKey: first.text } : {};
}
