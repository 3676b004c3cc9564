import { useNavigate, useRouter } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Destination, Source } from '../../api/inventory.js';
import { Button } from '../../components/ui/button.js';
import { Input, Select } from '../../components/ui/field.js';
import { EVENT_TYPES, type EventFilters, OUTCOMES } from '../../lib/filters.js';
import { capitalized } from '../../lib/format.js';
import { printable } from '../../lib/printable.js';

const TYPING_MS = 200;

interface FilterBarProps {
  filters: EventFilters;
  onChange: (change: Partial<EventFilters>) => void;
  sources: readonly Source[];
  destinations: readonly Destination[];
}

const named = ({ id, name }: { id: string; name: string }): readonly [string, string] => [
  id,
  printable(name, 60).shown,
];
const asWords = (value: string): readonly [string, string] => [value, value.replaceAll('_', ' ')];

export function FilterBar({ filters, onChange, sources, destinations }: FilterBarProps) {
  const navigate = useNavigate();
  const { event: _, ...set } = filters;
  const pick = (
    name: 'source' | 'destination' | 'type' | 'outcome',
    all: string,
    options: (readonly [string, string])[],
  ) => (
    <Select
      aria-label={capitalized(name)}
      className="w-40"
      value={filters[name] ?? ''}
      onChange={({ target }) => onChange({ [name]: target.value })}
    >
      <option value="">{all}</option>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
  return (
    <search aria-label="Events" className="flex flex-wrap items-center gap-2">
      <TextFilter text={filters.text ?? ''} onChange={(text) => onChange({ text })} />
      {pick('source', 'All sources', sources.map(named))}
      {pick('destination', 'All destinations', destinations.map(named))}
      {pick('type', 'All types', EVENT_TYPES.map(asWords))}
      {pick('outcome', 'All outcomes', OUTCOMES.map(asWords))}
      {Object.keys(set).length > 0 && (
        <Button look="quiet" onClick={() => void navigate({ to: '/live' })}>
          <X size={14} aria-hidden /> Clear
        </Button>
      )}
    </search>
  );
}

/**
 * Waits for a moment of rest, so that not each letter becomes an address. A person who has meanwhile gone to another page is not led
 * back.
 */
function TextFilter({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const router = useRouter();
  const [typed, setTyped] = useState(text);
  const [isWaiting, setWaiting] = useState(false);
  const follow = useEffectEvent((next: string) => !isWaiting && setTyped(next));
  const apply = useEffectEvent((wanted: string) => {
    setWaiting(false);
    const { latestLocation: wantedPage, state } = router;
    if (wantedPage.pathname === state.resolvedLocation?.pathname) onChange(wanted);
  });
  useEffect(() => void follow(text), [text]);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => apply(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, isWaiting]);
  return (
    <Input
      type="search"
      aria-label="Find in events"
      placeholder="Name, user, message ID or any text"
      className="w-auto min-w-52 flex-1"
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        setWaiting(true);
      }}
    />
  );
}
