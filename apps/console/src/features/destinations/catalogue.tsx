import { Link } from '@tanstack/react-router';
import type { Definition } from '../../api/inventory.js';
import { Empty } from '../../components/panel.js';
import { Input } from '../../components/ui/field.js';
import { EVENT_TYPES } from '../../lib/filters.js';

interface CatalogueProps {
  definitions: readonly Definition[];
  find: string;
  onFind: (text: string) => void;
}

/** First what can be tried without an account anywhere. */
const FIRST = ['WEBHOOK', 'HTTP'];

export function Catalogue({ definitions, find, onFind }: CatalogueProps) {
  const wanted = find.toLowerCase();
  const rank = ({ name }: Definition) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const found = definitions
    .filter(({ name, displayName }) => `${name} ${displayName}`.toLowerCase().includes(wanted))
    .sort((one, other) => rank(one) - rank(other) || one.displayName.localeCompare(other.displayName));
  return (
    <>
      <Input
        type="search"
        autoFocus
        aria-label="Find a kind"
        placeholder={`Find one of ${definitions.length} kinds`}
        className="max-w-sm"
        value={find}
        onChange={({ target }) => onFind(target.value)}
      />
      {found.length === 0 && <Empty title="No matching kind">A webhook reaches anything that speaks HTTP.</Empty>}
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {found.map((definition) => (
          <li key={definition.name}>
            <Link
              to="/destinations/new"
              search={{ kind: definition.name }}
              className="flex h-full items-center gap-3 rounded-xl border bg-surface p-3 transition-colors hover:border-accent"
            >
              <Initials name={definition.displayName} />
              <span className="min-w-0">
                <span className="block truncate font-medium">{definition.displayName}</span>
                <span className="block text-xs text-muted">{typesOf(definition)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Two letters instead of a logo, which would be another company's picture. */
const Initials = ({ name }: { name: string }) => (
  <span
    aria-hidden
    className="grid size-9 shrink-0 place-items-center rounded-lg bg-accent-soft font-semibold text-accent-strong"
  >
    {name.replace(/[^A-Za-z0-9]/g, '').slice(0, 2)}
  </span>
);

/** The events that it takes. The lists differ by kind of source. Together they say what can arrive at all. */
function typesOf({ config }: Definition): string {
  const types = new Set(Object.values(config.supportedMessageTypes).flat());
  if (EVENT_TYPES.every((type) => types.has(type))) return 'all event types';
  return types.size > 0 ? [...types].join(', ') : 'depends on its settings';
}
