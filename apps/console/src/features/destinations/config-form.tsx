import { type ReactNode, useState } from 'react';
import { Field, Input, Select, Textarea } from '../../components/ui/field.js';
import { Switch } from '../../components/ui/switch.js';
import type { Config, ConfigField } from '../../lib/config-form.js';
import { isSame } from '../../lib/draft.js';
import { pretty } from '../../lib/json.js';
import { RowsField } from './rows-field.js';

interface ConfigFormProps {
  fields: readonly ConfigField[];
  config: Config;
  onChange: (config: Config) => void;
}

/** A form made from the JSON Schema of a kind. Required fields come first, the others fold away. */
export function ConfigForm({ fields, config, onChange }: ConfigFormProps) {
  const [required, others] = [fields.filter((one) => one.isRequired), fields.filter((one) => !one.isRequired)];
  const draw = (field: ConfigField) => (
    <OneField
      key={field.key}
      field={field}
      value={config[field.key]}
      onChange={(value) => onChange({ ...config, [field.key]: value })}
    />
  );
  return (
    <div className="space-y-4">
      {required.map(draw)}
      {others.length > 0 && (
        <details open={required.length === 0 || others.some(({ key }) => key in config)} className="rounded-lg border">
          <summary className="cursor-pointer rounded-lg px-3 py-2 font-medium hover:bg-sunken">
            {others.length} more settings
          </summary>
          <div className="space-y-4 border-t p-3">{others.map(draw)}</div>
        </details>
      )}
    </div>
  );
}

interface OneFieldProps {
  field: ConfigField;
  value: unknown;
  onChange: (value: unknown) => void;
}

function OneField({ field, value, onChange }: OneFieldProps): ReactNode {
  const { control, isRequired, label, key } = field;
  const hint = hintOf(field);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (control.kind === 'switch') {
    return (
      <div className="flex items-center gap-3">
        <Switch label={label} checked={value === true} onChange={onChange} />
        <div>
          <div className="font-medium">{label}</div>
          {field.hint && <div className="text-[12.5px] text-muted">{field.hint}</div>}
        </div>
      </div>
    );
  }
  if (control.kind === 'rows')
    return <RowsField label={label} hint={hint} columns={control.columns} value={value} onChange={onChange} />;
  if (control.kind === 'json') return <JsonField label={label} hint={hint} value={value} onChange={onChange} />;
  return (
    <Field label={label} hint={hint} required={isRequired}>
      {(tied) =>
        control.kind === 'choice' ? (
          <Select {...tied} value={text} onChange={({ target }) => onChange(target.value)}>
            <option value="">Default</option>
            {control.options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </Select>
        ) : (
          <Input
            {...tied}
            name={key}
            type={field.isSecret ? 'password' : control.kind === 'number' ? 'number' : 'text'}
            autoComplete="off"
            placeholder={control.kind === 'text' ? control.placeholder : undefined}
            value={text}
            onChange={({ target }) =>
              onChange(control.kind === 'number' && target.value !== '' ? Number(target.value) : target.value)
            }
          />
        )
      }
    </Field>
  );
}

const hintOf = ({ hint, isSecret }: ConfigField): string | undefined =>
  isSecret
    ? [hint, 'Secret: it is never shown again. Keep *** to leave it unchanged.'].filter(Boolean).join('. ')
    : hint;

const INVALID = Symbol('not JSON');
const textOf = (value: unknown): string => (value === undefined ? '' : pretty(value));

function valueIn(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch {
    return INVALID;
  }
}

/** For settings without a special form. Keeps the typed text even while it is not valid JSON. */
function JsonField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const [typed, setTyped] = useState({ value, text: textOf(value) });
  // another value, such as the one that somebody else saved, takes the place of what was typed
  const isOther = !isSame(typed.value, value);
  if (isOther) setTyped({ value, text: textOf(value) });
  const text = isOther ? textOf(value) : typed.text;
  const problem = valueIn(text) === INVALID ? 'Not valid JSON yet.' : undefined;
  const change = (next: string) => {
    const read = valueIn(next);
    setTyped({ value: read === INVALID ? value : read, text: next });
    if (read !== INVALID) onChange(read);
  };
  // the browser sends no form with a field that is not valid, and says why
  const refuse = (field: HTMLTextAreaElement | null) => field?.setCustomValidity(problem ?? '');
  return (
    <Field label={label} hint={hint ?? 'JSON'} error={problem}>
      {(tied) => (
        <Textarea {...tied} ref={refuse} rows={3} value={text} onChange={({ target }) => change(target.value)} />
      )}
    </Field>
  );
}
