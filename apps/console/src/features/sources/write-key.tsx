import { Eye } from 'lucide-react';
import { sentenceOf } from '../../api/client.js';
import type { Source } from '../../api/inventory.js';
import { HIDDEN_KEY, useWriteKey } from '../../api/write-key.js';
import { Copy } from '../../components/copy.js';
import { Panel } from '../../components/panel.js';
import { Button } from '../../components/ui/button.js';

/** The write key, which no answer has before somebody asks for it. */
export function WriteKey({ source }: { source: Source }) {
  const { mayAsk, shown, error, ask, filledIn } = useWriteKey(source);
  return (
    <Panel title="Write key">
      <div className="flex items-center gap-2">
        <code className="min-w-0 flex-1 truncate font-mono text-[12.5px]">{shown ?? '••••••••••••'}</code>
        {mayAsk && shown === undefined && (
          <Button size="sm" look="quiet" aria-label="Show the write key" onClick={ask}>
            <Eye size={14} aria-hidden /> Show
          </Button>
        )}
        {mayAsk && <Copy text={() => filledIn(HIDDEN_KEY)} />}
      </div>
      {error && (
        <p role="alert" className="mt-1 text-bad">
          {sentenceOf(error)}
        </p>
      )}
      <p className="mt-1 text-[12.5px] text-muted">
        {mayAsk
          ? 'The key can only send events, so it is safe in a page. Copied snippets contain it.'
          : 'Only people who can change sources see it.'}
      </p>
    </Panel>
  );
}
