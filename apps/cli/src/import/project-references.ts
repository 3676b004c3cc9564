import type { Node } from './ledger.js';
import type { Document } from './project-files.js';
import { platformOf } from './settings.js';

/** A text, and in older files an object with `$ref`. */
export const referenceOf = (node: Node): string | undefined => node.text ?? node.at('$ref').text;

/** `#kind:id`, and in older files `#/kind/file/id`. */
export function idOf(reference: string): string {
  const [, kind, id] = /^#\/?([\w-]+)[:/](?:.*\/)?([^/]+)$/.exec(reference) ?? [];
  return `${kind}:${id}`;
}

/** Platforms of the first source that each destination is connected to, by `kind:id`. Settings may differ by platform. */
export function platformsOf(roots: readonly { document: Document; root: Node }[]): Map<string, string> {
  const specs = (kind: string) =>
    roots.filter(({ document }) => document.kind === kind).map(({ root }) => root.at('spec'));
  const sources = new Map(
    specs('event-stream-source').map((spec) => [
      `event-stream-source:${spec.at('id').text}`,
      platformOf(spec.at('type').text ?? 'http'),
    ]),
  );
  const ends = specs('event-stream-connections')
    .flatMap((spec) => spec.at('connections').items())
    .map((node) => ['destination', 'source'].map((end) => idOf(referenceOf(node.at(end)) ?? '')));
  return new Map(
    ends.toReversed().flatMap(([destination = '', source = '']) => {
      const platform = sources.get(source);
      return platform === undefined ? [] : [[destination, platform]];
    }),
  );
}
