import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isUnknown } from '../../api/errors.js';
import { eventQuery, eventsOfUserQuery, type Trace } from '../../api/events.js';
import { sourcesQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { NameLink } from '../../components/name-link.js';
import { Page } from '../../components/page.js';
import { Empty, Panel, Trouble } from '../../components/panel.js';
import { Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { FindEvents } from './find-events.js';
import { OutcomeBadge } from './outcome.js';

const route = getRouteApi('/events');

/** Earlier events that a text names, as their message id or as their user. */
export function EventsPage() {
  const { find = '' } = route.useSearch();
  return (
    <Page
      title="Earlier events"
      parent={{ label: 'Live', to: '/live' }}
      lead="Find events by user or message ID. Weir keeps the history of events for some days."
      actions={<FindEvents key={find} find={find} />}
    >
      {find === '' ? <Empty title="Enter a user ID or message ID" /> : <Found key={find} find={find} />}
    </Page>
  );
}

function Found({ find }: { find: string }) {
  const named = useQuery(eventQuery(find));
  const ofUser = useInfiniteQuery(eventsOfUserQuery(find));
  const sources = useQuery({ ...sourcesQuery, enabled: useCan('inventory', 'read') }).data ?? [];
  const failure = [ofUser.error, named.error].find((error) => error && !isUnknown(error));
  const traces = [...(named.data ? [named.data] : []), ...(ofUser.data?.pages.flatMap(({ data }) => data) ?? [])];
  const isAnswered = ofUser.isSuccess && !named.isPending;
  return (
    <Panel title="Events" note="newest first" flush>
      {failure && <Trouble what="Some events cannot be shown" error={failure} />}
      {isAnswered && traces.length === 0 && (
        <Empty title="No events found">
          Events of suppressed users never appear. A busy source keeps the history of only some events.
        </Empty>
      )}
      {traces.length > 0 && (
        <Table
          label="Events"
          rows={traces}
          pages={ofUser}
          keyOf={({ messageId, sourceId, receivedAt }) => `${messageId} ${sourceId} ${receivedAt}`}
          columns={[
            {
              name: 'Event',
              className: 'max-w-80',
              cell: ({ messageId, eventName, eventType }) => (
                <NameLink
                  to="/events/$messageId"
                  params={{ messageId: messageId ?? find }}
                  name={eventName ?? eventType ?? 'unnamed'}
                />
              ),
            },
            {
              name: 'Type',
              sortBy: ({ eventType }) => eventType,
              className: 'text-muted',
              cell: ({ eventType = '' }) => <Text value={eventType} max={20} />,
            },
            {
              name: 'Source',
              className: 'max-w-48 truncate text-muted',
              cell: ({ sourceId }) => (
                <Text value={sources.find(({ id }) => id === sourceId)?.name ?? sourceId ?? ''} max={60} />
              ),
            },
            {
              name: 'Outcome',
              cell: (trace) => (
                <span className="inline-flex flex-wrap gap-1">
                  {outcomesOf(trace).map((outcome) => (
                    <OutcomeBadge key={outcome} outcome={outcome} />
                  ))}
                </span>
              ),
            },
            {
              name: 'Received',
              sortBy: ({ receivedAt }) => receivedAt,
              align: 'right',
              className: 'text-muted',
              cell: ({ receivedAt }) => (receivedAt ? <Time at={receivedAt} /> : '–'),
            },
          ]}
        />
      )}
    </Panel>
  );
}

/** The outcomes of an event at its destinations, each once. */
const outcomesOf = ({ status, destinations }: Trace): string[] =>
  destinations.length === 0 ? [status] : [...new Set(destinations.map((way) => way.status))];
