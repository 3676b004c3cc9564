import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { printable } from '../lib/printable.js';
import { Text } from './text.js';

interface PageProps {
  title: string;
  /** The list that this page belongs to. */
  parent?: { label: string; to: NonNullable<LinkProps['to']> };
  badge?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, parent, badge, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${printable(title, 60).shown} · Weir`;
  }, [title]);
  return (
    <div className="animate-appear mx-auto flex min-h-full w-full max-w-[1240px] flex-col px-4 py-5 md:px-8">
      <header className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1">
          {parent && (
            <nav aria-label="Breadcrumb" className="mb-0.5 flex items-center gap-0.5 text-[12.5px] text-muted">
              <ChevronLeft size={12} aria-hidden className="-ml-0.5" />
              <Link to={parent.to} className="rounded hover:text-text">
                {parent.label}
              </Link>
            </nav>
          )}
          <div className="flex items-center gap-2">
            <h1 className="min-w-0 truncate text-xl font-semibold tracking-tight">
              <Text value={title} max={120} />
            </h1>
            {badge}
          </div>
          {lead && <p className="mt-0.5 max-w-3xl text-muted">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      <div className="flex min-h-0 flex-1 flex-col gap-4">{children}</div>
    </div>
  );
}
