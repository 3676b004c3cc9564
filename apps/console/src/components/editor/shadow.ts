import { type RefObject, useEffect, useRef } from 'react';

/**
 * A place for an editor in a shadow root. There its styles are adopted sheets, which the content security policy allows. In the
 * page itself they would be a style element, which it refuses.
 */
export function useShadow(
  build: (root: ShadowRoot, parent: HTMLElement) => () => void,
): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null);
  const first = useRef(build);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const parent = document.createElement('div');
    parent.style.height = '100%';
    root.append(parent);
    const end = first.current(root, parent);
    return () => {
      end();
      parent.remove();
    };
  }, []);
  return host;
}
