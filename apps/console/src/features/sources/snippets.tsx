import type { Source } from '../../api/inventory.js';
import { HIDDEN_KEY, useWriteKey } from '../../api/write-key.js';
import { Snippet } from '../../components/copy.js';
import { TabPanel, Tabs } from '../../components/ui/tabs.js';
import { snippetsFor } from '../../lib/snippets.js';

interface SnippetsProps {
  source: Source;
  chosen: string;
  onChoose: (name: string) => void;
}

export function Snippets({ source, chosen, onChoose }: SnippetsProps) {
  const { shown, filledIn } = useWriteKey(source);
  const snippets = snippetsFor(shown ?? HIDDEN_KEY, window.location.origin);
  return (
    <Tabs
      label="Ways to send"
      value={chosen}
      onChange={onChoose}
      tabs={snippets.map((one) => ({ value: one.name, label: one.name }))}
    >
      {snippets.map((one) => (
        <TabPanel key={one.name} value={one.name}>
          <Snippet code={one.code} label={`${one.name}: send the first event`} copied={() => filledIn(one.code)} />
        </TabPanel>
      ))}
    </Tabs>
  );
}
