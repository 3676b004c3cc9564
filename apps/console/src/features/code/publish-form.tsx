import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Rocket } from 'lucide-react';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../api/client.js';
import { Text } from '../../components/text.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { Dialog } from '../../components/ui/dialog.js';
import { TextField } from '../../components/ui/field.js';
import { useKept } from '../../lib/kept.js';

interface PublishFormProps {
  title: string;
  description: string;
  versionId: string;
  /** Publishes with the reason that was typed, as the commit of the release. */
  publish: (commit: { commitId?: string }) => Promise<unknown>;
  /** Said after the publish. */
  done: string;
  /** The words of the button. Only a publish has a reason. */
  action?: string;
  /** Whether there is something to do. */
  isReady?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Asks why, and publishes. What the publish would change stands above. */
export function PublishForm({
  title,
  description,
  versionId,
  publish,
  done,
  action,
  isReady = true,
  onClose,
  children,
}: PublishFormProps) {
  const client = useQueryClient();
  const [why, setWhy, forget] = useKept(`why ${versionId}`, '');
  const publishing = useMutation({
    mutationFn: () => {
      const commitId = why.trim();
      return publish(commitId ? { commitId } : {});
    },
    onSuccess: async () => {
      forget();
      tellDone(done);
      // Before the lists are read again: a user who has gone on meanwhile would be thrown back to this page.
      onClose();
      await client.invalidateQueries();
    },
  });
  return (
    <Dialog open side="right" title={title} description={description} onClose={onClose}>
      <form
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          publishing.mutate();
        }}
      >
        {children}
        {!action && (
          <TextField
            label="Reason"
            hint="Shown in the history with your name."
            maxLength={100}
            value={why}
            onChange={setWhy}
          />
        )}
        {publishing.isError && (
          <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 whitespace-pre-wrap text-bad">
            <Text value={sentenceOf(publishing.error)} max={800} />
          </p>
        )}
        <Button look="primary" type="submit" disabled={publishing.isPending || !isReady}>
          <Rocket size={13} aria-hidden /> {action ?? 'Publish now'}
        </Button>
      </form>
    </Dialog>
  );
}
