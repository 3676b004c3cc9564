/** Copies a text. Browsers offer their clipboard to pages of HTTPS and of this machine only, so others take the old way. */
export async function copyText(text: string): Promise<void> {
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
