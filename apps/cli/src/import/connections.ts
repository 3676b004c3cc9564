import { type FileProject } from '../project/files.js';
import type { Known } from './destination.js';
import type { Import } from './import.js';
import type { Node } from './ledger.js';

/** The list of connections says the same as the nesting of destinations in sources. Where it differs, it counts. */
export function importConnections(connections: Node, { sources, destinations }: Known, into: Import): void {
  for (const node of connections.items()) {
    const source = sources.get(node.at('sourceId').text ?? '')?.name;
    const destination = destinations.get(node.at('destinationId').text ?? '');
    if (source === undefined || destination?.name === undefined) {
      node.lost('Weir does not have both ends of the connection');
      continue;
    }
    const place = `connection of source "${source}" to destination "${destination.name}"`;
    for (const key of ['sourceId', 'destinationId']) node.at(key).mapped(place);
    for (const key of ['enabled', 'processorEnabled']) node.at(key).mapped(`${place}: enabled`);
    node.at('config').lost('A connection of Weir has no settings');
    destination.sources.set(source, node.at('enabled').isOn && node.at('processorEnabled').isOn);
  }
  for (const { name, sources: connected } of destinations.values())
    for (const [source, enabled] of connected)
      if (name !== undefined) into.project.connections.push(written(source, name, enabled));
}

const written = (source: string, destination: string, enabled: boolean): FileProject['connections'][number] => ({
  ...{ source, destination },
  ...(!enabled && { enabled }),
});
