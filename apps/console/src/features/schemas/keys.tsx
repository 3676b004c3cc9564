import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type KeyFact, keysQuery, type Model, metadataQuery, piiQuery } from '../../api/schemas.js';
import { useCan } from '../../api/session.js';
import { Loaded, Panel } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { Input } from '../../components/ui/field.js';
import { cn } from '../../lib/cn.js';
import { count, share } from '../../lib/format.js';
import { typeText } from '../../lib/type-text.js';
import { frequentValuesOf } from './frequent-values.js';

const GRID =
  'grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] items-center gap-x-4 px-4 md:grid-cols-[minmax(0,2fr)_10rem_minmax(0,1fr)_minmax(0,2fr)]';
/** A kind of event may have thousands of keys. */
const STEP = 50;
const VALUES_SHOWN = 3;

interface KeysProps {
  model: Model;
  find: string;
  onFind: (text: string) => void;
}

/** Each key with its share of the events, its types, its frequent values, and whether it looks personal. */
export function Keys({ model: { EventID, TotalCount }, find: wanted, onFind }: KeysProps) {
  const keys = useQuery(keysQuery(EventID));
  const personal = useQuery(piiQuery(EventID)).data ?? [];
  const seesValues = useCan('schemas', 'samples');
  const metadata = useQuery({ ...metadataQuery(EventID), enabled: seesValues }).data;
  const [shown, setShown] = useState(STEP);
  return (
    <Panel
      title="Keys"
      flush
      actions={
        <Input
          type="search"
          aria-label="Find a key"
          placeholder="Find a key"
          className="w-56"
          value={wanted}
          onChange={({ target }) => onFind(target.value)}
        />
      }
    >
      <Loaded query={keys} what="The keys">
        {(all) => {
          const found = all.filter(({ Key }) => Key.toLowerCase().includes(wanted.toLowerCase()));
          return (
            <>
              <div aria-hidden className={cn(GRID, 'h-9 text-[12px] font-medium text-muted')}>
                <span>Key</span>
                <span>Share of events</span>
                <span className="hidden md:block">Type</span>
                <span className="hidden md:block">Frequent values</span>
              </div>
              <ul>
                {found.slice(0, shown).map((fact) => (
                  <OneKey
                    key={fact.Key}
                    fact={fact}
                    total={TotalCount}
                    personal={personal.find(({ Key }) => Key === fact.Key)?.Kind}
                    values={frequentValuesOf(metadata?.FrequentValues, fact.Key).slice(0, VALUES_SHOWN)}
                  />
                ))}
              </ul>
              {found.length > shown && (
                <Button look="quiet" className="m-2" onClick={() => setShown(shown + STEP)}>
                  {count(found.length - shown)} more keys
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

interface OneKeyProps {
  fact: KeyFact;
  total: number;
  personal: string | undefined;
  values: readonly { value: string; events: number }[];
}

function OneKey({ fact: { Key, Events, Types }, total, personal, values }: OneKeyProps) {
  return (
    <li className={cn(GRID, 'gap-y-1 border-t py-2')}>
      <span className="flex min-w-0 items-center gap-2 font-mono text-[12.5px]">
        <span className="min-w-0 truncate">
          <Text value={Key} max={120} />
        </span>
        {personal && <Badge tone="warn">{personal}</Badge>}
      </span>
      <span className="flex items-center gap-2">
        <span className="h-1.5 flex-1 overflow-hidden rounded-full bg-sunken" aria-hidden>
          <span
            className="block h-full rounded-full bg-accent"
            style={{ width: `${Math.min(100, (100 * Events) / Math.max(total, 1))}%` }}
          />
        </span>
        <span className="tnum w-12 text-right text-[12.5px] text-muted">{share(Events, total)}</span>
      </span>
      <span className="hidden truncate text-[12.5px] text-muted md:block">
        {Types.map(({ Type }) => typeText(Type)).join(' or ')}
      </span>
      <span className="hidden truncate text-[12.5px] text-muted md:block">
        {values.map(({ value, events }) => (
          <span key={value} className="mr-3">
            <Text value={value} max={40} /> <span className="tnum">×{count(events)}</span>
          </span>
        ))}
      </span>
    </li>
  );
}
