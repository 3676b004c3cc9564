import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answer, api } from '../../api/client.js';
import { useCan } from '../../api/session.js';
import { tellDone } from '../../components/toast.js';
import { MoreMenu } from '../../components/ui/menu.js';
import { useAsked } from '../../components/use-asked.js';

/** Rare actions on code. */
export function MoreActions({ id, isLive }: { id: string; isLive: boolean }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const canWrite = useCan('transformations', 'write');
  const remove = useAsked({
    question: () => ({
      title: 'Delete this code?',
      text: isLive ? 'Events to its destinations then pass unchanged.' : 'It is not live, so no events change.',
      action: 'Delete',
      ...(isLive ? { typed: 'delete' } : {}),
    }),
    send: () =>
      answer(
        api.DELETE('/transformations/{id}', {
          params: { path: { id }, query: { status: isLive ? 'published' : 'draft' } },
        }),
      ),
    done: async () => {
      await navigate({ to: '/code' });
      tellDone('Code deleted. Its revisions are kept.');
      await client.invalidateQueries();
    },
  });
  if (!canWrite) return null;
  return <MoreMenu actions={[{ label: 'Delete code', danger: true, run: () => remove.ask() }]} />;
}
