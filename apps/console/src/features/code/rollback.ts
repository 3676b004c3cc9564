import { useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { tellDone } from '../../components/toast.js';
import { useAsked } from '../../components/use-asked.js';

/** Makes another revision of a transformation live, after a question. */
export function useRollback(id: string) {
  const client = useQueryClient();
  return useAsked({
    question: (_: string) => ({
      title: 'Make this revision live?',
      text: 'Its tests must pass first. The current live revision stays in this list.',
      action: 'Make live',
      keep: 'Cancel',
    }),
    send: (versionId) =>
      answer(api.POST('/transformations/{id}/rollback', { params: { path: { id } }, body: { versionId } })),
    done: () => {
      tellDone('The revision is live.');
      void client.invalidateQueries();
    },
  });
}
