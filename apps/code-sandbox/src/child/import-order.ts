/** A source of one bundle by its name; libraries are found by their import name, the user's code under CODE. */
export interface Source {
  key: string;
  /** As stack traces name it. */
  fileName: string;
  code: string;
}

/** Compiles one source and tells what it imports. */
export type Compile = (source: Source) => Promise<readonly string[]>;

/**
 * Everything that the code reaches through imports, compiled. Throws for what there is no library of, and for libraries that
 * import each other in a circle: in which order they would run is nothing that their author can see.
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
