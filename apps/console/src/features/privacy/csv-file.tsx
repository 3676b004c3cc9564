import { Upload } from 'lucide-react';
import { tellError } from '../../components/toast.js';
import { buttonClass } from '../../components/ui/button.js';
import { cn } from '../../lib/cn.js';

/** Three times the users of an hour's budget with long names. More would only make the page slow. */
const BYTES_MAX = 16 * 1024 * 1024;

/** A character that is only guessed would name another user, or nobody. */
async function read(file: File): Promise<string> {
  if (file.size > BYTES_MAX) throw new Error('The file is larger than 16 MiB. Split it.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error('The file is not UTF-8, so its user IDs cannot be told. Save it as "CSV UTF-8" and try again.');
  }
}

interface CsvFileProps {
  disabled: boolean;
  onRead: (text: string) => void;
}

/** A file input that looks like a button. The browser's own cannot be drawn. */
export const CsvFile = ({ disabled, onRead }: CsvFileProps) => (
  <label
    className={cn(
      buttonClass(),
      'cursor-pointer focus-within:outline-2 focus-within:outline-accent has-disabled:cursor-default has-disabled:opacity-55',
    )}
  >
    <Upload size={14} aria-hidden /> Upload CSV …
    <input
      type="file"
      disabled={disabled}
      aria-label="Upload CSV with user IDs"
      accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
      className="sr-only"
      onChange={({ target }) => {
        const [file] = target.files ?? [];
        if (file) void read(file).then(onRead, tellError);
        target.value = ''; // the same file again is news, once somebody has changed it
      }}
    />
  </label>
);
