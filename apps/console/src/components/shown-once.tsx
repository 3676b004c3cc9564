import { Copy } from './copy.js';

/** A secret that no later answer holds. */
export const ShownOnce = ({ text }: { text: string }) => (
  <div role="status" className="mt-4 rounded-lg border border-good/30 bg-good-soft p-3">
    <p className="mb-1 font-medium text-good">Copy it now. It is shown only once.</p>
    <div className="flex items-center gap-2">
      <code className="min-w-0 flex-1 font-mono text-[12.5px] break-all">{text}</code>
      <Copy text={text} />
    </div>
  </div>
);
