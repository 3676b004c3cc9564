import { unwrap, type WeirClient } from '@weir/client';
import { CliError } from './errors.js';
import { ExitCode } from './exit-code.js';

/** Ids of the API: KSUIDs. */
const ID = /^[0-9A-Za-z]{27}$/;

interface Named {
  id: string;
  name: string;
}

/** The only one with this id or name. A name that several have is refused, because a guess could hit the wrong one. */
export function findNamed<Item extends Named>(kind: string, items: readonly Item[], text: string): Item {
  const byId = items.find(({ id }) => id === text);
  if (byId) return byId;
  const [found, another] = items.filter(({ name }) => name === text);
  if (found && !another) return found;
  if (found) {
    const ids = items.filter(({ name }) => name === text).map(({ id }) => id);
    throw new CliError(`Several ${kind}s have the name ${text}`, `Name one by its id: ${ids.join(', ')}.`);
  }
  const names = items.map(({ name }) => name).slice(0, 10);
  const hint = names.length > 0 ? `There are: ${names.join(', ')}.` : `The workspace has no ${kind}.`;
  throw new CliError(`There is no ${kind} ${text}`, hint, ExitCode.notFound);
}

/** The id of a source or destination that is given by id or name. */
export async function idOf(weir: WeirClient, kind: 'source' | 'destination', text: string): Promise<string> {
  if (ID.test(text)) return text;
  return findNamed(kind, await listed(weir, kind), text).id;
}

/** Names by id, for tables. */
export async function destinationNames(weir: WeirClient): Promise<Map<string, string>> {
  return new Map((await listed(weir, 'destination')).map(({ id, name }) => [id, name]));
}

async function listed(weir: WeirClient, kind: 'source' | 'destination'): Promise<Named[]> {
  const items: Named[] = [];
  const pages = kind === 'source' ? weir.paginate('/v2/sources') : weir.paginate('/v2/destinations');
  for await (const { id, name } of pages) items.push({ id, name });
  return items;
}

/**
 * A transformation by id or name, published or not, with its entity tag. The published one wins, because drafts may share its name.
 */
export async function findTransformation(weir: WeirClient, text: string) {
  const query = { status: 'all' as const, etags: true };
  const { transformations } = await unwrap(weir.GET('/transformations', { params: { query } }));
  const published = transformations.filter(({ isPublished }) => isPublished);
  const isThere = published.some(({ id, name }) => id === text || name === text);
  return findNamed('transformation', isThere ? published : transformations, text);
}

/** A library by id or name, published or not. */
export async function findLibrary(weir: WeirClient, text: string) {
  const { libraries } = await unwrap(weir.GET('/libraries', { params: { query: { status: 'all' } } }));
  const published = libraries.filter(({ isPublished }) => isPublished);
  const isThere = published.some(({ id, name }) => id === text || name === text);
  return findNamed('library', isThere ? published : libraries, text);
}
