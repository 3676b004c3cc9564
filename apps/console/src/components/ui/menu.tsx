import { MoreHorizontal } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useEffect } from 'react';
import { cn } from '../../lib/cn.js';
import { store } from '../../lib/store.js';
import { Button } from './button.js';

/** A menu of actions. Not modal, so it needs no style element (see dialog.tsx). */
export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          className="animate-appear z-50 min-w-44 rounded-lg border border-line bg-raised p-1 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuAction {
  label: string;
  run: () => void;
  /** Whether something is lost by it. */
  danger?: boolean;
}

/** The rare actions of the page in sight, which are no elements before their menu opens. */
export const menuActions = store<readonly MenuAction[]>([]);

/** Rare actions, behind three dots. The palette has them, too. */
export function MoreMenu({ actions }: { actions: readonly MenuAction[] }) {
  useEffect(() => {
    menuActions.set(actions);
    return () => menuActions.set([]);
  }, [actions]);
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label="More">
          <MoreHorizontal size={16} />
        </Button>
      }
    >
      {actions.map(({ label, run, danger = false }) => (
        <MenuItem key={label} danger={danger} onSelect={run}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

export function MenuItem({
  onSelect,
  danger,
  children,
}: {
  onSelect: () => void;
  danger?: boolean;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className={cn(
        'flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 outline-none data-[highlighted]:bg-accent-soft',
        danger && 'text-bad data-[highlighted]:bg-bad-soft',
      )}
    >
      {children}
    </DropdownMenu.Item>
  );
}
