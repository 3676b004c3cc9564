import { isAscii } from 'node:buffer';

export interface EventTexts {
  joined: string;
  /** Length of each event in UTF-16 code units, in one list per caller. */
  lengths: number[][];
}

/**
 * Reads the events, which have a comma between them, as one text, so that they enter the isolate at once. Most are ASCII, where
 * bytes equal characters.
 */
export function splitTexts(events: Buffer, bytes: number[][]): EventTexts {
  if (isAscii(events)) return { joined: events.toString('latin1'), lengths: bytes };
  let at = 0;
  let joined = '';
  const lengths = bytes.map((group) =>
    group.map((length) => {
      const text = events.toString('utf8', at, at + length);
      at += length + 1;
      joined += `${joined === '' ? '' : ','}${text}`;
      return text.length;
    }),
  );
  return { joined, lengths };
}
