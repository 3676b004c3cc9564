import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { PLACES } from './places.js';

/** The second key of `g o` has to come within this time. */
const CHORD_MS = 1_200;

/** ⌘K or Ctrl K opens the palette, and `g` with a letter goes to a place. Keys that are typed into a field stay there. */
export function useKeys(togglePalette: () => void): void {
  const navigate = useNavigate();
  const chordUntil = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        togglePalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.composedPath()[0])) return;
      if (event.key === 'g') {
        chordUntil.current = event.timeStamp + CHORD_MS;
        return;
      }
      const place = PLACES.find(({ key }) => key === event.key);
      if (!place || event.timeStamp > chordUntil.current) return;
      chordUntil.current = 0;
      event.preventDefault();
      void navigate({ to: place.to });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, togglePalette]);
}

const isTyping = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
