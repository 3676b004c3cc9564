import { type ReactNode, useState } from 'react';
import { store } from '../lib/store.js';
import { Button } from './ui/button.js';
import { Dialog } from './ui/dialog.js';
import { TextField } from './ui/field.js';

interface Question {
  title: string;
  text: ReactNode;
  action: string;
  /** The way out, if nothing would be lost. */
  keep?: string;
  isSafe?: boolean;
  /** Has to be typed first, for what cannot be undone. */
  typed?: string;
  answer: (yes: boolean) => void;
}

const asked = store<Question | null>(null);

/** Asks before something is destroyed or leaves for others. Resolves with the answer. */
export const confirm = (question: Omit<Question, 'answer'>): Promise<boolean> =>
  new Promise((answer) => asked.set({ ...question, answer }));

export function Confirm() {
  const question = asked.use();
  const [typed, setTyped] = useState('');
  if (!question) return null;
  const end = (yes: boolean) => {
    setTyped('');
    asked.set(null);
    question.answer(yes);
  };
  const isReady = !question.typed || typed === question.typed;
  return (
    <Dialog open onClose={() => end(false)} title={question.title}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) end(true);
        }}
      >
        <div className="text-muted">{question.text}</div>
        {question.typed && <TextField label={`Type ${question.typed} to go on`} value={typed} onChange={setTyped} />}
        <div className="flex justify-end gap-2">
          <Button onClick={() => end(false)}>{question.keep ?? 'Keep it'}</Button>
          <Button look={question.isSafe ? 'primary' : 'danger'} type="submit" disabled={!isReady}>
            {question.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
