import { Switch as Radix } from 'radix-ui';
import { useId } from 'react';

interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  disabled?: boolean;
  id?: string;
}

export function Switch({ checked, onChange, label, disabled, id }: SwitchProps) {
  return (
    <Radix.Root
      {...(id ? { id } : {})}
      checked={checked}
      onCheckedChange={onChange}
      aria-label={label}
      title={label}
      disabled={disabled ?? false}
      className="inline-flex h-[18px] w-8 shrink-0 items-center rounded-full bg-line-strong p-0.5 transition-colors data-[state=checked]:bg-accent disabled:opacity-50"
    >
      <Radix.Thumb className="size-3.5 rounded-full bg-white shadow-sm transition-transform data-[state=checked]:translate-x-3.5" />
    </Radix.Root>
  );
}

/** A switch that says beside it what it turns on. */
export function LabeledSwitch(props: Omit<SwitchProps, 'id'>) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <Switch {...props} id={id} />
      <label htmlFor={id} className="cursor-pointer whitespace-nowrap">
        {props.label}
      </label>
    </span>
  );
}
