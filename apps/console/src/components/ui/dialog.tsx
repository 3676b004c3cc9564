import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '../../lib/cn.js';
import { Button } from './button.js';
import { Scroll } from './scroll.js';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  side?: 'center' | 'right';
  className?: string;
  children: ReactNode;
}

/**
 * A dialog in the middle or a panel at the right. The ground is a plain element: the one of Radix writes a style element to
 * lock scrolling, which the content security policy refuses and which a page that scrolls inside itself does not need.
 */
export function Dialog({ open, onClose, title, description, side = 'center', className, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div className="fixed inset-0 z-40 bg-black/30 dark:bg-black/55" aria-hidden />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cn(
            'animate-appear fixed z-50 flex flex-col border border-line bg-raised shadow-float outline-none',
            side === 'center'
              ? 'top-[12vh] left-1/2 max-h-[76vh] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 rounded-xl'
              : 'inset-y-0 right-0 w-[min(46rem,100vw)] border-y-0 border-r-0',
            className,
          )}
        >
          <header className="flex items-start gap-3 border-b px-5 py-3.5">
            <div className="min-w-0 flex-1">
              <Radix.Title className="truncate text-[15px] font-semibold" dir="auto">
                {title}
              </Radix.Title>
              {description && <Radix.Description className="mt-0.5 text-muted">{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <Button look="quiet" size="icon" className="-my-[5px]" aria-label="Close">
                <X size={16} />
              </Button>
            </Radix.Close>
          </header>
          <Scroll label={title} className="min-h-0 flex-1 px-5 py-4">
            {children}
          </Scroll>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
