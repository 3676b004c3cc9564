import { Check, Copy as CopyIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cn } from '../lib/cn.js';
import { tellError } from './toast.js';
import { Button } from './ui/button.js';
import { Scroll } from './ui/scroll.js';

const SHOWN_MS = 1_500;

interface CopyProps {
  /** The text to copy, or a function that gets it when the user clicks. */
  text: string | (() => Promise<string>);
  label?: string;
  className?: string;
}

export function Copy({ text, label = 'Copy', className }: CopyProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = async () => {
    try {
      await copyText(typeof text === 'string' ? text : await text());
      setDone(true);
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Button size="sm" look="quiet" className={cn(className)} onClick={() => void copy()}>
      {isDone ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
      {isDone ? 'Copied' : label}
    </Button>
  );
}

interface SnippetProps {
  code: string;
  label: string;
  /** The text that the button copies, if it is more than the one shown. */
  copied?: () => Promise<string>;
}

/** Code to take away, with its button. */
export function Snippet({ code, label, copied }: SnippetProps) {
  return (
    <div className="overflow-hidden rounded-lg border bg-sunken text-left">
      <div className="flex items-center border-b py-1 pr-1 pl-3 text-[12.5px] text-muted">
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <Copy text={copied ?? code} />
      </div>
      <Scroll label={label} className="p-3">
        <pre className="font-mono text-[12.5px] leading-relaxed text-text">{code}</pre>
      </Scroll>
    </div>
  );
}

/** Copies a text. Browsers offer their clipboard to pages of HTTPS and of this machine only, so others take the old way. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'fixed opacity-0';
  // within an open dialog, which would take the focus back
  (document.querySelector('[role="dialog"]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('The browser does not let this page copy. Select the text instead.');
}
