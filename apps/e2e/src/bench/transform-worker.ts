import { isMainThread, parentPort } from 'node:worker_threads';
import type { DestinationDefinition, JsonObject } from '@weir/contracts';
import { sampleConfig } from '@weir/testing';

/** One transform; of a configuration that the worker knows. */
export interface Asked {
  kind: string;
  event: JsonObject;
}

/** What is used of `@weir/destinations`: only what ships may depend on it, so a bench takes it as it was built. */
export interface Library {
  destinationDefinitions: () => DestinationDefinition[];
  destinationKind: (name: string) => { transform: (event: JsonObject, config: JsonObject) => unknown[] } | undefined;
}

export const library = async (): Promise<Library> =>
  (await import(new URL('../../../../libs/destinations/dist/index.js', import.meta.url).href)) as Library;

/** The same one for every event of a kind. */
export function configs({ destinationDefinitions }: Library): Map<string, JsonObject> {
  return new Map(
    destinationDefinitions().map((definition) => [
      definition.name,
      sampleConfig(definition, () => 'a-secret-of-some-length'),
    ]),
  );
}

/** In a worker: answers each event with its payloads. */
if (!isMainThread && parentPort) {
  const lib = await library();
  const configOf = configs(lib);
  const port = parentPort;
  port.on('message', ({ kind, event }: Asked) => {
    port.postMessage(lib.destinationKind(kind)?.transform(event, configOf.get(kind) ?? {}));
  });
}
