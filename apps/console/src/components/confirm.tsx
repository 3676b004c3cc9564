import { type ReactNode, useState } from 'react';
import { store } from '../lib/store.js';
import { Button } from './ui/button.js';
import { Dialog } from './ui/dialog.js';
import { TextField } from './ui/field.js';

export interface Question {
  title: string;
  /** Says what would be lost, and what stays. */
  text: ReactNode;
  action: string;
  /** The way out, in the words of this question. */
  keep?: string;
  /** Whether a yes loses nothing. */
  isSafe?: boolean;
  /** Has to be typed first, for what cannot be undone. */
  typed?: string;
}

const asked = store<(Question & { answer: (yes: boolean) => void }) | null>(null);

/** Asks before something is destroyed or leaves for others. Resolves with the answer. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((answer) => {
    asked.get()?.answer(false); // a question that another one takes the place of
    asked.set({ ...question, answer });
  });

/** Enter gives the answer that loses nothing, unless the word that has to be typed stands there. */
export function Confirm() {
  const question = asked.use();
  const [typed, setTyped] = useState('');
  if (!question) return null;
  const { title, text, action, keep = 'Keep it', isSafe = false } = question;
  const end = (yes: boolean) => {
    setTyped('');
    asked.set(null);
    question.answer(yes);
  };
  const isReady = !question.typed || typed === question.typed;
  return (
    <Dialog open onClose={() => end(false)} title={title}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) end(true);
        }}
      >
        <div className="text-muted">{text}</div>
        {question.typed && (
          <TextField
            label={`Type ${question.typed} to confirm`}
            autoComplete="off"
            autoFocus
            value={typed}
            onChange={setTyped}
          />
        )}
        <div className="flex justify-end gap-2">
          <Button autoFocus={!isSafe && !question.typed} onClick={() => end(false)}>
            {keep}
          </Button>
          <Button look={isSafe ? 'primary' : 'danger'} type="submit" autoFocus={isSafe} disabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
