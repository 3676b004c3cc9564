import { Plus, X } from 'lucide-react';
import { Button } from '../../components/ui/button.js';
import { Input, Select } from '../../components/ui/field.js';
import type { RowColumn } from '../../lib/config-form.js';
import { isRecord } from '../../lib/json.js';

interface RowsFieldProps {
  label: string;
  hint: string | undefined;
  columns: readonly RowColumn[];
  value: unknown;
  onChange: (value: unknown) => void;
}

/** A list of small records, such as headers with name and value. */
export function RowsField({ label, hint, columns, value, onChange }: RowsFieldProps) {
  const rows = Array.isArray(value) ? value.map((row) => (isRecord(row) ? row : {})) : [];
  const put = (at: number, key: string, text: string) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, [key]: text } : row)));
  return (
    <fieldset className="space-y-2">
      <legend className="font-medium">{label}</legend>
      {hint && <p className="text-[12.5px] text-muted">{hint}</p>}
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
        <div key={at} className="flex items-center gap-2">
          {columns.map(({ key, label: name, isSecret, options }) => {
            const common = {
              'aria-label': `${label} ${at + 1}: ${name}`,
              value: typeof row[key] === 'string' || typeof row[key] === 'number' ? String(row[key]) : '',
            };
            return options ? (
              <Select key={key} {...common} onChange={({ target }) => put(at, key, target.value)}>
                <option value="">{name}</option>
                {options.map((option) => (
                  <option key={option}>{option}</option>
                ))}
              </Select>
            ) : (
              <Input
                key={key}
                {...common}
                type={isSecret ? 'password' : 'text'}
                autoComplete="off"
                placeholder={name}
                onChange={({ target }) => put(at, key, target.value)}
              />
            );
          })}
          <Button
            look="quiet"
            size="icon"
            aria-label={`Remove row ${at + 1} of ${label}`}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <X size={14} />
          </Button>
        </div>
      ))}
      <Button size="sm" onClick={() => onChange([...rows, {}])}>
        <Plus size={13} aria-hidden /> Add
      </Button>
    </fieldset>
  );
}
