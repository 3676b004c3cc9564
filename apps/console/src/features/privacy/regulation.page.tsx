import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answer, api } from '../../api/client.js';
import { isUnknown } from '../../api/errors.js';
import { type RegulationDetails, regulationQuery } from '../../api/privacy.js';
import { useCan } from '../../api/session.js';
import { Missing } from '../../components/missing.js';
import { Page } from '../../components/page.js';
import { Empty, Loaded, Panel } from '../../components/panel.js';
import { Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellDone } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { useAsked } from '../../components/use-asked.js';
import { deletionText } from '../../lib/deletion-text.js';
import { Receipt } from './receipt.js';
import { userOf } from './regulations.js';
import { Status } from './status.js';

const route = getRouteApi('/privacy/$id');

export function RegulationPage() {
  const { id } = route.useParams();
  const regulation = useQuery(regulationQuery(id));
  if (isUnknown(regulation.error))
    return <Missing title="There is no such regulation" all={{ label: 'All regulations', to: '/privacy' }} />;
  return (
    <Loaded query={regulation} what="The regulation">
      {(one) => <One regulation={one} />}
    </Loaded>
  );
}

function One({ regulation }: { regulation: RegulationDetails }) {
  const { id, canceled, deletion } = regulation;
  const client = useQueryClient();
  const canWrite = useCan('regulations', 'write');
  const cancel = useAsked({
    question: () => ({
      title: 'Cancel this regulation?',
      text: 'New events of this user pass again unless another regulation covers them. Deleted data stays deleted.',
      action: 'Cancel regulation',
    }),
    send: () => answer(api.DELETE('/v2/regulations/{id}', { params: { path: { id } } })),
    done: () => {
      tellDone('Canceled. It stays in the list.');
      void client.invalidateQueries();
    },
  });
  return (
    <Page
      title={userOf(regulation)}
      parent={{ label: 'Privacy', to: '/privacy' }}
      badge={<Badge tone={canceled ? 'neutral' : 'accent'}>{canceled ? 'canceled' : 'in force'}</Badge>}
      lead={<Lead regulation={regulation} />}
      actions={
        canWrite &&
        !canceled && (
          <Button look="danger" disabled={cancel.isPending} onClick={() => cancel.ask()}>
            Cancel regulation
          </Button>
        )
      }
    >
      {deletion ? (
        <>
          <Panel title="Deletion" actions={<Status status={deletion.status} />} flush>
            <Table
              label="Destinations"
              rows={deletion.destinations}
              keyOf={({ destinationId }) => destinationId}
              columns={[
                {
                  name: 'Destination',
                  className: 'max-w-96 font-medium',
                  cell: (row) => <Text value={row.name ?? row.destinationId} max={80} />,
                },
                { name: 'Status', cell: ({ status }) => <Status status={status} /> },
                { name: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
                {
                  name: 'Reason',
                  className: 'text-muted',
                  cell: ({ reason }) => <Text value={reason ?? ''} max={240} />,
                },
                {
                  name: 'Time',
                  align: 'right',
                  className: 'text-muted whitespace-nowrap',
                  cell: ({ endedAt, nextAt }) =>
                    endedAt ? (
                      <Time at={endedAt} />
                    ) : nextAt ? (
                      <>
                        retry <Time at={nextAt} />
                      </>
                    ) : (
                      ''
                    ),
                },
              ]}
            />
          </Panel>
          {deletion.status === 'complete' && <Receipt regulationId={id} />}
        </>
      ) : (
        <Panel title="Deletion">
          <Empty title="No deletion">This regulation only stops new events.</Empty>
        </Panel>
      )}
    </Page>
  );
}

/** Tells since when the user is suppressed and what became of the deletion, which takes its own time and may be impossible. */
const Lead = ({ regulation: { createdAt, canceledAt, deletion } }: { regulation: RegulationDetails }) => (
  <>
    Suppressed {canceledAt ? 'from' : 'since'} <Time at={createdAt} look="full" />
    {canceledAt && (
      <>
        {' until '}
        <Time at={canceledAt} look="full" />
      </>
    )}
    {deletion && `, ${deletionText(deletion)}`}
  </>
);
