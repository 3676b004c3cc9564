import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { processesQuery } from '../../api/operation.js';
import { Loaded, Panel } from '../../components/panel.js';
import { type Column, Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { Badge, Dot } from '../../components/ui/badge.js';
import { cn } from '../../lib/cn.js';
import { type Process, reasonsOf, stateOf, summaryOf, versionsOf, wordOf, workOf } from '../../lib/processes.js';

const TONES = { works: 'good', limps: 'warn', away: 'bad' } as const;

/** Every process of Weir, in which version it runs, and what it misses. */
export function Processes() {
  const processes = useQuery(processesQuery);
  return (
    <Panel title="Processes" flush>
      <Loaded query={processes} what="The processes">
        {(list) => (
          <>
            <Summary processes={list} />
            <Table label="Processes" rows={list} keyOf={({ name }) => name} columns={COLUMNS} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Summary({ processes }: { processes: readonly Process[] }) {
  const isWell = processes.every((process) => stateOf(process) === 'works') && versionsOf(processes).length === 1;
  const Icon = isWell ? CircleCheck : TriangleAlert;
  return (
    <p
      role="status"
      className={cn('flex items-center gap-2 px-4 pt-3 pb-1 font-medium', isWell ? 'text-good' : 'text-warn')}
    >
      <Icon size={16} aria-hidden /> {summaryOf(processes)}
    </p>
  );
}

const COLUMNS: readonly Column<Process>[] = [
  {
    name: 'Process',
    cell: (process) => (
      <>
        <span className="block font-medium whitespace-nowrap">{process.name}</span>
        <span className="block text-[12.5px] text-muted">{workOf(process)}</span>
      </>
    ),
  },
  {
    name: 'State',
    cell: (process) => (
      <>
        <span className="flex items-center gap-2 whitespace-nowrap">
          <Dot tone={TONES[stateOf(process)]} /> {wordOf(process)}
        </span>
        {reasonsOf(process).map((reason) => (
          <span key={reason} className="block max-w-80 text-[12.5px] break-words text-muted">
            <Text value={reason} max={200} />
          </span>
        ))}
      </>
    ),
  },
  { name: 'Running', align: 'right', cell: ({ instances }) => instances.length },
  {
    name: 'Version',
    cell: (process) => {
      const versions = versionsOf([process]);
      if (versions.length === 0) return <span className="text-muted">–</span>;
      return (
        <span className="flex gap-1">
          {versions.map((version) => (
            <Badge key={version} tone={versions.length > 1 ? 'warn' : 'neutral'}>
              {version}
            </Badge>
          ))}
        </span>
      );
    },
  },
  {
    name: 'Started',
    className: 'text-muted whitespace-nowrap',
    cell: ({ instances }) => {
      const latest = instances.at(-1);
      return latest ? <Time at={latest.startedAt} /> : '–';
    },
  },
];
