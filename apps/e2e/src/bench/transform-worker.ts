import { isMainThread, parentPort } from 'node:worker_threads';
import type { DestinationDefinition, JsonObject } from '@weir/contracts';
import { sampleConfig } from '@weir/testing';

/** One transform, with a configuration that the worker knows. */
export interface Asked {
  kind: string;
  event: JsonObject;
}

interface BenchedKind {
  definition: DestinationDefinition;
  example: JsonObject;
  transform: (event: JsonObject, config: JsonObject) => unknown[];
}

/** The parts of `@weir/destinations` in use. Only shipped code may depend on that library, so a bench loads its build. */
export interface Library {
  destinationDefinitions: () => DestinationDefinition[];
  destinationKind: (name: string) => BenchedKind | undefined;
}

export const library = async (): Promise<Library> =>
  (await import(new URL('../../../../libs/destinations/dist/index.js', import.meta.url).href)) as Library;

/** One configuration per kind, the same for all its events. */
export function configs({ destinationDefinitions, destinationKind }: Library): Map<string, JsonObject> {
  const kinds = destinationDefinitions().flatMap(({ name }) => destinationKind(name) ?? []);
  return new Map(kinds.map((kind) => [kind.definition.name, sampleConfig(kind, () => 'a-secret-of-some-length')]));
}

/** In a worker, answers each event with its payloads. */
if (!isMainThread && parentPort) {
  const lib = await library();
  const configOf = configs(lib);
  const port = parentPort;
  port.on('message', ({ kind, event }: Asked) => {
    port.postMessage(lib.destinationKind(kind)?.transform(event, configOf.get(kind) ?? {}));
  });
}
