import { Link } from '@tanstack/react-router';
import type { Library } from '../../api/code.js';
import { CodeEditor } from '../../components/editor/index.js';
import { Text } from '../../components/text.js';
import { buttonClass } from '../../components/ui/button.js';

interface LibraryTabsProps {
  libraries: readonly Library[];
  chosenId: string | undefined;
  onChoose: (id: string | undefined) => void;
}

const TAB =
  'h-7 max-w-48 truncate rounded-md px-2 text-[12.5px] font-medium text-muted transition-colors hover:text-text aria-pressed:bg-accent-soft aria-pressed:text-accent-strong';

/** The libraries that the code imports, each in a tab beside it. */
export const LibraryTabs = ({ libraries, chosenId, onChoose }: LibraryTabsProps) => (
  <fieldset aria-label="Files" className="flex gap-1 overflow-x-auto border-b px-2 py-1">
    <button type="button" aria-pressed={chosenId === undefined} onClick={() => onChoose(undefined)} className={TAB}>
      This code
    </button>
    {libraries.map(({ id, importName }) => (
      <button key={id} type="button" aria-pressed={chosenId === id} onClick={() => onChoose(id)} className={TAB}>
        <Text value={importName} max={40} />
      </button>
    ))}
  </fieldset>
);

/** A library as the code imports it. It is changed on its own page, because other code may import it too. */
export const LibraryCode = ({ library: { id, importName, code } }: { library: Library }) => (
  <div className="flex min-h-0 flex-1 flex-col">
    <div className="flex items-center gap-2 border-b px-3 py-1 text-[12.5px] text-muted">
      <span className="flex-1">Other code may import this library too, so edit it on its own page.</span>
      <Link to="/libraries/$id" params={{ id }} className={buttonClass('quiet', 'sm')}>
        Open library
      </Link>
    </div>
    <CodeEditor key={id} label={`JavaScript of ${importName}`} value={code} onChange={() => undefined} isReadOnly />
  </div>
);

/** The libraries that a text of code names in an import. */
export const importedIn = (code: string, libraries: readonly Library[]): Library[] =>
  libraries.filter(({ importName }) => code.includes(`'${importName}'`) || code.includes(`"${importName}"`));
