export interface Turns {
  count: number;
  stop(): void;
}

/** Counts the turns of the event loop from now on. They show how often other work can run meanwhile. */
export function countTurns(): Turns {
  let isOver = false;
  const turns = {
    count: 0,
    stop: () => {
      isOver = true;
    },
  };
  const turn = () => {
    turns.count += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return turns;
}

/** Blocks the event loop for this time, however fast the machine is. */
export function holdLoop(ms: number): void {
  const endAt = performance.now() + ms;
  while (performance.now() < endAt);
}
