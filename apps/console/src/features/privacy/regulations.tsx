import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DELETION_STATES, type DeletionStatus, type Regulation, regulationsQuery } from '../../api/privacy.js';
import { useCan } from '../../api/session.js';
import { More } from '../../components/more.js';
import { NameLink } from '../../components/name-link.js';
import { Empty, Panel, Trouble } from '../../components/panel.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { Badge } from '../../components/ui/badge.js';
import { Input, Select } from '../../components/ui/field.js';
import { Status } from './status.js';

/** The user of a regulation, or its own id if the server cannot open who that is. */
export const userOf = ({ id, attributes }: Pick<Regulation, 'id' | 'attributes'>): string =>
  String(attributes['userId'] || id);

interface RegulationsProps {
  find: string;
  status: DeletionStatus | undefined;
  onFind: (text: string, status: string | undefined) => void;
}

export function Regulations({ find, status, onFind }: RegulationsProps) {
  const pages = useInfiniteQuery(regulationsQuery(find, status));
  const canWrite = useCan('regulations', 'write');
  const [typed, setTyped] = useState(find);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Panel
      title="Regulations"
      note="newest first"
      flush
      actions={
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            onFind(typed.trim(), status);
          }}
        >
          <Select
            aria-label="State of the deletion"
            className="w-44"
            value={status ?? ''}
            onChange={({ target }) => onFind(find, target.value)}
          >
            <option value="">All regulations</option>
            {DELETION_STATES.map((state) => (
              <option key={state} value={state}>
                deletion {state.replace('_', ' ')}
              </option>
            ))}
          </Select>
          <Input
            type="search"
            aria-label="Find a user"
            placeholder="User ID ↵"
            className="w-56"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </form>
      }
    >
      {pages.isError && (
        <Trouble what="The regulations cannot be shown" error={pages.error} onRetry={() => pages.refetch()} />
      )}
      {rows.length === 0 && <More pages={pages} loaded={0} />}
      {pages.data && rows.length === 0 && !pages.hasNextPage && (
        <Empty
          title={status ? 'No such regulation' : find ? 'No regulation names this user' : 'Nobody is suppressed'}
          action={
            canWrite && (
              <Link to="/privacy" search={{ tab: 'new' }} className="font-medium text-accent hover:underline">
                Suppress or delete a user
              </Link>
            )
          }
        />
      )}
      {rows.length > 0 && (
        <Table
          label="Regulations"
          rows={rows}
          pages={pages}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'User',
              sortBy: userOf,
              className: 'max-w-72',
              cell: (one) => <NameLink to="/privacy/$id" params={{ id: one.id }} name={userOf(one)} />,
            },
            {
              name: 'Request',
              cell: ({ regulationType }) => (regulationType === 'suppress' ? 'Suppress' : 'Suppress and delete'),
            },
            {
              name: 'State',
              sortBy: ({ canceled }) => Number(canceled),
              cell: ({ canceled }) => (
                <Badge tone={canceled ? 'neutral' : 'accent'}>{canceled ? 'canceled' : 'in force'}</Badge>
              ),
            },
            { name: 'Deletion', cell: (one) => <Deletion regulation={one} /> },
            {
              name: 'Since',
              align: 'right',
              className: 'text-muted',
              cell: ({ createdAt }) => createdAt && <Time at={createdAt} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}

function Deletion({ regulation: { regulationType, deletion } }: { regulation: Regulation }) {
  if (regulationType === 'suppress') return <span className="text-muted">–</span>;
  return deletion && <Status status={deletion.status} />;
}
