import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { MousePointerClick, Plus, Search, Settings, ShieldCheck, Sun } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { useCan } from '../api/session.js';
import { rankOf } from '../lib/rank.js';
import { setTheme, THEMES } from '../lib/theme.js';
import { pageActions } from './page-actions.js';
import { Group, Item } from './palette-item.js';
import { Resources, useResources } from './palette-resources.js';
import type { Place } from './places.js';
import { useSettingsTabs } from './settings-tabs.js';

interface PaletteProps {
  open: boolean;
  onClose: () => void;
  places: readonly Place[];
}

/** Every place, resource and action by a few letters of its name. */
export function Palette({ open, onClose, places }: PaletteProps) {
  const afterClose = useRef<() => void>(undefined);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div className="fixed inset-0 z-40 bg-black/30 dark:bg-black/55" aria-hidden />
        <Radix.Content
          aria-describedby={undefined}
          // A button of the page takes the focus, so it is pressed once the palette has given it back.
          onCloseAutoFocus={(event) => {
            const act = afterClose.current;
            afterClose.current = undefined;
            if (!act) return;
            event.preventDefault();
            act();
          }}
          className="animate-appear fixed top-[14vh] left-1/2 z-50 w-[min(38rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-float outline-none"
        >
          <Radix.Title className="sr-only">Search and actions</Radix.Title>
          <Choices
            onClose={onClose}
            onPress={(act) => {
              afterClose.current = act;
              onClose();
            }}
            places={places}
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ChoicesProps extends Omit<PaletteProps, 'open'> {
  /** Closes the palette, and acts once it is gone. */
  onPress: (act: () => void) => void;
}

function Choices({ onClose, onPress, places }: ChoicesProps) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState('');
  const list = useRef<HTMLDivElement>(null);
  // Each letter brings other resources. The library chooses before they are there.
  useEffect(() => {
    if (typed !== '') setChosen(list.current?.querySelector('[cmdk-item]')?.getAttribute('data-value') ?? '');
  }, [typed]);
  const settings = useSettingsTabs();
  const { kinds, isLoading } = useResources();
  const go = (target: NavigateOptions) => () => {
    onClose();
    void navigate(target);
  };
  return (
    <Command
      label="Search and actions"
      filter={rankOf}
      value={chosen}
      onValueChange={setChosen}
      className="flex max-h-[60vh] flex-col"
    >
      <Command.Input
        autoFocus
        value={typed}
        onValueChange={setTyped}
        placeholder="Search pages and actions …"
        className="h-12 w-full shrink-0 border-b bg-transparent px-4 text-[15px] outline-none placeholder:text-muted"
      />
      <Command.List ref={list} className="min-h-0 flex-1 overflow-y-auto p-2">
        <Command.Empty className="p-6 text-center text-muted">No matches.</Command.Empty>
        <Group heading="Go to">
          {places.map(({ to, label, icon, key }) => (
            <Item key={to} id={`go ${to}`} icon={icon} hint={`g ${key}`} onSelect={go({ to })}>
              {label}
            </Item>
          ))}
        </Group>
        <OnThisPage isSearched={typed !== ''} onPress={onPress} />
        <Resources kinds={kinds} typed={typed} onOpen={onClose} />
        <Group heading="Settings">
          {settings.map(({ value, label }) => (
            <Item
              key={value}
              id={`settings ${value}`}
              icon={Settings}
              onSelect={go({ to: '/settings', search: { tab: value } })}
            >
              {label}
            </Item>
          ))}
        </Group>
        <Make go={go} />
        <Group heading="Theme">
          {THEMES.map((theme) => (
            <Item
              key={theme}
              id={`theme ${theme}`}
              icon={Sun}
              onSelect={() => {
                onClose();
                setTheme(theme);
              }}
            >
              {`Theme: ${theme}`}
            </Item>
          ))}
        </Group>
        {/* After the names, because Enter takes what stood first. */}
        {typed.trim() !== '' && !isLoading && <Find typed={typed.trim()} go={go} />}
      </Command.List>
    </Command>
  );
}

/** As many as an open palette shows without a search. The rest is found by typing. */
const SHOWN_AT_FIRST = 6;
const SHOWN_MAX = 200;

function OnThisPage({ isSearched, onPress }: { isSearched: boolean; onPress: ChoicesProps['onPress'] }) {
  const [actions] = useState(pageActions); // those of the moment in which the palette opened
  return (
    <Group heading="On this page">
      {actions.slice(0, isSearched ? SHOWN_MAX : SHOWN_AT_FIRST).map(({ name, isOn, press }, at) => (
        <Item
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two buttons may have one name
          key={at}
          id={`press ${at}`}
          icon={MousePointerClick}
          hint={isOn === undefined ? undefined : isOn ? 'on' : 'off'}
          onSelect={() => onPress(press)}
        >
          {name}
        </Item>
      ))}
    </Group>
  );
}

type Go = (target: NavigateOptions) => () => void;

function Make({ go }: { go: Go }) {
  const [writesInventory, writesCode] = [useCan('inventory', 'write'), useCan('transformations', 'write')];
  const [suppresses, seesAudit] = [useCan('regulations', 'write'), useCan('regulations', 'audit')];
  return (
    <Group heading="Actions">
      {writesInventory && (
        <>
          <Item id="new source" icon={Plus} onSelect={go({ to: '/sources/new' })}>
            New source
          </Item>
          <Item id="new destination" icon={Plus} onSelect={go({ to: '/destinations/new' })}>
            New destination
          </Item>
        </>
      )}
      {writesCode && (
        <>
          <Item id="new code" icon={Plus} onSelect={go({ to: '/code/$id', params: { id: 'new' } })}>
            New code
          </Item>
          <Item id="new library" icon={Plus} onSelect={go({ to: '/libraries/$id', params: { id: 'new' } })}>
            New library
          </Item>
        </>
      )}
      {suppresses && (
        <Item id="suppress" icon={ShieldCheck} onSelect={go({ to: '/privacy', search: { tab: 'new' } })}>
          Suppress or delete a user
        </Item>
      )}
      {seesAudit && (
        <Item id="audit" icon={ShieldCheck} onSelect={go({ to: '/privacy', search: { tab: 'audit' } })}>
          Audit
        </Item>
      )}
    </Group>
  );
}

/** Asks the server for what is too much for a list, by what was typed. */
function Find({ typed, go }: { typed: string; go: Go }) {
  const [readsEvents, readsRegulations] = [useCan('deliveries', 'read'), useCan('regulations', 'read')];
  return (
    <Group heading="Find" always>
      {readsEvents && (
        <Item id="find events" icon={Search} always onSelect={go({ to: '/events', search: { find: typed } })}>
          {`Events of ${typed}`}
        </Item>
      )}
      {readsRegulations && (
        <Item id="find regulations" icon={Search} always onSelect={go({ to: '/privacy', search: { find: typed } })}>
          {`Regulations of ${typed}`}
        </Item>
      )}
    </Group>
  );
}
