import { useMutation } from '@tanstack/react-query';
import { confirm, type Question } from './confirm.js';
import { tellError } from './toast.js';

type Wanted = Question | undefined;

interface Asked<Input, Output> {
  /** The question before it, with what would be lost. None where this input loses nothing, as in switching on. */
  question: (input: Input) => Wanted | Promise<Wanted>;
  send: (input: Input) => Promise<Output>;
  done: (output: Output, input: Input) => unknown;
  /** Says why it was refused: in the corner, unless the form shows `error` beside its fields. */
  refused?: (error: Error) => unknown;
}

/**
 * An action that destroys something, stops events, locks out a user or reaches other people. Sent only after the user confirms.
 * `console-questions` reads the uses of this from the source, and tries each.
 */
export function useAsked<Input = void, Output = unknown>(asked: Asked<Input, Output>) {
  const { question, send, done, refused = tellError } = asked;
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (input: Input) => {
      const wanted = await question(input);
      if (!wanted || (await confirm(wanted))) await done(await send(input), input);
    },
    onError: refused,
  });
  return { ask: (input: Input): void => mutate(input), isPending, error };
}
