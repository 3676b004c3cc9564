import { autocompletion, type CompletionContext, closeBrackets } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript, javascriptLanguage } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { completionOf, type EventField } from '../../lib/completion.js';
import { useShadow } from './shadow.js';
import { isTyped, showing } from './shown-text.js';
import { editorTheme } from './theme.js';

/** Where the server says that the code failed. Lines count from one. */
export interface Mark {
  line: number;
  column: number;
  message: string;
}

interface CodeEditorProps {
  label: string;
  value: string;
  onChange: (code: string) => void;
  onSave?: () => void;
  marks?: readonly Mark[];
  /** Keys of events that were seen, and import names. Both are suggested while the user types. */
  fields?: readonly EventField[];
  libraries?: readonly string[];
  isReadOnly?: boolean;
}

export default function CodeEditor(props: CodeEditorProps) {
  const latest = useRef(props);
  latest.current = props;
  const view = useRef<EditorView>(null);
  const host = useShadow((root, parent) => {
    const complete = (context: CompletionContext) => completionsOf(context, latest.current);
    view.current = new EditorView({
      root,
      parent,
      state: EditorState.create({
        doc: props.value,
        extensions: [
          lineNumbers(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightSelectionMatches(),
          search({ top: true }),
          lintGutter(),
          EditorView.lineWrapping,
          javascript(),
          javascriptLanguage.data.of({ autocomplete: complete }),
          autocompletion(),
          EditorState.readOnly.of(props.isReadOnly ?? false),
          EditorView.contentAttributes.of({ 'aria-label': props.label }),
          EditorView.updateListener.of((update) => {
            if (update.transactions.some(isTyped)) latest.current.onChange(update.state.doc.toString());
          }),
          keymap.of([
            { key: 'Mod-s', preventDefault: true, run: () => save(latest.current.onSave) },
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
            // Escape and then Tab leaves the editor by keyboard.
            indentWithTab,
          ]),
          editorTheme,
        ],
      }),
    });
    return () => view.current?.destroy();
  });
  // before the next key, so that nothing typed is taken back
  useLayoutEffect(() => {
    const change = view.current && showing(view.current.state, props.value);
    if (change) view.current?.dispatch(change);
  }, [props.value]);
  useEffect(() => {
    if (view.current)
      view.current.dispatch(setDiagnostics(view.current.state, diagnosticsOf(view.current.state, props.marks ?? [])));
  }, [props.marks]);
  return <div ref={host} className="h-full min-h-0 overflow-hidden" />;
}

function diagnosticsOf({ doc }: EditorState, marks: readonly Mark[]): Diagnostic[] {
  return marks.map(({ line, column, message }) => {
    const place = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return { from: Math.min(place.from + Math.max(column - 1, 0), place.to), to: place.to, severity: 'error', message };
  });
}

/** Tells CodeMirror that the key was taken. */
function save(act: (() => void) | undefined): boolean {
  act?.();
  return true;
}

function completionsOf(context: CompletionContext, { fields = [], libraries = [] }: CodeEditorProps) {
  const code = context.state.doc.toString();
  return completionOf(code.slice(0, context.pos), code, fields, libraries) ?? null;
}
