import type { ReactNode } from 'react';
import { Text } from './text.js';
import { Button } from './ui/button.js';
import type { Draft } from './use-draft.js';

interface ChangedElsewhereProps {
  draft: Pick<Draft<unknown>, 'theirs' | 'takeTheirs' | 'keepMine'>;
  /** Who it was, where that is known. */
  by?: string | undefined;
  /** Both versions beside each other. */
  children: ReactNode;
}

/** Says that somebody else has stored something since the typing began. Until a person decides, the server refuses to overwrite it. */
export function ChangedElsewhere({ draft, by, children }: ChangedElsewhereProps) {
  if (draft.theirs === undefined) return null;
  return (
    <div role="alert" className="space-y-2 rounded-lg bg-warn-soft px-3 py-2">
      <p className="text-warn">
        <strong className="font-semibold">
          {by === undefined ? 'Somebody else' : <Text value={by} max={80} />} has saved another version meanwhile.
        </strong>{' '}
        What you typed is still here.
      </p>
      <details>
        <summary className="cursor-pointer rounded font-medium">Compare</summary>
        <div className="mt-2 rounded-lg bg-surface p-2">{children}</div>
      </details>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={draft.takeTheirs}>
          Use theirs
        </Button>
        <Button size="sm" onClick={draft.keepMine}>
          Keep mine
        </Button>
      </div>
    </div>
  );
}
