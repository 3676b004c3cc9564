import { type ComponentProps, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import { cn } from '../../lib/cn.js';

const BOX =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-text placeholder:text-muted/80 transition-colors hover:border-muted/60 aria-invalid:border-bad disabled:opacity-60';

export function Input({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input className={cn(BOX, 'h-8', className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={cn(BOX, 'py-1.5 font-mono text-[12.5px]', className)} {...rest} />;
}

/** The browser's own list. It is fast, works with screen readers, and needs no styles. */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select className={cn(BOX, 'h-8 pr-7', className)} {...rest} />;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  /** Gets the id and the attributes that tie the control to its label, hint and error. */
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

export function Field({ label, hint, error, required, children }: FieldProps) {
  const id = useId();
  const note = `${id}-note`;
  const described = error || hint ? { 'aria-describedby': note } : {};
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block font-medium">
        {label}
        {required && <span className="ml-1 font-normal text-muted">required</span>}
      </label>
      {children({ id, ...described, ...(error ? { 'aria-invalid': true as const } : {}) })}
      {(error || hint) && (
        <p id={note} className={cn('text-[12.5px]', error ? 'text-bad' : 'text-muted')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  value: string;
  onChange: (text: string) => void;
}

/** A line of text with its label. */
export const TextField = ({ label, hint, error, value, onChange, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => <Input {...control} {...input} value={value} onChange={({ target }) => onChange(target.value)} />}
  </Field>
);
