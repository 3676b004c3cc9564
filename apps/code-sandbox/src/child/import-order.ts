/** A source of a bundle. Libraries are keyed by import name, and the user's code by CODE_KEY. */
export interface Source {
  key: string;
  /** The name in stack traces. */
  fileName: string;
  code: string;
}

/** Compiles a source and returns its imports. */
export type Compile = (source: Source) => Promise<readonly string[]>;

/**
 * Compiles everything that the code reaches through imports. Throws if a library is missing, or if libraries import each other in
 * a circle. Authors could not tell in which order such libraries run.
 */
export async function reachable(
  entry: Source,
  libraries: { importName: string; code: string }[],
  compile: Compile,
): Promise<Source[]> {
  const done = new Map<string, Source>();
  const follow = async (source: Source, path: string[]): Promise<void> => {
    if (done.has(source.key)) return;
    const imports = await compile(source);
    for (const specifier of imports) {
      const library = libraries.find(({ importName }) => importName === specifier);
      if (!library) throw new Error(`import from ${specifier} failed. Module not found.`);
      const key = libraryKey(specifier);
      const circleStart = path.indexOf(specifier);
      if (circleStart !== -1) throw new Error(circleMessage([...path.slice(circleStart), specifier]));
      await follow({ key, fileName: key, code: library.code }, [...path, specifier]);
    }
    done.set(source.key, source);
  };
  await follow(entry, []);
  return [...done.values()];
}

export const libraryKey = (importName: string): string => `library ${importName}`;

const circleMessage = (circle: string[]) =>
  `libraries import each other in a circle: ${circle.join(' -> ')}. Remove one of these imports.`;
