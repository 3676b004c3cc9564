import { CircleAlert, CircleCheck } from 'lucide-react';
import { sentenceOf } from '../api/client.js';
import { store } from '../lib/store.js';

interface Toast {
  id: number;
  text: string;
  isBad: boolean;
}

const SHOWN_MS = 5_000;
const toasts = store<readonly Toast[]>([]);
let last = 0;

function tell(text: string, isBad: boolean): void {
  last += 1;
  const id = last;
  toasts.set([...toasts.get().slice(-2), { id, text, isBad }]);
  setTimeout(() => toasts.set(toasts.get().filter((one) => one.id !== id)), SHOWN_MS);
}

export const tellDone = (text: string): void => tell(text, false);
export const tellError = (error: unknown): void => tell(sentenceOf(error), true);

/** Short words at the lower right. Screen readers hear them without losing their place. */
export function Toasts() {
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-[60] flex flex-col gap-2"
    >
      {toasts.use().map(({ id, text, isBad }) => (
        <div
          key={id}
          className="animate-appear flex max-w-96 items-start gap-2 rounded-lg border bg-raised px-3 py-2 shadow-float"
        >
          {isBad ? (
            <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden />
          ) : (
            <CircleCheck size={16} className="mt-0.5 shrink-0 text-good" aria-hidden />
          )}
          <span className="min-w-0 break-words">{text}</span>
        </div>
      ))}
    </div>
  );
}
