import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { allPages } from '../../api/pages.js';
import { Loaded, Panel } from '../../components/panel.js';
import { Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellDone } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { useAsked } from '../../components/use-asked.js';
import { browserName } from '../../lib/browser-name.js';
import { printable, shortName } from '../../lib/printable.js';

/** Lists sessions. An admin sees all sessions of the workspace. Other users see their own. */
export function Sessions() {
  const client = useQueryClient();
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: () =>
      allPages(
        (page) => answer(api.GET('/console/sessions', { params: { query: { page } } })),
        (page) => page.sessions,
      ),
  });
  const end = useAsked({
    question: ({ email }: { id: string; email: string }) => ({
      title: `End the session of ${shortName(email)}?`,
      text: 'That browser is signed out at its next request. Unsaved text there is lost.',
      action: 'End session',
    }),
    send: ({ id }) => answer(api.DELETE('/console/sessions/{id}', { params: { path: { id } } })),
    done: () => {
      tellDone('Session ended.');
      void client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return (
    <Panel title="Signed-in people" flush>
      <Loaded query={sessions} what="The sessions">
        {(rows) => (
          <Table
            label="Sessions"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                name: 'Person',
                sortBy: ({ email }) => email,
                className: 'max-w-64',
                cell: ({ email, isCurrent }) => (
                  <span className="flex items-center gap-2 font-medium">
                    <Text value={email} max={80} />
                    {isCurrent && <Badge tone="accent">this session</Badge>}
                  </span>
                ),
              },
              { name: 'Role', sortBy: ({ role }) => role, cell: ({ role }) => role },
              { name: 'Method', className: 'text-muted', cell: ({ method }) => method },
              {
                name: 'Browser',
                className: 'max-w-72 truncate text-muted',
                cell: ({ userAgent }) => (
                  <span title={printable(userAgent, 200).shown}>
                    <Text value={browserName(userAgent)} max={60} />
                  </span>
                ),
              },
              {
                name: 'Last seen',
                sortBy: ({ lastSeenAt }) => lastSeenAt,
                className: 'text-muted whitespace-nowrap',
                cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
              },
              {
                name: 'Action',
                align: 'right',
                cell: ({ id, email, isCurrent }) =>
                  !isCurrent && (
                    <Button
                      size="sm"
                      look="danger"
                      aria-label={`End the session of ${email}`}
                      onClick={() => end.ask({ id, email })}
                    >
                      End
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
