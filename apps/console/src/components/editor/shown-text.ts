import { Annotation, type EditorState, type Transaction, type TransactionSpec } from '@codemirror/state';

/** Marks a change that the page made, so that nobody takes it for typing. */
const isShown = Annotation.define<true>();

/** The change after which the editor shows the text. Undefined if it does already, whatever the line ends: the editor has only one kind. */
export function showing(state: EditorState, text: string): TransactionSpec | undefined {
  const wanted = state.toText(text);
  if (state.doc.eq(wanted)) return undefined;
  return { changes: { from: 0, to: state.doc.length, insert: wanted }, annotations: isShown.of(true) };
}

/** Whether the transaction is a change that somebody typed. */
export const isTyped = (transaction: Transaction): boolean =>
  transaction.docChanged && transaction.annotation(isShown) !== true;
