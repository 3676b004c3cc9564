import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import {
  Braces,
  Code,
  CornerDownLeft,
  type LucideIcon,
  Plus,
  Radio,
  Send,
  Settings,
  ShieldCheck,
  Sun,
} from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { librariesQuery, transformationsQuery } from '../api/code.js';
import { destinationsQuery, sourcesQuery } from '../api/inventory.js';
import { modelsQuery } from '../api/schemas.js';
import { useCan } from '../api/session.js';
import { modelName } from '../features/schemas/model-name.js';
import { printable } from '../lib/printable.js';
import { rankOf } from '../lib/rank.js';
import { setTheme, THEMES } from '../lib/theme.js';
import type { Place } from './places.js';
import { useSettingsTabs } from './settings-tabs.js';

interface PaletteProps {
  open: boolean;
  onClose: () => void;
  places: readonly Place[];
}

/** A list of thousands finds nothing quicker. The page of schemas has all. */
const MODELS_MAX = 500;

/** Every place, resource and action by a few letters of its name. */
export function Palette({ open, onClose, places }: PaletteProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div className="fixed inset-0 z-40 bg-black/30 dark:bg-black/55" aria-hidden />
        <Radix.Content
          aria-describedby={undefined}
          className="animate-appear fixed top-[14vh] left-1/2 z-50 w-[min(38rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-float outline-none"
        >
          <Radix.Title className="sr-only">Search and actions</Radix.Title>
          <Choices onClose={onClose} places={places} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Choices({ onClose, places }: Omit<PaletteProps, 'open'>) {
  const navigate = useNavigate();
  const [readsInventory, readsCode] = [useCan('inventory', 'read'), useCan('transformations', 'read')];
  const [writesInventory, writesCode] = [useCan('inventory', 'write'), useCan('transformations', 'write')];
  const sources = useQuery({ ...sourcesQuery, enabled: readsInventory }).data ?? [];
  const destinations = useQuery({ ...destinationsQuery, enabled: readsInventory }).data ?? [];
  const transformations = useQuery({ ...transformationsQuery, enabled: readsCode }).data ?? [];
  const libraries = useQuery({ ...librariesQuery, enabled: readsCode }).data ?? [];
  const models = useQuery({ ...modelsQuery, enabled: useCan('schemas', 'read') }).data ?? [];
  const settings = useSettingsTabs();
  const suppresses = useCan('regulations', 'write');
  const then = (act: () => unknown) => () => {
    onClose();
    void act();
  };
  return (
    <Command label="Search and actions" filter={rankOf} className="flex max-h-[60vh] flex-col">
      <Command.Input
        autoFocus
        placeholder="Go to, open, or do …"
        className="h-12 w-full shrink-0 border-b bg-transparent px-4 text-[15px] outline-none placeholder:text-muted"
      />
      <Command.List className="min-h-0 flex-1 overflow-y-auto p-2">
        <Command.Empty className="p-6 text-center text-muted">Nothing has this name.</Command.Empty>
        <Group heading="Go to">
          {places.map(({ to, label, icon, key }) => (
            <Item key={to} id={`go ${to}`} icon={icon} hint={`g ${key}`} onSelect={then(() => navigate({ to }))}>
              {label}
            </Item>
          ))}
        </Group>
        <Group heading="Sources">
          {sources.map(({ id, name }) => (
            <Item key={id} id={id} icon={Radio} onSelect={then(() => navigate({ to: '/sources/$id', params: { id } }))}>
              {name}
            </Item>
          ))}
        </Group>
        <Group heading="Destinations">
          {destinations.map(({ id, name }) => (
            <Item
              key={id}
              id={id}
              icon={Send}
              onSelect={then(() => navigate({ to: '/destinations/$id', params: { id } }))}
            >
              {name}
            </Item>
          ))}
        </Group>
        <Group heading="Code">
          {transformations.map(({ id, name }) => (
            <Item key={id} id={id} icon={Code} onSelect={then(() => navigate({ to: '/code/$id', params: { id } }))}>
              {name}
            </Item>
          ))}
        </Group>
        <Group heading="Libraries">
          {libraries.map(({ id, name }) => (
            <Item
              key={id}
              id={id}
              icon={Code}
              onSelect={then(() => navigate({ to: '/libraries/$id', params: { id } }))}
            >
              {name}
            </Item>
          ))}
        </Group>
        <Group heading="Kinds of events">
          {models.slice(0, MODELS_MAX).map((model) => (
            <Item
              key={model.EventID}
              id={model.EventID}
              icon={Braces}
              onSelect={then(() => navigate({ to: '/schemas/$id', params: { id: model.EventID } }))}
            >
              {modelName(model)}
            </Item>
          ))}
        </Group>
        <Group heading="Settings">
          {settings.map(({ value, label }) => (
            <Item
              key={value}
              id={`settings ${value}`}
              icon={Settings}
              onSelect={then(() => navigate({ to: '/settings', search: { tab: value } }))}
            >
              {label}
            </Item>
          ))}
        </Group>
        <Group heading="Actions">
          {writesInventory && (
            <>
              <Item id="new source" icon={Plus} onSelect={then(() => navigate({ to: '/sources/new' }))}>
                New source
              </Item>
              <Item id="new destination" icon={Plus} onSelect={then(() => navigate({ to: '/destinations/new' }))}>
                New destination
              </Item>
            </>
          )}
          {writesCode && (
            <Item id="new code" icon={Plus} onSelect={then(() => navigate({ to: '/code/$id', params: { id: 'new' } }))}>
              New code
            </Item>
          )}
          {writesCode && (
            <Item
              id="new library"
              icon={Plus}
              onSelect={then(() => navigate({ to: '/libraries/$id', params: { id: 'new' } }))}
            >
              New library
            </Item>
          )}
          {suppresses && (
            <Item
              id="suppress"
              icon={ShieldCheck}
              onSelect={then(() => navigate({ to: '/privacy', search: { tab: 'new' } }))}
            >
              Suppress or delete a user
            </Item>
          )}
          {THEMES.map((theme) => (
            <Item key={theme} id={`theme ${theme}`} icon={Sun} onSelect={then(() => setTheme(theme))}>
              {`Theme: ${theme}`}
            </Item>
          ))}
        </Group>
      </Command.List>
    </Command>
  );
}

const Group = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Command.Group
    heading={heading}
    className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
  >
    {children}
  </Command.Group>
);

interface ItemProps {
  id: string;
  icon: LucideIcon;
  hint?: string;
  onSelect: () => void;
  children: ReactNode;
}

function Item({ id, icon: Icon, hint, onSelect, children }: ItemProps) {
  const text = typeof children === 'string' ? printable(children, 80).shown : children;
  const keywords = typeof children === 'string' ? [children.slice(0, 200)] : [];
  return (
    <Command.Item
      value={id}
      keywords={keywords}
      onSelect={onSelect}
      className="group flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 data-[selected=true]:bg-accent-soft"
    >
      <Icon size={15} aria-hidden className="shrink-0 text-muted" />
      <bdi dir="auto" className="min-w-0 flex-1 truncate">
        {text}
      </bdi>
      {hint && <kbd className="font-sans text-xs text-muted">{hint}</kbd>}
      <CornerDownLeft size={13} aria-hidden className="hidden text-muted group-data-[selected=true]:block" />
    </Command.Item>
  );
}
