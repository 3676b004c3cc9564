import type { ButtonHTMLAttributes } from 'react';
import { cn } from '../../lib/cn.js';

const LOOKS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-text border-line-strong hover:bg-sunken',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-sunken hover:text-text',
  danger: 'bg-surface text-bad border-line-strong hover:bg-bad-soft',
};
const SIZES = { md: 'h-8 px-3', sm: 'h-7 px-2 text-[12.5px]', icon: 'size-8 justify-center' };

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof LOOKS;
  size?: keyof typeof SIZES;
}

export const buttonClass = (look: keyof typeof LOOKS = 'plain', size: keyof typeof SIZES = 'md'): string =>
  cn(
    'inline-flex shrink-0 items-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors select-none disabled:opacity-55',
    LOOKS[look],
    SIZES[size],
  );

export function Button({ look = 'plain', size = 'md', className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={cn(buttonClass(look, size), className)} {...rest} />;
}
