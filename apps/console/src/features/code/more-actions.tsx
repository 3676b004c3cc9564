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
      text: isLive
        ? 'Events of its destinations pass as they are from then on.'
        : 'It is not live, so nothing changes for events.',
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
      tellDone('The code is gone. Its revisions stay.');
      await client.invalidateQueries();
    },
  });
  if (!canWrite) return null;
  return <MoreMenu actions={[{ label: 'Delete the code', danger: true, run: () => remove.ask() }]} />;
}
