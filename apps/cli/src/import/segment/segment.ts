import type { Import } from '../import.js';
import type { Node } from '../ledger.js';
import { importDestination } from './destination.js';
import { importFunctions } from './functions.js';
import { importSource } from './source.js';

const PAGE = 'Pages of the API';

/** Answers of the Public API of Segment, by the name of their file. Each may be whole, its `data`, or a list of answers. */
export function importSegment(documents: Readonly<Record<string, unknown>>, into: Import): void {
  const parts = Object.entries(documents).flatMap(([name, json]) => partsOf(into.ledger.open(json, name)));
  for (const part of parts) tellMorePages(part.at('pagination'), into);
  const all = (key: string) => parts.flatMap((part) => part.at(key).items());
  const functions = importFunctions(all('functions'), all('insertFunctionInstances'), into);
  const sources = new Map(all('sources').map((node) => [node.at('id').text ?? '', importSource(node, into)]));
  for (const node of all('destinations')) importDestination(node, { sources, functions }, into);
  functions.tellUnused();
}

function partsOf(root: Node): Node[] {
  const answers = Array.isArray(root.value) ? root.items() : [root];
  return answers.map((answer) => (answer.at('data').value === undefined ? answer : answer.at('data')));
}

function tellMorePages(pagination: Node, into: Import): void {
  pagination.lost(PAGE);
  if (pagination.at('next').text === undefined) return;
  const what = `${pagination.path[0]}: further pages`;
  into.losses.push({
    what,
    events: 'What is on them is missing. Ask for the page after `next` too, and name its file as well',
  });
}
