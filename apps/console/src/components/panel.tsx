import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { sentenceOf } from '../api/client.js';
import { mayHeal } from '../api/errors.js';
import { cn } from '../lib/cn.js';
import { Button } from './ui/button.js';

interface PanelProps {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
  flush?: boolean;
}

/** One subject of a page, with its own name. */
export function Panel({ title, note, actions, children, className, flush = false }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cn('min-w-0 rounded-xl border bg-surface', className)}>
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1.5">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {note && <span className="text-[12.5px] text-muted">{note}</span>}
        <div className="ml-auto flex items-center gap-2">{actions}</div>
      </header>
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  /** Names what is missing: "The sources". */
  what: string;
  children: (data: Data) => ReactNode;
}

/** The answer to a query. A failure stays in its own place, says why, and heals by itself when the server comes back. */
export function Loaded<Data>({ query, what, children }: LoadedProps<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && <Trouble what={`${what} may be outdated`} error={query.error} />}
        {children(query.data)}
      </>
    );
  }
  if (query.isError)
    return <Trouble what={`${what} cannot be shown`} error={query.error} onRetry={() => query.refetch()} />;
  return <Waiting what={what} />;
}

export function Trouble({ what, error, onRetry }: { what: string; error: unknown; onRetry?: () => unknown }) {
  return (
    <div
      role="status"
      className="m-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg bg-warn-soft px-3 py-2 text-warn"
    >
      <p className="min-w-0 flex-1 break-words">
        <strong className="font-semibold">{what}.</strong> {sentenceOf(error)}
        {mayHeal(error) && ' Retrying automatically.'}
      </p>
      {onRetry && (
        <Button size="sm" onClick={() => void onRetry()}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Lines in the place of what comes. They appear late, so that a quick answer shows no flicker. */
export function Waiting({ what }: { what: string }) {
  return (
    <div role="status" aria-label={`${what}: loading`} className="animate-late space-y-2.5 p-4">
      {['w-2/5', 'w-3/5', 'w-1/3'].map((width) => (
        <div key={width} className={cn('h-3 rounded bg-line', width)} />
      ))}
    </div>
  );
}

/** Says what is not there yet, and the next step. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-xl flex-col items-center gap-2 px-6 py-10 text-center">
      <p className="text-[15px] font-semibold">{title}</p>
      {children && <div className="w-full text-muted">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}
