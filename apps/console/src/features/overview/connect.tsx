import { useQueryClient } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import type { DragEvent } from 'react';
import { answer, api } from '../../api/client.js';
import type { Connection, Destination, Source } from '../../api/inventory.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { Menu, MenuItem } from '../../components/ui/menu.js';
import { useAsked } from '../../components/use-asked.js';
import { shortName } from '../../lib/printable.js';

/** The type of data that a drag from a source carries. Text and links of other pages carry another type. */
const DRAGGED = 'application/x-weir-source';

interface Ends {
  source: Source;
  destination: Destination;
}

/** Connects a source to a destination after a question: events go there at once. */
export function useConnect() {
  const client = useQueryClient();
  return useAsked({
    question: ({ source, destination }: Ends) => ({
      title: `Connect ${shortName(source.name)} to ${shortName(destination.name)}?`,
      text: 'Its events go there from now on.',
      action: 'Connect',
      keep: 'Cancel',
      isSafe: true,
    }),
    send: ({ source, destination }) =>
      answer(
        api.POST('/v2/connections', { body: { sourceId: source.id, destinationId: destination.id, enabled: true } }),
      ),
    done: () => {
      tellDone('Connected.');
      return client.invalidateQueries({ queryKey: ['connections'] });
    },
  }).ask;
}

export const dragOf = (id: string) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer.setData(DRAGGED, id);
  },
});

/** Takes a source that is dropped. Browsers tell its id only then. */
export const dropOf = (onDrop: (sourceId: string) => void) => ({
  onDragOver: (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
  },
  onDrop: (event: DragEvent) => {
    const id = event.dataTransfer.getData(DRAGGED);
    if (!id) return;
    event.preventDefault();
    onDrop(id);
  },
});

interface ConnectMenuProps {
  source: Source;
  destinations: readonly Destination[];
  connections: readonly Connection[];
  onConnect: (destination: Destination) => void;
}

/** The way by keyboard: the destinations that the source does not reach yet. */
export function ConnectMenu({ source, destinations, connections, onConnect }: ConnectMenuProps) {
  const reached = new Set(
    connections.filter(({ sourceId }) => sourceId === source.id).map(({ destinationId }) => destinationId),
  );
  const free = destinations.filter(({ id }) => !reached.has(id));
  if (free.length === 0) return null;
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label={`Connect ${shortName(source.name)} to …`} title="Connect to …">
          <Link2 size={14} aria-hidden />
        </Button>
      }
    >
      {free.map((destination) => (
        <MenuItem key={destination.id} onSelect={() => onConnect(destination)}>
          {shortName(destination.name)}
        </MenuItem>
      ))}
    </Menu>
  );
}
