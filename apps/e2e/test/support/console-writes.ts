import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request by which the console changes something: `PUT /v2/sources/{id}`. */
export interface Write {
  call: string;
  /** Below `apps/console/src`. */
  file: string;
  /** Whether it stands in `useAsked`, so that it is sent after a yes only. */
  isAsked: boolean;
}

const SOURCE = join(import.meta.dirname, '../../../console/src');
const WRITE = /\bapi\.(POST|PUT|PATCH|DELETE)\(\s*'([^']+)'/g;
/** From a line that opens `useAsked({` to the line that closes it with the same indentation, as the formatter writes it. */
const ASKED = /^( *)\S.*\buseAsked\(\{\n[\s\S]*?^\1\}\)/gm;

/** Every write of the console, from its own source. */
export function writesOfConsole(): Write[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  return files.flatMap((file) => {
    const text = readFileSync(join(SOURCE, file), 'utf8');
    const asked = [...text.matchAll(ASKED)].map(({ index, 0: block }) => ({ from: index, to: index + block.length }));
    return [...text.matchAll(WRITE)].map(({ index, 1: method, 2: path }) => ({
      call: `${method} ${path}`,
      file: file.replaceAll('\\', '/'),
      isAsked: asked.some(({ from, to }) => index > from && index < to),
    }));
  });
}
