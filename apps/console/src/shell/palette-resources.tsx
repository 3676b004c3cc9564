import { useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { Braces, Code, Radio, Send } from 'lucide-react';
import { librariesQuery, transformationsQuery } from '../api/code.js';
import { destinationsQuery, sourcesQuery } from '../api/inventory.js';
import { modelsQuery } from '../api/schemas.js';
import { useCan } from '../api/session.js';
import { modelName } from '../features/schemas/model-name.js';
import { bestOf } from '../lib/rank.js';
import { Group, Item } from './palette-item.js';

/** Shows only the best matches of each kind. Typing another letter finds the rest. */
const SHOWN_MAX = 50;

/** Resources with a name and their own page, if the role may read them. */
export function useResources() {
  const [readsInventory, readsCode] = [useCan('inventory', 'read'), useCan('transformations', 'read')];
  const sources = useQuery({ ...sourcesQuery, enabled: readsInventory });
  const destinations = useQuery({ ...destinationsQuery, enabled: readsInventory });
  const transformations = useQuery({ ...transformationsQuery, enabled: readsCode });
  const libraries = useQuery({ ...librariesQuery, enabled: readsCode });
  const models = useQuery({ ...modelsQuery, enabled: useCan('schemas', 'read') });
  const named = models.data?.map((model) => ({ id: model.EventID, name: modelName(model) }));
  const kinds = [
    { heading: 'Sources', icon: Radio, to: '/sources/$id', rows: sources.data },
    { heading: 'Destinations', icon: Send, to: '/destinations/$id', rows: destinations.data },
    { heading: 'Code', icon: Code, to: '/code/$id', rows: transformations.data },
    { heading: 'Libraries', icon: Code, to: '/libraries/$id', rows: libraries.data },
    { heading: 'Kinds of events', icon: Braces, to: '/schemas/$id', rows: named },
  ] as const;
  return { kinds, isLoading: [sources, destinations, transformations, libraries, models].some((one) => one.isLoading) };
}

type Named = { id: string; name: string };

interface ResourcesProps {
  kinds: ReturnType<typeof useResources>['kinds'];
  typed: string;
  onOpen: () => void;
}

export function Resources({ kinds, typed, onOpen }: ResourcesProps) {
  const navigate = useNavigate();
  const open = (target: NavigateOptions) => {
    onOpen();
    void navigate(target);
  };
  return kinds.map(({ heading, icon, to, rows }) => (
    <Group key={heading} heading={heading}>
      {bestOf<Named>(rows ?? [], typed, SHOWN_MAX).map(({ id, name }) => (
        <Item key={id} id={id} icon={icon} onSelect={() => open({ to, params: { id } })}>
          {name}
        </Item>
      ))}
    </Group>
  ));
}
