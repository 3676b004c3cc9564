import type { Import } from '../import.js';
import type { Node } from '../ledger.js';
import { importInsert } from './insert.js';

/** Why functions of a kind are not written, and what to do instead. */
const OTHERS: Readonly<Record<string, string>> = {
  SOURCE: 'It turns requests into events. A source of the type webhook takes them, with a transformation behind it',
  INSERT_SOURCE: 'It changes events of one source. A transformation belongs to a destination',
  DESTINATION:
    'It sends events itself. A transformation returns them: rewrite it, and let a WEBHOOK or HTTP destination send',
  INSERT_DESTINATION: 'The answer does not hold its code',
};

/** The pages behind one: it is the last, or the next one is among the files, or not. */
export type Rest = 'none' | 'here' | 'missing';

/** One answer about the destinations that a function stands before. */
export interface InstanceList {
  node: Node;
  rest: Rest;
}

/** The code that stands before a destination. */
export interface StandsBefore {
  transformation: string | undefined;
  /** Events would arrive without changes that Segment makes, so the destination has to be disabled. */
  isMissing: boolean;
}

/** Insert functions become transformations, each wrapped into the shape that Weir calls. */
export interface Functions {
  before(destinationId: string, destination: string): StandsBefore;
  /** Tells of functions that stand before no destination. */
  tellUnused(): void;
}

export function importFunctions(functions: readonly Node[], lists: readonly InstanceList[], into: Import): Functions {
  const inserts = new Map<string, Node>();
  for (const node of functions) {
    const [type, id] = [node.at('resourceType').text ?? '', node.at('id').text];
    const name = node.at('displayName').text ?? 'unnamed';
    if (type === 'INSERT_DESTINATION' && id !== undefined && node.at('code').text !== undefined) inserts.set(id, node);
    else tellOther(node, name, type, into);
  }
  for (const { node } of lists) node.lost('It is empty');
  const instances = lists.flatMap(({ node }) => node.items());
  for (const one of instances) one.lost('It names no destination that is here');
  const isUnknown = isAnyUnasked(inserts, lists);
  if (isUnknown)
    into.losses.push({
      what: 'all destinations',
      events: `They are written disabled, because nobody knows which functions stand before them. ${ASK_EACH}`,
    });
  const written = new Set<Node>();
  return {
    before(destinationId, destination) {
      const own = instances.filter((one) => destinationIdsOf(one).includes(destinationId));
      const found = importInstances(own, { inserts, written }, destination, into);
      return { ...found, isMissing: found.isMissing || isUnknown };
    },
    tellUnused() {
      for (const node of inserts.values())
        if (!written.has(node)) node.lost('It stands before no destination of the files');
    },
  };
}

const ASK_EACH = 'Ask for the instances of each insert function, and name these files as well';

/** Segment tells the instances of one function at a time. A function that stands nowhere has an answer too, without instances. */
function isAnyUnasked(inserts: ReadonlyMap<string, Node>, lists: readonly InstanceList[]): boolean {
  const told = new Set(lists.flatMap(({ node }) => node.items().map(functionIdOf)));
  const isEachTold = [...inserts.keys()].every((id) => told.has(id));
  const ended = lists.filter(({ rest }) => rest === 'none');
  return lists.some(({ rest }) => rest === 'missing') || (!isEachTold && ended.length < inserts.size);
}

/** The transformation of one destination. An instance that is off lets events pass, so it stands nowhere. */
function importInstances(
  own: readonly Node[],
  { inserts, written }: { inserts: ReadonlyMap<string, Node>; written: Set<Node> },
  destination: string,
  into: Import,
): StandsBefore {
  const isOn = (one: Node) => one.at('enabled').isOn;
  for (const one of own.filter((instance) => !isOn(instance)))
    one.lost('It is off, so the destination gets events as they are');
  const [first, ...others] = own.filter(isOn);
  for (const other of others) other.lost('A destination of Weir has one transformation: join their code');
  const code = first && inserts.get(functionIdOf(first));
  if (first && !code) first.lost('Its function, or the code of it, is not here');
  const isMissing = others.length > 0 || (first !== undefined && !code);
  if (isMissing)
    into.losses.push({
      what: `destination "${destination}": transformation`,
      events: 'The destination is written disabled, because its code is missing',
    });
  if (!first || !code) return { transformation: undefined, isMissing };
  written.add(code);
  return { transformation: importInsert(code, first, destination, into), isMissing };
}

const destinationIdsOf = (instance: Node): (string | undefined)[] => [
  instance.at('integrationId').text,
  instance.at('destinationId').text,
];

/** The function that an instance is of. */
export const functionIdOf = (instance: Node): string =>
  instance.at('classId').text ?? instance.at('functionId').text ?? '';

function tellOther(node: Node, name: string, type: string, into: Import): void {
  const why = OTHERS[type] ?? `Weir does not know functions of the type ${type}`;
  node.lost(why);
  into.losses.push({ what: `function "${name}" (${type})`, events: why });
}
