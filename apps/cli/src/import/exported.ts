import type { Json } from '../project/json.js';
import type { Import } from './import.js';
import type { Node } from './ledger.js';

/** Told of what both inputs have. */
export const EXPORT_COUNTS = 'The workspace export has it too, and its value counts';

interface Written {
  name: string;
  type?: Json;
}

/** The resources of the workspace export. Project files may describe the same resources again, under the same names. */
export class Exported {
  private readonly resources: Record<'sources' | 'destinations', Set<Written>>;

  constructor(private readonly into: Import) {
    this.resources = { sources: new Set(into.project.sources), destinations: new Set(into.project.destinations) };
  }

  /** The name under which the export has it. Each is taken once, so that namesakes stay apart. */
  take(folder: 'sources' | 'destinations', title: string, type: string): string | undefined {
    const isSame = (one: Written) =>
      (one.name === title || one.name.replace(/ \(\d+\)$/, '') === title) &&
      String(one.type).toLowerCase() === type.toLowerCase();
    const found = [...this.resources[folder]].find(isSame);
    if (found) this.resources[folder].delete(found);
    return found?.name;
  }

  hasConnection(source: string, destination: string): boolean {
    return this.into.project.connections.some((one) => one.source === source && one.destination === destination);
  }

  /** Gives code to destinations of the export that miss it: by the id of the transformation, or by the destination. */
  giveCode(transformation: string, to: { destination: string } | { transformationIds: readonly string[] }): void {
    const { missingCode } = this.into;
    const isMeant = (one: (typeof missingCode)[number]) =>
      'destination' in to
        ? one.destination === to.destination
        : one.transformationId !== undefined && to.transformationIds.includes(one.transformationId);
    for (const one of missingCode.filter(isMeant)) {
      one.found(transformation);
      missingCode.splice(missingCode.indexOf(one), 1);
    }
  }
}

/** Ids of the resource in the workspace of the incumbent, which its command line notes when it imports from there. */
export function remoteIds(metadata: Node, localId: string | undefined): string[] {
  const resources = metadata.at('import').at('workspaces').items();
  return resources
    .flatMap((workspace) => workspace.at('resources').items())
    .filter((one) => [one.at('local_id').text, one.at('urn').text?.split(':').at(-1)].includes(localId))
    .flatMap((one) => one.at('remote_id').text ?? []);
}
