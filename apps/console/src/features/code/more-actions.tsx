import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answer, api } from '../../api/client.js';
import { useCan } from '../../api/session.js';
import { confirm } from '../../components/confirm.js';
import { tellDone, tellError } from '../../components/toast.js';
import { MenuItem, MoreMenu } from '../../components/ui/menu.js';

/** Rare actions on code. */
export function MoreActions({ id, isLive }: { id: string; isLive: boolean }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const canWrite = useCan('transformations', 'write');
  const remove = useMutation({
    mutationFn: () =>
      answer(
        api.DELETE('/transformations/{id}', {
          params: { path: { id }, query: { status: isLive ? 'published' : 'draft' } },
        }),
      ),
    onError: tellError,
    onSuccess: async () => {
      await navigate({ to: '/code' });
      tellDone('The code is gone. Its revisions stay.');
      await client.invalidateQueries();
    },
  });
  const askAndRemove = async () => {
    const text = isLive
      ? 'Events of its destinations pass as they are from then on.'
      : 'It is not live, so nothing changes for events.';
    if (await confirm({ title: 'Delete this code?', text, action: 'Delete', ...(isLive ? { typed: 'delete' } : {}) }))
      remove.mutate();
  };
  if (!canWrite) return null;
  return (
    <MoreMenu>
      <MenuItem danger onSelect={() => void askAndRemove()}>
        Delete the code
      </MenuItem>
    </MoreMenu>
  );
}
