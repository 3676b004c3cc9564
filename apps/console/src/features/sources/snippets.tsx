import { Snippet } from '../../components/copy.js';
import { TabPanel, Tabs } from '../../components/ui/tabs.js';
import { snippetsFor } from '../../lib/snippets.js';

interface SnippetsProps {
  writeKey: string;
  chosen: string;
  onChoose: (name: string) => void;
}

export function Snippets({ writeKey, chosen, onChoose }: SnippetsProps) {
  const snippets = snippetsFor(writeKey, window.location.origin);
  return (
    <Tabs
      label="Ways to send"
      value={chosen}
      onChange={onChoose}
      tabs={snippets.map((one) => ({ value: one.name, label: one.name }))}
    >
      {snippets.map((one) => (
        <TabPanel key={one.name} value={one.name}>
          <Snippet code={one.code} label={`${one.name}: send the first event`} />
        </TabPanel>
      ))}
    </Tabs>
  );
}
