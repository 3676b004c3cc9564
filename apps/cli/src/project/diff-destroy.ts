import { diff } from './diff.js';
import { visible } from './diff-code.js';
import { matchByName } from './match.js';
import type { Plan } from './plan.js';
import { type Actual, connectionKey, type Desired } from './resources.js';

/** Deletes what the files name, and nothing else. A deletion that would do more is a problem. */
export function diffDestroy(named: Desired, actual: Actual): Plan {
  const nothing: Desired = {
    ...{ sources: [], destinations: [], connections: [] },
    ...{ transformations: [], libraries: [], credentials: [] },
  };
  const there = {
    ...actual,
    sources: actual.sources.filter(isIn(named.sources)),
    destinations: actual.destinations.filter(isIn(named.destinations)),
    connections: actual.connections.filter((one) =>
      named.connections.some((other) => connectionKey(other) === connectionKey(one)),
    ),
    transformations: actual.transformations.filter(isIn(named.transformations)),
    libraries: actual.libraries.filter(isIn(named.libraries)),
    credentials: actual.credentials.filter(({ key }) => named.credentials.some((one) => one.key === key)),
  };
  const plan = diff(nothing, there, { prune: true });
  return { ...plan, notes: [], problems: [...namesakes(named, there), ...usedElsewhere(named, actual)] };
}

const isIn =
  (list: readonly { name: string }[]) =>
  ({ name }: { name: string }): boolean =>
    list.some((one) => one.name === name);

/** The files mean one resource, and nobody knows which. */
const namesakes = (named: Desired, actual: Actual): string[] =>
  [
    matchByName('source', named.sources, actual.sources),
    matchByName('destination', named.destinations, actual.destinations),
    matchByName('transformation', named.transformations, visible(actual.transformations)),
    matchByName('library', named.libraries, visible(actual.libraries)),
  ].flatMap(({ problems }) => problems);

/** Such a destination would go on, and get events as they came in. */
const usedElsewhere = (named: Desired, { destinations }: Actual): string[] =>
  destinations
    .filter((one) => !isIn(named.destinations)(one))
    .filter(({ transformation }) => named.transformations.some(({ name }) => name === transformation))
    .map(
      ({ name, transformation }) =>
        `transformation "${transformation}" also stands before destination "${name}", which the files do not name. ` +
        'Unlink it there, or add the destination to the files',
    );
