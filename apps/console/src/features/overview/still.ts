import { useEffect, useRef, useState } from 'react';

const isDraggable = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('[draggable="true"]') !== null;

/**
 * Holds what is shown from the press on something that can be dragged until its release. News that moved the page under the
 * pointer would end the drag, or drop it on a neighbour.
 */
export function useStill<Facts extends object>(facts: Facts): Facts {
  const latest = useRef(facts);
  latest.current = facts;
  const [held, setHeld] = useState<Facts>();
  useEffect(() => {
    const leaving = new AbortController();
    const on = (type: string, act: (event: Event) => void) =>
      window.addEventListener(type, act, { capture: true, signal: leaving.signal });
    let isDragging = false;
    const release = () => {
      isDragging = false;
      setHeld(undefined);
    };
    on('pointerdown', (event) => isDraggable(event) && setHeld(latest.current));
    on('dragstart', () => {
      isDragging = true;
    });
    on('pointerup', release);
    on('dragend', release);
    // a drag takes the pointer away, and so does a finger that scrolls
    on('pointercancel', () => !isDragging && release());
    return () => leaving.abort();
  }, []);
  return held ?? facts;
}
