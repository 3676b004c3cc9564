import { useEffect, useRef } from 'react';

/** Whether the page that began something is still open when it is done. Nobody who has gone on is led back. */
export function useIsHere(): () => boolean {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return () => here.current;
}
