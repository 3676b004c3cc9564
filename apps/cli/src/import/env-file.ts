import { parseEnv } from 'node:util';

const QUOTES = ["'", '"', '`'] as const;

/** A file of variables that reads back exactly. A value that no quotes can hold stays empty, with a remark. */
export const envFileOf = (env: Readonly<Record<string, string>>): string =>
  Object.entries(env)
    .map(([name, value]) => {
      const line = QUOTES.map((quote) => `${name}=${quote}${value}${quote}`).find(
        (one) => parseEnv(one)[name] === value,
      );
      return line ?? `# no quotes can hold this value: set it yourself\n${name}=`;
    })
    .join('\n')
    .concat('\n');
