import { CircleAlert, CircleCheck, Undo2 } from 'lucide-react';
import { sentenceOf } from '../api/client.js';
import { store } from '../lib/store.js';
import { Button } from './ui/button.js';

interface Toast {
  id: number;
  text: string;
  isBad?: boolean;
  undo?: () => void;
}

const SHOWN_MS = 5_000;
/** Long enough to read what happened, to regret it, and to reach the button by keyboard. */
const UNDO_MS = 20_000;
const toasts = store<readonly Toast[]>([]);
let last = 0;

function tell(toast: Omit<Toast, 'id'>): void {
  last += 1;
  const id = last;
  toasts.set([...toasts.get().slice(-2), { id, ...toast }]);
  setTimeout(() => drop(id), toast.undo ? UNDO_MS : SHOWN_MS);
}

const drop = (id: number) => toasts.set(toasts.get().filter((one) => one.id !== id));

export const tellDone = (text: string): void => tell({ text });
/** Says what happened, with a way back for a while. For what loses nothing until then. */
export const tellUndo = (text: string, undo: () => void): void => tell({ text, undo });
export const tellError = (error: unknown): void => tell({ text: sentenceOf(error), isBad: true });

/** Short words at the lower right. Screen readers hear them without losing their place. */
export function Toasts() {
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-[60] flex flex-col gap-2"
    >
      {toasts.use().map(({ id, text, isBad, undo }) => (
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
          {undo && (
            <Button
              size="sm"
              className="pointer-events-auto -my-0.5 ml-1"
              onClick={() => {
                drop(id);
                undo();
              }}
            >
              <Undo2 size={13} aria-hidden /> Undo
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}
