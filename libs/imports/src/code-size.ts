import { BUNDLE_BYTES_MAX, CODE_BYTES_MAX } from '@weir/contracts';

/** Code with every library that it reaches. */
export interface SizedBundle {
  readonly name: string;
  readonly code: string;
  readonly libraries: readonly { readonly importName: string; readonly code: string }[];
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Why code is too large to be stored, for its author. Undefined if it is not. Counts the code as it travels. */
export function codeSizeProblem(code: string): string | undefined {
  const bytes = bytesOf(code);
  if (bytes <= CODE_BYTES_MAX) return undefined;
  return `code takes ${bytes} bytes as JSON: shorten it to ${CODE_BYTES_MAX}, or move parts to a library`;
}

/** Why code is too large to run with its libraries. Undefined if one message has room for them beside an event. */
export function bundleSizeProblem({ name, code, libraries }: SizedBundle): string | undefined {
  const bytes = bytesOf({ name, code, libraries });
  if (bytes <= BUNDLE_BYTES_MAX) return undefined;
  return `${name} with the libraries that it reaches takes ${bytes} bytes as JSON: shorten them to ${BUNDLE_BYTES_MAX}`;
}
