import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { count, plural } from '../lib/format.js';
import { isRecord } from '../lib/json.js';
import { Text } from './text.js';

/** Keys that one step of unfolding shows: an event may have ten thousand. */
const KEYS_SHOWN = 50;
const OPEN_DEPTH = 2;
const VALUE_MAX = 400;
const KEY_MAX = 120;

/** JSON as a tree that folds. Every key and value is text of a stranger. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    <figure aria-label={label} className="font-mono text-[12.5px] leading-[1.65]">
      <Value value={value} depth={0} />
    </figure>
  );
}

function Value({ value, depth }: { value: unknown; depth: number }) {
  if (Array.isArray(value))
    return <Branch entries={value.map((item, at) => [String(at), item])} depth={depth} isList />;
  if (isRecord(value)) return <Branch entries={Object.entries(value)} depth={depth} isList={false} />;
  if (typeof value === 'string') return <Text value={JSON.stringify(value)} max={VALUE_MAX} className="text-good" />;
  return <span className="text-accent-strong">{String(value)}</span>;
}

interface BranchProps {
  entries: readonly (readonly [string, unknown])[];
  depth: number;
  isList: boolean;
}

function Branch({ entries, depth, isList }: BranchProps) {
  const [shown, setShown] = useState(depth < OPEN_DEPTH ? KEYS_SHOWN : 0);
  const what = plural(entries.length, isList ? 'item' : 'key');
  if (entries.length === 0) return <span className="text-muted">{isList ? '[ ]' : '{ }'}</span>;
  if (shown === 0) return <More onClick={() => setShown(KEYS_SHOWN)}>{what}</More>;
  const left = entries.length - shown;
  return (
    <ul className={depth === 0 ? '' : 'border-l pl-3'}>
      {entries.slice(0, shown).map(([key, value]) => (
        <li key={key} className="min-w-0">
          <span className="text-muted">
            <Text value={key} max={KEY_MAX} />:{' '}
          </span>
          <Value value={value} depth={depth + 1} />
        </li>
      ))}
      {left > 0 && (
        <li>
          <More onClick={() => setShown(shown + KEYS_SHOWN)}>{`${count(left)} more`}</More>
        </li>
      )}
    </ul>
  );
}

const More = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <button
    type="button"
    onClick={onClick}
    className="inline-flex items-center gap-0.5 rounded bg-sunken px-1 text-muted transition-colors hover:text-text"
  >
    <ChevronRight size={11} aria-hidden />
    {children}
  </button>
);
