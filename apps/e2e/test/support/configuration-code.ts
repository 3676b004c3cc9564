/** Generated code, and how the files name it. */
export interface CodeContents {
  description: string | undefined;
  comment: string;
  was: string | undefined;
  /** A `.js` file in the folder that no YAML names. */
  isUnlisted: boolean;
  isImporting: boolean;
  events: string;
  /** Events that have to come out as they are. */
  tests: object[] | undefined;
}

/** Names of libraries, with the names that code imports them by. */
const LIBRARIES = [
  ['My hide: list', 'myHideList'],
  ['../up', 'up'],
  ['true', 'true'],
] as const;

const EVENTS = JSON.stringify([{ type: 'track', event: 'Bought' }]);

/** Adds code to the files. Returns what `weir.yaml` lists, and the names of all transformations. */
export function codeFiles(
  names: readonly string[],
  transformations: readonly CodeContents[],
  libraries: readonly CodeContents[],
  files: Record<string, string>,
) {
  const listedLibraries = LIBRARIES.map(([name], at) => {
    const { description, comment, isImporting } = libraries[at] as CodeContents;
    // The first library imports the last, so that the order of names is not the order of a deletion.
    const imports = at === 0 && isImporting ? `import { hide as other } from '${LIBRARIES[2][1]}';\n` : '';
    files[`code/library ${at}.js`] = `${imports}/* ${comment} */\nexport const hide = (value) => value;\n`;
    return { name, description, file: `code/library ${at}.js` };
  });
  const known = names.map((name, at) => ({ name, at, one: transformations[at] as CodeContents }));
  const listed = known.flatMap(({ name, at, one }) => {
    const tests = one.tests?.map((event) => ({ input: [event], expectedOutput: [event] }));
    const place = one.isUnlisted ? `transformations/unlisted-${at}` : `code/${at}`;
    if (tests) files[`${place}.tests.json`] = JSON.stringify(tests);
    if (one.isUnlisted) {
      files[`transformations/unlisted-${at}.js`] = codeOf(one);
      if (one.events !== 'none') files[`transformations/unlisted-${at}.events.json`] = EVENTS;
      return [];
    }
    const file = `code/${at}.js`;
    files[file] = codeOf(one);
    if (one.events === 'beside') files[`code/${at}.events.json`] = EVENTS;
    if (one.events === 'named') files['code/events.json'] = EVENTS;
    const events = one.events === 'named' ? 'code/events.json' : undefined;
    return [{ name, description: one.description, file, was: one.was, events }];
  });
  const namesNow = known.map(({ name, at, one }) => (one.isUnlisted ? `unlisted-${at}` : name));
  return { listed, libraries: listedLibraries, names: namesNow };
}

function codeOf({ comment, isImporting }: CodeContents): string {
  const imports = isImporting ? `import { hide } from '${LIBRARIES[0][1]}';\n` : '';
  return `${imports}/* ${comment} */\nexport function transformEvent(event) { return ${isImporting ? 'hide(event)' : 'event'}; }`;
}
