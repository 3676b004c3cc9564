import type { ReactNode, Ref } from 'react';
import { cn } from '../../lib/cn.js';

interface ScrollProps {
  label: string;
  className?: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A part of the page that scrolls by itself. It has a name, and the keyboard reaches it. */
export function Scroll({ label, className, ref, children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls by wheel has to scroll by keyboard, too
    <section ref={ref} aria-label={label} tabIndex={0} className={cn('overflow-auto', className)}>
      {children}
    </section>
  );
}
