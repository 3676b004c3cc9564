import { Command } from 'cmdk';
import { CornerDownLeft, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { printable } from '../lib/printable.js';

export const Group = ({
  heading,
  always = false,
  children,
}: {
  heading: string;
  always?: boolean;
  children: ReactNode;
}) => (
  <Command.Group
    heading={heading}
    forceMount={always}
    className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
  >
    {children}
  </Command.Group>
);

interface ItemProps {
  id: string;
  icon: LucideIcon;
  hint?: string | undefined;
  /** Always shown. For items that take the typed text as their input. */
  always?: boolean;
  onSelect: () => void;
  children: string;
}

export const Item = ({ id, icon: Icon, hint, always = false, onSelect, children }: ItemProps) => (
  <Command.Item
    value={id}
    keywords={[children.slice(0, 200)]}
    forceMount={always}
    onSelect={onSelect}
    className="group flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 data-[selected=true]:bg-accent-soft"
  >
    <Icon size={15} aria-hidden className="shrink-0 text-muted" />
    <bdi dir="auto" className="min-w-0 flex-1 truncate">
      {printable(children, 80).shown}
    </bdi>
    {hint && <kbd className="font-sans text-xs text-muted">{hint}</kbd>}
    <CornerDownLeft size={13} aria-hidden className="hidden text-muted group-data-[selected=true]:block" />
  </Command.Item>
);
