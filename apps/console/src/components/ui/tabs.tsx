import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface TabsProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  label: string;
  tabs: readonly { value: Value; label: ReactNode }[];
  children: ReactNode;
  className?: string;
}

export function Tabs<Value extends string>({ value, onChange, label, tabs, children, className }: TabsProps<Value>) {
  // an address may name a tab that is not there, or not for this role
  const shown = tabs.some((tab) => tab.value === value) ? value : (tabs[0]?.value ?? value);
  return (
    <Radix.Root value={shown} onValueChange={(next) => onChange(next as Value)} className={className}>
      <Radix.List aria-label={label} className="mb-4 flex gap-1 border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px h-9 border-b-2 border-transparent px-2.5 font-medium text-muted transition-colors hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  );
}

export function TabPanel({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Radix.Content value={value} className="outline-none">
      {children}
    </Radix.Content>
  );
}
