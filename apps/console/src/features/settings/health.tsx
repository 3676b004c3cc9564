import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { answer, api } from '../../api/client.js';
import { every } from '../../api/refetch.js';
import { useCan, useSession } from '../../api/session.js';
import { Loaded, Panel } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { Badge } from '../../components/ui/badge.js';
import { isRecord } from '../../lib/json.js';
import { Processes } from './processes.js';

/** Whether the server is ready. An answer of 503 is an answer, too: it says what is missing. */
async function readReadiness() {
  const { data, error } = await api.GET('/readyz');
  if (data) return data;
  const reasons = error.status === 503 && isRecord(error.body) ? error.body['reasons'] : undefined;
  if (Array.isArray(reasons)) return { ready: false, reasons: reasons.map(String) };
  throw error;
}

/** Shows the processes to those who may see them. Others learn whether Weir can work. */
export function Health() {
  const version = useQuery({ queryKey: ['version'], queryFn: () => answer(api.GET('/version')) });
  const seesProcesses = useCan('inventory', 'read');
  const session = useSession();
  return (
    <div className="grid gap-4">
      {seesProcesses ? <Processes /> : <Ready />}
      <Panel title="Workspace">
        <dl className="grid grid-cols-[10rem_minmax(0,1fr)] gap-y-1.5 [&>dt]:text-muted">
          <dt>Name</dt>
          <dd>
            <Text value={session?.workspace.name ?? ''} max={120} />
          </dd>
          <dt>Code can call fetch</dt>
          <dd>
            <Badge tone={session?.workspace.allowFetch ? 'accent' : 'neutral'}>
              {session?.workspace.allowFetch ? 'yes' : 'no'}
            </Badge>
          </dd>
          <dt>Your role</dt>
          <dd>{session?.session.role}</dd>
          <dt>Version</dt>
          <dd className="tnum">{version.data?.version ?? '–'}</dd>
        </dl>
      </Panel>
    </div>
  );
}

function Ready() {
  const readiness = useQuery({ queryKey: ['ready'], queryFn: readReadiness, refetchInterval: every(5_000) });
  return (
    <Panel title="Health">
      <Loaded query={readiness} what="The health">
        {({ ready, reasons }) => (
          <div role="status" className="space-y-2">
            <p className={`flex items-center gap-2 font-medium ${ready ? 'text-good' : 'text-warn'}`}>
              {ready ? <CircleCheck size={16} aria-hidden /> : <TriangleAlert size={16} aria-hidden />}
              {ready ? 'Weir is ready.' : 'Weir is not ready.'}
            </p>
            <ul className="list-inside list-disc text-muted">
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </div>
        )}
      </Loaded>
    </Panel>
  );
}
