import { useState } from 'react';
import { Snippet } from '../../components/copy.js';
import { TabPanel, Tabs } from '../../components/ui/tabs.js';
import { snippetsFor } from '../../lib/snippets.js';

export function Snippets({ writeKey }: { writeKey: string }) {
  const snippets = snippetsFor(writeKey, window.location.origin);
  const [name, setName] = useState('curl');
  return (
    <Tabs
      label="Ways to send"
      value={name}
      onChange={setName}
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
