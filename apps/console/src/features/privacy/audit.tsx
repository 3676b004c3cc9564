import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { answer, api } from '../../api/client.js';
import { auditQuery } from '../../api/privacy.js';
import { JsonView } from '../../components/json-view.js';
import { Empty, Panel, Trouble } from '../../components/panel.js';
import { save } from '../../components/save.js';
import { Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { Button } from '../../components/ui/button.js';

const readExport = (): Promise<string> => answer(api.GET('/v2/audit/export', { parseAs: 'text' }));

/** Who did what in this workspace. Each entry holds the hash of the one before, so none can vanish unseen. */
export function Audit() {
  const pages = useInfiniteQuery(auditQuery);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Panel
      title="Audit"
      note="newest first"
      flush
      actions={
        <Button size="sm" onClick={() => void save('weir-audit.jsonl', readExport)}>
          <Download size={13} aria-hidden /> Export
        </Button>
      }
    >
      {pages.isError && (
        <Trouble what="The audit trail cannot be shown" error={pages.error} onRetry={() => pages.refetch()} />
      )}
      {pages.data && rows.length === 0 && <Empty title="No entries yet" />}
      {rows.length > 0 && (
        <Table
          label="Audit trail"
          rows={rows}
          pages={pages}
          keyOf={({ position }) => String(position)}
          columns={[
            {
              name: 'Time',
              sortBy: ({ at }) => at,
              className: 'whitespace-nowrap',
              cell: ({ at }) => <Time at={at} look="full" />,
            },
            {
              name: 'Actor',
              sortBy: ({ actor }) => actor,
              className: 'max-w-48 truncate',
              cell: ({ actor }) => <Text value={actor} max={80} />,
            },
            {
              name: 'Action',
              sortBy: ({ action }) => action,
              className: 'font-medium',
              cell: ({ action }) => <Text value={action} max={80} />,
            },
            {
              name: 'Details',
              className: 'max-w-80',
              cell: ({ details }) => Object.keys(details).length > 0 && <Details details={details} />,
            },
            {
              name: 'Position',
              sortBy: ({ position }) => position,
              align: 'right',
              className: 'text-muted',
              cell: ({ position }) => position,
            },
          ]}
        />
      )}
    </Panel>
  );
}

/** One line of JSON. A click shows all of it. */
const Details = ({ details }: { details: object }) => (
  <details>
    <summary className="cursor-pointer truncate rounded font-mono text-xs text-muted hover:text-text">
      <Text value={JSON.stringify(details)} max={60} />
    </summary>
    <JsonView value={details} label="Details of this entry" />
  </details>
);
